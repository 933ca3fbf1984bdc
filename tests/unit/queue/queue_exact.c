/*
 * queue_exact.c - the set of URLs that makes no mistakes: against an array that
 * always has the truth, with hashes that collide, and its file byte by byte.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/crc32c.h"
#include "queue_disk.h"
#include "queue_model.h"
#include "seen/exact.h"
#include "seen/in_flight.h"

enum {
    PUSHES = 100000,
    WORLD = 60000,
    COLLIDING = 300,
    LONG_URL = 200000 /* over a chunk */
};

static const ss_memory library = {0};

/* ---- the table ---- */

/* All have one hash: only their bytes differ. */
static ss_pushed colliding(int number, char text[32])
{
    snprintf(text, 32, "%d", number);
    return (ss_pushed){.hash = 7, .url = text, .url_len = strlen(text)};
}

static void exact_tells_urls_of_one_hash_apart(void **state)
{
    ss_exact exact;
    char text[32];
    (void)state;
    ss_exact_init(&exact, &library);
    for (int i = 0; i < COLLIDING; i++) {
        const ss_pushed url = colliding(i, text);
        assert_false(ss_exact_has(&exact, &url));
        assert_int_equal(ss_exact_add(&exact, &url), 1);
        assert_int_equal(ss_exact_add(&exact, &url), 0);
    }
    const ss_pushed empty = {.hash = 7, .url = NULL, .url_len = 0};
    assert_false(ss_exact_has(&exact, &empty));
    assert_int_equal(ss_exact_add(&exact, &empty), 1);
    assert_true(ss_exact_has(&exact, &empty));
    for (int i = 0; i < 2 * COLLIDING; i++) {
        const ss_pushed url = colliding(i, text);
        assert_int_equal(ss_exact_has(&exact, &url), i < COLLIDING);
    }
    assert_int_equal(exact.count, COLLIDING + 1);
    ss_exact_free(&exact);
}

/* So do those on their way to it; and the order in which they came stays. */
static void urls_in_flight_of_one_hash_differ(void **state)
{
    ss_in_flight flying = {.keeps_urls = true};
    char text[32];
    (void)state;
    for (int i = 0; i < COLLIDING; i++) {
        const ss_pushed url = colliding(i, text);
        assert_true(ss_in_flight_reserve(&flying, &library, 1, url.url_len));
        assert_false(ss_in_flight_has(&flying, &url));
        ss_in_flight_add(&flying, &url);
    }
    flying.durable_count = COLLIDING / 3;
    ss_in_flight_drop_first(&flying, COLLIDING / 4);
    ss_in_flight_clear(&flying);
    assert_int_equal(flying.count, COLLIDING / 3 - COLLIDING / 4);
    for (int i = 0; i < COLLIDING; i++) {
        const ss_pushed url = colliding(i, text);
        bool is_left = i >= COLLIDING / 4 && i < COLLIDING / 3;
        assert_int_equal(ss_in_flight_has(&flying, &url), is_left);
        if (is_left) {
            const ss_pushed kept =
                ss_in_flight_at(&flying, (size_t)(i - COLLIDING / 4));
            assert_int_equal(kept.url_len, url.url_len);
            assert_memory_equal(kept.url, url.url, url.url_len);
        }
    }
    ss_in_flight_free(&flying, &library);
}

/* ---- a queue ---- */

static void check_against_array(disk *on, const char *dir,
                                seenset_queue_durability durability)
{
    static bool is_seen[WORLD];
    seenset_queue *queue = NULL;
    seenset_queue_stats stats;
    test_random random = {(uint64_t)durability};
    uint64_t news = 0;
    const seenset_queue_options options = {.flags = SEENSET_QUEUE_EXACT,
                                           .durability = durability,
                                           .segment_bytes = 1 << 20,
                                           .snapshot_bytes = 1 << 20};
    memset(is_seen, 0, sizeof is_seen);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, dir, &options), 0);
    for (int i = 0; i < PUSHES; i++) {
        int number = (int)test_random_below(&random, WORLD);
        int answer = seenset_queue_push(queue, &number, sizeof number, NULL, 0);
        assert_int_equal(answer, !is_seen[number]);
        news += !is_seen[number];
        is_seen[number] = true;
        if (dir != NULL && i == PUSHES / 2) { /* from its files */
            assert_int_equal(seenset_queue_checkpoint(queue), 0);
            assert_int_equal(seenset_queue_close(queue), 0);
            assert_int_equal(ss_queue_open(disk_io(on), &queue, dir, &options),
                             0);
        }
    }
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats), 0);
    assert_int_equal(stats.pushed_items, news);
    assert_true(stats.wrong_items == 0.0);
    assert_int_equal(seenset_queue_close(queue), 0);
}

