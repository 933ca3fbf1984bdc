/*
 * abi.c - numbers of the public headers that are compiled into programs,
 * said once more by hand: a program built today must mean the same thing to
 * every later library of this SOVERSION. What the types are like is compared
 * by scripts/abi.sh; it cannot see what no function mentions.
 */
#include <string.h>

#include "seenset/foreign.h"
#include "seenset/queue.h"
#include "support.h"

typedef struct constant {
    long long is, was;
    const char *name;
} constant;

#define IS(name, number)                                                       \
    {                                                                          \
        (long long)(name), (number), #name                                     \
    }

static const constant constants[] = {
    IS(SEENSET_OK, 0),
    IS(SEENSET_EINVAL, -1),
    IS(SEENSET_ENOMEM, -2),
    IS(SEENSET_ETOOBIG, -3),
    IS(SEENSET_ERATE, -4),
    IS(SEENSET_EFULL, -5),
    IS(SEENSET_EUNSUPPORTED, -6),
    IS(SEENSET_EREADONLY, -7),
    IS(SEENSET_EMISMATCH, -8),
    IS(SEENSET_EIO, -9),
    IS(SEENSET_EFORMAT, -10),
    IS(SEENSET_EVERSION, -11),
    IS(SEENSET_ETRUNCATED, -12),
    IS(SEENSET_ECORRUPT, -13),
    IS(SEENSET_EHASH, -14),
    IS(SEENSET_ESPACE, -15),
    IS(SEENSET_EINUSE, -16),
    IS(SEENSET_EDAMAGED, -17),
    IS(SEENSET_EPOISONED, -18),
    IS(SEENSET_ELEASE, -19),
    IS(SEENSET_EURL, -20),
    IS(SEENSET_ESECRET, -21),
    IS(SEENSET_EJOURNAL, -22),
    IS(SEENSET_LAYOUT_DEFAULT, 0),
    IS(SEENSET_LAYOUT_BLOCKED, 1),
    IS(SEENSET_LAYOUT_BLOOM, 2),
    IS(SEENSET_LAYOUT_COUNTING, 3),
    IS(SEENSET_LAYOUT_SEALED, 4),
    IS(SEENSET_LAYOUT_EXPANDABLE, 6),
    IS(SEENSET_ON_FULL_DEFAULT, 0),
    IS(SEENSET_ON_FULL_DEGRADE, 1),
    IS(SEENSET_ON_FULL_REFUSE, 2),
    IS(SEENSET_ON_FULL_GROW, 3),
    IS(SEENSET_ON_FULL_ROTATE, 4),
    IS(SEENSET_SCHEME_DEFAULT, 0),
    IS(SEENSET_SCHEME_CHAIN, 1),
    IS(SEENSET_SCHEME_MURMUR2A_FNV1A, 2),
    IS(SEENSET_SCHEME_MURMUR3_128, 3),
    IS(SEENSET_SCHEME_POLYNOMIAL, 4),
    IS(SEENSET_SCHEME_MD5_DIVMOD, 5),
    IS(SEENSET_SCHEME_ENHANCED_DOUBLE, 6),
    IS(SEENSET_SCHEME_CALLER, 7),
    IS(SEENSET_QUEUE_DURABILITY_EACH, 1),
    IS(SEENSET_QUEUE_DURABILITY_INTERVAL, 2),
    IS(SEENSET_QUEUE_DURABILITY_NONE, 3),
    IS(SEENSET_QUEUE_NORMALISE_OFF, 1),
    IS(SEENSET_QUEUE_NORMALISE_URL, 2),
    IS(SEENSET_OPEN_VIEW, 0),
    IS(SEENSET_OPEN_COPY, 1 << 8),
    IS(SEENSET_FLAG_SHARED, 2),
    IS(SEENSET_FLAG_SLIDING, 8),
    IS(SEENSET_FLAG_ZEROED, 16),
    IS(SEENSET_FLAG_ANY_RATE, 32),
    IS(SEENSET_OPEN_UNCHECKED, 1 << 9),
    IS(SEENSET_OPEN_APPEND, 1 << 10),
    IS(SEENSET_OPEN_WITHOUT_JOURNAL, 1 << 11),
    IS(SEENSET_QUEUE_MUST_EXIST, 1 << 16),
    IS(SEENSET_QUEUE_KEEP_LEASES, 1 << 17),
    IS(SEENSET_QUEUE_EXACT, 1 << 18),
    IS(SEENSET_QUEUE_SET_AT_ONCE, 1 << 19),
    IS(SEENSET_QUEUE_AGAIN, 1 << 20),
    IS(SEENSET_QUEUE_SEEN_ONLY, 1 << 21),
    IS(SEENSET_QUEUE_UNTRIED, 1 << 22),
    IS(SEENSET_QUEUE_FORGET_SEEN, 1 << 23),
    IS(SEENSET_QUEUE_VISITED, 1 << 29),
    IS(SEENSET_LAYOUT_SPLIT_BLOCK, 5),
    IS(SEENSET_LAYOUT_FINGERPRINT, 7),
    IS(SEENSET_SCHEME_CLICKHOUSE_BLOOM, 8),
    IS(SEENSET_SCHEME_CLICKHOUSE_TOKENBF, 9),
    IS(SEENSET_SCHEME_PARQUET, 11),
    IS(SEENSET_SCHEME_DCSO, 12),
    IS(SEENSET_SCHEME_GUAVA_MITZ_64, 13),
    IS(SEENSET_SCHEME_GUAVA_MITZ_32, 14),
    IS(SEENSET_SCHEME_LEVELDB, 15),
    IS(SEENSET_SCHEME_ROCKSDB_LEGACY, 16),
    IS(SEENSET_SCHEME_ROCKSDB, 17),
    IS(SEENSET_SCHEME_BIP37, 18),
    IS(SEENSET_SCHEME_REDISBLOOM, 19),
    IS(SEENSET_FORMAT_UNKNOWN, 0),
    IS(SEENSET_FORMAT_PARQUET, 1),
    IS(SEENSET_FORMAT_DCSO, 2),
    IS(SEENSET_FORMAT_GUAVA, 3),
    IS(SEENSET_FORMAT_LEVELDB, 4),
    IS(SEENSET_FORMAT_ROCKSDB, 5),
    IS(SEENSET_FORMAT_BIP37, 6),
    IS(SEENSET_FORMAT_REDISBLOOM, 7),
    IS(SEENSET_FORMAT_BIP158, 8),
    IS(SEENSET_VALUE_BYTES, 0),
    IS(SEENSET_VALUE_INT32, 1),
    IS(SEENSET_VALUE_INT64, 2),
    IS(SEENSET_VALUE_INT96, 3),
    IS(SEENSET_VALUE_FLOAT, 4),
    IS(SEENSET_VALUE_DOUBLE, 5),
    IS(SEENSET_VALUE_FIXED, 6),
    IS(SEENSET_VALUE_BOOL, 7),
    IS(SEENSET_ANSWER_SEEN, 0),
    IS(SEENSET_ANSWER_NEW, 1),
    IS(SEENSET_ANSWER_REFUSED, 2),
    IS(SEENSET_ANSWER_NOT_A_URL, 3),
    IS(SEENSET_SECRET_BYTES, 16),
    IS(SEENSET_QUEUE_MAX_ITEM_BYTES, 1 << 20),
    IS(SEENSET_MAX_SIZE_BITS, 1LL << 53),
    IS(SEENSET_MAX_HASH_COUNT, 255),
    IS(SEENSET_MAX_LINE_COUNT, 3),
};

