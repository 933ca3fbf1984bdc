/*
 * queue_arguments_remake.c - what the scheme of a queue was given, in a queue
 * that is made of it: kept, replaced one by one, or dropped with the
 * scheme.
 */
#include "seenset/queue.h"
#include "support.h"

static const uint32_t three[] = {31, 131, 1313};
static const uint32_t others[] = {31, 131, 1314};

static const seenset_scheme_arguments list = {
    .seeds = three, .seed_count = 3, .unit_bits = 16};
static const seenset_scheme_arguments units = {.unit_bits = 16};
static const seenset_scheme_arguments seed = {.seed = 7};

typedef struct remade_row {
    seenset_options from, to;
    uint32_t from_flags;
    int error;
    uint64_t seed; /* of the new queue */
    uint32_t unit_bits, seed_count, last_seed;
} remade_row;

static void expect_remade(const remade_row *row)
{
    test_folder folder, made;
    seenset_queue *queue = NULL;
    seenset_queue_stats stats;
    test_folder_make(&folder);
    test_folder_make(&made);
    const seenset_queue_options old = {.set = &row->from,
                                       .flags = row->from_flags};
    const seenset_options given = {.secret = row->from.secret};
    const seenset_queue_options from = {.set = &given};
    const seenset_queue_options to = {.set = &row->to};
    const seenset_queue_remake_options options = {.from = &from, .to = &to};
    assert_int_equal(seenset_queue_open(&queue, folder.path, &old), 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    int error = seenset_queue_remake(folder.path, made.path, &options, NULL, 0);
    assert_int_equal(error, row->error);
    const seenset_options secret = {.secret = row->to.secret};
    const seenset_queue_options read = {.set = &secret};
    if (error == SEENSET_OK) {
        assert_int_equal(
            seenset_queue_look(made.path, &read, &stats, sizeof stats, NULL, 0),
            SEENSET_OK);
        assert_int_equal(stats.seed, row->seed);
        assert_int_equal(stats.unit_bits, row->unit_bits);
        assert_int_equal(stats.seed_count, row->seed_count);
        if (row->seed_count > 0)
            assert_int_equal(stats.seeds[row->seed_count - 1], row->last_seed);
    }
    test_folder_remove(&folder);
    test_folder_remove(&made);
}

static void a_remake_keeps_arguments_or_takes_others(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "of sixteen bytes";
    static const seenset_scheme_arguments bytes = {.unit_bits = 8};
    static const seenset_scheme_arguments other_list = {.seeds = others,
                                                        .seed_count = 3};
    static const seenset_scheme_arguments another = {.seed = 9};
#define POLYNOMIAL .scheme = SEENSET_SCHEME_POLYNOMIAL
#define LISTED POLYNOMIAL, .scheme_arguments = &list
    static const remade_row rows[] = {
        {{LISTED}, {.capacity_items = 9}, 0, 0, 0, 16, 3, 1313},
        {{LISTED}, {.scheme_arguments = &bytes}, 0, 0, 0, 8, 3, 1313},
        {{LISTED}, {.scheme_arguments = &other_list}, 0, 0, 0, 16, 3, 1314},
        {{LISTED}, {.scheme_arguments = &seed}, 0, SEENSET_EINVAL, 0, 0, 0, 0},
        {{LISTED}, {POLYNOMIAL}, 0, 0, 0, 8, 7, 61},
        {{LISTED},
         {POLYNOMIAL, .scheme_arguments = &units},
         0,
         0,
         0,
         16,
         7,
         61},
        {{LISTED},
         {.scheme = SEENSET_SCHEME_MURMUR3_128, .scheme_arguments = &another},
         0,
         0,
         9,
         0,
         0,
         0},
        {{LISTED}, {.layout = SEENSET_LAYOUT_BLOCKED}, 0, 0, 0, 0, 0, 0},
        {{.scheme_arguments = &seed}, {.fp_rate = 0.1}, 0, 0, 7, 0, 0, 0},
        {{.scheme_arguments = &seed},
         {.layout = SEENSET_LAYOUT_BLOOM},
         0,
         0,
         7,
         0,
         0,
         0},
        {{.scheme_arguments = &seed},
         {.scheme_arguments = &another},
         0,
         0,
         9,
         0,
         0,
         0},
        {{.scheme_arguments = &seed},
         {.scheme = SEENSET_SCHEME_CHAIN},
         0,
         0,
         0,
         0,
         0,
         0},
        {{.scheme_arguments = &seed}, {.secret = secret}, 0, 0, 0, 0, 0, 0},
        {{.secret = secret},
         {.scheme_arguments = &seed},
         0,
         SEENSET_EINVAL,
         0,
         0,
         0,
         0},
        {{.capacity_items = 9},
         {.scheme_arguments = &seed},
         SEENSET_QUEUE_EXACT,
         0,
         7,
         0,
         0,
         0},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        print_message("row %zu\n", i);
        expect_remade(&rows[i]);
    }
}

/* Units that give "seenset" the same places, and all others other ones. */
static void what_was_seen_is_not_mixed_up(void **state)
{
    static const seenset_scheme_arguments bytes = {.unit_bits = 8};
    const seenset_options old = {POLYNOMIAL, .scheme_arguments = &units};
    const seenset_options other = {.scheme_arguments = &bytes};
    test_folder folder, made;
    seenset_queue_report report;
    (void)state;
    test_folder_make(&folder);
    test_folder_make(&made);
    seenset_queue *queue = NULL;
    const seenset_queue_options made_with = {.set = &old};
    assert_int_equal(seenset_queue_open(&queue, folder.path, &made_with), 0);
    assert_int_equal(seenset_queue_push(queue, "\xc3\xa9", 2, NULL, 0), 1);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    const seenset_queue_options from = {.report = &report};
    const seenset_queue_options to = {.set = &other};
    const seenset_queue_remake_options options = {.from = &from, .to = &to};
    assert_int_equal(
        seenset_queue_remake(folder.path, made.path, &options, NULL, 0),
        SEENSET_EMISMATCH);
    assert_string_equal(report.reason,
                        "the new set hashes them in another way");
    test_folder_remove(&folder);
    test_folder_remove(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_remake_keeps_arguments_or_takes_others),
        cmocka_unit_test(what_was_seen_is_not_mixed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
