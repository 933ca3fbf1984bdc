/*
 * pages.c - the same memory on huge and on 4 KiB pages: what the pages are
 * worth on this machine, and why.
 *
 * For each size and kind of page:
 *   read         the limit's loop: independent random lines, fetched ahead
 *   chase        one random line after another, each address read from the
 *                line before: the full latency of a miss
 *   touch        the first write to each page: the cost of page faults
 * and, at one size, `spread`: a chase over 8192 lines, each in a 4 KiB page of
 * its own. They fit the second-level cache, so what it costs over `packed`
 * (as many lines side by side) is address translation alone: a processor whose
 * TLB holds whole huge pages shows none on huge pages; if the host backs the
 * guest's huge pages by small ones, it shows there too.
 *
 * How much of the memory the kernel did back by huge pages is read from
 * /proc/self/smaps.
 */
#define _GNU_SOURCE /* madvise */
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hash/xxh3.h"

enum {
    LINE_WORDS = 8,
    SPREAD_LINES = 8192,
    CHASE_STEPS = 1 << 20,
    READ_AHEAD_LINES = 32
};
static const size_t huge_page_bytes = (size_t)2 << 20;

typedef struct area {
    uint64_t *words;
    size_t line_count;
    void *mapping;
    size_t mapping_bytes;
    bool is_huge;
} area;

static void area_map(area *out, size_t size_bytes, bool is_huge)
{
    *out = (area){.line_count = size_bytes / 64,
                  .mapping_bytes = size_bytes + huge_page_bytes,
                  .is_huge = is_huge};
    out->mapping = mmap(NULL, out->mapping_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(out->mapping != MAP_FAILED, "no memory to map");
    (void)madvise(out->mapping, out->mapping_bytes,
                  is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    uintptr_t at = (uintptr_t)out->mapping + huge_page_bytes - 1;
    out->words = (uint64_t *)(at / huge_page_bytes * huge_page_bytes);
}

static double area_touch(area *of)
{
    double start = now_seconds();
    for (size_t line = 0; line < of->line_count; line += 64)
        *(volatile uint64_t *)(of->words + line * LINE_WORDS) = 0;
    double seconds = now_seconds() - start;
    return seconds * 1e9 / ((double)of->line_count / 64);
}

/* KiB of the mapping that lie on huge pages. */
static long huge_kib(const area *of)
{
    char line[256], wanted[32];
    long kib = -1;
    bool is_ours = false;
    snprintf(wanted, sizeof wanted, "%" PRIxPTR "-", (uintptr_t)of->mapping);
    FILE *smaps = fopen("/proc/self/smaps", "r");
    while (smaps != NULL && fgets(line, sizeof line, smaps) != NULL) {
        if (strncmp(line, wanted, strlen(wanted)) == 0)
            is_ours = true;
        if (is_ours && sscanf(line, "AnonHugePages: %ld", &kib) == 1)
            break;
    }
    if (smaps != NULL)
        fclose(smaps);
    return kib;
}

/*
 * Links `count` lines, `stride` lines apart, into one random cycle (Sattolo):
 * the first word of each is the number of the next.
 */
static void link_lines(area *of, size_t count, size_t stride)
{
    uint64_t *order = take(count, sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = (size_t)ss_hash_range(workload_mix(i), i);
        uint64_t other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    for (size_t i = 0; i < count; i++)
        of->words[i * stride * LINE_WORDS] = order[i] * stride * LINE_WORDS;
    free(order);
}

static double chase(const area *of)
{
    uint64_t at = 0;
    double start = now_seconds();
    for (size_t i = 0; i < CHASE_STEPS; i++)
        at = of->words[at];
    double taken = now_seconds() - start;
    volatile uint64_t end = at; /* keeps the loop */
    (void)end;
    return taken * 1e9 / CHASE_STEPS;
}

static double read_lines(const area *of, const uint64_t *restrict hashes,
                         size_t count, uint8_t *restrict answers)
{
    const uint64_t *restrict words = of->words;
    size_t range = of->line_count;
    double start = now_seconds();
    for (size_t i = 0; i < count; i++) {
        size_t next = i + READ_AHEAD_LINES < count ? i + READ_AHEAD_LINES : i;
        __builtin_prefetch(words +
                           ss_hash_range(hashes[next], range) * LINE_WORDS);
        answers[i] =
            (uint8_t)words[ss_hash_range(hashes[i], range) * LINE_WORDS];
    }
    return (now_seconds() - start) * 1e9 / (double)count;
}

typedef struct kind {
    area area;
    double *read, *chase, *touch, *spread, *packed;
    size_t touches;
} kind;

static void kind_make(kind *out, size_t size_bytes, bool is_huge, unsigned n)
{
    *out = (kind){.read = take(n, sizeof(double)),
                  .chase = take(n, sizeof(double)),
                  .touch = take(n, sizeof(double)),
                  .spread = take(n, sizeof(double)),
                  .packed = take(n, sizeof(double))};
    area_map(&out->area, size_bytes, is_huge);
}

/* First touches are made again in each round; the last round's pages stay. */
static void touch_again(kind *of)
{
    size_t size_bytes = of->area.line_count * 64;
    munmap(of->area.mapping, of->area.mapping_bytes);
    area_map(&of->area, size_bytes, of->area.is_huge);
}

static void measure(kind *of, unsigned round, const uint64_t *hashes,
                    size_t count, uint8_t *answers)
{
    area *in = &of->area;
    touch_again(of);
    of->touch[round] = area_touch(in);
    link_lines(in, in->line_count, 1);
    of->chase[round] = chase(in);
    of->read[round] = read_lines(in, hashes, count, answers);
    link_lines(in, SPREAD_LINES, 1);
    (void)chase(in);
    of->packed[round] = chase(in);
    link_lines(in, SPREAD_LINES, 65);
    (void)chase(in);
    of->spread[round] = chase(in);
}

static void record_kind(bench *to, const kind *of)
{
    static const char *const names[] = {"read", "chase", "touch", "spread",
                                        "packed"};
    double *values[] = {of->read, of->chase, of->touch, of->spread, of->packed};
    long kib = huge_kib(&of->area);
    for (int i = 0; i < 5; i++) {
        label what = {.subject =
                          of->area.is_huge ? "huge pages" : "4 KiB pages",
                      .operation = names[i],
                      .items = of->area.line_count * 64};
        record_figure(to, &what, "ns", values[i], to->rounds, kib);
        free(values[i]);
    }
    munmap(of->area.mapping, of->area.mapping_bytes);
}

static void one_size(bench *to, size_t size_bytes, const uint64_t *hashes,
                     size_t count, uint8_t *answers)
{
    kind huge, small;
    kind_make(&huge, size_bytes, true, to->rounds);
    kind_make(&small, size_bytes, false, to->rounds);
    for (unsigned round = 0; round < to->rounds; round++) {
        measure(&huge, round, hashes, count, answers);
        measure(&small, round, hashes, count, answers);
    }
    record_kind(to, &huge);
    record_kind(to, &small);
}

void pages_run(bench *to)
{
    size_t count = (size_t)2 << 20;
    uint64_t *hashes = take(count, sizeof *hashes);
    uint8_t *answers = take(count, 1);
    for (size_t i = 0; i < count; i++)
        hashes[i] = workload_mix(i);
    one_size(to, (size_t)64 << 20, hashes, count, answers);
    one_size(to, (size_t)128 << 20, hashes, count, answers);
    if (!to->is_quick)
        one_size(to, (size_t)1 << 30, hashes, count, answers);
    free(hashes);
    free(answers);
}
