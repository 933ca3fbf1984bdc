/* chain_bytes.c - a chain as bytes, and from bytes; see chain.h */
#include <string.h>

#include "key/foreign/chain.h"
#include "server/memory.h"

enum {
    PIECE_BYTES = 1 << 16,
    MAX_HASHES = 4096
};

static uint64_t read_number(const uint8_t **at, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)(*at)[i] << (8 * i);
    *at += bytes;
    return number;
}

static double read_double(const uint8_t **at)
{
    uint64_t word = read_number(at, 8);
    double number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static void write_number(uint8_t **at, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        (*at)[i] = (uint8_t)(number >> (8 * i));
    *at += bytes;
}

static void write_double(uint8_t **at, double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    write_number(at, word, 8);
}

static void read_link(const uint8_t **at, sr_link *link)
{
    link->bytes = read_number(at, 8);
    link->bits = read_number(at, 8);
    link->size = read_number(at, 8);
    link->error = read_double(at);
    link->bits_per_entry = read_double(at);
    link->hashes = (uint32_t)read_number(at, 4);
    link->entries = read_number(at, 8);
    link->n2 = (uint8_t)read_number(at, 1);
    link->data = NULL;
}

/* An item that is new sets a bit, and a link that has its entries gets no more
 * of them: one of the two is true for ever. */
static bool has_sound_size(const sr_link *link)
{
    return link->size <= link->bits || (link->size <= link->entries &&
                                        link->entries <= SR_VALKEY_MAX_ITEMS);
}

static bool is_sound_link(const sr_link *link)
{
    return link->bits > 0 && link->bits < SEENSET_MAX_SIZE_BITS &&
           link->bytes == (link->bits + 7) / 8 && link->error > 0 &&
           link->error < 1 && link->bits_per_entry > 0 &&
           link->bits_per_entry < 1e6 && link->hashes > 0 &&
           link->hashes <= MAX_HASHES && link->entries > 0 &&
           has_sound_size(link) &&
           (link->n2 == 0 ||
            (link->n2 < 53 && link->bits == UINT64_C(1) << link->n2));
}

/* The header without its links. */
static size_t fixed_bytes(const sr_chain *chain)
{
    return SR_CHAIN_HEAD_BYTES +
           (sr_chain_is_valkey(chain) ? SR_CHAIN_VALKEY_BYTES : 0);
}

static void read_chain(const uint8_t **at, sr_chain *chain)
{
    chain->size = read_number(at, 8);
    chain->count = (uint32_t)read_number(at, 4);
    chain->options = (uint32_t)read_number(at, 4);
    chain->growth = (uint32_t)read_number(at, 4);
}

static void read_valkey(const uint8_t **at, sr_chain *chain)
{
    memcpy(chain->seed, *at, sizeof chain->seed);
    *at += sizeof chain->seed;
    chain->rate = read_double(at);
    chain->tightening = read_double(at);
}

/* Filters of 32-bit hashes, which no server makes, are not read. */
static bool is_sound_chain(const sr_chain *chain)
{
    return chain->count > 0 && chain->count <= SR_CHAIN_MAX_LINKS &&
           (chain->options & ~(uint32_t)SR_CHAIN_ALL) == 0 &&
           (chain->options & SR_CHAIN_64_BITS) != 0 &&
           (chain->growth <= 32768 || sr_chain_is_valkey(chain));
}

static bool is_sound_valkey(const sr_chain *chain)
{
    return chain->rate > 0 && chain->rate < 1 && chain->tightening > 0 &&
           chain->tightening < 1;
}

size_t sr_chain_head(const uint8_t *bytes, size_t len, uint64_t *body_bytes)
{
    sr_chain chain = {0};
    if (len < SR_CHAIN_HEAD_BYTES)
        return 0;
    read_chain(&bytes, &chain);
    size_t head =
        fixed_bytes(&chain) + (size_t)chain.count * SR_CHAIN_LINK_BYTES;
    if (!is_sound_chain(&chain) || len < head)
        return 0;
    if (sr_chain_is_valkey(&chain)) {
        read_valkey(&bytes, &chain);
        if (!is_sound_valkey(&chain))
            return 0;
    }
    uint64_t body = 0, size = 0;
    for (uint32_t i = 0; i < chain.count; i++) {
        sr_link link;
        read_link(&bytes, &link);
        if (!is_sound_link(&link))
            return 0;
        body += link.bytes; /* each below 2^50, and there are 1,024 */
        size += link.size;
    }
    if (size != chain.size)
        return 0;
    *body_bytes = body;
    return head;
}

sr_chain *sr_chain_new(const sr_chain *head, uint32_t room)
{
    sr_chain *chain = sr_allocator.allocate(NULL, sizeof *chain, 8);
    if (chain == NULL)
        return NULL;
    *chain = *head;
    chain->size = chain->count = 0;
    chain->room = room;
    chain->links = sr_allocator.allocate(NULL, room * sizeof(sr_link), 8);
    if (chain->links != NULL)
        return chain;
    sr_allocator.release(NULL, chain, sizeof *chain);
    return NULL;
}

/* Room for one link more in the list. */
static int make_room(sr_chain *chain)
{
    if (chain->count >= SR_CHAIN_MAX_LINKS)
        return SEENSET_ETOOBIG;
    if (chain->count < chain->room)
        return 0;
    uint32_t room = 2 * chain->room;
    sr_link *links = sr_allocator.allocate(NULL, room * sizeof *links, 8);
    if (links == NULL)
        return SEENSET_ENOMEM;
    memcpy(links, chain->links, chain->count * sizeof *links);
    sr_allocator.release(NULL, chain->links,
                         chain->room * sizeof *chain->links);
    chain->links = links;
    chain->room = room;
    return 0;
}

int sr_chain_append(sr_chain *chain, const sr_link *link, const uint8_t *bits)
{
    if (!is_sound_link(link))
        return SEENSET_ECORRUPT;
    int error = make_room(chain);
    if (error != 0)
        return error;
    uint8_t *data = sr_allocator.allocate(NULL, link->bytes, 8);
    if (data == NULL)
        return SEENSET_ENOMEM;
    if (bits == NULL)
        memset(data, 0, link->bytes);
    else
        memcpy(data, bits, link->bytes);
    chain->links[chain->count] = *link;
    chain->links[chain->count++].data = data;
    chain->size += link->size;
    return 0;
}

int sr_chain_open(sr_chain **out, const uint8_t *bytes, uint64_t len)
{
    uint64_t body = 0;
    size_t head = sr_chain_head(bytes, len, &body);
    if (head == 0 || len - head != body)
        return SEENSET_ECORRUPT;
    sr_chain read = {0};
    const uint8_t *at = bytes, *bits = bytes + head;
    read_chain(&at, &read);
    if (sr_chain_is_valkey(&read))
        read_valkey(&at, &read);
    sr_chain *chain = sr_chain_new(&read, read.count);
    if (chain == NULL)
        return SEENSET_ENOMEM;
    int error = 0;
    while (error == 0 && chain->count < read.count) {
        sr_link link;
        read_link(&at, &link);
        error = sr_chain_append(chain, &link, bits);
        bits += link.bytes;
    }
    if (error != 0) {
        sr_chain_free(chain);
        return error;
    }
    *out = chain;
    return 0;
}

void sr_chain_free(sr_chain *chain)
{
    if (chain == NULL)
        return;
    for (uint32_t i = 0; i < chain->count; i++)
        sr_allocator.release(NULL, chain->links[i].data, chain->links[i].bytes);
    sr_allocator.release(NULL, chain->links, chain->room * sizeof(sr_link));
    sr_allocator.release(NULL, chain, sizeof *chain);
}

sr_chain *sr_chain_copy(const sr_chain *chain)
{
    sr_chain *copy = sr_chain_new(chain, chain->room);
    if (copy == NULL)
        return NULL;
    while (copy->count < chain->count) {
        const sr_link *link = &chain->links[copy->count];
        if (sr_chain_append(copy, link, link->data) != 0) {
            sr_chain_free(copy);
            return NULL;
        }
    }
    return copy;
}

uint64_t sr_chain_bytes(const sr_chain *chain)
{
    uint64_t bytes = sizeof *chain + chain->room * sizeof(sr_link);
    for (uint32_t i = 0; i < chain->count; i++)
        bytes += chain->links[i].bytes;
    return bytes;
}

size_t sr_chain_head_bytes(const sr_chain *chain)
{
    return fixed_bytes(chain) + (size_t)chain->count * SR_CHAIN_LINK_BYTES;
}

uint64_t sr_chain_total_bytes(const sr_chain *chain)
{
    uint64_t bytes = sr_chain_head_bytes(chain);
    for (uint32_t i = 0; i < chain->count; i++)
        bytes += chain->links[i].bytes;
    return bytes;
}

static void write_chain(const sr_chain *chain, uint8_t *bytes)
{
    write_number(&bytes, chain->size, 8);
    write_number(&bytes, chain->count, 4);
    write_number(&bytes, chain->options, 4);
    write_number(&bytes, chain->growth, 4);
}

static void write_valkey(const sr_chain *chain, uint8_t *bytes)
{
    memcpy(bytes, chain->seed, sizeof chain->seed);
    bytes += sizeof chain->seed;
    write_double(&bytes, chain->rate);
    write_double(&bytes, chain->tightening);
}

static void write_link(const sr_link *link, uint8_t *bytes)
{
    write_number(&bytes, link->bytes, 8);
    write_number(&bytes, link->bits, 8);
    write_number(&bytes, link->size, 8);
    write_double(&bytes, link->error);
    write_double(&bytes, link->bits_per_entry);
    write_number(&bytes, link->hashes, 4);
    write_number(&bytes, link->entries, 8);
    write_number(&bytes, link->n2, 1);
}

const uint8_t *sr_chain_part(const sr_chain *chain, uint64_t offset,
                             uint64_t most_bytes, size_t *len)
{
    for (uint32_t i = 0; i < chain->count; i++) {
        const sr_link *link = &chain->links[i];
        if (offset < link->bytes) {
            uint64_t left = link->bytes - offset;
            *len = (size_t)(left < most_bytes ? left : most_bytes);
            return link->data + offset;
        }
        offset -= link->bytes;
    }
    return NULL;
}

void sr_chain_write_head(const sr_chain *chain, seenset_write_function *write,
                         void *context)
{
    uint8_t head[SR_CHAIN_HEAD_BYTES + SR_CHAIN_VALKEY_BYTES];
    uint8_t link[SR_CHAIN_LINK_BYTES];
    write_chain(chain, head);
    if (sr_chain_is_valkey(chain))
        write_valkey(chain, head + SR_CHAIN_HEAD_BYTES);
    write(context, head, fixed_bytes(chain));
    for (uint32_t i = 0; i < chain->count; i++) {
        write_link(&chain->links[i], link);
        write(context, link, sizeof link);
    }
}

void sr_chain_write(const sr_chain *chain, seenset_write_function *write,
                    void *context)
{
    sr_chain_write_head(chain, write, context);
    uint64_t offset = 0;
    size_t len;
    const uint8_t *part;
    while ((part = sr_chain_part(chain, offset, PIECE_BYTES, &len)) != NULL) {
        write(context, part, len);
        offset += len;
    }
}
