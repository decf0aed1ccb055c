/* Tags: the fast ways to their names and ends say what the plain ones say. */
#include "document/html/html_tag.h"
#include "pardup/base/bytes.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

static const unsigned char *bytes(const char *s) { return (const unsigned char *)s; }

/* Where the tag whose name has ended ends; 0: not at all. */
static size_t end_of(const char *attributes)
{
    const unsigned char *s = bytes(attributes), *end = pd_tag_end(s, s + strlen(attributes));
    return end ? (size_t)(end - s) : 0;
}

static void test_ends(void)
{
    CU_ASSERT_EQUAL(end_of("> and what is behind it"), 1);
    CU_ASSERT_EQUAL(end_of(" href=\"a>b\" x='>'> text behind it"), 18);
    CU_ASSERT_EQUAL(end_of(" a=b=\"c> text that is behind it\""),
                    8); /* no quotes: inside a value */
    CU_ASSERT_EQUAL(end_of(" a= b=\"c> text that is behind it\""), 9);
    CU_ASSERT_EQUAL(end_of(" =\"> text that is behind it \">"), 4); /* a name begins with '=' */
    CU_ASSERT_EQUAL(end_of(" a\"> text that is behind it \">"), 4);
    CU_ASSERT_EQUAL(end_of(" a = \">\" > text that is behind"), 10);
    CU_ASSERT_EQUAL(end_of(" a/=\">\"> text that is behind it"), 6);
    CU_ASSERT_EQUAL(end_of(" a=b=\"c\" d=\" e>f\"> text that is behind it"), 18);
    CU_ASSERT_EQUAL(end_of(" a\"b=\"c>d\"> text that is behind it, and more"), 11);
    CU_ASSERT_EQUAL(end_of(" x=\"a\"=\"b>c\"> text that is behind it, and more"), 10);
    CU_ASSERT_EQUAL(end_of(" onclick=\"f('x')\" class=\"longer than one step\"> text behind"), 47);
    CU_ASSERT_EQUAL(end_of(" href=\"never closed> and so on"), 0);
    CU_ASSERT_EQUAL(end_of(" and the page ends before a sign"), 0);
}

static void test_self_closing(void)
{
    static const struct {
        const char *tag;
        bool yes;
    } cases[] = {{"/>", true},   {" />", true},        {" a=\"b\"/>", true}, {" a=b/>", false},
                 {"/ >", false}, {" a=\"/\">", false}, {">", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const unsigned char *s = bytes(cases[k].tag), *end = s + strlen(cases[k].tag);
        bool self_closing;
        CU_ASSERT_PTR_EQUAL(pd_tag_end_slow(s, end, &self_closing), end);
        CU_ASSERT_EQUAL(self_closing, cases[k].yes);
    }
}

static void test_names(void)
{
    struct pd_tag_name name, want = pd_element_name("blockquote");
    const struct pd_element_slot *slots = pd_element_slots();
    const unsigned char *s = bytes("BlockQuote class=x>"), *end = s + strlen("BlockQuote class=x>");
    CU_ASSERT_PTR_EQUAL(pd_tag_name(s, end, &name), s + 10);
    CU_ASSERT(name.head == want.head && name.tail == want.tail);
    CU_ASSERT_EQUAL(pd_element_find(slots, &name)->flags, PD_EL_BLOCK | PD_EL_NOTED);
    s = bytes("br\0> and more behind it");
    pd_tag_name(s, s + 23, &name);
    CU_ASSERT_EQUAL(pd_element_find(slots, &name)->flags, 0); /* a NUL is part of the name */
    s = bytes("averyveryverylongname>");
    CU_ASSERT_PTR_EQUAL(pd_tag_name(s, s + 22, &name), s + 21);
    CU_ASSERT(name.head == 0 && name.tail == 0);
}

static void test_random(void)
{
    enum { ROUNDS = 60000, MOST = 96 };
    static const char signs[] = "aZ=\"'>/ \n\t\f-\0<\x0B\xC3";
    struct pd_random random = {13};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes tag = {0};
        const size_t n = 1 + pd_random_below(&random, MOST);
        pd_bytes_reserve(&tag, n); /* exactly, so that a sanitizer sees every read behind it */
        const uint32_t kinds = pd_random_below(&random, 2) ? 3 : sizeof signs - 1;
        for (size_t k = 0; k < n; k++)
            tag.v[k] = (unsigned char)
                signs[pd_random_below(&random, 6) ? pd_random_below(&random, kinds)
                                                  : pd_random_below(&random, sizeof signs - 1)];
        bool self_closing;
        struct pd_tag_name fast, slow;
        const unsigned char *end = pd_tag_end_slow(tag.v, tag.v + n, &self_closing);
        CU_ASSERT_PTR_EQUAL(pd_tag_end(tag.v, tag.v + n), end);
#ifdef PD_VECTORS
        CU_ASSERT_PTR_EQUAL(pd_tag_end_16(tag.v, tag.v + n), end);
#endif
        CU_ASSERT_PTR_EQUAL(pd_tag_name(tag.v, tag.v + n, &fast),
                            pd_tag_name_slow(tag.v, tag.v + n, &slow));
        CU_ASSERT(fast.head == slow.head && fast.tail == slow.tail);
        pd_bytes_release(&tag);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_ends), PD_TEST(test_self_closing),
                                        PD_TEST(test_names), PD_TEST(test_random),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/html_tag", tests);
}
