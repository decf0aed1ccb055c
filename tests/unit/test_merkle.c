/* Roots equal those of the recursive definition, and digests those of RFC 6962's own examples. */
#include "pardup/base/merkle.h"

#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

static bool is_digest(const struct pd_digest *d, const char *hex)
{
    struct pd_bytes text = {0};
    pd_digest_print(&text, d);
    const bool same = text.n == strlen(hex) && memcmp(text.v, hex, text.n) == 0;
    pd_bytes_release(&text);
    return same;
}

/* The definition of RFC 6962, word for word, of leaves that are one byte each. */
static struct pd_digest defined(const unsigned char *leaves, size_t n)
{
    struct sha256_ctx c;
    struct pd_digest left, right;
    sha256_init(&c);
    if (n == 1) {
        sha256_update(&c, 1, (const uint8_t *)"\0");
        sha256_update(&c, 1, leaves);
    } else if (n > 1) {
        size_t k = 1;
        while (2 * k < n)
            k *= 2;
        left = defined(leaves, k);
        right = defined(leaves + k, n - k);
        sha256_update(&c, 1, (const uint8_t *)"\1");
        sha256_update(&c, sizeof left.v, left.v);
        sha256_update(&c, sizeof right.v, right.v);
    }
    return pd_digest_end(&c);
}

static void test_definition(void)
{
    enum { MOST = 70 };
    unsigned char leaves[MOST];
    struct pd_merkle m = {.n = 0};
    uint64_t seed = 6962;
    for (size_t n = 0; n <= MOST; n++) {
        const struct pd_digest root = pd_merkle_root(&m), want = defined(leaves, n);
        CU_ASSERT(memcmp(&root, &want, sizeof root) == 0 && m.n == n);
        if (n == MOST)
            break;
        leaves[n] = (unsigned char)pd_random_below(&seed, 256);
        pd_merkle_put(&m, &leaves[n], 1);
        pd_merkle_end(&m);
    }
}

static void test_known(void)
{
    struct pd_merkle m = {.n = 0};
    struct pd_digest root = pd_merkle_root(&m);
    CU_ASSERT(is_digest(&root, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    pd_merkle_end(&m); /* an empty leaf */
    root = pd_merkle_root(&m);
    CU_ASSERT(is_digest(&root, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"));
}

/* Lines are the same leaves however their bytes come. */
static void test_lines(void)
{
    static const char text[] = "one\n\ntwo and three\r\nthe last";
    struct pd_merkle whole = {.n = 0};
    pd_merkle_lines(&whole, (const void *)text, strlen(text));
    CU_ASSERT(whole.n == 3 && whole.open);
    pd_merkle_end(&whole);
    const struct pd_digest want = pd_merkle_root(&whole);
    for (size_t cut = 0; cut <= strlen(text); cut++) {
        struct pd_merkle m = {.n = 0};
        pd_merkle_lines(&m, (const void *)text, cut);
        pd_merkle_lines(&m, (const void *)(text + cut), strlen(text) - cut);
        pd_merkle_end(&m);
        const struct pd_digest root = pd_merkle_root(&m);
        CU_ASSERT(m.n == 4 && memcmp(&root, &want, sizeof root) == 0);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_definition), PD_TEST(test_known),
                                        PD_TEST(test_lines), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/merkle", tests);
}
