/*
 * expanded_files.c - files of sets whose newest table grows in place: what is
 * opened is what was saved, by every way, and what is damaged is never trusted.
 */
#include <stdlib.h>
#include <string.h>

#include "file/header/fields.h"
#include "file/header/header.h"
#include "seenset/seenset.h"
#include "set/set.h"
#include "stream.h"
#include "support.h"

typedef struct place {
    test_folder folder;
    char path[TEST_PATH_BYTES];
} place;

static int enter(void **state)
{
    static place here;
    test_folder_make(&here.folder);
    test_path(here.path, &here.folder, "set");
    *state = &here;
    return 0;
}

static int leave(void **state)
{
    place *here = *state;
    test_folder_remove(&here->folder);
    return 0;
}

static seenset *grown(double fp_rate, uint64_t first, uint64_t keys)
{
    seenset *set =
        test_make((seenset_options){.capacity_items = first,
                                    .fp_rate = fp_rate,
                                    .on_full = SEENSET_ON_FULL_GROW});
    (void)test_add_stream(set, 0, keys);
    assert_non_null(ss_set_newest(set)->table.expand);
    return set;
}

static void check_same(const seenset *a, const seenset *b, uint64_t keys)
{
    assert_true(test_has_stream(b, 0, keys));
    for (uint64_t i = keys; i < keys + 20000; i++)
        assert_int_equal(seenset_has_hash(a, test_mix(i)),
                         seenset_has_hash(b, test_mix(i)));
    assert_true(test_are_equal(a, b));
}

static const unsigned ways[] = {SEENSET_OPEN_VIEW, SEENSET_OPEN_UNCHECKED,
                                SEENSET_OPEN_COPY, SEENSET_OPEN_APPEND};

static void sets_are_opened_by_every_way(void **state)
{
    const place *here = *state;
    static const uint64_t keys[] = {30, 3000, 60000, 300000};
    static const double rates[] = {0.01, 1e-6};
    for (size_t i = 0; i < TEST_COUNT(keys) * TEST_COUNT(rates); i++) {
        uint64_t count = keys[i / 2];
        seenset *set = grown(rates[i % 2], 20, count), *opened;
        assert_int_equal(seenset_save(set, here->path), 0);
        assert_true(test_holds(here->path, set));
        assert_int_equal(seenset_verify(here->path, NULL), 0);
        for (size_t way = 0; way < TEST_COUNT(ways); way++) {
            seenset_open_options options = {.flags = ways[way]};
            assert_int_equal(seenset_open(&opened, here->path, &options), 0);
            check_same(set, opened, count);
            seenset_free(opened);
        }
        seenset_free(set);
    }
}

/* At any address of 8, as a copy and as a view; and from a stream. */
static void sets_are_opened_from_bytes(void **state)
{
    (void)state;
    size_t size_bytes;
    seenset *set = grown(0.01, 20, 40000), *opened;
    uint8_t *bytes = test_bytes_of(set, &size_bytes);
    uint8_t *room = malloc(size_bytes + 64);
    for (size_t offset = 0; offset <= 64; offset += 8) {
        memcpy(room + offset, bytes, size_bytes);
        for (size_t way = 0; way < 3; way++) {
            seenset_open_options options = {.flags = ways[way]};
            assert_int_equal(seenset_open_bytes(&opened, room + offset,
                                                size_bytes, &options),
                             0);
            check_same(set, opened, 40000);
            seenset_free(opened);
        }
    }
    free(room);
    free(bytes);
    seenset_free(set);
}

/* What is added to a copy, and to a file that is mapped for it, is what would
 * have been added to the set. */
static void sets_that_were_opened_grow_on(void **state)
{
    const place *here = *state;
    seenset *set = grown(0.01, 1000, 500000);
    assert_int_equal(seenset_save(set, here->path), 0);
    (void)test_add_stream(set, 500000, 700000);
    for (size_t way = 2; way < TEST_COUNT(ways); way++) {
        seenset_open_options options = {.flags = ways[way]};
        seenset *opened;
        assert_int_equal(seenset_open(&opened, here->path, &options), 0);
        (void)test_add_stream(opened, 500000, 700000);
        assert_true(test_are_equal(set, opened));
        if (ways[way] == SEENSET_OPEN_APPEND) {
            assert_int_equal(seenset_append(opened, here->path), 0);
            assert_true(test_holds(here->path, set));
        }
        seenset_free(opened);
    }
    seenset_free(set);
}

/* ---- damage ---- */

/* No key that was added is called new by a view of a damaged file. */
static void ask_all(const uint8_t *bytes, size_t size_bytes, uint32_t flags,
                    uint64_t keys)
{
    seenset *view = NULL;
    seenset_open_options options = {.flags = flags};
    uint8_t is_seen[64];
    uint64_t hashes[64];
    if (seenset_open_bytes(&view, bytes, size_bytes, &options) != 0)
        return;
    for (uint64_t i = 0; i < keys; i += 64) {
        for (uint64_t j = 0; j < 64; j++) {
            hashes[j] = test_mix(i + j);
            int one = seenset_has_hash(view, hashes[j]);
            assert_true(flags != SEENSET_OPEN_VIEW || i + j >= keys ||
                        one != 0);
        }
        (void)seenset_has_hash_many(view, hashes, 64, is_seen);
        for (uint64_t j = 0; j < 64 && i + j < keys; j++)
            assert_true(flags != SEENSET_OPEN_VIEW || is_seen[j] != 0);
    }
    seenset_free(view);
}

static bool is_refused(const uint8_t *bytes, size_t size_bytes)
{
    seenset *set = NULL;
    seenset_open_options options = {.flags = SEENSET_OPEN_COPY};
    int error = seenset_open_bytes(&set, bytes, size_bytes, &options);
    seenset_free(set);
    return error != 0;
}

static void damage_is_noticed(void **state)
{
    const place *here = *state;
    static const uint64_t keys[] = {400, 40000};
    for (size_t i = 0; i < TEST_COUNT(keys); i++) {
        size_t size_bytes;
        seenset *set = grown(0.01, 20, keys[i]);
        uint8_t *bytes = test_bytes_of(set, &size_bytes);
        size_t step = i == 0 ? 13 : 30011;
        for (size_t bit = 0; bit < 8 * size_bytes; bit += step) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(is_refused(bytes, size_bytes));
            ask_all(bytes, size_bytes, SEENSET_OPEN_VIEW, 400);
            ask_all(bytes, size_bytes, SEENSET_OPEN_UNCHECKED, 400);
            if (bit % 64 == 0) {
                test_write_file(here->path, bytes, size_bytes);
                assert_true(seenset_verify(here->path, NULL) < 0);
            }
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (size_t cut = 0; cut < size_bytes; cut += 1 + size_bytes / 100)
            assert_true(is_refused(bytes, cut));
        free(bytes);
        seenset_free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sets_are_opened_by_every_way, enter,
                                        leave),
        cmocka_unit_test(sets_are_opened_from_bytes),
        cmocka_unit_test_setup_teardown(sets_that_were_opened_grow_on, enter,
                                        leave),
        cmocka_unit_test_setup_teardown(damage_is_noticed, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
