/*
 * foreign_bip158.c - Golomb-coded sets of Bitcoin's blocks (BIP-158): those
 * that the BIP publishes, asked for the scripts of their blocks; and what none
 * of them can be, refused.
 */
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

enum {
    MOST_BYTES = 64,
    HASH_BYTES = 32,
    SPREAD = 784931
};

/* The bytes of two hexadecimal digits each. Returns how many. */
static size_t read_hex(uint8_t *out, const char *digits)
{
    size_t count = strlen(digits) / 2;
    for (size_t i = 0; i < count; i++) {
        const char two[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(two, NULL, 16);
    }
    return count;
}

/* The key of a filter: 16 bytes of a hash, which is shown from its end. */
static void read_block(uint8_t secret[SEENSET_SECRET_BYTES], const char *shown)
{
    uint8_t hash[HASH_BYTES];
    assert_int_equal(read_hex(hash, shown), HASH_BYTES);
    for (int i = 0; i < SEENSET_SECRET_BYTES; i++)
        secret[i] = hash[HASH_BYTES - 1 - i];
}

static seenset_foreign *open_keyed(const uint8_t *bytes, size_t size_bytes,
                                   const uint8_t *secret)
{
    seenset_foreign *file = NULL;
    const seenset_open_options options = {.secret = secret};
    assert_int_equal(
        seenset_foreign_open_bytes(&file, bytes, size_bytes, &options), 0);
    assert_int_equal(foreign_info_of(file).format, SEENSET_FORMAT_BIP158);
    assert_int_equal(foreign_info_of(file).filter_count, 1);
    return file;
}

/* Rows of bip-0158/testnet-19.json, of the repository of the BIPs: the hash of
 * a block, its basic filter, and the scripts in it. */
static const struct {
    const char *block, *filter;
    const char *scripts[11];
} published[] = {
    {"000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
     "019dfca8",
     {"4104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6"
      "bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac"}},
    {"000000006c02c8ea6e4ff69651f7fcde348fb9d557a06e6957b65552002a7820",
     "0174a170",
     {"21038a7f6ef1c8ca0c588aa53fa860128077c9e6c11e6830f4d7ee4e763a56b7718fa"
      "c"}},
    {"0000000018b07dca1b28b4b5a119f6d6e71698ce1ed96f143f54179ce177a19c",
     "0afbc2920af1b027f31f87b592276eb4c32094bb4d3697021b4c6380",
     {"5221033423007d8f263819a2e42becaaf5b06f34cb09919e06304349d950668209eaed21"
      "021d69e2b68c3960903b702af7829fadcd80bd89b158150c85c4a75b2c8cb9c39452ae",
      "52210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f8179821"
      "021d69e2b68c3960903b702af7829fadcd80bd89b158150c85c4a75b2c8cb9c39452ae",
      "522102a7ae1e0971fc1689bd66d2a7296da3a1662fd21a53c9e38979e0f090a375c12d21"
      "022adb62335f41eb4e27056ac37d462cda5ad783fa8e0e526ed79c752475db285d52ae",
      "52210279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f8179821"
      "022adb62335f41eb4e27056ac37d462cda5ad783fa8e0e526ed79c752475db285d52ae",
      "512103b9d1d0e2b4355ec3cdef7c11a5c0beff9e8b8d8372ab4b4e0aaf30e80173001951"
      "ae",
      "76a9149144761ebaccd5b4bbdc2a35453585b5637b2f8588ac",
      "522103f1848b40621c5d48471d9784c8174ca060555891ace6d2b03c58eece946b1a9121"
      "020ee5d32b54d429c152fdc7b1db84f2074b0564d35400d89d11870f9273ec140c52ae",
      "76a914f4fa1cc7de742d135ea82c17adf0bb9cf5f4fb8388ac",
      "2102971dd6034ed0cf52450b608d196c07d6345184fcb14deb277a6b82d526a6163dac",
      "76a91445db0b779c0b9fa207f12a8218c94fc77aff504588ac"}},
    {"000000000000015d6077a411a8f5cc95caf775ccf11c54e27df75ce58d187313",
     "09027acea61b6cc3fb33f5d52f7d088a6b2f75d234e89ca800",
     {"a914feb8a29635c56d9cd913122f90678756bf23887687",
      "76a914c01a7ca16b47be50cbdbc60724f701d52d75156688ac",
      "76a914913bcc2be49cb534c20474c4dee1e9c4c317e7eb88ac"}},
    {"000000006f27ddfe1dd680044a34548f41bed47eba9e6f0b310da21423bc5f33",
     "0385acb4f0fe889ef0",
     {"002027a5000c7917f785d8fc6e5a55adfca8717ecb973ebb7743849ff956d896a7ed",
      "76a914f2c25ac3d59f3d674b1d1d0a25c27339aaac0ba688ac",
      "001446c29eabe8208a33aa1023c741fa79aa92e881ff"}},
    {"0000000000000027b2b3b3381f114f674f481544ff2be37ae3788d7e078383b1",
     "00",
     {NULL}}};

static void check_scripts(const seenset_foreign *file,
                          const char *const *scripts, int answer)
{
    for (; *scripts != NULL; scripts++) {
        uint8_t key[80];
        size_t length = read_hex(key, *scripts);
        assert_int_equal(seenset_foreign_has(file, 0, key, length), answer);
        key[1] ^= 1;
        assert_int_equal(seenset_foreign_has(file, 0, key, length),
                         answer < 0 ? answer : 0);
    }
}

static void bip158_opens_what_is_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(published); i++) {
        uint8_t bytes[MOST_BYTES], secret[SEENSET_SECRET_BYTES];
        seenset *set = NULL;
        size_t size = read_hex(bytes, published[i].filter);
        read_block(secret, published[i].block);
        seenset_foreign *file = open_keyed(bytes, size, secret);
        seenset_foreign_filter filter = foreign_filter_of(file, 0);
        assert_int_equal(filter.added_items, bytes[0]);
        assert_int_equal(filter.size_bits, 8 * (size - 1));
        assert_true(filter.fp_rate == 1.0 / SPREAD);
        check_scripts(file, published[i].scripts, 1);
        assert_int_equal(seenset_foreign_set(&set, file, 0),
                         SEENSET_EUNSUPPORTED);
        assert_int_equal(seenset_foreign_has(file, 0, NULL, 1), SEENSET_EINVAL);
        seenset_foreign_free(file);
        secret[0] ^= 1; /* planted: another block */
        file = open_keyed(bytes, size, secret);
        check_scripts(file, published[i].scripts, 0);
        seenset_foreign_free(file);
        file = open_keyed(bytes, size, NULL);
        check_scripts(file, published[i].scripts, SEENSET_ESECRET);
        seenset_foreign_free(file);
    }
}

