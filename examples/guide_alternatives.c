/*
 * guide_alternatives.c - four ways to know which of a million URLs were seen,
 * for docs/guide.md: a set of the URLs, a set of their digests, a bitmap with
 * one hash, and Bloom filters. Each gets the same URLs, is asked for all of
 * them again, and then for a million others.
 *
 *     cc guide_alternatives.c -lseenset -lm
 *     ./a.out              memory and wrong answers
 *     ./a.out times        the same, with the processor time of each
 *     ./a.out urls         the million URLs, for a database
 */
#include <stdbool.h>
#include <time.h>

#include "example.h"
#include "seenset/extra/formulas.h"

enum {
    URLS = 1000000,
    SLOTS = 1 << 21, /* of the hash tables: less than half are used */
    URL_ROOM = 100
};

/* The same numbers give the same URLs, on every machine. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static int make_url(uint64_t number, char url[URL_ROOM])
{
    static const char *const folders[] = {"news", "articles", "p", "products",
                                          "wiki", "archive",  "a", "questions"};
    uint64_t x = mix(number);
    return snprintf(url, URL_ROOM,
                    "https://www.site-%" PRIu64 ".example/%s/%" PRIu64
                    "-%08x.html",
                    x % 100000, folders[x >> 61], number, (unsigned)(x >> 20));
}

static void *allocate(size_t size_bytes)
{
    void *memory = calloc(1, size_bytes);
    if (memory == NULL)
        check(SEENSET_ENOMEM);
    return memory;
}

/* One way to remember URLs. add returns whether the URL was new. */
typedef struct way {
    const char *name;
    bool (*add)(struct way *way, const char *url, size_t length);
    bool (*has)(struct way *way, const char *url, size_t length);
    void *slots; /* of a hash table */
    char *texts; /* all URLs, one after the other */
    size_t text_bytes;
    seenset *set;
    uint64_t bytes; /* all that it takes */
} way;

/* ---- a set of URLs: a hash table of pointers to their text ---- */

static char **find_url(way *of, const char *url, size_t length)
{
    char **slots = of->slots;
    uint64_t i = seenset_hash(url, length) % SLOTS;
    while (slots[i] != NULL && strcmp(slots[i], url) != 0)
        i = (i + 1) % SLOTS;
    return &slots[i];
}

static bool urls_has(way *of, const char *url, size_t length)
{
    return *find_url(of, url, length) != NULL;
}

static bool urls_add(way *of, const char *url, size_t length)
{
    char **slot = find_url(of, url, length);
    if (*slot != NULL)
        return false;
    *slot = of->texts + of->text_bytes;
    memcpy(*slot, url, length + 1);
    of->text_bytes += length + 1;
    of->bytes = sizeof(char *) * SLOTS + of->text_bytes;
    return true;
}

/* ---- a set of digests: 128 bits a URL, as those of MD5 ---- */

typedef struct digest {
    uint64_t halves[2];
} digest;

/* Two hashes of 64 bits: what counts here is the size of a digest. */
static digest digest_of(const char *url, size_t length)
{
    uint64_t first = seenset_hash(url, length);
    uint64_t second = seenset_hash(url, length - 1) ^ mix(first);
    return (digest){{first, second | 1}}; /* not that of an empty slot */
}

static digest *find_digest(way *of, digest wanted)
{
    digest *slots = of->slots;
    uint64_t i = wanted.halves[0] % SLOTS;
    while (slots[i].halves[1] != 0 &&
           memcmp(&slots[i], &wanted, sizeof wanted) != 0)
        i = (i + 1) % SLOTS;
    return &slots[i];
}

static bool digests_has(way *of, const char *url, size_t length)
{
    return find_digest(of, digest_of(url, length))->halves[1] != 0;
}

static bool digests_add(way *of, const char *url, size_t length)
{
    digest wanted = digest_of(url, length);
    digest *slot = find_digest(of, wanted);
    bool is_new = slot->halves[1] == 0;
    *slot = wanted;
    of->bytes = sizeof(digest) * SLOTS;
    return is_new;
}

/* ---- filters ---- */

static bool filter_has(way *of, const char *url, size_t length)
{
    return check(seenset_has(of->set, url, length)) == 1;
}

static bool filter_add(way *of, const char *url, size_t length)
{
    return check(seenset_add(of->set, url, length)) == 1;
}

static way new_filter(const char *name, seenset_options options)
{
    way made = {.name = name, .add = filter_add, .has = filter_has};
    options.layout = SEENSET_LAYOUT_BLOOM;
    options.on_full = SEENSET_ON_FULL_DEGRADE;
    options.capacity_items = URLS;
    check(seenset_new(&made.set, &options));
    made.bytes = (stats_of(made.set).size_bits + 7) / 8;
    return made;
}

