/*
 * queue_golden.c - queues as an earlier version left them, opened by this one.
 *
 * Each golden queue is a folder, golden/queue-<kind>, with two snapshots and
 * the whole log. Its set follows from the log. So there are three ways to open
 * it: with both snapshots, without the newest, and from the log alone. All
 * three give the same answers, which golden/queues.txt has, and the newest set
 * bit by bit, or URL by URL. An open alone writes nothing.
 *
 * The clock is that of the disk, at the moment when the queues were written.
 *
 *     test_queue_golden [FOLDER]     writes the queues and answers there
 *
 * That is for a new kind of queue: the folders of the others stay as they are.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bits.h"
#include "queue_golden.h"

enum {
    PROBES = 1000,     /* URLs that are pushed at the end */
    GOLDEN_URLS = 151, /* those of them that a golden queue may have had */
    EXACT_HEADER_BYTES = 48,
    EXACT_BLOCK_HEADER_BYTES = 8 /* src/seen/exact.h */
};

/* ---- answers ---- */

/* Numbers, as "0-3 7 9-12". */
typedef struct number_list {
    FILE *to;
    int first, last; /* of the run that is not written yet */
} number_list;

static void end_run(const number_list *list)
{
    if (list->first < 0)
        return;
    fprintf(list->to, list->last > list->first ? " %d-%d" : " %d", list->first,
            list->last);
}

static void add_number(number_list *list, int number)
{
    if (list->first < 0 || number != list->last + 1) {
        end_run(list);
        list->first = number;
    }
    list->last = number;
}

static void write_items(seenset_queue *queue, FILE *to)
{
    seenset_queue_item item = {0};
    number_list list = {.to = to, .first = -1};
    char data[32];
    int result;
    fputs(" pops", to);
    while ((result = seenset_queue_pop(queue, &item)) == 1) {
        int number = model_number(item.url, item.url_len);
        snprintf(data, sizeof data, "depth %d", number % 7);
        assert_string_equal(item.data, data);
        add_number(&list, number);
    }
    assert_int_equal(result, 0);
    end_run(&list);
    seenset_queue_item_free(&item);
}

/* The URLs that are not new, each pushed after those before it. */
static void write_seen(seenset_queue *queue, FILE *to)
{
    number_list list = {.to = to, .first = -1};
    fputs("\n seen", to);
    for (int i = 0; i < PROBES; i++) {
        int answer = golden_push(queue, i);
        assert_in_range(answer, 0, 1);
        if (answer == 0)
            add_number(&list, i);
    }
    end_run(&list);
    fputs("\n", to);
}

