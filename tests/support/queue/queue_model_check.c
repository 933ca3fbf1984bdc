/* queue_model_check.c - what a queue promised, held against what it has; the
 * promises are in queue_model.h */
#define _POSIX_C_SOURCE 200809L
#include "queue_model.h"

#include <string.h>

/* The highest priority first, and the oldest of each, if all is handed out
 * again. If leases and delays go on, those that are over come first. */
static const char *check_order(const model *of, const seenset_queue_item *item,
                               int number, seenset_queue_item *last)
{
    bool is_first = last->url_len == 0;
    bool goes_on = (of->options.flags & SEENSET_QUEUE_KEEP_LEASES) != 0;
    uint64_t wanted = of->has_lanes ? model_priority(number) : 0;
    bool is_after = is_first || item->priority < last->priority ||
                    (item->priority == last->priority &&
                     (goes_on || item->number > last->number));
    *last = *item;
    /* push_many gives no priority */
    if (item->priority != wanted && item->priority != 0)
        return "an item with another priority";
    return is_after ? NULL : "an item out of order";
}

static const char *check_again(const model *of, const int *counts)
{
    for (int i = 0; i < MODEL_AGAIN; i++) {
        int count = counts[of->url_count + i];
        if (count < of->again_safe[i] - of->done_tried[i])
            return "an item pushed again was lost";
        if (count > of->again_tried[i] - of->done_safe[i])
            return "an item pushed again came too often";
    }
    return of->is_refuted ? "a forgotten URL was seen, or a marked one new"
                          : NULL;
}

static const char *check_popped(const model *of, seenset_queue *queue,
                                bool is_out[MODEL_URLS])
{
    seenset_queue_item item = {0}, last = {0};
    int counts[MODEL_URLS] = {0};
    const char *wrong = NULL;
    int result = 0;
    while (wrong == NULL && (result = seenset_queue_pop(queue, &item)) == 1) {
        int number = model_number(item.url, item.url_len);
        if (number >= 0)
            wrong = check_order(of, &item, number, &last);
        if (number < 0 || number >= of->url_count + MODEL_AGAIN)
            wrong = "an item that was never pushed";
        else if (number >= of->url_count)
            counts[number]++;
        else if (is_out[number])
            wrong = "an item handed out twice";
        else if (of->is_ack_safe[number])
            wrong = "an item handed out after its ack";
        else
            is_out[number] = true;
    }
    seenset_queue_item_free(&item);
    if (wrong == NULL)
        wrong = check_again(of, counts);
    return wrong == NULL && result < 0 ? "an item cannot be read" : wrong;
}

static const char *check_pushed(const model *of, seenset_queue *queue,
                                const bool is_out[MODEL_URLS])
{
    for (int i = 0; i < of->url_count; i++) {
        char url[32];
        model_url(i, url);
        if (of->is_push_safe[i] && !of->is_ack_tried[i] && !is_out[i])
            return "a pushed item was lost";
        int answer = seenset_queue_push(queue, url, strlen(url), NULL, 0);
        if (answer == 1 && of->is_push_safe[i])
            return "a pushed item was forgotten";
        if (answer == 1 && is_out[i])
            return "an item in the queue is not in the set";
        if (answer == 0 && !is_out[i] && !of->is_ack_tried[i])
            return "an item is seen without a record";
        if (answer < 0)
            return "a push failed";
    }
    for (int i = 0; i < MODEL_AGAIN; i++) {
        char url[32];
        model_url(of->url_count + i, url);
        if (of->is_forgotten_safe[i] &&
            seenset_queue_push(queue, url, strlen(url), NULL, 0) != 1)
            return "a forgotten URL is seen";
    }
    return NULL;
}

static const char *check_marked(const model *of, seenset_queue *queue)
{
    for (int i = 0; i < MODEL_MARKED; i++) {
        char url[32];
        model_url(of->url_count + MODEL_AGAIN + i, url);
        int answer = seenset_queue_push(queue, url, strlen(url), NULL, 0);
        if (answer == 1 && of->is_marked_safe[i])
            return "a marked URL was forgotten";
        if (answer == 0 && !of->is_mark_tried[i])
            return "a URL is seen that was never marked";
    }
    return NULL;
}

const char *model_check(const model *of, const ss_io *io, const char *dir)
{
    seenset_queue *queue;
    bool is_out[MODEL_URLS] = {false};
    seenset_queue_options options = of->options;
    options.durability = SEENSET_QUEUE_DURABILITY_NONE;
    if (ss_queue_open(io, &queue, dir, &options) != 0)
        return "the queue does not open";
    const char *wrong = check_popped(of, queue, is_out);
    if (wrong == NULL)
        wrong = check_pushed(of, queue, is_out);
    if (wrong == NULL)
        wrong = check_marked(of, queue);
    if (seenset_queue_close(queue) != 0 && wrong == NULL)
        wrong = "the queue does not close";
    return wrong;
}
