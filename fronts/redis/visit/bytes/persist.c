/* persist.c - see persist.h */
#include "visit/bytes/persist.h"

#include "key/persist_parts.h"
#include "visit/bytes/bytes.h"

static int save_piece(void *rdb, const void *bytes, size_t len)
{
    sr_redis.save_bytes(rdb, bytes, len);
    return 0;
}

/* Hands over what has come so far, in pieces. */
static void write_incoming(const sr_incoming *incoming,
                           seenset_write_function *write, void *context)
{
    for (uint64_t at = 0; at < incoming->done_bytes; at += SR_CHUNK_BYTES) {
        uint64_t left = incoming->done_bytes - at;
        write(context, incoming->bytes + at,
              (size_t)(left < SR_CHUNK_BYTES ? left : SR_CHUNK_BYTES));
    }
}

void sr_visit_rdb_save(RedisModuleIO *rdb, void *value)
{
    const sr_visit *visit = value;
    const sr_incoming *incoming = &visit->incoming;
    uint64_t flags = visit->set != NULL ? SR_VISIT_IS_WHOLE : 0;
    flags |= incoming->bytes != NULL ? SR_VISIT_IS_LOADED : 0;
    sr_redis.save_unsigned(rdb, flags);
    if (visit->set != NULL) {
        sr_redis.save_unsigned(rdb, sr_visit_total_bytes(visit));
        sr_visit_write(visit, save_piece, rdb);
    }
    if (incoming->bytes != NULL) {
        sr_redis.save_unsigned(rdb, incoming->total_bytes);
        sr_redis.save_unsigned(rdb, incoming->done_bytes);
        write_incoming(incoming, save_piece, rdb);
    }
}

/* VISIT.LOAD commands that make the key again. */
typedef struct rewriting {
    RedisModuleIO *aof;
    RedisModuleString *key;
    uint64_t done_bytes, total_bytes;
} rewriting;

static int rewrite_piece(void *context, const void *bytes, size_t len)
{
    rewriting *to = context;
    sr_redis.emit_aof(to->aof, "VISIT.LOAD", "sllb", to->key,
                      (long long)to->done_bytes, (long long)to->total_bytes,
                      bytes, len);
    to->done_bytes += len;
    return 0;
}

void sr_visit_aof_rewrite(RedisModuleIO *aof, RedisModuleString *key,
                          void *value)
{
    const sr_visit *visit = value;
    rewriting to = {.aof = aof, .key = key};
    if (visit->set != NULL) {
        to.total_bytes = sr_visit_total_bytes(visit);
        sr_visit_write(visit, rewrite_piece, &to);
    }
    to.done_bytes = 0;
    to.total_bytes = visit->incoming.total_bytes;
    write_incoming(&visit->incoming, rewrite_piece, &to);
}

static int digest_piece(void *digest, const void *bytes, size_t len)
{
    sr_redis.digest_add(digest, bytes, len);
    return 0;
}

static void digest_number(RedisModuleDigest *digest, uint64_t number)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    sr_redis.digest_add(digest, (const char *)bytes, sizeof bytes);
}

/* One by one: the same items may be in other blocks on another server. */
static int digest_items(void *digest, const uint8_t *raw, size_t len)
{
    sr_item item;
    for (size_t at = 0; at < len;) {
        size_t more = sr_item_read(raw + at, len - at, &item);
        sr_redis.digest_add(digest, (const char *)raw + at, more);
        at += more;
    }
    return 0;
}

static void digest_lease(RedisModuleDigest *digest, const sr_lease *lease)
{
    digest_number(digest, lease->number);
    digest_number(digest, lease->due_ms);
    digest_number(digest, lease->times);
    digest_number(digest, lease->is_out);
    digest_number(digest, lease->has_data);
    digest_number(digest, lease->url_len);
    sr_redis.digest_add(digest, (const char *)lease->bytes,
                        (size_t)lease->url_len + lease->data_len);
}

/* Each host by itself, as servers have them in other orders. */
static void digest_host(RedisModuleDigest *digest, const sr_sites *sites,
                        uint32_t number)
{
    const ss_host_row *row = ss_turns_host(&sites->turns, number);
    const sr_line *line = sr_sites_line(sites, number);
    const sr_own *own = line->own;
    digest_number(digest, row->hash);
    digest_number(digest, row->ready_ms);
    digest_number(digest, row->leased);
    digest_number(digest, ss_turns_lead(&sites->turns, number));
    digest_number(digest, line->taken);
    digest_number(digest, line->done);
    digest_number(digest, line->failed);
    digest_number(digest, line->refused);
    digest_number(digest, line->waiting);
    if (own != NULL) {
        digest_number(digest, own->block_until_ms);
        digest_number(digest, own->unblocked_ms);
        digest_number(digest, own->delay_ms);
        digest_number(digest, own->budget);
        sr_redis.digest_add(digest, own->name, own->name_len);
    }
    for (const sr_lease *due = sr_line_first_due(line); due != NULL;
         due = due == line->last_due ? NULL : due->next)
        digest_number(digest, due->number);
    sr_line_each(line, digest_items, digest);
    sr_redis.digest_end(digest);
}

static void digest_sites(RedisModuleDigest *digest, const sr_sites *sites)
{
    digest_number(digest, sites->rules.delay_ms);
    digest_number(digest, sites->rules.budget);
    digest_number(digest, sites->rules.per_host);
    digest_number(digest, sites->rules.give_up);
    digest_number(digest, sites->rules.by);
    digest_number(digest, sites->rules.is_from_start);
    digest_number(digest, sites->refused);
    digest_number(digest, sites->dead_count);
    sr_redis.digest_end(digest);
    for (uint32_t i = 0; i < sites->turns.all.used; i++) {
        const ss_host_row *row = ss_turns_host(&sites->turns, i);
        if (row->place != SS_HOST_UNUSED && !sr_sites_is_blank(row))
            digest_host(digest, sites, i);
    }
}

void sr_visit_digest(RedisModuleDigest *digest, void *value)
{
    const sr_visit *visit = value;
    const sr_leases *leases = &visit->leases;
    if (visit->set != NULL)
        seenset_write(visit->set, digest_piece, digest);
    digest_number(digest, visit->limit_bytes);
    digest_number(digest, leases->next_number);
    sr_items_each(&visit->items, digest_items, digest);
    for (uint64_t i = 0; i < leases->row_count; i++) {
        if (leases->rows[i].lease != NULL)
            digest_lease(digest, leases->rows[i].lease);
    }
    write_incoming(&visit->incoming, digest_piece, digest);
    sr_redis.digest_end(digest);
    if (visit->sites != NULL)
        digest_sites(digest, visit->sites);
}
