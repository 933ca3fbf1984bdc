/* polite_source.c - see polite_source.h */
#include "polite_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS UINT64_C(1000000)

/* ---- the queue ---- */

typedef struct from_queue {
    polite_source source;
    disk *on;
    seenset_queue *queue;
    uint64_t now_ns, pushed;
} from_queue;

static void queue_go_to(from_queue *it, uint64_t now_ns)
{
    disk_pass_ns(it->on, now_ns - it->now_ns);
    it->now_ns = now_ns;
}

static int host_name(char name[32], uint32_t host)
{
    return snprintf(name, 32, "h%u", (unsigned)host);
}

static void queue_push(polite_source *source, uint32_t host)
{
    from_queue *it = (from_queue *)source;
    char url[64];
    int len = snprintf(url, sizeof url, "http://h%u/%llu", (unsigned)host,
                       (unsigned long long)it->pushed++);
    assert_int_equal(seenset_queue_push(it->queue, url, (size_t)len, NULL, 0),
                     1);
}

static bool queue_pop(polite_source *source, uint64_t now_ns, polite_page *page)
{
    from_queue *it = (from_queue *)source;
    seenset_queue_item item = {0};
    char digits[16] = "";
    queue_go_to(it, now_ns);
    int result = seenset_queue_pop(it->queue, &item);
    assert_in_range(result, 0, 1);
    if (result == 1) {
        assert_in_range(item.host_len, 2, sizeof digits);
        memcpy(digits, (const char *)item.host + 1, item.host_len - 1);
        page->host = (uint32_t)strtoul(digits, NULL, 10);
        page->lease = item.lease;
    }
    seenset_queue_item_free(&item);
    return result == 1;
}

static void queue_done(polite_source *source, uint64_t now_ns,
                       const polite_page *page)
{
    from_queue *it = (from_queue *)source;
    queue_go_to(it, now_ns);
    assert_int_equal(seenset_queue_ack(it->queue, page->lease), SEENSET_OK);
}

static void queue_block(polite_source *source, uint64_t now_ns, uint32_t host,
                        uint64_t until_ns)
{
    from_queue *it = (from_queue *)source;
    char name[32];
    int len = host_name(name, host);
    const seenset_queue_host_settings settings = {
        .flags = SEENSET_QUEUE_HOST_BLOCK,
        .block_seconds = (double)(until_ns - now_ns) / 1e9};
    queue_go_to(it, now_ns);
    assert_int_equal(
        seenset_queue_set_host(it->queue, name, (size_t)len, &settings),
        SEENSET_OK);
}

static uint64_t queue_next_ns(polite_source *source, uint64_t now_ns)
{
    from_queue *it = (from_queue *)source;
    seenset_queue_stats stats;
    queue_go_to(it, now_ns);
    assert_int_equal(seenset_queue_get_stats(it->queue, &stats, sizeof stats),
                     SEENSET_OK);
    if (!(stats.seconds_to_next < 1e8))
        return POLITE_NEVER;
    return now_ns + (uint64_t)(stats.seconds_to_next * 1e9) + 1;
}

static void queue_close(polite_source *source)
{
    from_queue *it = (from_queue *)source;
    assert_int_equal(seenset_queue_close(it->queue), SEENSET_OK);
    disk_free(it->on);
    free(it);
}

static void set_delay(from_queue *it, uint32_t host, uint64_t delay_ms)
{
    char name[32];
    int len = host_name(name, host);
    const seenset_queue_host_settings settings = {
        .flags = SEENSET_QUEUE_HOST_DELAY,
        .delay_seconds = (double)delay_ms / 1e3};
    assert_int_equal(
        seenset_queue_set_host(it->queue, name, (size_t)len, &settings),
        SEENSET_OK);
}

polite_source *polite_source_queue(const uint64_t *delays_ms,
                                   uint32_t host_count, uint64_t usual_ms,
                                   double waits)
{
    from_queue *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->source = (polite_source){queue_push,  queue_pop,     queue_done,
                                 queue_block, queue_next_ns, queue_close};
    const seenset_queue_politeness rules = {.delay_seconds =
                                                (double)usual_ms / 1e3 * waits};
    const seenset_queue_options options = {
        .politeness = &rules,
        .flags = SEENSET_QUEUE_EXACT, /* quick figures */
        .lease_seconds = 1e9,
        .durability = SEENSET_QUEUE_DURABILITY_NONE};
    it->on = disk_new();
    assert_int_equal(
        ss_queue_open(disk_io(it->on), &it->queue, DISK_FOLDER, &options),
        SEENSET_OK);
    for (uint32_t host = 0; host < host_count; host++)
        if (delays_ms[host] != usual_ms)
            set_delay(it, host, (uint64_t)((double)delays_ms[host] * waits));
    return &it->source;
}

