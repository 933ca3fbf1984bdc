/*
 * foreign_redisbloom.c - filters of RedisBloom, as its BF.SCANDUMP handed them
 * out: opened, asked link by link and as sets, added to and written again as
 * RedisBloom did; and what cannot be one, refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign_opened.h"

enum {
    MOST_BYTES = 256,
    HEAD_BYTES = 20,
    LINK_BYTES = 53
};

/* Of RedisBloom 8.2.0: BF.RESERVE f 0.001 60 NONSCALING, the items "item-0" to
 * "item-49", and then "more-0" to "more-9", with which it is full. */
static const char *const reserved =
    "3200000000000000010000000d0000000200000070000000000000008003000000000000"
    "3200000000000000fca9f1d24d62503fcd214f2853c12c400a0000003c00000000000000"
    "00acab9c694690a123e519602e4109b8d38b61e67fa744884c8e242958b4e27af0c84502"
    "0dc4850bc18708c63868991a0c60da07c43578499a079b9642d84688f93b83063918e59c"
    "f48994e125635a9807a754c419c7b3f5399051909934b3389222477ae2042b07f458ba14"
    "3065450857";
static const char *const filled =
    "3c00000000000000010000000d0000000200000070000000000000008003000000000000"
    "3c00000000000000fca9f1d24d62503fcd214f2853c12c400a0000003c00000000000000"
    "00acbb9c694691a163e519642e4109b8d38b61eeffa764884cce243d58bde2faf0c84503"
    "0dc49d0bc9870ac638689b1a0c62da27c43778499a079bdfced856a8f93b83863d18e59c"
    "f48994e1256f5ab807a754c419c7b3f5399051909d34b3389226477bea046b27f458ba14"
    "3465656957";

/* BF.RESERVE f 0.01 10 EXPANSION 4, and the items "item-0" to "item-44" */
static const char *const chain =
    "2a0000000000000002000000050000000400000010000000000000008000000000000000"
    "0a000000000000007b14ae47e17a743fe9862fb2350e2640080000000a00000000000000"
    "004000000000000000000200000000000020000000000000007b14ae47e17a643f4af7d4"
    "9edef0284009000000280000000000000000e8219cbec79d89dc5910b0644b6282579f5b"
    "044c54e3e191ae0a501144415a012e006629807514d40e69d020f079c0aea2c60ef92120"
    "b2a6071c07a12d01789889c7ea77f1dd8f6d84b4d63e651b9886";