/* Uses the queue of a disk up. */
static void write_answers(const golden_queue *of, disk *on, FILE *to)
{
    seenset_queue_stats stats;
    seenset_queue *queue = golden_open(of, on, false);
    assert_int_equal(seenset_queue_get_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    fprintf(
        to, "%s\n pushed %" PRIu64 ", acked %" PRIu64 ", pending %" PRIu64 "\n",
        of->name, stats.pushed_items, stats.acked_items, stats.pending_items);
    write_items(queue, to);
    write_seen(queue, to);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
}

/* What the golden answers say about a queue, or NULL. */
static char *read_expected(const golden_queue *of)
{
    size_t size_bytes;
    uint8_t *bytes =
        test_read_file(SEENSET_TEST_GOLDEN "/queues.txt", &size_bytes);
    char *text = calloc(size_bytes + 1, 1);
    assert_non_null(text);
    memcpy(text, bytes, size_bytes);
    free(bytes);
    char heading[64];
    snprintf(heading, sizeof heading, "%s\n", of->name);
    char *begin = strstr(text, heading);
    assert_non_null(begin);
    char *end = strstr(begin + strlen(heading), "queue-");
    if (end != NULL)
        *end = '\0';
    memmove(text, begin, strlen(begin) + 1);
    return text;
}

/* Has its set grown? When these were made, it did so by a list of tables: what
 * is added to it again, after the snapshot or without one, is in another table
 * now. So other strangers are taken for seen, but no URL that was pushed is new
 * (is_seen_alike). */
static bool has_grown(const golden_queue *of)
{
    seenset_stats stats;
    const golden_queue *sound = golden_named(of->name); /* not a planted one */
    disk *on = golden_load(sound);
    seenset_queue *queue = golden_open(sound, on, true);
    assert_int_equal(seenset_queue_get_set_stats(queue, &stats, sizeof stats),
                     SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    disk_free(on);
    return stats.table_count > 1 && stats.on_full == SEENSET_ON_FULL_GROW;
}

/* Cuts the line of what is seen off, and marks the numbers in it. */
static void take_seen(char *answers, bool is_seen[PROBES])
{
    char *line = strstr(answers, "\n seen");
    assert_non_null(line);
    char *at = line + strlen("\n seen");
    memset(is_seen, 0, PROBES * sizeof *is_seen);
    while (*at == ' ') {
        long first = strtol(at, &at, 10);
        long last = *at == '-' ? strtol(at + 1, &at, 10) : first;
        assert_true(first >= 0 && first <= last && last < PROBES);
        for (long i = first; i <= last; i++)
            is_seen[i] = true;
    }
    *line = '\0';
}

/* Is each URL that was pushed answered as ever, and are strangers taken for
 * seen no more often than promised? A forgotten one is a stranger. */
static bool is_seen_alike(const bool seen[PROBES], const bool expected[PROBES],
                          double fp_rate)
{
    uint64_t wrong = 0;
    for (int i = 0; i < PROBES; i++) {
        if (i < GOLDEN_URLS && seen[i] != expected[i])
            return false;
        wrong += i >= GOLDEN_URLS && seen[i];
    }
    uint64_t asked = PROBES - GOLDEN_URLS;
    return (double)wrong <= (double)asked * fp_rate ||
           test_is_binomial(wrong, asked, fp_rate);
}

static bool is_same_but_for_strangers(char *answers, char *expected,
                                      double fp_rate)
{
    bool seen[PROBES], as_ever[PROBES];
    take_seen(answers, seen);
    take_seen(expected, as_ever);
    return strcmp(answers, expected) == 0 &&
           is_seen_alike(seen, as_ever, fp_rate);
}

static bool answers_as_ever(const golden_queue *of, const disk *on)
{
    char *answers = NULL;
    size_t length;
    disk *copy = disk_copy(on);
    FILE *to = open_memstream(&answers, &length);
    assert_non_null(to);
    write_answers(of, copy, to);
    assert_int_equal(fclose(to), 0);
    disk_free(copy);
    char *expected = read_expected(of);
    bool is_same = has_grown(of) ? is_same_but_for_strangers(answers, expected,
                                                             of->set.fp_rate)
                                 : strcmp(answers, expected) == 0;
    if (!is_same)
        print_message("it is\n%sand not\n%s", answers, expected);
    free(expected);
    free(answers);
    return is_same;
}

/* Planted: a URL less is seen, a forgotten one is, too many strangers are. */
static void seen_lists_are_told_apart(void **state)
{
    bool seen[PROBES], expected[PROBES];
    (void)state;
    char *text = read_expected(golden_named("queue-priorities"));
    take_seen(text, expected);
    free(text);
    assert_true(expected[124] && !expected[125] && expected[150]);
    for (int i = 0; i < GOLDEN_URLS; i++) {
        memcpy(seen, expected, sizeof seen);
        assert_true(is_seen_alike(seen, expected, 0.01));
        seen[i] = !seen[i];
        assert_false(is_seen_alike(seen, expected, 0.01));
    }
    memcpy(seen, expected, sizeof seen);
    for (int i = GOLDEN_URLS; i < PROBES; i += 15)
        seen[i] = true;
    assert_false(is_seen_alike(seen, expected, 0.01));
}

/* ---- the tests ---- */

/* With so many of its snapshots gone, from the newest on. */
static disk *without_snapshots(const golden_queue *of, int gone)
{
    disk *on = golden_load(of);
    char path[64];
    for (int i = 0; i < 2 * gone; i++) {
        snprintf(path, sizeof path, "%s/%s", DISK_FOLDER,
                 disk_last_name(on, i % 2 == 0 ? "set-" : "state-"));
        assert_int_equal(disk_io(on)->unlink(on, path), 0);
    }
    return on;
}

/* What the blocks of an exact set's file have, from the first to the last; how
 * many bytes. How the URLs are divided into blocks depends on who wrote it. */
static size_t join_blocks(uint8_t *joined, const uint8_t *bytes,
                          size_t size_bytes)
{
    size_t length = 0, block_bytes;
    for (size_t at = EXACT_HEADER_BYTES; at < size_bytes;
         at += EXACT_BLOCK_HEADER_BYTES + block_bytes) {
        block_bytes = (size_t)ss_bits_load(bytes + at, 4);
        memcpy(joined + length, bytes + at + EXACT_BLOCK_HEADER_BYTES,
               block_bytes);
        length += block_bytes;
    }
    return length;
}

/* What a set's file has: all of it, or the URLs. From malloc. */
static uint8_t *set_content(disk *on, const char *name, size_t *length)
{
    size_t *size_bytes;
    const uint8_t *bytes = disk_file(on, name, &size_bytes);
    assert_non_null(bytes);
    uint8_t *content = malloc(*size_bytes);
    assert_non_null(content);
    memcpy(content, bytes, *size_bytes);
    *length = memcmp(bytes, "SEENURL", 7) == 0
                  ? join_blocks(content, bytes, *size_bytes)
                  : *size_bytes;
    return content;
}

static bool is_set_same(disk *a, disk *b)
{
    const char *name = disk_last_name(a, "set-");
    size_t in_a, in_b;
    if (strcmp(name, disk_last_name(b, "set-")) != 0)
        return false;
    uint8_t *of_a = set_content(a, name, &in_a);
    uint8_t *of_b = set_content(b, name, &in_b);
    bool is_same = in_a == in_b && memcmp(of_a, of_b, in_a) == 0;
    free(of_a);
    free(of_b);
    return is_same;
}

/* Opens it, and writes the newest set anew: is it as it was? */
static bool is_set_as_ever(const golden_queue *of, const disk *on)
{
    disk *golden = golden_load(of), *copy = disk_copy(on);
    seenset_queue *queue = golden_open(of, copy, false);
    assert_int_equal(seenset_queue_checkpoint(queue), SEENSET_OK);
    assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
    bool is_same = is_set_same(copy, golden);
    disk_free(copy);
    disk_free(golden);
    return is_same;
}

static void golden_queue_answers_as_ever(void **state)
{
    (void)state;
    for (size_t i = 0; i < golden_queue_count; i++) {
        for (int gone = 0; gone <= 2; gone++) {
            print_message("%s, %d snapshots gone\n", golden_queues[i].name,
                          gone);
            disk *on = without_snapshots(&golden_queues[i], gone);
            assert_true(answers_as_ever(&golden_queues[i], on));
            /* with both snapshots nothing is added again */
            assert_true((gone > 0 && has_grown(&golden_queues[i])) ||
                        is_set_as_ever(&golden_queues[i], on));
            disk_free(on);
        }
    }
}

/* Neither an open nor a verification writes. */
static void golden_queue_stays_as_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < golden_queue_count; i++) {
        const golden_queue *of = &golden_queues[i];
        disk *golden = golden_load(of), *on = disk_copy(golden);
        const seenset_options given = {.secret = of->set.secret};
        const seenset_queue_options options = {.set = &given};
        assert_int_equal(seenset_queue_close(golden_open(of, on, false)),
                         SEENSET_OK);
        assert_int_equal(seenset_queue_close(golden_open(of, on, true)),
                         SEENSET_OK);
        assert_int_equal(ss_queue_verify(disk_io(on), DISK_FOLDER, &options),
                         SEENSET_OK);
        assert_true(disk_is_same(on, golden));
        disk_free(on);
        disk_free(golden);
    }
}

