/*
 * spider.c - a spider that knows where it has been.
 *
 * Pages link to each other in circles, so a spider that does not remember what
 * it visited never ends. It could keep a database, a set of URLs, a set of
 * their digests, or a bitmap with one hash. A Bloom filter with k hashes takes
 * the fewest bits of these at a given rate.
 *
 * The filter here has 2^25 bits and makes seven hashes from one function and
 * seven seeds: r = seed r + byte over the bytes of the URL, in 32 bits, of
 * which the low 25 are the index.
 *
 *     cc spider.c -lseenset -lm && ./a.out
 */
#include "example.h"
#include "seenset/extra/formulas.h"

/* ---- what a URL costs to remember ---- */

/* Bits per key of a plan with hash_count hashes; 0 means the best number. */
static double bits_per_key(seenset_layout layout, uint32_t hash_count)
{
    seenset_plan plan = {.layout = layout,
                         .capacity_items = 1000000,
                         .fp_rate = 0.01,
                         .hash_count = hash_count};
    check(seenset_plan_solve(&plan));
    return plan.bits_per_key;
}

static void show_costs(void)
{
    puts("Bits to remember one URL of 55 bytes, among a million:");
    printf("  %6.1f  in a table of URLs, without its overhead\n", 8 * 55.0);
    printf("  %6.1f  as an MD5 digest, likewise\n", 128.0);
    printf("  %6.1f  in a bitmap with one hash, 1 %% wrong\n",
           bits_per_key(SEENSET_LAYOUT_BLOOM, 1));
    printf("  %6.1f  in a Bloom filter, 1 %% wrong\n",
           bits_per_key(SEENSET_LAYOUT_BLOOM, 0));
    printf("  %6.1f  in one that touches one cache line a URL, 1 %% wrong\n",
           bits_per_key(SEENSET_LAYOUT_BLOCKED, 8));
    printf("With 20 bits a URL and k = 10, %.4g are wrong.\n",
           seenset_plan_fp_rate(SEENSET_LAYOUT_BLOOM, 1000000, 20000000, 10));
}

/* ---- the filter ---- */

static seenset *new_filter(void)
{
    seenset *set;
    seenset_options options = {.layout = SEENSET_LAYOUT_BLOOM,
                               .scheme = SEENSET_SCHEME_POLYNOMIAL,
                               .size_bits = UINT64_C(1) << 25,
                               .hash_count = 7,
                               .capacity_items = 1000000};
    check(seenset_new(&set, &options));
    return set;
}

static void show_filter(void)
{
    seenset *set = new_filter();
    printf("\nhello, before it is added: %s\n",
           has(set, "hello") ? "seen" : "not seen");
    add(set, "hello");
    printf("hello, after: %s; its bits:", has(set, "hello") ? "seen" : "lost");
    print_positions(set);
    /* NULL is refused; the empty key is a key like any other. */
    printf("no key: %s; the empty key: %s\n",
           seenset_has(set, NULL, 1) == 1 ? "seen" : "not seen",
           has(set, "") ? "seen" : "not seen");
    seenset_free(set);
}

/* ---- the spider ---- */

typedef struct page {
    const char *url;
    const char *links[3];
} page;

/* A small web, full of circles. */
static const page web[] = {
    {"http://a.example/", {"http://a.example/news", "http://b.example/", NULL}},
    {"http://a.example/news",
     {"http://a.example/", "http://a.example/news", NULL}},
    {"http://b.example/", {"http://a.example/news", "http://c.example/", NULL}},
    {"http://c.example/", {"http://b.example/", "http://a.example/", NULL}},
};

enum {
    PAGE_COUNT = sizeof web / sizeof web[0]
};

static const page *fetch(const char *url)
{
    for (size_t i = 0; i < PAGE_COUNT; i++) {
        if (strcmp(web[i].url, url) == 0)
            return &web[i];
    }
    return NULL;
}

/* Follows every URL once: seenset_add returns 1 for a new one and adds it. */
static void crawl(seenset *seen, const char *start)
{
    const char *to_visit[PAGE_COUNT];
    size_t first = 0, last = 0, links = 0;
    add(seen, start);
    to_visit[last++] = start;
    while (first < last) {
        const page *fetched = fetch(to_visit[first++]);
        if (fetched == NULL)
            continue;
        printf("visit %s\n", fetched->url);
        for (int i = 0; fetched->links[i] != NULL; i++, links++) {
            if (add(seen, fetched->links[i]) == 1)
                to_visit[last++] = fetched->links[i];
        }
    }
    printf("%zu pages visited, %zu links followed or dropped\n", first, links);
}

int main(void)
{
    seenset *seen = new_filter();
    show_costs();
    show_filter();
    putchar('\n');
    crawl(seen, "http://a.example/");
    seenset_free(seen);
    return 0;
}
