/* Which inner texts are stubs, and what tells addresses apart. */
#include "pardup/join/stubs.h"

#include <stdio.h>
#include <string.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "run/stage/collection/site.h"

static struct pd_address parts(const char *url)
{
    struct pd_address a = {0, 0};
    CU_ASSERT_TRUE(pd_address_of("", 0, url, strlen(url), &a));
    return a;
}

/* Whether n addresses of one inner text of some words make it a stub. */
static bool is_stub(const char *const *urls, size_t n, uint64_t words)
{
    struct pd_sightings v = {0};
    for (size_t k = 0; k < n; k++)
        pd_sightings_push(
            &v, (struct pd_sighting){1, parts(urls[k]).name, parts(urls[k]).all, k, words});
    pd_sort_records(v.v, v.n, PD_SIGHTING_U64S, PD_SIGHTING_U64S);
    const bool found = pd_stub_judge(v.v, v.n);
    pd_sightings_release(&v);
    return found;
}

enum { MOST = 128 };
static char made[MOST][64];
static const char *urls[MOST];

/* Whether an inner text of some words at n addresses that a format makes of numbers is a stub. */
static bool is_stub_at(const char *format, size_t n, uint64_t words)
{
    for (size_t k = 0; k < n; k++) {
        snprintf(made[k], sizeof made[k], format, (unsigned)k);
        urls[k] = made[k];
    }
    return is_stub(urls, n, words);
}

static void test_names(void)
{
    static const char same[][40] = {"http://a.example/b/page",     "https://a.example/page/",
                                    "http://a.example/page?x=1",   "http://a.example/page#part",
                                    "http://a.example/page;sid=7", "http://b.example/c//page//",
                                    "urn://a.example/page/?q=/y"};
    for (size_t k = 1; k < sizeof same / sizeof *same; k++)
        CU_ASSERT_EQUAL(parts(same[k]).name, parts(same[0]).name);
    static const char roots[][40] = {"http://a.example", "http://a.example/",
                                     "http://a.example?x=1", "http://a.example#x", "http://"};
    for (size_t k = 1; k < sizeof roots / sizeof *roots; k++)
        CU_ASSERT_EQUAL(parts(roots[k]).name, parts(roots[0]).name);
    CU_ASSERT_NOT_EQUAL(parts(same[0]).name, parts(roots[0]).name);
    CU_ASSERT_NOT_EQUAL(parts("http://a.example/p?x=1").all, parts("http://a.example/p?x=2").all);
    CU_ASSERT_EQUAL(parts("http://a.example/p?x=1#a").all, parts("http://a.example/p?x=1#b").all);
    char longest[PD_URL_MOST + 2] = "http://a.example/";
    memset(longest + strlen(longest), 'x', sizeof longest - 1 - strlen(longest));
    struct pd_address a, cut;
    CU_ASSERT_TRUE(pd_address_of("", 0, longest, PD_URL_MOST + 1, &a));
    CU_ASSERT_TRUE(pd_address_of("", 0, longest, PD_URL_MOST, &cut));
    CU_ASSERT_TRUE(a.name == cut.name && a.all == cut.all);
    CU_ASSERT_FALSE(pd_address_of("pages/7.html", 12, NULL, 0, &a));
    CU_ASSERT_EQUAL(a.name, parts("http://a.example/7.html?x=1").name);
    CU_ASSERT_FALSE(pd_address_of(NULL, 0, NULL, 0, &a));
    CU_ASSERT_EQUAL(a.name, 0);
    CU_ASSERT_EQUAL(parts(roots[0]).name, 0);
}

static void test_how_many_names(void)
{
    CU_ASSERT_FALSE(is_stub_at("http://a.example/%u", 4, 31));
    CU_ASSERT_TRUE(is_stub_at("http://a.example/%u", 5, 31));
    CU_ASSERT_FALSE(is_stub_at("http://a.example/%u", 5, 32));
    CU_ASSERT_TRUE(is_stub_at("http://a.example/%u", 6, 32));
    CU_ASSERT_TRUE(is_stub_at("http://a.example/%u", 11, 200));
    CU_ASSERT_FALSE(is_stub_at("http://a.example/%u", MOST, 201));
    CU_ASSERT_FALSE(is_stub_at("http://a.example/%u", MOST, 0));
}

static void test_versions_and_sessions(void)
{
    CU_ASSERT_FALSE(is_stub_at("http://a.example/v%u/page.html", 19, 20));
    CU_ASSERT_TRUE(is_stub_at("http://a.example/v%u/page.html", 20, 20));
    CU_ASSERT_FALSE(is_stub_at("http://a.example/page?sid=%u", 31, 100));
    CU_ASSERT_TRUE(is_stub_at("http://a.example/page?sid=%u", 32, 100));
    CU_ASSERT_FALSE(is_stub_at("http://a.example/page#%u", MOST, 20));
    for (size_t k = 0; k < MOST; k++)
        urls[k] = "http://a.example/page"; /* captured again and again */
    CU_ASSERT_FALSE(is_stub(urls, MOST, 20));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_names), PD_TEST(test_how_many_names),
                                        PD_TEST(test_versions_and_sessions), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/stubs", tests);
}