/* The bytes of two hexadecimal digits each. Returns how many. */
static size_t read_hex(uint8_t *out, const char *digits)
{
    size_t count = strlen(digits) / 2;
    assert_true(count <= MOST_BYTES);
    for (size_t i = 0; i < count; i++) {
        const char two[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(two, NULL, 16);
    }
    return count;
}

/* Does any link have the item? */
static int has(const seenset_foreign *file, const char *name, int i)
{
    char key[24];
    size_t len = (size_t)snprintf(key, sizeof key, "%s-%d", name, i);
    for (uint32_t link = 0; link < foreign_info_of(file).filter_count; link++) {
        int answer = seenset_foreign_has(file, link, key, len);
        assert_true((answer | 1) == 1);
        if (answer == 1)
            return 1;
    }
    return 0;
}

static void redisbloom_opens_what_it_dumped(void **state)
{
    uint8_t bytes[MOST_BYTES];
    (void)state;
    seenset_foreign *file =
        foreign_open_whole(bytes, read_hex(bytes, reserved));
    seenset_foreign_filter filter = foreign_filter_of(file, 0);
    assert_int_equal(foreign_info_of(file).format, SEENSET_FORMAT_REDISBLOOM);
    assert_int_equal(foreign_info_of(file).filter_count, 1);
    assert_int_equal(filter.size_bits, 896);
    assert_int_equal(filter.hash_count, 10);
    assert_int_equal(filter.capacity_items, 60);
    assert_int_equal(filter.added_items, 50);
    assert_true(filter.fp_rate == 0.001);
    assert_int_equal(filter.scheme, SEENSET_SCHEME_REDISBLOOM);
    for (int i = 0; i < 50; i++)
        assert_int_equal(has(file, "item", i), 1);
    for (int i = 0; i < 200; i++) /* RedisBloom has none of them, either */
        assert_int_equal(has(file, "other", i), 0);
    seenset_foreign_free(file);
}

static void redisbloom_asks_a_chain(void **state)
{
    uint8_t bytes[MOST_BYTES];
    int in_first = 0;
    (void)state;
    seenset_foreign *file = foreign_open_whole(bytes, read_hex(bytes, chain));
    assert_int_equal(foreign_info_of(file).filter_count, 2);
    assert_int_equal(foreign_info_of(file).group_count, 2);
    assert_int_equal(foreign_filter_of(file, 1).group, 1);
    assert_int_equal(foreign_filter_of(file, 0).capacity_items, 10);
    assert_int_equal(foreign_filter_of(file, 1).capacity_items, 40);
    assert_true(foreign_filter_of(file, 1).fp_rate == 0.0025);
    for (int i = 0; i < 45; i++)
        assert_int_equal(has(file, "item", i), 1);
    for (int i = 0; i < 45; i++) {
        char key[24];
        size_t len = (size_t)snprintf(key, sizeof key, "item-%d", i);
        in_first += seenset_foreign_has(file, 0, key, len);
    }
    assert_in_range(in_first, 10, 44); /* planted: one link has not all */
    seenset_foreign_free(file);
}

static void add(seenset *set, int first, int end)
{
    for (int i = first; i < end; i++) {
        char key[24];
        size_t len = (size_t)snprintf(key, sizeof key, "more-%d", i);
        assert_true(seenset_add(set, key, len) >= 0);
    }
}

/* The same items make the same bytes; and no more than it was made for. */
static void redisbloom_is_written_as_there(void **state)
{
    uint8_t bytes[MOST_BYTES], expected[MOST_BYTES], written[MOST_BYTES];
    seenset *set = NULL;
    (void)state;
    size_t size = read_hex(bytes, reserved), room = sizeof written;
    assert_int_equal(read_hex(expected, filled), size);
    seenset_foreign *file = foreign_open_whole(bytes, size);
    assert_int_equal(seenset_foreign_set(&set, file, 0), 0);
    add(set, 0, 9);
    assert_int_equal(seenset_foreign_write_bytes(file, set, written, &room), 0);
    assert_int_equal(room, size);
    assert_memory_not_equal(written, expected, size); /* planted: one less */
    add(set, 9, 10);
    assert_int_equal(seenset_foreign_write_bytes(file, set, written, &room), 0);
    assert_memory_equal(written, expected, size);
    add(set, 10, 12);
    assert_int_equal(seenset_foreign_write_bytes(file, set, written, &room),
                     SEENSET_EFULL);
    seenset_free(set);
    seenset_foreign_free(file);
}

static void redisbloom_writes_no_chain(void **state)
{
    uint8_t bytes[MOST_BYTES], written[MOST_BYTES];
    size_t size, room = sizeof written;
    seenset *set = NULL;
    (void)state;
    size = read_hex(bytes, chain);
    seenset_foreign *file = foreign_open_whole(bytes, size);
    assert_int_equal(seenset_foreign_set(&set, file, 0), 0);
    assert_int_equal(seenset_foreign_write_bytes(file, set, written, &room),
                     SEENSET_EUNSUPPORTED);
    seenset_free(set);
    seenset_foreign_free(file);
}

static int refused_with(size_t at, uint8_t byte, const char *reason)
{
    uint8_t bytes[MOST_BYTES];
    size_t size = read_hex(bytes, reserved);
    bytes[at] = byte;
    return foreign_refused(bytes, size, reason);
}

static void redisbloom_refuses_what_cannot_be(void **state)
{
    static const char none[] = "none of the formats that are known";
    uint8_t bytes[MOST_BYTES];
    (void)state;
    size_t size = read_hex(bytes, chain);
    assert_int_equal(
        foreign_refused(bytes, size - 1, "the file ends inside the bits"),
        SEENSET_ETRUNCATED);
    bytes[size] = 0;
    assert_int_equal(
        foreign_refused(bytes, size + 1, "there is more after the bits"),
        SEENSET_ECORRUPT);
    assert_int_equal(refused_with(12, 9,
                                  "a filter of RedisBloom with hashes "
                                  "of 32 bits"),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(refused_with(0, 49, none), SEENSET_EFORMAT); /* items */
    assert_int_equal(refused_with(12, 16, none), SEENSET_EFORMAT);
    assert_int_equal(refused_with(HEAD_BYTES, 111, none), SEENSET_EFORMAT);
    assert_int_equal(refused_with(HEAD_BYTES + 52, 10, none), SEENSET_EFORMAT);
    assert_int_equal(foreign_refused(bytes, HEAD_BYTES + LINK_BYTES, none),
                     SEENSET_EFORMAT);
}

/* More hashes than a key of ours can have: that link alone cannot be asked. */
static void redisbloom_names_too_many_hashes(void **state)
{
    uint8_t bytes[MOST_BYTES];
    seenset *set = NULL;
    (void)state;
    size_t size = read_hex(bytes, chain);
    bytes[HEAD_BYTES + 41] = 1; /* 8 + 256 */
    seenset_foreign *file = foreign_open_whole(bytes, size);
    assert_int_equal(foreign_filter_of(file, 0).error, SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_foreign_has(file, 0, "x", 1),
                     SEENSET_EUNSUPPORTED);
    assert_int_equal(seenset_foreign_set(&set, file, 0), SEENSET_EUNSUPPORTED);
    assert_int_equal(foreign_filter_of(file, 1).error, 0);
    seenset_foreign_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redisbloom_opens_what_it_dumped),
        cmocka_unit_test(redisbloom_asks_a_chain),
        cmocka_unit_test(redisbloom_is_written_as_there),
        cmocka_unit_test(redisbloom_writes_no_chain),
        cmocka_unit_test(redisbloom_refuses_what_cannot_be),
        cmocka_unit_test(redisbloom_names_too_many_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
