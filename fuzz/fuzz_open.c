/*
 * fuzz_open.c - any bytes at all, opened as a set.
 *
 * The bytes go into memory of exactly their size, so that the sanitizer sees
 * a read past either end. What opens must work like any set: answer, count,
 * take keys when it is a copy, and write itself back byte for byte.
 */
#define _GNU_SOURCE

#include <seenset/seenset.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void must(int is_so)
{
    if (!is_so)
        abort();
}

static void write_back(const seenset *set, const void *bytes, size_t size_bytes)
{
    size_t room_bytes = 0;
    must(seenset_write_bytes(set, NULL, &room_bytes) == SEENSET_ESPACE);
    must(room_bytes == size_bytes);
    void *written = malloc(room_bytes);
    must(written != NULL);
    must(seenset_write_bytes(set, written, &room_bytes) == 0);
    must(memcmp(written, bytes, size_bytes) == 0);
    free(written);
}

static void ask(const seenset *set)
{
    seenset_stats stats;
    must(seenset_get_stats(set, &stats) == 0);
    must(stats.set_bits <= stats.size_bits);
    for (uint64_t hash = 1; hash != 0; hash <<= 1) {
        int is_seen = seenset_has_hash(set, hash);
        must(is_seen == 0 || is_seen == 1);
    }
}

static void open_copy(const void *bytes, size_t size_bytes)
{
    seenset *set = NULL;
    if (seenset_open_bytes(&set, bytes, size_bytes, SEENSET_OPEN_COPY) != 0)
        return;
    ask(set);
    write_back(set, bytes, size_bytes);
    int added = seenset_add(set, "key", 3);
    must(added == 0 || added == 1 || added == SEENSET_EFULL);
    must(added < 0 || seenset_has(set, "key", 3) == 1);
    seenset_free(set);
}

/* A view checks no payload; whatever the bits are, it must answer. */
static void open_view(const void *bytes, size_t size_bytes)
{
    seenset *set = NULL;
    if (seenset_open_bytes(&set, bytes, size_bytes, SEENSET_OPEN_VIEW) != 0)
        return;
    ask(set);
    must(seenset_add(set, "key", 3) == SEENSET_EREADONLY);
    seenset_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    void *bytes = NULL;
    must(posix_memalign(&bytes, 64, size_bytes) == 0);
    if (size_bytes > 0)
        memcpy(bytes, data, size_bytes);
    open_view(bytes, size_bytes);
    open_copy(bytes, size_bytes);
    free(bytes);
    return 0;
}
