/* polite_place.c - see polite_place.h */
#include "polite_place.h"

#include <stdlib.h>
#include <string.h>

int polite_enter(void **state)
{
    polite_place *at = calloc(1, sizeof *at);
    assert_non_null(at);
    test_folder_make(&at->folder);
    test_folder_make(&at->other);
    *state = at;
    return 0;
}

int polite_leave(void **state)
{
    polite_place *at = *state;
    test_folder_remove(&at->folder);
    test_folder_remove(&at->other);
    free(at);
    return 0;
}

static const seenset_options small = {.capacity_items = 1000, .fp_rate = 1e-6};

int polite_open_at(seenset_queue **out, const char *path,
                   const seenset_queue_politeness *rules,
                   seenset_queue_report *report)
{
    const seenset_queue_options options = {.set = &small,
                                           .politeness = rules,
                                           .lease_seconds = LONG_SECONDS,
                                           .flags = SEENSET_QUEUE_KEEP_LEASES,
                                           .report = report};
    *out = NULL;
    return seenset_queue_open(out, path, &options);
}

seenset_queue *polite_open(polite_place *at,
                           const seenset_queue_politeness *rules)
{
    seenset_queue *queue;
    assert_int_equal(
        polite_open_at(&queue, at->folder.path, rules, &at->report),
        SEENSET_OK);
    return queue;
}

int polite_push(seenset_queue *queue, const char *url)
{
    return seenset_queue_push(queue, url, strlen(url), NULL, 0);
}

uint64_t polite_pop(seenset_queue *queue, const char *url)
{
    seenset_queue_item item = {0};
    assert_int_equal(seenset_queue_pop(queue, &item), url != NULL);
    if (url != NULL)
        assert_string_equal(item.url, url);
    uint64_t lease = item.lease;
    seenset_queue_item_free(&item);
    return lease;
}

int polite_set_host(seenset_queue *queue, const char *host,
                    seenset_queue_host_settings settings)
{
    return seenset_queue_set_host(queue, host, strlen(host), &settings);
}

seenset_queue_host polite_host_of(seenset_queue *queue, const char *host,
                                  int known)
{
    seenset_queue_host figures;
    assert_int_equal(seenset_queue_get_host(queue, host, strlen(host), &figures,
                                            sizeof figures),
                     known);
    return figures;
}

seenset_queue_stats polite_stats_of(seenset_queue *queue)
{
    seenset_queue_stats stats;
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    return stats;
}
