/*
 * bits.c - a field of bits beside an array of truth values: what each call
 * changes, what it refuses, and the order in which bits are printed.
 */
#include <stdlib.h>
#include <string.h>

#include <seenset/extra/bits.h>
#include <seenset/extra/raw.h>

#include "support.h"

enum {
    MOST_BYTES = 40
};

/* A field of exactly size_bytes bytes: a sanitizer sees a step outside. */
typedef struct field {
    uint8_t *bytes;
    size_t size_bytes;
    bool truth[8 * MOST_BYTES];
} field;

static uint64_t count_truth(const field *of)
{
    uint64_t ones = 0;
    for (size_t i = 0; i < 8 * of->size_bytes; i++)
        ones += of->truth[i];
    return ones;
}

static bool is_equal(const field *of)
{
    uint64_t ones = 0;
    bool is_so =
        seenset_bits_count(of->bytes, of->size_bytes, &ones) == SEENSET_OK &&
        ones == count_truth(of);
    for (size_t i = 0; i < 8 * of->size_bytes; i++) {
        bool byte_has = (of->bytes[i / 8] >> i % 8 & 1) != 0;
        is_so &= byte_has == of->truth[i];
        is_so &= seenset_bits_test(of->bytes, of->size_bytes, i) ==
                 (of->truth[i] ? 1 : 0);
    }
    return is_so;
}

static void change(field *of, test_random *random)
{
    uint64_t i = test_random_below(random, 8 * of->size_bytes);
    switch (test_random_below(random, 3)) {
    case 0:
        assert_int_equal(seenset_bits_set(of->bytes, of->size_bytes, i), 0);
        of->truth[i] = true;
        break;
    case 1:
        assert_int_equal(seenset_bits_clear(of->bytes, of->size_bytes, i), 0);
        of->truth[i] = false;
        break;
    default:
        assert_int_equal(seenset_bits_toggle(of->bytes, of->size_bytes, i), 0);
        of->truth[i] = !of->truth[i];
    }
}

static void bits_are_those_of_the_truth(void **state)
{
    test_random random = {3};
    (void)state;
    for (size_t size_bytes = 1; size_bytes <= MOST_BYTES; size_bytes++) {
        field of = {.bytes = calloc(size_bytes, 1), .size_bytes = size_bytes};
        assert_non_null(of.bytes);
        for (int i = 0; i < 300; i++) {
            change(&of, &random);
            assert_true(is_equal(&of));
        }
        of.bytes[size_bytes - 1] ^= 0x80; /* planted: the last bit */
        assert_false(is_equal(&of));
        free(of.bytes);
    }
}

/* ---- what is refused ---- */

static void check_refused(uint8_t *bytes, size_t size_bytes, uint64_t index)
{
    assert_int_equal(seenset_bits_set(bytes, size_bytes, index),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_bits_clear(bytes, size_bytes, index),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_bits_toggle(bytes, size_bytes, index),
                     SEENSET_EINVAL);
    assert_int_equal(seenset_bits_test(bytes, size_bytes, index),
                     SEENSET_EINVAL);
}

static void bits_past_the_end_are_refused(void **state)
{
    uint8_t bytes[3] = {0x55, 0xAA, 0x0F};
    (void)state;
    check_refused(bytes, 3, 24);
    check_refused(bytes, 3, 25);
    check_refused(bytes, 3, UINT64_C(1) << 32);
    check_refused(bytes, 3, UINT64_MAX);
    check_refused(bytes, 0, 0);
    check_refused(NULL, 0, 0);
    check_refused(NULL, 3, 0);
    assert_memory_equal(bytes, "\x55\xAA\x0F", 3);
    assert_int_equal(seenset_bits_test(bytes, 3, 23), 0); /* the last */
}

