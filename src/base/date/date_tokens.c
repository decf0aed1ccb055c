/* base/date/date_tokens.c - see src/base/date/date_span.h */
#include "date_span.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct {
    char kind;
    int value;
    const char *words; /* without accents, in small letters */
} words[] = {
    {'M', 1, " january jan januar janner janvier janv "},
    {'M', 2, " february feb februar fevrier fevr fev "},
    {'M', 3, " march mar marz maerz mars "},
    {'M', 4, " april apr avril avr "},
    {'M', 5, " may mai "},
    {'M', 6, " june jun juni juin "},
    {'M', 7, " july jul juli juillet juil "},
    {'M', 8, " august aug aout "},
    {'M', 9, " september sept sep septembre "},
    {'M', 10, " october oct oktober okt octobre "},
    {'M', 11, " november nov novembre "},
    {'M', 12, " december dec dezember dez decembre "},
    {'S', PD_DATE_MONTHS(3, 5), " spring fruhling fruhjahr printemps easter ostern paques "},
    {'S', PD_DATE_MONTHS(4, 7), " trinity "},
    {'S', PD_DATE_MONTHS(6, 8), " summer sommer ete "},
    {'S', PD_DATE_MONTHS(9, 11), " autumn fall herbst automne "},
    {'S', PD_DATE_MONTHS(9, 12), " michaelmas "},
    {'S', PD_DATE_MONTHS(1, 3), " hilary lent "},
    {'S', PD_DATE_MONTHS(1, 14), " winter hiver "}, /* of either end of the year */
    {'S', PD_DATE_MONTHS(12, 12), " christmas weihnachten noel "},
    {'C', 0,
     " century centuries cent jahrhundert jahrhunderts jh jhd jhdt jhs siecle siecles saec "
     "saeculum s "},
    {'H', 2, " half halfte moitie "},
    {'Q', 4, " quarter viertel quart "},
    {'P', 0, " early anfang beginning beginn debut "},
    {'P', 1, " mid middle mitte milieu "},
    {'P', 2, " late end ende fin "},
    {'n', 1, " first erste ersten premiere premier "},
    {'n', 2, " second zweite zweiten deuxieme seconde "},
    {'n', 3, " third dritte dritten drittes troisieme "},
    {'n', 4, " fourth vierte viertes quatrieme last letztes dernier "},
    {'n', 14, " fourteenth "},
    {'n', 15, " fifteenth "},
    {'n', 16, " sixteenth "},
    {'n', 17, " seventeenth "},
    {'n', 18, " eighteenth "},
    {'n', 19, " nineteenth "},
    {'n', 20, " twentieth "},
    {'B', 0, " before vor avant ante bef pre "},
    {'B', 1, " by until spatestens "},
    {'A', 0, " after nach apres post aft "},
    {'A', 1, " since seit depuis "},
    {'X', 0, " not nicht "},
    {'E', 1, " bc bce "},
    {'E', 0, " ad ce "},
    {'-', 0, " and und et to bis a or oder ou through till "},
    {'=', 0, " ie recte "},
    {'~', 0,
     " c ca circa cca approx approximately about around um etwa gegen vers environ env probably "
     "perhaps possibly wohl vermutlich fl "},
    {'.', 0,
     " the of in anno dom domini printed published imprinted year yeare jahr jahre an annee l "
     "le la les du de des der den dem die im am on at between zwischen entre from von term "
     "copyright "},
    {'.', 0,
     " monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "
     "montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi "
     "vendredi samedi dimanche "}};

/* Phrases, and one word for each. */
static const char *const phrases[][2] = {
    {"b.c.e", "bce"},     {"b.c", "bc"},       {"a.d", "ad"},           {"c.e", "ce"},
    {"v. chr", "bc"},     {"v.chr", "bc"},     {"vor christus", "bc"},  {"vor chr", "bc"},
    {"n. chr", "ad"},     {"n.chr", "ad"},     {"nach christus", "ad"}, {"av. j.-c", "bc"},
    {"avant j.-c", "bc"}, {"apr. j.-c", "ad"}, {"apres j.-c", "ad"},    {"i.e", "ie"}};

/* ---- letters ---- */

/* Copy s[0, n) in small letters without accents; dashes become '-'. False: it is too long. */
static bool fold(struct pd_date_text *t, const unsigned char *s, size_t n)
{
    static const char plain[] = "aaaaaaaceeeeiiiidnooooo-ouuuuyts";
    size_t to = 0;
    if (n > PD_DATE_TEXT)
        return false;
    for (size_t k = 0; k < n; k++) {
        if (s[k] == 0xC3 && k + 1 < n)
            t->s[to++] = plain[s[++k] & 0x1F];
        else if (s[k] == 0xC2 && k + 1 < n)
            t->s[to++] = s[++k] == 0xA0 ? ' ' : ',';
        else if (s[k] == 0xE2 && k + 2 < n && s[k + 1] == 0x80 && s[k + 2] >= 0x90 &&
                 s[k + 2] <= 0x95)
            k += 2, t->s[to++] = '-';
        else if (s[k] == 0)
            return false;
        else
            t->s[to++] = (char)tolower(s[k]);
    }
    t->s[to] = 0;
    for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++) {
        char *at = strstr(t->s, phrases[k][0]);
        const size_t from = strlen(phrases[k][0]), with = strlen(phrases[k][1]);
        if (at && (at == t->s || !isalpha((unsigned char)at[-1]))) {
            memcpy(at, phrases[k][1], with);
            memmove(at + with, at + from, strlen(at + from) + 1);
        }
    }
    return true;
}

