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
        memcpy(of.is_push_safe, of.is_pushed, sizeof of.is_pushed);
        memcpy(of.is_ack_safe, of.is_acked, sizeof of.is_acked);
        const char *wrong = model_check(&of, disk_io(on), DISK_FOLDER);
        if (wrong != NULL)
            fail_msg("seed %d: %s", (int)seed, wrong);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue_agrees_with_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