/* ---- each of them ---- */

typedef struct outcome {
    uint64_t forgotten;
    uint64_t wrong; /* of a million others */
    double add_ns, ask_ns;
} outcome;

/* Of the processor, so that other programs count little. */
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static outcome run(way *of)
{
    outcome out = {0};
    char url[URL_ROOM];
    double start = seconds();
    for (uint64_t i = 0; i < URLS; i++)
        of->add(of, url, (size_t)make_url(i, url));
    double added = seconds();
    for (uint64_t i = 0; i < URLS; i++)
        out.forgotten += !of->has(of, url, (size_t)make_url(i, url));
    for (uint64_t i = URLS; i < 2 * URLS; i++)
        out.wrong += of->has(of, url, (size_t)make_url(i, url));
    out.add_ns = (added - start) * 1e9 / URLS;
    out.ask_ns = (seconds() - added) * 1e9 / (2 * URLS);
    return out;
}

static void print_way(way *of, bool with_times)
{
    outcome out = run(of);
    printf("%-25s %6.2f %7.2f MB %7.2f GB %10" PRIu64 " %9" PRIu64, of->name,
           (double)of->bytes / URLS, (double)of->bytes / 1e6,
           (double)of->bytes / URLS / 10, out.wrong, out.forgotten);
    if (with_times)
        printf(" %6.0f %6.0f", out.add_ns, out.ask_ns);
    putchar('\n');
    free(of->slots);
    free(of->texts);
    seenset_free(of->set);
}

static void print_ways(bool with_times)
{
    way ways[] = {
        {.name = "set of URLs",
         .add = urls_add,
         .has = urls_has,
         .slots = allocate(sizeof(char *) * SLOTS),
         .texts = allocate((size_t)URLS * URL_ROOM)},
        {.name = "set of 128-bit digests",
         .add = digests_add,
         .has = digests_has,
         .slots = allocate(sizeof(digest) * SLOTS)},
        new_filter("bitmap, one hash, 1 %",
                   (seenset_options){.fp_rate = 0.01, .hash_count = 1}),
        new_filter("Bloom filter, 1 %", (seenset_options){.fp_rate = 0.01}),
        new_filter("Bloom filter, 0.0001 %",
                   (seenset_options){.fp_rate = 1e-6})};
    puts("== alternatives");
    printf("                           bytes                          of a "
           "million new%s\n",
           with_times ? "   ns per URL" : "");
    printf("                         per URL     memory  for 1e8   called "
           "\"seen\" forgotten%s\n",
           with_times ? "    add    ask" : "");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        print_way(&ways[i], with_times);
}

/* Seven hashes from one weak function, in a filter of 2^25 bits. URLs that
 * differ in a number only are what it is bad at. */
static void print_weak(void)
{
    way weak =
        new_filter("", (seenset_options){.scheme = SEENSET_SCHEME_POLYNOMIAL,
                                         .size_bits = 1 << 25,
                                         .hash_count = 7});
    uint64_t lost = 0;
    for (int i = 0; i < URLS; i++) {
        char url[URL_ROOM];
        int length =
            snprintf(url, sizeof url, "http://www.example.com/%d.html", i);
        lost += !filter_add(&weak, url, (size_t)length);
    }
    puts("== weak");
    printf("%d URLs like http://www.example.com/0.html\n", URLS);
    printf("2^25 bits filled as by so many  %.0f\n",
           stats_of(weak.set).estimated_items);
    printf("new URLs lost                   %" PRIu64 "\n", lost);
    printf("by the formula, of good hashes  %.0f\n",
           seenset_plan_wrong_items(SEENSET_LAYOUT_BLOOM, URLS, 1 << 25, 7));
    seenset_free(weak.set);
}

static void print_urls(void)
{
    char url[URL_ROOM];
    for (uint64_t i = 0; i < URLS; i++) {
        make_url(i, url);
        puts(url);
    }
}

static void print_lengths(void)
{
    char url[URL_ROOM];
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < URLS; i++)
        bytes += (uint64_t)make_url(i, url);
    make_url(0, url);
    puts("== urls");
    printf("%d URLs like %s\n", URLS, url);
    printf("%.1f bytes on average, %.1f MB in total\n", (double)bytes / URLS,
           (double)bytes / 1e6);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "urls") == 0) {
        print_urls();
        return 0;
    }
    print_lengths();
    print_ways(argc > 1 && strcmp(argv[1], "times") == 0);
    print_weak();
    return 0;
}