/* ---- tokens ---- */

static bool put(struct pd_date_text *t, struct pd_date_token token)
{
    if (t->n == PD_DATE_TOKENS)
        return false;
    t->tokens[t->n++] = token;
    return true;
}

/* The value of a Roman number in s[0, n); 0: it is none. */
static int roman_value(const char *s, size_t n)
{
    static const char letters[] = "ivxlcdm";
    static const int values[] = {1, 5, 10, 50, 100, 500, 1000};
    int sum = 0, before = INT_MAX;
    for (size_t k = 0; k < n; k++) {
        const char *at = strchr(letters, s[k]);
        if (!at)
            return 0;
        const int value = values[at - letters];
        sum += value > before ? value - 2 * before : value;
        before = value;
    }
    return n ? sum : 0;
}

/* Put a Roman number. Parts with points between them are one: M.DC.XXVI. */
static bool put_roman(struct pd_date_text *t, int value)
{
    struct pd_date_token *last = t->n ? &t->tokens[t->n - 1] : NULL;
    if (last && last->roman && last->value % PD_CENTURY == 0 && value < last->value) {
        last->value += value;
        return true;
    }
    const int digits = value < PD_CENTURY ? 2 : 4;
    return put(t, (struct pd_date_token){digits == 2 ? 'n' : 'Y', value, digits, true});
}

/* Put the word s[0, n). */
static bool put_word(struct pd_date_text *t, const char *s, size_t n)
{
    char word[PD_DATE_TEXT + 3];
    snprintf(word, sizeof word, " %.*s ", (int)n, s);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strstr(words[k].words, word)) {
            t->unsure |= words[k].kind == '~';
            return words[k].kind == '~' || words[k].kind == '.' ||
                   put(t, (struct pd_date_token){words[k].kind, words[k].value, 0, false});
        }
    static const char *const ends[] = {"", "e", "eme", "o", "th"};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const size_t end = strlen(ends[k]);
        const int value =
            n > end && memcmp(s + n - end, ends[k], end) == 0 ? roman_value(s, n - end) : 0;
        if (value > 0)
            return put_roman(t, value);
    }
    return false;
}

/* Put the number at s, with what is written behind it. Returns what follows, or NULL. */
static const char *put_number(struct pd_date_text *t, const char *s)
{
    static const char *const ordinals[] = {"st", "nd",  "rd", "th",  "e",   "er",
                                           "re", "eme", "te", "ten", "ter", "o"};
    const size_t digits = strspn(s, "0123456789"), rest = strspn(s + digits, "xu");
    const size_t letters = strspn(s + digits, "abcdefghijklmnopqrstuvwxyz");
    struct pd_date_token token = {'n', 0, (int)digits, false};
    if (digits > 4)
        return NULL;
    for (size_t k = 0; k < digits; k++)
        token.value = 10 * token.value + (s[k] - '0');
    const char *behind = s + digits + letters;
    const bool decade =
        digits == 4 && token.value % 10 == 0 &&
        ((letters == 1 && s[4] == 's') || (letters == 2 && memcmp(s + 4, "er", 2) == 0));
    if (letters && letters == rest && digits + rest == 4) {
        token.kind = 'D';
        token.digits = rest == 2 ? PD_CENTURY : 10; /* years */
        token.value *= token.digits;
    } else if (decade) {
        token.kind = 'D';
        token.digits = token.value % PD_CENTURY ? 10 : PD_CENTURY;
    } else if (digits > 3) { /* a shorter one is a year by its era */
        token.kind = 'Y';
    }
    bool known = letters == 0 || token.kind == 'D';
    for (size_t k = 0; k < sizeof ordinals / sizeof *ordinals && token.kind == 'n'; k++)
        known |= strlen(ordinals[k]) == letters && memcmp(s + digits, ordinals[k], letters) == 0;
    return known && put(t, token) ? behind : NULL;
}

static bool read_tokens(struct pd_date_text *t)
{
    for (const char *s = t->s; *s;) {
        const size_t letters = strspn(s, "abcdefghijklmnopqrstuvwxyz");
        if (isdigit((unsigned char)*s)) {
            if (!(s = put_number(t, s)))
                return false;
        } else if (letters) {
            if (!put_word(t, s, letters))
                return false;
            s += letters;
        } else if (s[0] == '.' && s[1] == '.') {
            if (!put(t, (struct pd_date_token){.kind = 'O'}))
                return false;
            s += strspn(s, ".");
        } else {
            t->unsure |= strchr("?[]~%", *s) != NULL;
            if ((*s == '-' || *s == '/') && !put(t, (struct pd_date_token){*s, 1, 0, false}))
                return false;
            if (!strchr(" ?[]~%-/.,;:()'", *s))
                return false;
            s++;
        }
    }
    return t->n > 0;
}

bool pd_date_tokens_read(struct pd_date_text *t, const char *s, size_t n)
{
    return fold(t, (const unsigned char *)s, n) && read_tokens(t);
}
