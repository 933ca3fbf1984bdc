/* chain_bytes.c - a chain as bytes, and from bytes; see chain.h */
#include <string.h>

#include "key/chain.h"
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

static bool is_sound_link(const sr_link *link)
{
    return link->bits > 0 && link->bits < SEENSET_MAX_SIZE_BITS &&
           link->bytes == (link->bits + 7) / 8 && link->error > 0 &&
           link->error < 1 && link->bits_per_entry > 0 &&
           link->bits_per_entry < 1e6 && link->hashes > 0 &&
           link->hashes <= MAX_HASHES && link->entries > 0 &&
           link->size <= link->bits &&
           (link->n2 == 0 ||
            (link->n2 < 53 && link->bits == UINT64_C(1) << link->n2));
}

static void read_chain(const uint8_t **at, sr_chain *chain)
{
    chain->size = read_number(at, 8);
    chain->count = (uint32_t)read_number(at, 4);
    chain->options = (uint32_t)read_number(at, 4);
    chain->growth = (uint32_t)read_number(at, 4);
}

/* Filters of 32-bit hashes, which no server makes, are not read. */
static bool is_sound_chain(const sr_chain *chain)
{
    return chain->count > 0 && chain->count <= SR_CHAIN_MAX_LINKS &&
           (chain->options & ~(uint32_t)SR_CHAIN_ALL) == 0 &&
           (chain->options & SR_CHAIN_64_BITS) != 0 && chain->growth <= 32768;
}

size_t sr_chain_head(const uint8_t *bytes, size_t len, uint64_t *body_bytes)
{
    sr_chain chain = {0};
    if (len < SR_CHAIN_HEAD_BYTES)
        return 0;
    read_chain(&bytes, &chain);
    size_t head =
        SR_CHAIN_HEAD_BYTES + (size_t)chain.count * SR_CHAIN_LINK_BYTES;
    if (!is_sound_chain(&chain) || len < head)
        return 0;
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

static sr_chain *new_chain(uint32_t room)
{
    sr_chain *chain = sr_allocator.allocate(NULL, sizeof *chain, 8);
    if (chain == NULL)
        return NULL;
    *chain = (sr_chain){.room = room};
    chain->links = sr_allocator.allocate(NULL, room * sizeof(sr_link), 8);
    if (chain->links != NULL)
        return chain;
    sr_allocator.release(NULL, chain, sizeof *chain);
    return NULL;
}

/* Takes the bits of each link, which follow the header. */
static int take_bits(sr_chain *chain, const uint8_t *head, const uint8_t *body)
{
    uint32_t count = chain->count;
    chain->count = 0; /* of links that have memory */
    while (chain->count < count) {
        sr_link *link = &chain->links[chain->count];
        read_link(&head, link);
        link->data = sr_allocator.allocate(NULL, link->bytes, 8);
        if (link->data == NULL)
            return SEENSET_ENOMEM;
        memcpy(link->data, body, link->bytes);
        body += link->bytes;
        chain->count++;
    }
    return 0;
}

int sr_chain_open(sr_chain **out, const uint8_t *bytes, uint64_t len)
{
    uint64_t body = 0;
    size_t head = sr_chain_head(bytes, len, &body);
    if (head == 0 || len - head != body)
        return SEENSET_ECORRUPT;
    uint32_t count =
        (uint32_t)((head - SR_CHAIN_HEAD_BYTES) / SR_CHAIN_LINK_BYTES);
    sr_chain *chain = new_chain(count);
    if (chain == NULL)
        return SEENSET_ENOMEM;
    const uint8_t *at = bytes;
    read_chain(&at, chain);
    int error = take_bits(chain, at, bytes + head);
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
    sr_chain *copy = new_chain(chain->room);
    if (copy == NULL)
        return NULL;
    sr_link *links = copy->links;
    *copy = *chain;
    copy->links = links;
    for (copy->count = 0; copy->count < chain->count; copy->count++) {
        const sr_link *link = &chain->links[copy->count];
        uint8_t *data = sr_allocator.allocate(NULL, link->bytes, 8);
        if (data == NULL) {
            sr_chain_free(copy);
            return NULL;
        }
        memcpy(data, link->data, link->bytes);
        links[copy->count] = *link;
        links[copy->count].data = data;
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
    return SR_CHAIN_HEAD_BYTES + (size_t)chain->count * SR_CHAIN_LINK_BYTES;
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
    uint8_t head[SR_CHAIN_HEAD_BYTES], link[SR_CHAIN_LINK_BYTES];
    write_chain(chain, head);
    write(context, head, sizeof head);
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
