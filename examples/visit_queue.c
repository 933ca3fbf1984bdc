/*
 * visit_queue.c - a crawler's to-visit queue.
 *
 * push drops a URL that the filter has seen and appends any other; pop hands
 * out the oldest. A warning is printed once, when as many URLs were pushed as
 * the filter is planned for. The queue is a folder: what was popped and not
 * acked when the program ends is handed out again by the next one. Memory is
 * bounded by the filter, whatever the length of the queue.
 *
 *     cc visit_queue.c -lseenset-queue -lseenset -lm && ./a.out FOLDER
 *
 * FOLDER must not exist yet.
 */
#include <math.h>

#include <seenset/queue.h>

#include "example.h"

/* ---- the filter: n keys at rate p ---- */

/* The 128-bit hash of a key, cut in two, makes its seven indices. */
static void show_filter(const char *url)
{
    const double n = 1e6, p = 0.01;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .scheme = SEENSET_SCHEME_MURMUR3_128,
                               .size_bits =
                                   (uint64_t)(-n * log(p) / (log(2) * log(2))),
                               .hash_count = (uint32_t)ceil(-log(p) / log(2)),
                               .capacity_items = (uint64_t)n};
    seenset *set;
    check(seenset_new(&set, &options));
    add(set, url);
    seenset_stats stats = stats_of(set);
    printf("m = %" PRIu64 ", k = %" PRIu32 ": %s sets bits\n", stats.size_bits,
           stats.hash_count, url);
    print_positions(set);
    printf("which say that it holds %.3f keys\n\n", stats.estimated_items);
    seenset_free(set);
}

/* ---- the queue ---- */

static seenset_queue *open_queue(const char *folder)
{
    seenset_queue *queue;
    const seenset_options set = {.capacity_items =
                                     4, /* so that the warning is seen */
                                 .on_full = SEENSET_ON_FULL_DEGRADE};
    const seenset_queue_options options = {
        .set = &set, .normalise = SEENSET_QUEUE_NORMALISE_URL};
    check(seenset_queue_open(&queue, folder, &options));
    return queue;
}

/* The figures that need no look at the bits take the same time whatever the
 * size of the filter: seenset_queue_get_set_stats would read all of it. Warns
 * at the push that reaches the capacity, and only then: push has just said that
 * this URL is one more. */
static void push(seenset_queue *queue, const char *url)
{
    seenset_info info;
    int is_new = check(seenset_queue_push(queue, url, strlen(url), NULL, 0));
    printf("push %-28s %s\n", url, is_new ? "new" : "seen, dropped");
    check(seenset_queue_get_set_info(queue, &info, sizeof info));
    if (is_new && info.added_items == info.capacity_items)
        printf("warning: %" PRIu64 " URLs were pushed, as many as the filter "
               "is for\n",
               info.capacity_items);
}

static void pop(seenset_queue *queue, int is_done)
{
    seenset_queue_item item = {0};
    if (check(seenset_queue_pop(queue, &item)) == 0) {
        puts("pop  nothing left");
        return;
    }
    printf("pop  %-28.*s %s\n", (int)item.url_len, (const char *)item.url,
           is_done ? "fetched" : "stopped before it was fetched");
    if (is_done)
        check(seenset_queue_ack(queue, item.lease));
    seenset_queue_item_free(&item);
}

static void show_queue(const char *folder)
{
    seenset_queue *queue = open_queue(folder);
    push(queue, "http://example.com/");
    push(queue, "https://www.rust-lang.org/");
    push(queue, "http://example.com/");
    push(queue, "HTTP://EXAMPLE.COM:80/#top");
    push(queue, "http://example.com/a");
    push(queue, "http://example.com/b");
    push(queue, "http://example.com/c");
    pop(queue, 1);
    pop(queue, 0);
    check(seenset_queue_close(queue));
    puts("--- the next run ---");
    queue = open_queue(folder);
    push(queue, "http://example.com/");
    for (int i = 0; i < 5; i++)
        pop(queue, 1);
    check(seenset_queue_close(queue));
}

/* ---- how much memory a billion URLs take ---- */

/* n = -m ln(2)^2 / ln p, and a little less because k is a whole number. Every
 * structure needs at least n log2(1/p) bits. */
static void show_billion(double p)
{
    const double formula = -1e9 * log(p) / (log(2) * log(2));
    seenset_plan billion = {.layout = SEENSET_LAYOUT_BLOOM,
                            .capacity_items = 1000000000,
                            .fp_rate = p};
    seenset_plan small = {.layout = SEENSET_LAYOUT_BLOOM,
                          .size_bits = 8 * UINT64_C(18000000),
                          .fp_rate = p};
    check(seenset_plan_solve(&billion));
    check(seenset_plan_solve(&small));
    printf("a billion URLs at %g: %.3f GB by the formula, %.3f GB with whole "
           "hashes,\n    never under %.3f GB; 18 MB hold %.1f million\n",
           p, formula / 8e9, (double)billion.size_bits / 8e9,
           billion.floor_bits / 8e9, (double)small.capacity_items / 1e6);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return EXIT_FAILURE;
    }
    show_filter("http://example.com/");
    show_queue(argv[1]);
    putchar('\n');
    show_billion(0.01);
    show_billion(0.0001);
    return 0;
}