static void exact_queue_agrees_with_an_array(void **state)
{
    (void)state;
    for (int i = SEENSET_QUEUE_DURABILITY_EACH;
         i <= SEENSET_QUEUE_DURABILITY_NONE; i += 2) {
        disk *on = disk_new();
        check_against_array(on, DISK_FOLDER, (seenset_queue_durability)i);
        check_against_array(on, NULL, (seenset_queue_durability)i);
        disk_free(on);
    }
}

static void exact_queue_reports_its_urls(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue =
        model_open(on, (seenset_queue_options){.flags = SEENSET_QUEUE_EXACT});
    seenset_info info;
    seenset_stats stats;
    assert_int_equal(model_push(queue, 0, 500), 500);
    assert_int_equal(seenset_queue_get_set_info(queue, &info, sizeof info), 0);
    assert_int_equal(info.layout, SEENSET_LAYOUT_DEFAULT);
    assert_int_equal(info.on_full, SEENSET_ON_FULL_GROW);
    assert_int_equal(info.table_count, 0);
    assert_int_equal(info.capacity_items, 1000000);
    assert_int_equal(info.added_items, 500);
    assert_true(info.memory_bytes > 500 * 20 && info.memory_bytes < 500 * 300);
    assert_int_equal(seenset_queue_get_set_stats(queue, &stats, sizeof stats),
                     0);
    assert_int_equal(stats.added_items, 500);
    assert_int_equal(stats.memory_bytes, info.memory_bytes);
    assert_true(stats.estimated_items == 500.0);
    assert_true(stats.current_fp_rate == 0.0 && stats.wrong_items == 0.0);
    assert_int_equal(stats.set_bits + stats.size_bits, 0);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
}

static void exact_queue_refuses_when_full(void **state)
{
    static const seenset_options full = {.capacity_items = 40,
                                         .on_full = SEENSET_ON_FULL_REFUSE};
    (void)state;
    for (int i = SEENSET_QUEUE_DURABILITY_EACH;
         i <= SEENSET_QUEUE_DURABILITY_NONE; i += 2) {
        disk *on = disk_new();
        char url[32];
        seenset_queue *queue = model_open(
            on,
            (seenset_queue_options){.flags = SEENSET_QUEUE_EXACT,
                                    .set = &full,
                                    .durability = (seenset_queue_durability)i});
        assert_int_equal(model_push(queue, 0, 40), 40);
        assert_int_equal(model_push(queue, 0, 40), 0);
        model_url(40, url);
        assert_int_equal(seenset_queue_push(queue, url, strlen(url), NULL, 0),
                         SEENSET_EFULL);
        assert_int_equal(seenset_queue_close(queue), 0);
        disk_free(on);
    }
}

static void index_zero(void *context, const void *key, size_t key_len,
                       uint64_t size_bits, uint32_t hash_count,
                       uint64_t *indices)
{
    (void)context, (void)key, (void)key_len, (void)size_bits;
    memset(indices, 0, hash_count * sizeof *indices);
}