/* ---- what cannot be one ---- */

static void bip158_refuses_what_cannot_be(void **state)
{
    static const char *const refused[] = {
        "",                 /* no count */
        "019dfca800",       /* more than it says */
        "019dfc",           /* less */
        "029dfca8",         /* the same */
        "fd01009dfca8",     /* a count that is too long */
        "fe010000009dfca8", /* the same */
        "ff01000000000000009dfca8",
        "0174a171",         /* a bit after the last value */
        "01ffffff",         /* ones without an end */
        "01c00000",         /* a value past all */
        "019fd118",         /* 784931 itself, which is past all */
        "feffffffff9dfca8", /* more values than bytes */
        "fdffff9dfca8"};
    uint8_t bytes[MOST_BYTES];
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(refused); i++)
        assert_int_equal(foreign_refused(bytes, read_hex(bytes, refused[i]),
                                         "none of the formats that are known"),
                         SEENSET_EFORMAT);
    seenset_foreign_free(/* planted: the last value that there can be */
                         open_keyed(bytes, read_hex(bytes, "019fd110"), NULL));
}

/* A secret is for this format only. */
static void bip158_alone_has_a_secret(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = {0};
    seenset_foreign *file = NULL;
    size_t size;
    (void)state;
    uint8_t *bytes = foreign_dcso_make(&size);
    const seenset_open_options options = {.secret = secret};
    assert_int_equal(seenset_foreign_open_bytes(&file, bytes, size, &options),
                     SEENSET_EINVAL);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bip158_opens_what_is_published),
        cmocka_unit_test(bip158_refuses_what_cannot_be),
        cmocka_unit_test(bip158_alone_has_a_secret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