static void counting_needs_bytes_and_a_place(void **state)
{
    const uint8_t bytes[2] = {0xFF, 1};
    uint64_t ones = 77;
    (void)state;
    assert_int_equal(seenset_bits_count(NULL, 2, &ones), SEENSET_EINVAL);
    assert_int_equal(seenset_bits_count(bytes, 2, NULL), SEENSET_EINVAL);
    assert_int_equal(ones, 77);
    assert_int_equal(seenset_bits_count(bytes, 2, &ones), SEENSET_OK);
    assert_int_equal(ones, 9);
    assert_int_equal(seenset_bits_count(NULL, 0, &ones), SEENSET_OK);
    assert_int_equal(ones, 0);
}

static void printing_needs_room(void **state)
{
    const uint8_t bytes[2] = {0x05, 0x80};
    char text[20] = "unchanged";
    size_t room = 16; /* one too few: the NUL */
    (void)state;
    assert_int_equal(seenset_bits_print(bytes, 2, text, &room), SEENSET_ESPACE);
    assert_int_equal(room, 17);
    assert_string_equal(text, "unchanged");
    assert_int_equal(seenset_bits_print(bytes, 2, text, &room), SEENSET_OK);
    assert_int_equal(room, 17);
    assert_string_equal(text, "1010000000000001");
    room = 0;
    assert_int_equal(seenset_bits_print(bytes, 2, NULL, &room), SEENSET_ESPACE);
    assert_int_equal(room, 17);
    assert_int_equal(seenset_bits_print(bytes, 2, NULL, &room), SEENSET_EINVAL);
    assert_int_equal(seenset_bits_print(NULL, 2, text, &room), SEENSET_EINVAL);
    assert_int_equal(seenset_bits_print(bytes, 2, text, NULL), SEENSET_EINVAL);
    assert_int_equal(seenset_bits_print(bytes, SIZE_MAX / 8 + 1, text, &room),
                     SEENSET_EINVAL);
    room = sizeof text;
    assert_int_equal(seenset_bits_print(NULL, 0, text, &room), SEENSET_OK);
    assert_int_equal(room, 1);
    assert_string_equal(text, "");
}

/* ---- as a filter ---- */

/* Three keys by hand, with two published hashes: MurmurHash2A and FNV-1a
 * modulo 8192. The set of that scheme has the same bits. */
static void bits_by_hand_are_those_of_a_set(void **state)
{
    static const char *const keys[] = {"Holland", "Russia", "Canada"};
    static const uint32_t hashes[][2] = {{1231707688, 1019300985},
                                         {4058978274, 1141905996},
                                         {1526376864, 1559301115}};
    static const uint64_t places[] = {7720, 3193, 6114, 6732, 2464, 3067};
    uint8_t by_hand[1024] = {0}, bits[8192];
    uint64_t ones = 0;
    seenset *set =
        test_make((seenset_options){.layout = SEENSET_LAYOUT_BLOOM,
                                    .scheme = SEENSET_SCHEME_MURMUR2A_FNV1A,
                                    .size_bits = 8192,
                                    .hash_count = 2,
                                    .capacity_items = 100});
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        uint64_t place = hashes[i / 2][i % 2] % 8192;
        assert_int_equal(place, places[i]);
        assert_int_equal(seenset_bits_set(by_hand, sizeof by_hand, place), 0);
    }
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(seenset_add(set, keys[i], strlen(keys[i])), 1);
    assert_int_equal(seenset_get_bits(set, 0, 0, 8192, bits), SEENSET_OK);
    for (uint64_t i = 0; i < 8192; i++)
        assert_int_equal(seenset_bits_test(by_hand, sizeof by_hand, i),
                         bits[i]);
    assert_int_equal(seenset_bits_count(by_hand, sizeof by_hand, &ones), 0);
    assert_int_equal(ones, 6);
    /* China: 388168413 and 2497348400 */
    assert_int_equal(
        seenset_bits_test(by_hand, sizeof by_hand, 388168413 % 8192), 0);
    seenset_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_the_truth),
        cmocka_unit_test(bits_past_the_end_are_refused),
        cmocka_unit_test(counting_needs_bytes_and_a_place),
        cmocka_unit_test(printing_needs_room),
        cmocka_unit_test(bits_by_hand_are_those_of_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
