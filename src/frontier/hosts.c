/* hosts.c - the hosts of a frontier: what is remembered of each */
#include "frontier/frontier.h"

#include <string.h>

#include "seenset/hash.h"

enum {
    SHORT_NAME = 1024 /* no host is longer; what is no URL may be */
};

/* ---- memory: turns ask through an allocator ---- */

static void *allocate(void *context, size_t size_bytes, size_t alignment_bytes)
{
    const ss_memory *memory = context;
    (void)alignment_bytes;
    return ss_memory_alloc(memory, 1, size_bytes);
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
    made->turns.has_ranks = true;
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
    ss_chain *chain = load->chain.next;
    while (chain != NULL) {
        ss_chain *next = chain->next;
        frontier->load_bytes -= sizeof *chain;
        ss_memory_free(&frontier->memory, chain, 1, sizeof *chain);
        chain = next;
    }
    frontier->load_bytes -= sizeof *load;
    if (load->own != NULL)
        frontier->load_bytes -= own_bytes(load->own);
    free_own(frontier, load->own);
    ss_memory_free(&frontier->memory, load, 1, sizeof *load);
}

void ss_frontier_free(ss_frontier *frontier)
{
    if (frontier == NULL)
        return;
    const ss_host_table *all = &frontier->turns.all;
    for (uint32_t i = 0; i < all->used; i++) {
        if (all->rows[i].place != SS_HOST_UNUSED)
            free_load(frontier, all->rows[i].load);
    }
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
    ss_host_load *load =
        ss_memory_alloc_record(&frontier->memory, sizeof *load);
    if (load == NULL)
        return SEENSET_ENOMEM;
    if (ss_turns_add(&frontier->turns, hash, number) != SEENSET_OK) {
        ss_memory_free(&frontier->memory, load, 1, sizeof *load);
        return SEENSET_ENOMEM;
    }
    ss_turns_host(&frontier->turns, *number)->load = load;
    frontier->load_bytes += sizeof *load;
    return SEENSET_OK;
}

ss_host_load *ss_frontier_load(const ss_frontier *frontier, uint32_t number)
{
    return ss_turns_host(&frontier->turns, number)->load;
}

uint64_t ss_frontier_delay_ms(const ss_frontier *frontier, uint32_t number)
{
    const ss_host_own *own = ss_frontier_load(frontier, number)->own;
    return own == NULL || own->delay_ms == SS_FRONTIER_USUAL
               ? frontier->rules.delay_ms
               : own->delay_ms;
}

uint64_t ss_frontier_budget(const ss_frontier *frontier, uint32_t number)
{
    const ss_host_own *own = ss_frontier_load(frontier, number)->own;
    return own == NULL || own->budget == 0 ? frontier->rules.budget
                                           : own->budget;
}

bool ss_frontier_is_spent(const ss_frontier *frontier, uint32_t number)
{
    return ss_frontier_load(frontier, number)->taken >=
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
    ss_host_load *load = ss_frontier_load(frontier, number);
    if (load->own != NULL)
        frontier->load_bytes -= own_bytes(load->own);
    free_own(frontier, load->own);
    if (own != NULL && own->delay_ms == SS_FRONTIER_USUAL && own->budget == 0) {
        free_own(frontier, own);
        own = NULL;
    }
    load->own = own;
    if (own != NULL)
        frontier->load_bytes += own_bytes(own);
    ss_frontier_keep(frontier, number);
}

void ss_frontier_keep(ss_frontier *frontier, uint32_t number)
{
    ss_host_load *load = ss_frontier_load(frontier, number);
    if (ss_frontier_budget(frontier, number) == SS_FRONTIER_ANY)
        load->taken = 0;
    ss_turns_set_kept(&frontier->turns, number,
                      load->items > 0 || load->own != NULL || load->taken > 0 ||
                          load->pins > 0);
}

void ss_frontier_not_before(ss_frontier *frontier, uint32_t number,
                            uint64_t ready_ms)
{
    if (ss_turns_host(&frontier->turns, number)->ready_ms < ready_ms)
        ss_turns_set_ready(&frontier->turns, number, ready_ms);
}

static void forget_load(void *context, ss_host_row *row)
{
    free_load(context, row->load);
}

void ss_frontier_forget(ss_frontier *frontier, uint64_t now_ms)
{
    (void)ss_turns_forget_idle(&frontier->turns, now_ms, forget_load, frontier);
}
