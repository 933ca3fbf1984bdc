/* sites.c - see sites.h */
#include "visit/partition/sites.h"

#include <string.h>

#include "seenset/error.h"
#include "seenset/hash.h"
#include "server/api.h"

/* ---- memory ---- */

static void *take_memory(void *context, size_t size_bytes, size_t alignment)
{
    (void)context;
    (void)alignment;
    return sr_redis.try_alloc(size_bytes);
}

static void release(void *context, void *memory, size_t size_bytes)
{
    (void)context;
    (void)size_bytes;
    sr_redis.free(memory);
}

static const seenset_allocator server_memory = {take_memory, release, NULL};

sr_sites *sr_sites_new(const sr_rules *rules)
{
    sr_sites *sites = sr_redis.try_alloc(sizeof *sites);
    if (sites == NULL)
        return NULL;
    *sites = (sr_sites){.rules = *rules};
    ss_turns_init(&sites->turns, &server_memory);
    sites->turns.all.load_bytes = sizeof(sr_line *);
    sites->turns.most_leased = rules->per_host;
    sites->turns.delay_ms = rules->delay_ms;
    sites->turns.is_from_start = rules->is_from_start;
    return sites;
}

void sr_sites_free(sr_sites *sites)
{
    if (sites == NULL)
        return;
    for (uint32_t i = 0; i < sites->turns.all.used; i++) {
        ss_host_row *row = ss_turns_host(&sites->turns, i);
        if (row->place != SS_HOST_UNUSED && sr_row_line(row) != NULL)
            sr_line_free(sr_row_line(row));
    }
    ss_turns_free(&sites->turns);
    sr_redis.free(sites);
}

uint64_t sr_sites_bytes(const sr_sites *sites)
{
    return sizeof *sites + ss_turns_bytes(&sites->turns) + sites->line_bytes;
}

/* ---- hosts ---- */

enum {
    SHORT_NAME = 256 /* a longer name is not one */
};

uint64_t sr_sites_hash_name(const void *name, size_t len)
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

uint64_t sr_sites_hash(const sr_sites *sites, const void *url, size_t len)
{
    size_t start = 0, site_len = len;
    (void)seenset_url_site(url, len, (seenset_url_site_kind)sites->rules.by,
                           &start, &site_len);
    return sr_sites_hash_name((const char *)url + start, site_len);
}

sr_line *sr_row_line(ss_host_row *row)
{
    sr_line *line;
    memcpy(&line, ss_host_load_of(row), sizeof line);
    return line;
}

sr_line *sr_sites_line(const sr_sites *sites, uint32_t number)
{
    return sr_row_line(ss_turns_host(&sites->turns, number));
}

void sr_sites_set_line(sr_sites *sites, uint32_t number, sr_line *line)
{
    memcpy(ss_host_load_of(ss_turns_host(&sites->turns, number)), &line,
           sizeof line);
}

void sr_sites_lift(sr_sites *sites, uint32_t number)
{
    const sr_line *line = sr_sites_line(sites, number);
    sites->items -= sr_line_count(line);
    sites->line_bytes -= sr_line_bytes(line);
    if (line->packed != NULL)
        sites->block_count -= line->packed->block_count;
}

void sr_sites_lower(sr_sites *sites, uint32_t number)
{
    const sr_line *line = sr_sites_line(sites, number);
    sites->items += sr_line_count(line);
    sites->line_bytes += sr_line_bytes(line);
    if (line->packed != NULL)
        sites->block_count += line->packed->block_count;
}

int sr_sites_need(sr_sites *sites, uint64_t hash, uint32_t *number)
{
    *number = ss_hosts_find(&sites->turns.all, hash);
    if (*number != SS_HOSTS_NONE)
        return 0;
    sr_line *line = sr_line_new();
    if (line == NULL || ss_turns_add(&sites->turns, hash, number) != 0) {
        if (line != NULL)
            sr_line_free(line);
        return SEENSET_ENOMEM;
    }
    sr_sites_set_line(sites, *number, line);
    sr_sites_lower(sites, *number);
    return 0;
}

uint64_t sr_sites_delay(const sr_sites *sites, uint32_t number)
{
    const sr_own *own = sr_sites_line(sites, number)->own;
    return own == NULL || own->delay_ms == SR_USUAL ? sites->rules.delay_ms
                                                    : own->delay_ms;
}

uint64_t sr_sites_budget(const sr_sites *sites, uint32_t number)
{
    const sr_own *own = sr_sites_line(sites, number)->own;
    return own == NULL || own->budget == SR_USUAL ? sites->rules.budget
                                                  : own->budget;
}

