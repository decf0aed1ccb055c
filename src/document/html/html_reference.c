/* html_reference.c - see src/document/html/html_reference.h */
#include "html_reference.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "html_entities.h"
#include "pardup/base/scan.h"
#include "pardup/document/utf8.h"

/* A hash table of pd_entities by name, with linear probing. 0: free, or 1 + index. */
enum { SLOTS = 4096 };
static uint16_t slots[SLOTS];
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

static uint32_t slot_of(const unsigned char *name, size_t n)
{
    uint32_t hash = 0;
    for (size_t k = 0; k < n; k++)
        hash = hash * 33 + name[k];
    return (hash ^ hash >> 15) % SLOTS;
}

static void fill_slots(void)
{
    for (uint16_t k = 0; k < PD_ENTITIES; k++) {
        const char *name = pd_entities[k].name;
        uint32_t slot = slot_of((const unsigned char *)name, strlen(name));
        while (slots[slot] != 0)
            slot = (slot + 1) % SLOTS;
        slots[slot] = (uint16_t)(k + 1);
    }
}

/* The entity with this name of n bytes, without the semicolon; NULL when there is none. */
static const struct pd_entity *find_entity(const unsigned char *name, size_t n)
{
    pthread_once(&slots_once, fill_slots);
    for (uint32_t k = slot_of(name, n); slots[k] != 0; k = (k + 1) % SLOTS) {
        const struct pd_entity *e = &pd_entities[slots[k] - 1];
        if (memcmp(e->name, name, n) == 0 && e->name[n] == '\0')
            return e;
    }
    return NULL;
}

static size_t decode_named(const unsigned char *s, size_t n, unsigned char *text, size_t *text_n)
{
    size_t name_n = 0; /* letters and digits behind '&' */
    while (name_n + 1 < n && name_n < PD_ENTITY_NAME &&
           (pd_scan_is_letter(s[name_n + 1]) || pd_scan_is_digit(s[name_n + 1])))
        name_n++;
    if (name_n == PD_ENTITY_NAME)
        name_n = PD_ENTITY_BARE; /* longer than any name; a bare name may begin it */
    size_t used = 0;
    const struct pd_entity *e = NULL;
    if (name_n + 1 < n && s[name_n + 1] == ';' && (e = find_entity(s + 1, name_n)) != NULL)
        used = name_n + 2;
    for (size_t k = name_n < PD_ENTITY_BARE ? name_n : PD_ENTITY_BARE; used == 0 && k >= 2; k--) {
        if ((e = find_entity(s + 1, k)) != NULL && e->bare)
            used = k + 1;
    }
    if (used != 0) {
        *text_n = strlen(e->text);
        memcpy(text, e->text, *text_n);
    }
    return used;
}

static int digit_value(unsigned char c, uint32_t base)
{
    if (pd_scan_is_digit(c))
        return c - '0';
    c |= 0x20;
    return base == 16 && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character with this number. 0x80 to 0x9F are bytes of windows-1252, as in all browsers. */
static uint32_t character_of(uint32_t number)
{
    if (number >= 0x80 && number <= 0x9F)
        return pd_windows_1252[number - 0x80];
    const bool surrogate = number >= 0xD800 && number <= 0xDFFF;
    return number == 0 || number > 0x10FFFF || surrogate ? PD_REPLACEMENT : number;
}

static size_t decode_number(const unsigned char *s, size_t n, unsigned char *text, size_t *text_n)
{
    size_t k = 2; /* behind "&#" */
    uint32_t base = 10;
    if (k < n && (s[k] | 0x20) == 'x') {
        base = 16;
        k++;
    }
    const size_t first = k;
    uint32_t number = 0;
    for (int digit; k < n && (digit = digit_value(s[k], base)) >= 0; k++) {
        if (number <= 0x10FFFF) /* a larger number is out of range already, and must not wrap */
            number = number * base + (uint32_t)digit;
    }
    if (k == first)
        return 0;
    *text_n = pd_utf8_put(text, character_of(number));
    return k < n && s[k] == ';' ? k + 1 : k;
}

size_t pd_html_reference(const unsigned char *s, size_t n, unsigned char text[PD_REFERENCE_MOST],
                         size_t *text_n)
{
    if (n < 2)
        return 0;
    return s[1] == '#' ? decode_number(s, n, text, text_n) : decode_named(s, n, text, text_n);
}
