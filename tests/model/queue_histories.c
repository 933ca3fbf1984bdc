/*
 * queue_histories.c - long crawls on a disk in memory, beside a model that
 * knows what was promised.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "queue_disk.h"
#include "queue_model.h"

/* Long crawls against the model, with restarts, and all durabilities. */
static void queue_agrees_with_the_model(void **state)
{
    int with_lanes = 0, marked = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        model of;
        disk *on = disk_new();
        model_init(&of, seed,
                   seed % 2 == 0 ? SEENSET_QUEUE_DURABILITY_EACH
                                 : SEENSET_QUEUE_DURABILITY_NONE);
        seenset_queue *queue = model_open(on, of.options);
        for (int i = 0; i < 1000; i++) {
            model_step(&of, disk_io(on), DISK_FOLDER, &queue);
            assert_int_equal(of.error, 0);
        }
        assert_int_equal(seenset_queue_close(queue), 0);
        of.is_each = true;
        model_promise(&of);
        for (int i = 0; i < MODEL_MARKED; i++)
            marked += of.is_marked[i];
        with_lanes += of.has_lanes;
        const char *wrong = model_check(&of, disk_io(on), DISK_FOLDER);
        if (wrong != NULL)
            fail_msg("seed %d: %s", (int)seed, wrong);
        disk_free(on);
    }
    assert_int_equal(with_lanes, 10); /* priorities, and visits again */
    assert_in_range(marked, 10 * MODEL_MARKED / 2, 10 * MODEL_MARKED);
}

/* Planted: what the queue does not have. An item pushed again that it lost, one
 * that came too often, a forgotten URL that is seen, another priority, a marked
 * URL that is not seen. */
static void broken_promises_are_caught(void **state)
{
    (void)state;
    static const char *const said[] = {NULL,
                                       "an item pushed again was lost",
                                       "an item pushed again came too often",
                                       "a forgotten URL is seen",
                                       "an item with another priority",
                                       "a marked URL was forgotten"};
    for (size_t i = 0; i < TEST_COUNT(said); i++) {
        model of;
        disk *on = disk_new();
        model_init(&of, 3, SEENSET_QUEUE_DURABILITY_EACH);
        seenset_queue *queue = model_open(on, of.options);
        char url[32];
        model_url(of.url_count, url);
        assert_int_equal(
            seenset_queue_push_again(queue, url, strlen(url), NULL, 0), 1);
        const seenset_queue_entry urgent = {.url = "http://a.example/2",
                                            .url_len = 18};
        const seenset_queue_push_options options = {.priority = 1};
        if (i == 4)
            assert_int_equal(
                seenset_queue_push_many(queue, &urgent, 1, &options, NULL), 0);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        of.again_safe[0] = i == 1 ? 2 : 1;
        of.again_tried[0] = i == 2 ? 0 : 1;
        of.again_safe[0] = i == 2 ? 0 : of.again_safe[0];
        of.is_forgotten_safe[0] = i == 3;
        of.is_marked_safe[0] = i == 5;
        const char *wrong = model_check(&of, disk_io(on), DISK_FOLDER);
        if (said[i] == NULL)
            assert_null(wrong);
        else
            assert_string_equal(wrong, said[i]);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_agrees_with_the_model),
        cmocka_unit_test(broken_promises_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
