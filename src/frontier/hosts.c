/* hosts.c - the hosts of a frontier: what is remembered of each */
#include "frontier/frontier.h"

#include <string.h>

#include "seenset/hash.h"

enum {
    SHORT_NAME = 1024 /* no host is longer; what is no URL may be */
};

/* ---- memory: turns ask through an allocator ---- */

/* What is large is on large pages, and what is small takes no whole lines. */
static void *allocate(void *context, size_t size_bytes, size_t alignment_bytes)
{
    const ss_memory *memory = context;
    (void)alignment_bytes;
    return size_bytes >= SS_MEMORY_HUGE_BYTES
               ? ss_memory_alloc(memory, 1, size_bytes)
               : ss_memory_alloc_record(memory, size_bytes);
}

static void release(void *context, void *block, size_t size_bytes)
{
    const ss_memory *memory = context;
    ss_memory_free(memory, block, 1, size_bytes);
}

ss_frontier *ss_frontier_new(const ss_memory *memory,
                             const ss_frontier_rules *rules,
                             const ss_scratch_file *file)
{
    ss_frontier *made = ss_memory_alloc(memory, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->memory = *memory;
    made->allocator =
        (seenset_allocator){allocate, release, (void *)&made->memory};
    made->rules = *rules;
    ss_turns_init(&made->turns, &made->allocator);
    ss_pending_init(&made->pending);
    ss_links_init(&made->links, &made->memory, file);
    made->has_taken = rules->budget != SS_FRONTIER_ANY;
    made->turns.all.load_bytes = ss_load_bytes(made->has_taken);
    ss_hosts_init(&made->again, &made->allocator);
    made->again.load_bytes = sizeof(ss_ends);
    made->turns.delay_ms = rules->delay_ms;
    made->turns.most_leased = rules->host_leases;
    made->turns.is_from_start = rules->is_from_start;
    return made;
}

static size_t own_bytes(const ss_host_own *own)
{
    return sizeof *own + own->name_len + 1;
}

static void free_own(const ss_frontier *frontier, ss_host_own *own)
{
    if (own == NULL)
        return;
    ss_memory_free(&frontier->memory, own, 1, own_bytes(own));
}

static void free_load(ss_frontier *frontier, ss_host_load *load)
{
    ss_host_own *own = ss_load_own(load);
    if (own != NULL)
        frontier->rest_bytes -= own_bytes(own);
    free_own(frontier, own);
    if (ss_load_free(load, &frontier->memory))
        frontier->rest_bytes -= sizeof(ss_host_rest);
}

static void free_loads(ss_frontier *frontier)
{
    const ss_host_table *all = &frontier->turns.all;
    for (uint32_t i = 0; i < all->used; i++) {
        ss_host_row *row = ss_hosts_row(all, i);
        if (row->place != SS_HOST_UNUSED)
            free_load(frontier, ss_host_load_of(row));
    }
}

void ss_frontier_free(ss_frontier *frontier)
{
    if (frontier == NULL)
        return;
    free_loads(frontier);
    ss_hosts_free(&frontier->again);
    ss_turns_free(&frontier->turns);
    ss_pending_free(&frontier->pending, &frontier->memory);
    ss_links_free(&frontier->links, &frontier->memory);
    ss_live_free(&frontier->live, &frontier->memory);
    const ss_memory memory = frontier->memory;
    ss_memory_free(&memory, frontier, 1, sizeof *frontier);
}

/* ---- names ---- */

void ss_frontier_site(const ss_frontier *frontier, const void *url, size_t len,
                      size_t *start, size_t *site_len)
{
    *start = 0;
    *site_len = len;
    (void)seenset_url_site(url, len, frontier->rules.by, start, site_len);
}

uint64_t ss_frontier_hash_name(const void *name, size_t len)
{
    char lower[SHORT_NAME];
    const char *from = name;
    if (len > sizeof lower)
        return seenset_hash(name, len);
    for (size_t i = 0; i < len; i++)
        lower[i] =
            (char)(from[i] >= 'A' && from[i] <= 'Z' ? from[i] | 0x20 : from[i]);
    return seenset_hash(lower, len);
}

uint64_t ss_frontier_hash(const ss_frontier *frontier, const void *url,
                          size_t len)
{
    size_t start, site_len;
    ss_frontier_site(frontier, url, len, &start, &site_len);
    return ss_frontier_hash_name((const char *)url + start, site_len);
}

/* ---- hosts ---- */

uint32_t ss_frontier_find(const ss_frontier *frontier, uint64_t hash)
{
    return ss_hosts_find(&frontier->turns.all, hash);
}

int ss_frontier_need(ss_frontier *frontier, uint64_t hash, uint32_t *number)
{
    *number = ss_frontier_find(frontier, hash);
    if (*number != SS_HOSTS_NONE)
        return SEENSET_OK;
    if (ss_turns_add(&frontier->turns, hash, number) != SEENSET_OK)
        return SEENSET_ENOMEM;
    ss_load_init(ss_frontier_load(frontier, *number));
    return SEENSET_OK;
}

int ss_frontier_need_rest(ss_frontier *frontier, uint32_t number)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    if (load->has_rest)
        return SEENSET_OK;
    if (!ss_load_need_rest(load, frontier->has_taken, &frontier->memory))
        return SEENSET_ENOMEM;
    frontier->rest_bytes += sizeof(ss_host_rest);
    return SEENSET_OK;
}