/* How many are not what they were; says which. */
static size_t count_changed(const constant *list, size_t count)
{
    size_t changed = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].is == list[i].was)
            continue;
        print_message("%s is %lld and was %lld\n", list[i].name, list[i].is,
                      list[i].was);
        changed++;
    }
    return changed;
}

static void constants_are_kept(void **state)
{
    (void)state;
    assert_int_equal(count_changed(constants, TEST_COUNT(constants)), 0);
}

/* Each error that has a name is above, so that a new one is not forgotten. */
static void constants_name_every_error(void **state)
{
    (void)state;
    for (int error = 0; error > -100; error--) {
        const char *name = seenset_error_name(error);
        bool is_listed = false;
        for (size_t i = 0; i < TEST_COUNT(constants); i++)
            is_listed |= strcmp(constants[i].name, name) == 0;
        assert_true(is_listed == (error >= SEENSET_EJOURNAL));
    }
}

/* Planted: a number that changed is seen. */
static void a_changed_constant_is_caught(void **state)
{
    const constant planted[] = {IS(SEENSET_OK, 0), IS(SEENSET_FLAG_SHARED, 4)};
    (void)state;
    assert_int_equal(count_changed(planted, TEST_COUNT(planted)), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_kept),
        cmocka_unit_test(constants_name_every_error),
        cmocka_unit_test(a_changed_constant_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
