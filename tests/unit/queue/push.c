/* push.c - many pushes at once */
#define _POSIX_C_SOURCE 200809L /* PATH_MAX */
#include "queue/handle.h"
#include "queue_disk.h"
#include "support.h"

/* Of the errors of many groups of pushes the one that loses URLs is told. */
static void pushes_of_many_groups_tell_what_was_refused(void **state)
{
    static seenset_queue_entry pushes[SS_CHUNK_PUSHES + 1];
    (void)state;
    for (size_t first = 0; first < 2; first++) {
        disk *on = disk_new();
        seenset_queue *queue = NULL;
        seenset_queue_options options = {
            .normalise = SEENSET_QUEUE_NORMALISE_URL,
            .set = &(const seenset_options){.on_full = SEENSET_ON_FULL_REFUSE,
                                            .capacity_items = 1}};
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options), 0);
        for (size_t i = 0; i <= SS_CHUNK_PUSHES; i++)
            pushes[i] = (seenset_queue_entry){"http://a/", 9, NULL, 0};
        size_t refused = first == 0 ? 1 : SS_CHUNK_PUSHES;
        size_t no_url = first == 0 ? SS_CHUNK_PUSHES : 1;
        pushes[refused].url = "http://b/";
        pushes[no_url].url = "no URL at";
        assert_int_equal(
            seenset_queue_push_many(queue, pushes, SS_CHUNK_PUSHES + 1, NULL),
            SEENSET_EFULL);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_of_many_groups_tell_what_was_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