void ss_frontier_pin(ss_frontier *frontier, uint32_t number)
{
    ss_load_rest(ss_frontier_load(frontier, number))->pins++;
    ss_frontier_keep(frontier, number);
}

void ss_frontier_unpin(ss_frontier *frontier, uint32_t number)
{
    ss_load_rest(ss_frontier_load(frontier, number))->pins--;
    ss_frontier_keep(frontier, number);
}

uint64_t ss_frontier_items(const ss_frontier *frontier, uint32_t number)
{
    return ss_load_items(ss_frontier_load(frontier, number));
}

uint64_t ss_frontier_taken(const ss_frontier *frontier, uint32_t number)
{
    return ss_load_taken(ss_frontier_load(frontier, number),
                         frontier->has_taken);
}

ss_host_own *ss_frontier_own(const ss_frontier *frontier, uint32_t number)
{
    return ss_load_own(ss_frontier_load(frontier, number));
}

int ss_frontier_set_taken(ss_frontier *frontier, uint32_t number,
                          uint64_t taken)
{
    bool has_room =
        taken == 0 || (frontier->has_taken && taken <= SS_LOAD_MOST_TAKEN);
    if (!has_room && ss_frontier_need_rest(frontier, number) != SEENSET_OK)
        return SEENSET_ENOMEM;
    ss_load_set_taken(ss_frontier_load(frontier, number), frontier->has_taken,
                      taken);
    ss_frontier_keep(frontier, number);
    return SEENSET_OK;
}

uint64_t ss_frontier_delay_ms(const ss_frontier *frontier, uint32_t number)
{
    const ss_host_own *own = ss_frontier_own(frontier, number);
    return own == NULL || own->delay_ms == SS_FRONTIER_USUAL
               ? frontier->rules.delay_ms
               : own->delay_ms;
}

uint64_t ss_frontier_budget(const ss_frontier *frontier, uint32_t number)
{
    const ss_host_own *own = ss_frontier_own(frontier, number);
    return own == NULL || own->budget == 0 ? frontier->rules.budget
                                           : own->budget;
}

bool ss_frontier_is_spent(const ss_frontier *frontier, uint32_t number)
{
    return ss_frontier_taken(frontier, number) >=
           ss_frontier_budget(frontier, number);
}

ss_host_own *ss_frontier_make_own(const ss_frontier *frontier, const void *name,
                                  size_t name_len)
{
    ss_host_own *own =
        ss_memory_alloc_record(&frontier->memory, sizeof *own + name_len + 1);
    if (own == NULL)
        return NULL;
    *own = (ss_host_own){.delay_ms = SS_FRONTIER_USUAL, .name_len = name_len};
    if (name_len > 0)
        memcpy(ss_host_own_name(own), name, name_len);
    return own;
}

void ss_frontier_free_own(const ss_frontier *frontier, ss_host_own *own)
{
    free_own(frontier, own);
}

void ss_frontier_set_own(ss_frontier *frontier, uint32_t number,
                         ss_host_own *own)
{
    ss_host_rest *rest = ss_load_rest(ss_frontier_load(frontier, number));
    if (rest->own != NULL)
        frontier->rest_bytes -= own_bytes(rest->own);
    free_own(frontier, rest->own);
    if (own->delay_ms == SS_FRONTIER_USUAL && own->budget == 0) {
        free_own(frontier, own);
        own = NULL;
    }
    rest->own = own;
    if (own != NULL)
        frontier->rest_bytes += own_bytes(own);
    ss_frontier_keep(frontier, number);
}

static bool is_kept(const ss_frontier *frontier, const ss_host_load *load)
{
    const ss_host_rest *rest = ss_load_rest(load);
    return ss_load_items(load) > 0 ||
           ss_load_taken(load, frontier->has_taken) > 0 ||
           (rest != NULL && (rest->own != NULL || rest->pins > 0));
}

void ss_frontier_keep(ss_frontier *frontier, uint32_t number)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    if (ss_frontier_budget(frontier, number) == SS_FRONTIER_ANY)
        ss_load_set_taken(load, frontier->has_taken, 0);
    ss_turns_set_kept(&frontier->turns, number, is_kept(frontier, load));
    if (ss_load_drop_rest(load, frontier->has_taken, &frontier->memory))
        frontier->rest_bytes -= sizeof(ss_host_rest);
}

void ss_frontier_not_before(ss_frontier *frontier, uint32_t number,
                            uint64_t ready_ms)
{
    if (ss_turns_host(&frontier->turns, number)->ready_ms < ready_ms)
        ss_turns_set_ready(&frontier->turns, number, ready_ms);
}

static void forget_load(void *context, ss_host_row *row)
{
    free_load(context, ss_host_load_of(row));
}

void ss_frontier_forget(ss_frontier *frontier, uint64_t now_ms)
{
    (void)ss_turns_forget_idle(&frontier->turns, now_ms, forget_load, frontier);
}
