/*
 * give_up.c - see give_up.h.
 */
#include "queue/give_up.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"

enum {
    BYTES_AT_ONCE = 16 << 20
};

/* Items that are to go, as copies; freed after each turn. */
typedef struct leaving {
    seenset_queue_entry *entries;
    uint64_t *leases;
    uint8_t *answers;
    size_t count, bytes;
} leaving;

static void empty(leaving *all)
{
    for (size_t i = 0; i < all->count; i++)
        free((void *)all->entries[i].url);
    all->count = all->bytes = 0;
}

/* One block has the URL, then the data. */
static int copy(leaving *all, const seenset_queue_item *item)
{
    char *bytes = malloc(item->url_len + item->data_len + 1);
    if (bytes == NULL)
        return SEENSET_ENOMEM;
    if (item->url_len > 0)
        memcpy(bytes, item->url, item->url_len);
    if (item->data_len > 0)
        memcpy(bytes + item->url_len, item->data, item->data_len);
    all->entries[all->count] =
        (seenset_queue_entry){.url = bytes,
                              .url_len = item->url_len,
                              .data = bytes + item->url_len,
                              .data_len = item->data_len};
    all->leases[all->count++] = item->lease;
    all->bytes += item->url_len + item->data_len;
    return SEENSET_OK;
}

/* Pushes them all there, whether they were seen there or not. */
static int push_all(const give_up *how, leaving *all)
{
    const seenset_queue_push_options again = {.flags = SEENSET_QUEUE_AGAIN};
    seenset_queue *into;
    int status = queue_open(&into, &how->into, NULL);
    if (status != 0)
        return status;
    int error = seenset_queue_push_many(into, all->entries, all->count, &again,
                                        all->answers);
    if (error != SEENSET_OK) {
        status = queue_complain(how->into.dir, error);
        if (error != SEENSET_EFULL && error != SEENSET_EURL)
            memset(all->answers, SEENSET_ANSWER_SEEN, all->count);
    }
    return queue_close(into, how->into.dir, status);
}

/* Pushes, acks what was pushed, and keeps the leases of the others. */
static int move(const give_up *how, seenset_queue *queue, const char *dir,
                leaving *all, uint64_t *kept, size_t *kept_count)
{
    size_t done = 0;
    if (all->count == 0)
        return 0;
    memset(all->answers, SEENSET_ANSWER_SEEN, all->count);
    int status = push_all(how, all);
    for (size_t i = 0; i < all->count; i++)
        if (all->answers[i] == SEENSET_ANSWER_NEW)
            all->leases[done++] = all->leases[i];
        else
            kept[(*kept_count)++] = all->leases[i];
    int error = seenset_queue_ack_many(queue, all->leases, done);
    if (error != SEENSET_OK)
        status = queue_complain(dir, error);
    empty(all);
    return status;
}

/* Goes through the leases. Reading is ahead of writing in leases[]. */
static int sort_out(const give_up *how, seenset_queue *queue, const char *dir,
                    leaving *all, uint64_t *leases, size_t *count)
{
    seenset_queue_item item = {0};
    size_t kept = 0;
    int status = 0;
    for (size_t i = 0; i < *count; i++) {
        int error = seenset_queue_get_leased(queue, leases[i], &item);
        if (error == SEENSET_OK && item.deliveries >= how->after)
            error = copy(all, &item);
        else if (error == SEENSET_OK)
            leases[kept++] = leases[i];
        if (error != SEENSET_OK)
            status = queue_complain(dir, error);
        if (all->bytes >= BYTES_AT_ONCE &&
            move(how, queue, dir, all, leases, &kept) != 0)
            status = COMMAND_ERROR;
    }
    if (move(how, queue, dir, all, leases, &kept) != 0)
        status = COMMAND_ERROR;
    seenset_queue_item_free(&item);
    *count = kept;
    return status;
}

int give_up_leases(const give_up *how, seenset_queue *queue, const char *dir,
                   uint64_t *leases, size_t *count)
{
    leaving all = {.entries = calloc(*count, sizeof *all.entries),
                   .leases = calloc(*count, sizeof *all.leases),
                   .answers = calloc(*count, 1)};
    int status;
    if (all.entries == NULL || all.leases == NULL || all.answers == NULL)
        status = queue_complain(dir, SEENSET_ENOMEM);
    else
        status = sort_out(how, queue, dir, &all, leases, count);
    empty(&all);
    free(all.entries);
    free(all.leases);
    free(all.answers);
    return status;
}