/* Made by this version, it is the golden one but for the log's id. */
static void a_queue_made_now_answers_as_ever(void **state)
{
    (void)state;
    for (size_t i = 0; i < golden_queue_count; i++) {
        disk *made = golden_make(&golden_queues[i]);
        assert_true(answers_as_ever(&golden_queues[i], made));
        assert_true(has_grown(&golden_queues[i]) ||
                    is_set_as_ever(&golden_queues[i], made));
        disk_free(made);
    }
}

/* Leases as they were given: the number, the turn, and where its rest is. */
static void golden_leases_go_on(void **state)
{
    static const struct {
        const char *name;
        uint32_t deliveries;
        uint64_t lease;
    } rows[] = {
        {"queue-untried", 1, GOLDEN_ITEM << 8 | (GOLDEN_FEW + 1)},
        {"queue-turns", GOLDEN_MANY + 1,
         UINT64_C(1) << 48 | GOLDEN_ITEM << 8 | (GOLDEN_MANY + 1 - 256)},
    };
    const seenset_queue_options options = {.flags = SEENSET_QUEUE_KEEP_LEASES};
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(rows); i++) {
        seenset_queue *queue = NULL;
        seenset_queue_item item = {0};
        uint64_t lease = rows[i].lease;
        disk *on = golden_load(golden_named(rows[i].name));
        assert_int_equal(
            ss_queue_open(disk_io(on), &queue, DISK_FOLDER, &options), 0);
        assert_int_equal(seenset_queue_get_leased(queue, lease, &item), 0);
        assert_int_equal(item.deliveries, rows[i].deliveries);
        assert_int_equal(item.number, GOLDEN_ITEM);
        seenset_queue_item_free(&item);
        assert_int_equal(seenset_queue_ack(queue, lease ^ UINT64_C(1) << 48),
                         SEENSET_ELEASE);
        assert_int_equal(seenset_queue_ack(queue, lease ^ 1), SEENSET_ELEASE);
        assert_int_equal(seenset_queue_ack(queue, lease), SEENSET_OK);
        assert_int_equal(seenset_queue_close(queue), SEENSET_OK);
        disk_free(on);
    }
}

