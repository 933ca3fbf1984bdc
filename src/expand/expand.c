/* expand.c - a table that grows in place; the idea is in expand.h */
#include "expand/expand.h"

#include <math.h>
#include <string.h>

#include "expand/image/image.h"
#include "expand/rebuild.h"
#include "expand/kernel/kernels.h"
#include "expand/unit.h"

enum {
    LOAD_MAX = 248,
    LOAD_MIN = 64,
    LONG_BATCH = 256 /* may take a few milliseconds */
};

/* Fills in the widths that are as the one before; false: one cannot be. */
static bool set_widths(ss_expand *expand, const ss_expand_options *options)
{
    uint32_t width = options->widths[0];
    for (uint32_t i = 0; i < SS_EXPAND_DEPTHS; i++) {
        uint32_t next = options->widths[i] != 0 ? options->widths[i] : width;
        if (next < SS_WIDTH_MIN || next > SS_WIDTH_MAX ||
            3 * ss_line_slots(width) > 4 * ss_line_slots(next))
            return false;
        expand->widths[i] = (uint8_t)next;
        width = next;
    }
    return true;
}

bool ss_expand_set_options(ss_expand *expand, const ss_expand_options *options)
{
    expand->first_items = options->first_items;
    expand->load = options->load != 0 ? options->load : SS_EXPAND_LOAD;
    expand->kernel = ss_expand_kernel_find(options->kernel);
    return expand->kernel != NULL && expand->load >= LOAD_MIN &&
           expand->load <= LOAD_MAX && set_widths(expand, options);
}

/* The fewest units, and pages, that hold the first keys; no more than one
 * segment has. */
static uint32_t first_pages(ss_expand *expand)
{
    for (uint32_t u = SS_UNIT_BITS_MIN;; u++) {
        ss_rebuild_steps(expand->steps, u);
        expand->unit_bits = u;
        for (uint32_t pages = SS_PAGES_MIN; pages <= SS_PAGES_MAX; pages++) {
            if (ss_rebuild_limit(expand->load, expand->steps[pages].homes,
                                 expand->widths[u]) > expand->first_items ||
                (u == SS_UNIT_BITS && pages == SS_PAGES_MAX))
                return pages;
        }
    }
}

static void clear_page(const ss_pool *pool, uint64_t *words)
{
    for (size_t i = 0; i < (size_t)SS_LINE_WORDS << pool->line_shift; i++)
        words[i] = 0;
}

static bool make_first_segment(ss_expand *expand)
{
    uint32_t pages = first_pages(expand);
    ss_pool_init(&expand->pool, &expand->memory,
                 expand->unit_bits - SS_STEP_SHIFT);
    expand->record_room = 1;
    expand->records =
        ss_memory_alloc(&expand->memory, 1, sizeof *expand->records);
    if (expand->records == NULL || !ss_pool_ensure(&expand->pool, pages))
        return false;
    ss_segment first = {.pages = pages,
                        .width = expand->widths[expand->unit_bits]};
    for (uint32_t i = 0; i < pages; i++) {
        first.page[i] = ss_pool_take(&expand->pool);
        clear_page(&expand->pool, first.page[i]);
    }
    expand->records[0].limit =
        ss_rebuild_limit(expand->load, expand->steps[pages].homes, first.width);
    expand->record_count = 1;
    ss_entry entry = ss_entry_pack(&first);
    return ss_directory_init(&expand->directory, &expand->memory, &entry);
}

int ss_expand_new(ss_expand **expand, const ss_expand_options *options)
{
    ss_memory memory;
    int rc = ss_memory_init(&memory, options->allocator);
    if (rc != SEENSET_OK)
        return rc;
    ss_expand *made = ss_memory_alloc(&memory, 1, sizeof *made);
    if (made == NULL)
        return SEENSET_ENOMEM;
    made->memory = memory;
    if (!ss_expand_set_options(made, options))
        rc = SEENSET_EINVAL;
    else if (!make_first_segment(made))
        rc = SEENSET_ENOMEM;
    if (rc != SEENSET_OK) {
        ss_expand_free(made);
        return rc;
    }
    *expand = made;
    return SEENSET_OK;
}

/* Gives back all that a table holds, or what it holds when it is half made. */
static void end_parts(ss_expand *expand)
{
    ss_directory_end(&expand->directory);
    if (expand->pool.memory != NULL)
        ss_pool_end(&expand->pool);
    ss_memory_free(&expand->memory, expand->records, expand->record_room,
                   sizeof *expand->records);
    ss_memory_free(&expand->memory, expand->unread, expand->unread_bytes, 1);
    if (expand->owns_image)
        ss_memory_free(&expand->memory, expand->image, expand->image_bytes, 1);
}

void ss_expand_free(ss_expand *expand)
{
    if (expand == NULL)
        return;
    ss_memory memory = expand->memory;
    end_parts(expand);
    ss_memory_free(&memory, expand, 1, sizeof *expand);
}

int ss_expand_clear(ss_expand *expand)
{
    ss_expand old = *expand;
    *expand = ss_expand_empty_like(&old);
    if (!make_first_segment(expand)) {
        end_parts(expand);
        *expand = old;
        return SEENSET_ENOMEM;
    }
    end_parts(&old);
    return SEENSET_OK;
}

static SS_NOINLINE int add_after_growth(ss_expand *expand, uint64_t hash)
{
    int is_new;
    do {
        if (!ss_rebuild_grow(expand, hash))
            return SEENSET_ENOMEM;
        is_new = expand->kernel->try_add(expand, hash);
    } while (is_new == SS_EXPAND_FULL);
    return is_new;
}

int ss_expand_add(ss_expand *expand, uint64_t hash)
{
    int is_new = expand->kernel->try_add(expand, hash);
    return is_new == SS_EXPAND_FULL ? add_after_growth(expand, hash) : is_new;
}

int ss_expand_has(const ss_expand *expand, uint64_t hash)
{
    return expand->kernel->has(expand, hash);
}

int ss_expand_add_many(ss_expand *expand, const uint64_t *hashes, size_t count,
                       uint8_t *is_new, size_t *done)
{
    if (count >= LONG_BATCH)
        (void)ss_pool_join_one(&expand->pool);
    *done = expand->kernel->add_many(expand, hashes, count, is_new);
    return *done == count ? SEENSET_OK : SEENSET_ENOMEM;
}

size_t ss_expand_has_many(const ss_expand *expand, const uint64_t *hashes,
                          size_t count, uint8_t *is_seen)
{
    return expand->kernel->has_many(expand, hashes, count, is_seen);
}

double ss_expand_rate(const ss_expand *expand)
{
    return ldexp((double)expand->covered, -64);
}

uint64_t ss_expand_bytes(const ss_expand *expand)
{
    return sizeof *expand + expand->image_bytes + ss_pool_bytes(&expand->pool) +
           ss_directory_bytes(&expand->directory) +
           (uint64_t)expand->record_room * sizeof *expand->records;
}