/* ---- the heap ---- */

typedef struct heap_host {
    uint64_t ready_ns, delay_ns, pages;
    bool is_out, is_in_heap;
} heap_host;

typedef struct heap_row {
    uint64_t ready_ns, came; /* of one time, the first that came is first */
    uint32_t host;
} heap_row;

typedef struct from_heap {
    polite_source source;
    heap_host *hosts;
    heap_row *rows; /* the earliest first: each row is before its two sons */
    size_t row_count;
    uint64_t came;
} from_heap;

static bool is_before(const heap_row *a, const heap_row *b)
{
    return a->ready_ns != b->ready_ns ? a->ready_ns < b->ready_ns
                                      : a->came < b->came;
}

static void swap_rows(from_heap *it, size_t a, size_t b)
{
    heap_row row = it->rows[a];
    it->rows[a] = it->rows[b];
    it->rows[b] = row;
}

static void sink(from_heap *it, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t son = 2 * at + 1; son <= 2 * at + 2; son++)
            if (son < it->row_count &&
                is_before(&it->rows[son], &it->rows[least]))
                least = son;
        if (least == at)
            return;
        swap_rows(it, at, least);
        at = least;
    }
}

/* A host that has pages of which none is out is in the heap. */
static void heap_put(from_heap *it, uint32_t number)
{
    heap_host *host = &it->hosts[number];
    if (host->is_out || host->is_in_heap || host->pages == 0)
        return;
    host->is_in_heap = true;
    size_t at = it->row_count++;
    it->rows[at] = (heap_row){host->ready_ns, it->came++, number};
    for (; at > 0 && is_before(&it->rows[at], &it->rows[(at - 1) / 2]);
         at = (at - 1) / 2)
        swap_rows(it, at, (at - 1) / 2);
}

/* The first host's time may be later by now: it is put where it belongs. */
static heap_row *heap_first(from_heap *it)
{
    while (it->row_count > 0 &&
           it->rows[0].ready_ns != it->hosts[it->rows[0].host].ready_ns) {
        it->rows[0].ready_ns = it->hosts[it->rows[0].host].ready_ns;
        sink(it, 0);
    }
    return it->row_count > 0 ? it->rows : NULL;
}

static void heap_push(polite_source *source, uint32_t host)
{
    from_heap *it = (from_heap *)source;
    it->hosts[host].pages++;
    heap_put(it, host);
}

static bool heap_pop(polite_source *source, uint64_t now_ns, polite_page *page)
{
    from_heap *it = (from_heap *)source;
    const heap_row *first = heap_first(it);
    if (first == NULL || first->ready_ns > now_ns)
        return false;
    *page = (polite_page){.host = first->host};
    heap_host *host = &it->hosts[first->host];
    host->is_out = true;
    host->is_in_heap = false;
    host->pages--;
    it->rows[0] = it->rows[--it->row_count];
    sink(it, 0);
    return true;
}

static void heap_done(polite_source *source, uint64_t now_ns,
                      const polite_page *page)
{
    from_heap *it = (from_heap *)source;
    heap_host *host = &it->hosts[page->host];
    host->is_out = false;
    if (host->ready_ns < now_ns + host->delay_ns)
        host->ready_ns = now_ns + host->delay_ns;
    heap_put(it, page->host);
}

static void heap_block(polite_source *source, uint64_t now_ns, uint32_t host,
                       uint64_t until_ns)
{
    from_heap *it = (from_heap *)source;
    (void)now_ns;
    if (it->hosts[host].ready_ns < until_ns)
        it->hosts[host].ready_ns = until_ns;
}

static uint64_t heap_next_ns(polite_source *source, uint64_t now_ns)
{
    const heap_row *first = heap_first((from_heap *)source);
    (void)now_ns;
    return first == NULL ? POLITE_NEVER : first->ready_ns;
}

static void heap_close(polite_source *source)
{
    from_heap *it = (from_heap *)source;
    free(it->hosts);
    free(it->rows);
    free(it);
}

polite_source *polite_source_heap(const uint64_t *delays_ms,
                                  uint32_t host_count)
{
    from_heap *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->source = (polite_source){heap_push,  heap_pop,     heap_done,
                                 heap_block, heap_next_ns, heap_close};
    it->hosts = calloc(host_count, sizeof *it->hosts);
    it->rows = calloc(host_count, sizeof *it->rows);
    assert_true(it->hosts != NULL && it->rows != NULL);
    for (uint32_t host = 0; host < host_count; host++)
        it->hosts[host].delay_ns = delays_ms[host] * MS_NS;
    return &it->source;
}