/* Planted: another golden_secret, another rate. */
static void other_queues_are_told_apart(void **state)
{
    (void)state;
    static const uint8_t other[SEENSET_SECRET_BYTES] = "another sixteen";
    for (int i = 0; i < 2; i++) {
        golden_queue changed = golden_queues[2]; /* keyed, a window */
        if (i == 0)
            changed.set.secret = other;
        else
            changed.set.fp_rate = 0.5;
        disk *made = golden_make(&changed);
        assert_false(answers_as_ever(&changed, made));
        assert_false(is_set_as_ever(&changed, made));
        disk_free(made);
    }
}

/* ---- writing them ---- */

static int write_all(const char *folder)
{
    char path[TEST_PATH_BYTES];
    snprintf(path, sizeof path, "%s/queues.txt", folder);
    FILE *to = fopen(path, "w");
    if (to == NULL)
        return 1;
    for (size_t i = 0; i < golden_queue_count; i++) {
        golden_store(&golden_queues[i], folder);
        disk *on = golden_make(&golden_queues[i]);
        write_answers(&golden_queues[i], on, to);
        disk_free(on);
    }
    return fclose(to) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_queue_answers_as_ever),
        cmocka_unit_test(golden_queue_stays_as_it_is),
        cmocka_unit_test(a_queue_made_now_answers_as_ever),
        cmocka_unit_test(golden_leases_go_on),
        cmocka_unit_test(other_queues_are_told_apart),
        cmocka_unit_test(seen_lists_are_told_apart),
    };
    return argc > 1 ? write_all(argv[1])
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