static void exact_queues_have_no_filter(void **state)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "s";
    static const seenset_options sets[] = {
        {.secret = secret},
        {.layout = SEENSET_LAYOUT_BLOOM},
        {.size_bits = 1 << 20},
        {.hash_count = 4},
        {.scheme = SEENSET_SCHEME_MD5_DIVMOD},
        {.index_function = index_zero},
        {.on_full = SEENSET_ON_FULL_ROTATE},
        {.window_seconds = 60},
        {.counter_bits = 4},
        {.flags = SEENSET_FLAG_SHARED},
        {.flags = SEENSET_FLAG_SLIDING}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(sets); i++) {
        disk *on = disk_new();
        seenset_queue *queue = NULL;
        const seenset_queue_options options = {.flags = SEENSET_QUEUE_EXACT,
                                               .set = &sets[i]};
        for (int j = 0; j < 2; j++) /* in a folder, and in memory */
            assert_int_equal(ss_queue_open(disk_io(on), &queue,
                                           j == 0 ? DISK_FOLDER : NULL,
                                           &options),
                             SEENSET_EUNSUPPORTED);
        disk_free(on);
    }
    const seenset_options wrong_rate = {.fp_rate = 1.5};
    const seenset_queue_options options = {.flags = SEENSET_QUEUE_EXACT,
                                           .set = &wrong_rate};
    seenset_queue *queue = NULL;
    assert_int_equal(ss_queue_open(&ss_io_system, &queue, NULL, &options),
                     SEENSET_EINVAL);
}

/* It says what it is, and a filter is not taken for it. */
static void exact_is_kept(void **state)
{
    (void)state;
    disk *on = disk_new();
    seenset_queue *queue = NULL;
    const seenset_queue_options exact = {.flags = SEENSET_QUEUE_EXACT};
    const seenset_queue_options filter = {
        .set = &(const seenset_options){.fp_rate = 0.01}};
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &exact),
                     0);
    assert_int_equal(model_push(queue, 0, 10), 10);
    assert_int_equal(seenset_queue_close(queue), 0);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &filter),
                     SEENSET_EMISMATCH);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, NULL), 0);
    assert_int_equal(model_push(queue, 0, 11), 1);
    assert_int_equal(seenset_queue_close(queue), 0);
    disk_free(on);
    on = disk_new();
    assert_int_equal(seenset_queue_close(model_open(on, filter)), 0);
    assert_int_equal(ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &exact),
                     SEENSET_EMISMATCH);
    disk_free(on);
}

/* ---- its file ---- */

typedef struct exact_place {
    disk *on;
    ss_key_hash identity;
    ss_exact_file file;
} exact_place;

static ss_exact make_set(const exact_place *at, int count, size_t long_bytes)
{
    ss_exact exact;
    char *url = malloc(long_bytes + 32);
    assert_non_null(url);
    ss_exact_init(&exact, &library);
    for (int i = 0; i < count; i++) {
        size_t length = (size_t)snprintf(url, 32, "%d", i);
        if (i == count - 1) {
            memset(url, 'u', long_bytes);
            length = long_bytes;
        }
        const ss_pushed pushed = {
            .hash = ss_key_hash_of(&at->identity, url, length),
            .url = url,
            .url_len = length};
        assert_int_equal(ss_exact_add(&exact, &pushed), 1);
    }
    free(url);
    return exact;
}

