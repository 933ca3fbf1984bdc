/* queue_model_scatter.c - a log in which a few items are left everywhere */
#define _POSIX_C_SOURCE 200809L
#include "queue_model.h"
#include "queue_records.h"

#include <string.h>

#include "base/bits.h"
#include "queue/clean/clean.h"
#include "queue/polite.h"

enum {
    LEFT = 8 /* each eighth item is not acked */
};

static void push_all(model *of, seenset_queue *queue, int count)
{
    char url[32], data[200];
    memset(data, 'y', sizeof data);
    for (int i = 0; i < count; i++) {
        model_url(i, url);
        const seenset_queue_entry entry = {.url = url,
                                           .url_len = strlen(url),
                                           .data = data,
                                           .data_len = sizeof data};
        assert_int_equal(model_push_entry(of, queue, &entry, i, false), 1);
        of->is_pushed[i] = true;
    }
}

void model_scatter(model *of, seenset_queue *queue, int count)
{
    seenset_queue_item item = {0};
    uint64_t left[MODEL_URLS];
    int left_count = 0;
    queue->cleaner.is_running = true; /* nothing is moved until the end */
    push_all(of, queue, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(seenset_queue_pop(queue, &item), 1);
        int number = model_number(item.url, item.url_len);
        if (number % LEFT == 0) {
            left[left_count++] = item.lease;
            continue;
        }
        of->is_ack_tried[number] = of->is_acked[number] = true;
        assert_int_equal(seenset_queue_ack(queue, item.lease), 0);
    }
    seenset_queue_item_free(&item);
    for (int i = 0; i < left_count; i++)
        assert_int_equal(seenset_queue_nack(queue, left[i], NULL), 0);
    assert_int_equal(seenset_queue_sync(queue), 0);
    model_promise(of);
    queue->cleaner.is_running = false;
    queue->cleaner.tail = queue->log.tail;
    if (queue->frontier != NULL)
        queue->cleaner.done = queue->frontier->live.done;
}

void model_move(seenset_queue *queue, uint64_t item)
{
    ss_cleaner *cleaner = &queue->cleaner;
    ss_record pushed;
    uint64_t at;
    assert_int_equal(ss_create_moved(queue), 0);
    assert_int_equal(ss_append_flush(queue), 0);
    assert_int_equal(ss_clean_settle(queue), 0);
    assert_int_equal(ss_polite_position(queue, item, &at), 1);
    assert_int_equal(ss_pop_read(queue, at, item, &pushed), 1);
    size_t bytes = SS_MOVED_PREFIX_BYTES + (size_t)pushed.payload_bytes;
    assert_int_equal(ss_append_reserve(queue, SS_RECORD_HEADER_BYTES + bytes),
                     0);
    assert_true(ss_cleaner_reserve(cleaner, &queue->memory));
    uint8_t *payload = ss_log_end_payload(&queue->log);
    cleaner->moves[cleaner->count++] = (ss_move){
        .item = item,
        .from = {at, (uint32_t)ss_record_bytes(&pushed)},
        .to = {queue->log.tail, (uint32_t)(SS_RECORD_HEADER_BYTES + bytes)}};
    ss_bits_store(payload, 8, item);
    payload[8] = (uint8_t)pushed.type;
    memcpy(payload + SS_MOVED_PREFIX_BYTES, pushed.payload,
           pushed.payload_bytes);
    ss_append_record(queue, SS_RECORD_MOVED, bytes);
    assert_int_equal(ss_append_flush(queue), 0);
}

bool model_has_moved(disk *on)
{
    size_t *size_bytes;
    const char *name;
    for (int i = 0; (name = disk_name(on, SS_FOLDER_LOG, i)) != NULL; i++) {
        const uint8_t *bytes = disk_file(on, name, &size_bytes);
        if (records_have_moved(bytes, *size_bytes))
            return true;
    }
    return false;
}