/* Whether something of it has to last when nothing is pending. */
static bool is_kept(const sr_sites *sites, const sr_line *line)
{
    const sr_own *own = line->own;
    return line->waiting > 0 || (sites->rules.budget > 0 && line->taken > 0) ||
           (own != NULL &&
            (own->delay_ms != SR_USUAL || own->budget != SR_USUAL));
}

void sr_sites_place(sr_sites *sites, uint32_t number)
{
    const sr_line *line = sr_sites_line(sites, number);
    ss_turns_set_kept(&sites->turns, number, is_kept(sites, line));
    ss_turns_set_items(&sites->turns, number,
                       line->last_due != NULL || sr_line_count(line) > 0);
}

bool sr_sites_is_blank(const ss_host_row *row)
{
    return row->place == SS_HOST_IDLE && row->ready_ms == 0;
}

/* ---- items ---- */

int sr_sites_reserve(sr_sites *sites, uint32_t number, size_t bytes)
{
    sr_line *line = sr_sites_line(sites, number);
    sr_sites_lift(sites, number);
    int error = sr_line_reserve(&line, bytes);
    sr_sites_set_line(sites, number, line);
    sr_sites_lower(sites, number);
    return error;
}

void sr_sites_push(sr_sites *sites, uint32_t number, const sr_item *item)
{
    sr_line *line = sr_sites_line(sites, number);
    sr_sites_lift(sites, number);
    sr_line_push(line, item);
    line->taken += line->taken < UINT32_MAX;
    sr_sites_lower(sites, number);
    sr_sites_place(sites, number);
}

bool sr_sites_is_spent(const sr_sites *sites, uint64_t hash)
{
    uint32_t number = ss_hosts_find(&sites->turns.all, hash);
    if (number == SS_HOSTS_NONE)
        return false;
    uint64_t budget = sr_sites_budget(sites, number);
    return budget > 0 && sr_sites_line(sites, number)->taken >= budget;
}

void sr_sites_refuse(sr_sites *sites, uint64_t hash)
{
    uint32_t number = ss_hosts_find(&sites->turns.all, hash);
    sites->refused++;
    if (number == SS_HOSTS_NONE)
        return;
    sr_line *line = sr_sites_line(sites, number);
    line->refused += line->refused < UINT32_MAX;
}

/* ---- settings of a host ---- */

static sr_own *new_own(const sr_setting *setting)
{
    sr_own *own = sr_redis.try_alloc(sizeof *own + setting->name_len);
    if (own == NULL)
        return NULL;
    *own = (sr_own){.delay_ms = setting->delay_ms,
                    .budget = setting->budget,
                    .name_len = (uint32_t)setting->name_len};
    if (setting->name_len > 0)
        memcpy(own->name, setting->name, setting->name_len);
    return own;
}

/* Blocks it, or ends a block: then it is ready when it would have been. */
static void set_block(sr_sites *sites, uint32_t number, const sr_own *before,
                      sr_own *own, uint64_t until_ms)
{
    uint64_t ready_ms = ss_turns_host(&sites->turns, number)->ready_ms;
    if (before != NULL && before->block_until_ms > 0)
        ready_ms = before->unblocked_ms;
    if (own != NULL) {
        own->block_until_ms = until_ms;
        own->unblocked_ms = ready_ms;
    }
    ss_turns_set_ready(&sites->turns, number,
                       ready_ms > until_ms ? ready_ms : until_ms);
}

int sr_sites_set(sr_sites *sites, const sr_setting *setting)
{
    bool is_needed = setting->delay_ms != SR_USUAL ||
                     setting->budget != SR_USUAL || setting->block_until_ms > 0;
    sr_own *own = is_needed ? new_own(setting) : NULL;
    uint32_t number;
    if ((is_needed && own == NULL) ||
        sr_sites_need(sites,
                      sr_sites_hash_name(setting->name, setting->name_len),
                      &number) != 0) {
        if (own != NULL)
            sr_redis.free(own);
        return SEENSET_ENOMEM;
    }
    sr_line *line = sr_sites_line(sites, number);
    sr_own *before = line->own;
    sr_sites_lift(sites, number);
    line->own = own;
    sr_sites_lower(sites, number);
    set_block(sites, number, before, own, setting->block_until_ms);
    if (before != NULL)
        sr_redis.free(before);
    sr_sites_place(sites, number);
    return 0;
}
