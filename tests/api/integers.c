/*
 * integers.c - an array of integers is the array of their bytes: in every kind
 * of set the calls for integers answer as those for keys, and leave the same
 * bits.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    MANY = 6000,
    KEY_BYTES = 8,
    CAPACITY = 1000 /* under MANY: sets grow, turn, refuse */
};

/* Integers, and their bytes as keys. */
typedef struct integers {
    uint64_t numbers[MANY];
    uint8_t bytes[MANY][KEY_BYTES];
    seenset_key keys[MANY];
} integers;

/* Two thirds are fresh; the others came before. */
static integers *make_integers(uint64_t seed)
{
    integers *made = calloc(1, sizeof *made);
    test_random random = {seed << 40}; /* seeds that are near share numbers */
    assert_non_null(made);
    for (size_t i = 0; i < MANY; i++) {
        made->numbers[i] = i % 3 == 2
                               ? made->numbers[test_random_below(&random, i)]
                               : test_random_next(&random);
        test_store(made->bytes[i], KEY_BYTES, made->numbers[i]);
        made->keys[i] = (seenset_key){made->bytes[i], KEY_BYTES};
    }
    return made;
}

/* A scheme of the caller's: FNV-1a of all bytes of the key, in their order. */
static void by_fnv(void *context, const void *key, size_t key_len,
                   uint64_t size_bits, uint32_t hash_count, uint64_t *indices)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    (void)context;
    for (size_t i = 0; i < key_len; i++)
        hash = (hash ^ ((const uint8_t *)key)[i]) * UINT64_C(0x100000001b3);
    for (uint32_t i = 0; i < hash_count; i++)
        indices[i] = (hash >> i) % size_bits;
}

static const uint8_t secret[SEENSET_SECRET_BYTES] = "sixteen bytes...";
static const seenset_scheme_arguments seeded = {.seed = 99};

static const seenset_options kinds[] = {
    {.layout = SEENSET_LAYOUT_BLOCKED},
    {.layout = SEENSET_LAYOUT_BLOCKED, .fp_rate = 1e-5},
    {.layout = SEENSET_LAYOUT_BLOCKED, .fp_rate = 1e-9},
    {.layout = SEENSET_LAYOUT_BLOCKED, .on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_BLOCKED,
     .fp_rate = 1e-9,
     .on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_BLOCKED, .on_full = SEENSET_ON_FULL_REFUSE},
    {.layout = SEENSET_LAYOUT_BLOCKED, .flags = SEENSET_FLAG_SHARED},
    {.layout = SEENSET_LAYOUT_BLOCKED,
     .on_full = SEENSET_ON_FULL_REFUSE,
     .flags = SEENSET_FLAG_SHARED},
    {.layout = SEENSET_LAYOUT_BLOOM, .on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_BLOOM},
    {.layout = SEENSET_LAYOUT_BLOOM, .flags = SEENSET_FLAG_SHARED},
    {.layout = SEENSET_LAYOUT_SPLIT_BLOCK, .on_full = SEENSET_ON_FULL_DEGRADE},
    {.layout = SEENSET_LAYOUT_COUNTING},
    {.layout = SEENSET_LAYOUT_COUNTING, .on_full = SEENSET_ON_FULL_REFUSE},
    {.on_full = SEENSET_ON_FULL_ROTATE},
    {.on_full = SEENSET_ON_FULL_ROTATE, .flags = SEENSET_FLAG_SLIDING},
    {.on_full = SEENSET_ON_FULL_ROTATE, .window_seconds = 1u << 20},
    {.secret = secret},
    {.secret = secret, .on_full = SEENSET_ON_FULL_DEGRADE},
    {.scheme_arguments = &seeded},
    {.layout = SEENSET_LAYOUT_BLOOM, .scheme = SEENSET_SCHEME_MURMUR3_128},
    {.layout = SEENSET_LAYOUT_BLOOM, .scheme = SEENSET_SCHEME_MD5_DIVMOD},
    {.layout = SEENSET_LAYOUT_COUNTING, .scheme = SEENSET_SCHEME_MURMUR3_128},
    {.layout = SEENSET_LAYOUT_BLOOM,
     .scheme = SEENSET_SCHEME_CALLER,
     .index_function = by_fnv},
};

static seenset *make_kind(size_t i)
{
    seenset_options options = kinds[i];
    options.capacity_items = CAPACITY;
    return test_make(options);
}

/* Both calls, of the same sets, say the same. Returns how many were seen. */
static size_t compare_has(const seenset *a, const seenset *b,
                          const integers *of, size_t first, size_t count)
{
    uint8_t by_number[MANY], by_key[MANY];
    size_t seen = 0;
    int error = seenset_has_many(b, of->keys + first, count, by_key);
    assert_int_equal(
        seenset_has_u64_many(a, of->numbers + first, count, by_number), error);
    assert_memory_equal(by_number, by_key, count);
    for (size_t i = 0; i < count; i++)
        seen += by_number[i];
    return seen;
}

/* Batches of all lengths, some without a place for the answers. */
static void compare_adds(seenset *a, seenset *b, const integers *of)
{
    uint8_t by_number[MANY], by_key[MANY];
    for (size_t done = 0, count, turn = 0; done < MANY; done += count, turn++) {
        count = turn < 90 ? turn : MANY - done;
        count = count < MANY - done ? count : MANY - done;
        bool is_blind = turn % 4 == 3;
        int error = seenset_add_many(b, of->keys + done, count,
                                     is_blind ? NULL : by_key);
        assert_int_equal(seenset_add_u64_many(a, of->numbers + done, count,
                                              is_blind ? NULL : by_number),
                         error);
        if (!is_blind)
            assert_memory_equal(by_number, by_key, count);
        (void)compare_has(a, b, of, done, count);
    }
}