static exact_place write_set(const ss_exact *exact, exact_place at)
{
    const ss_io *io = disk_io(at.on);
    int fd = ss_io_open(io, DISK_FOLDER "/f", O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(fd >= 0);
    assert_true(ss_exact_write(exact, io, fd, &at.file));
    ss_io_close_quietly(io, fd);
    return at;
}

static int read_set(ss_exact *exact, const exact_place *at)
{
    uint64_t offset = UINT64_MAX;
    const char *reason = NULL;
    const ss_io *io = disk_io(at->on);
    int fd = ss_io_open(io, DISK_FOLDER "/f", O_RDONLY, 0);
    ss_exact_init(exact, &library);
    int error = ss_exact_read(exact, io, fd, &at->file, &offset, &reason);
    ss_io_close_quietly(io, fd);
    if (error == SEENSET_ECORRUPT) {
        assert_non_null(reason);
        assert_true(offset < UINT64_MAX);
        assert_int_equal(exact->count, 0);
        assert_null(exact->slots);
    }
    return error;
}

static void enter(exact_place *at)
{
    static const uint8_t secret[SEENSET_SECRET_BYTES] = "file";
    *at = (exact_place){.on = disk_new()};
    assert_int_equal(ss_key_hash_make(&at->identity, 0, secret,
                                      &(const ss_scheme_arguments){0}),
                     0);
    at->file = (ss_exact_file){
        .log_id = 9, .position = 4711, .identity = &at->identity};
}

static void exact_file_has_every_url(void **state)
{
    exact_place at;
    ss_exact read;
    (void)state;
    enter(&at);
    for (int count = 0; count < 20000; count = count * 3 + 1) {
        ss_exact exact = make_set(&at, count, LONG_URL);
        write_set(&exact, at);
        assert_int_equal(read_set(&read, &at), SEENSET_OK);
        assert_int_equal(read.count, count);
        for (size_t i = 0; i < exact.slot_count; i++) {
            const uint8_t *url = exact.slots[i].url;
            if (url == NULL)
                continue;
            const ss_pushed pushed = {.hash = exact.slots[i].hash,
                                      .url = url + 4,
                                      .url_len = (size_t)ss_bits_load(url, 4)};
            assert_true(ss_exact_has(&read, &pushed));
        }
        ss_exact_free(&read);
        ss_exact_free(&exact);
    }
    disk_free(at.on);
}

/* No byte can change, and none be missing or too many, unnoticed. */
static void exact_file_is_checked_whole(void **state)
{
    exact_place at;
    ss_exact read;
    size_t *size_bytes;
    (void)state;
    enter(&at);
    ss_exact exact = make_set(&at, 20, 70);
    write_set(&exact, at);
    ss_exact_free(&exact);
    uint8_t *bytes = disk_file(at.on, "f", &size_bytes);
    size_t all = *size_bytes;
    for (size_t i = 0; i < all; i++) {
        bytes[i] ^= 0x10;
        assert_int_equal(read_set(&read, &at), SEENSET_ECORRUPT);
        bytes[i] ^= 0x10;
        *size_bytes = i;
        assert_int_equal(read_set(&read, &at), SEENSET_ECORRUPT);
        *size_bytes = all;
    }
    assert_int_equal(read_set(&read, &at), SEENSET_OK);
    ss_exact_free(&read);
    disk_put(at.on, "f", all, "x", 1);
    assert_int_equal(read_set(&read, &at), SEENSET_ECORRUPT);
    disk_free(at.on);
}

/* Whoever forges a file can forge its checksums. */
static void exact_file_with_forged_lengths_is_refused(void **state)
{
    enum {
        BLOCK_AT = 48,
        URL_AT = BLOCK_AT + 8
    };
    static const struct {
        size_t at;
        uint64_t value;
    } forged[] = {{24, 3},
                  {24, 1},
                  {32, 0},
                  {32, 2},
                  {32, UINT64_MAX},
                  {BLOCK_AT, 0},
                  {BLOCK_AT, 9},
                  {BLOCK_AT, 0x110005},
                  {BLOCK_AT, UINT32_MAX},
                  {URL_AT, 0},
                  {URL_AT, 2},
                  {URL_AT, UINT32_MAX},
                  {URL_AT + 9, '0'}};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(forged); i++) {
        exact_place at;
        ss_exact read;
        size_t *size_bytes;
        enter(&at);
        ss_exact exact = make_set(&at, 2, 1); /* "0" and "u" */
        write_set(&exact, at);
        ss_exact_free(&exact);
        uint8_t *bytes = disk_file(at.on, "f", &size_bytes);
        size_t width = forged[i].at < BLOCK_AT ? 8 : 4;
        if (forged[i].at == URL_AT + 9)
            width = 1; /* a URL twice */
        ss_bits_store(bytes + forged[i].at, (unsigned)width, forged[i].value);
        ss_bits_store(bytes + 44, 4, ss_crc32c(bytes, 44));
        ss_bits_store(bytes + BLOCK_AT + 4, 4,
                      ss_crc32c(bytes + URL_AT, *size_bytes - URL_AT));
        assert_int_equal(read_set(&read, &at), SEENSET_ECORRUPT);
        disk_free(at.on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_tells_urls_of_one_hash_apart),
        cmocka_unit_test(urls_in_flight_of_one_hash_differ),
        cmocka_unit_test(exact_queue_agrees_with_an_array),
        cmocka_unit_test(exact_queue_reports_its_urls),
        cmocka_unit_test(exact_queue_refuses_when_full),
        cmocka_unit_test(exact_queues_have_no_filter),
        cmocka_unit_test(exact_is_kept),
        cmocka_unit_test(exact_file_has_every_url),
        cmocka_unit_test(exact_file_is_checked_whole),
        cmocka_unit_test(exact_file_with_forged_lengths_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