/* Windows by age know when they began. */
static void assert_equal(const seenset *a, const seenset *b, size_t kind)
{
    if (kinds[kind].window_seconds == 0)
        assert_true(test_are_equal(a, b));
}

static void integers_are_their_bytes(void **state)
{
    (void)state;
    integers *of = make_integers(1), *others = make_integers(2);
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *a = make_kind(i), *b = make_kind(i);
        compare_adds(a, b, of);
        assert_equal(a, b, i);
        assert_true(compare_has(a, b, of, 0, MANY) > 0);
        assert_true(compare_has(a, b, others, 0, MANY) < MANY);
        seenset_free(a);
        seenset_free(b);
    }
    free(of);
    free(others);
}

/* The order of the bytes is not the machine's. */
static void the_first_byte_is_the_least(void **state)
{
    const uint64_t number = UINT64_C(0x0807060504030201);
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint8_t reversed[] = {8, 7, 6, 5, 4, 3, 2, 1};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = make_kind(i);
        uint8_t answer = 9;
        assert_int_equal(seenset_add_u64_many(set, &number, 1, &answer), 0);
        assert_int_equal(answer, SEENSET_ANSWER_NEW);
        assert_int_equal(seenset_has(set, bytes, sizeof bytes), 1);
        assert_int_equal(seenset_has(set, reversed, sizeof reversed), 0);
        assert_int_equal(seenset_has_u64_many(set, &number, 1, &answer), 0);
        assert_int_equal(answer, 1);
        seenset_free(set);
    }
}

static seenset *open_saved(const uint8_t *bytes, size_t size_bytes, size_t kind,
                           uint32_t flags)
{
    seenset *set;
    seenset_open_options options = {.flags = flags,
                                    .secret = kinds[kind].secret,
                                    .index_function =
                                        kinds[kind].index_function};
    assert_int_equal(seenset_open_bytes(&set, bytes, size_bytes, &options), 0);
    return set;
}

/* Views, whose blocks are checked as they are touched, and copies. */
static void files_answer_for_integers(void **state)
{
    static const unsigned ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                    SEENSET_OPEN_COPY};
    (void)state;
    integers *of = make_integers(3);
    for (size_t i = 0; i < TEST_COUNT(kinds); i++) {
        seenset *set = make_kind(i);
        (void)seenset_add_u64_many(set, of->numbers, MANY / 2, NULL);
        size_t size_bytes;
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        for (size_t way = 0; way < TEST_COUNT(ways); way++) {
            seenset *a = open_saved(bytes, size_bytes, i, ways[way]);
            seenset *b = open_saved(bytes, size_bytes, i, ways[way]);
            for (size_t done = 0; done < MANY; done += MANY / 8)
                (void)compare_has(a, b, of, done, MANY / 8);
            if (ways[way] == SEENSET_OPEN_COPY)
                compare_adds(a, b, of);
            else
                assert_int_equal(seenset_add_u64_many(a, of->numbers, 1, NULL),
                                 SEENSET_EREADONLY);
            seenset_free(a);
            seenset_free(b);
        }
        free(bytes);
        seenset_free(set);
    }
    free(of);
}

/* Of a size that is mapped, so that a journal remembers what is added. */
static void journals_take_integers(void **state)
{
    enum {
        LARGE = 1 << 20,
        FEW = 500
    };
    char path[TEST_PATH_BYTES];
    test_folder folder;
    seenset *set = test_make((seenset_options){.capacity_items = LARGE});
    integers *of = make_integers(4);
    uint8_t answers[FEW];
    (void)state;
    test_folder_make(&folder);
    test_path(path, &folder, "set");
    assert_int_equal(seenset_save(set, path), 0);
    seenset_free(set);
    seenset_open_options append = {.flags = SEENSET_OPEN_APPEND};
    assert_int_equal(seenset_open(&set, path, &append), 0);
    assert_int_equal(seenset_add_u64_many(set, of->numbers, FEW, answers), 0);
    assert_int_equal(answers[0], SEENSET_ANSWER_NEW);
    assert_int_equal(seenset_append(set, path), 0);
    seenset_free(set);
    assert_int_equal(seenset_open(&set, path, NULL), 0);
    assert_int_equal(seenset_has_many(set, of->keys, FEW, answers), 0);
    assert_null(memchr(answers, 0, FEW));
    assert_int_equal(seenset_has_u64_many(set, of->numbers, FEW, answers), 0);
    assert_null(memchr(answers, 0, FEW));
    seenset_free(set);
    test_folder_remove(&folder);
    free(of);
}

static void sealed_sets_answer_for_integers(void **state)
{
    (void)state;
    integers *of = make_integers(5), *others = make_integers(6);
    for (size_t i = 0; i < 2; i++) {
        seenset_options options = {.secret = i == 0 ? NULL : secret};
        seenset *set;
        assert_int_equal(
            seenset_build_sealed(&set, &options, of->keys, MANY, NULL, NULL),
            0);
        assert_int_equal(compare_has(set, set, of, 0, MANY), MANY);
        assert_true(compare_has(set, set, others, 0, MANY) < MANY / 20);
        assert_int_equal(seenset_add_u64_many(set, of->numbers, 1, NULL),
                         SEENSET_EUNSUPPORTED);
        seenset_free(set);
    }
    free(of);
    free(others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_their_bytes),
        cmocka_unit_test(the_first_byte_is_the_least),
        cmocka_unit_test(files_answer_for_integers),
        cmocka_unit_test(journals_take_integers),
        cmocka_unit_test(sealed_sets_answer_for_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
