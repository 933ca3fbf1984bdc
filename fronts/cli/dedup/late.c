/*
 * late.c - see late.h.
 */
#define _GNU_SOURCE /* pread */
#include "dedup/late.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/temporary.h"

#define WINDOW_BYTES ((size_t)256 * 1024)
#define OVERFLOWS 1 /* more places than are sorted at a time */

int late_init(late *all)
{
    *all = (late){0};
    if (output_init(&all->text) != 0)
        return -1;
    all->text.fd = temporary_open();
    return all->text.fd >= 0 ? 0 : -1;
}

void late_free(late *all)
{
    if (all->text.buffer != NULL && all->text.fd >= 0)
        (void)close(all->text.fd);
    output_free(&all->text);
    bins_free(&all->places);
}

uint64_t late_keep(late *all, const batch *from, size_t i)
{
    uint64_t place = all->text_bytes;
    uint64_t size = from->ends[i] + 1 - batch_start(from, i);
    output_put(&all->text, &size, sizeof size);
    output_put_line(&all->text, from, i);
    all->text_bytes += sizeof size + size;
    return place;
}

/* The bins are for as many places as there are bytes now. */
static int start_choosing(late *all)
{
    while (all->text_bytes >> all->place_shift >= BINS_COUNT)
        all->place_shift++;
    return bins_init(&all->places, sizeof(uint64_t));
}

int late_choose(late *all, uint64_t place)
{
    if (all->places.memory == NULL && start_choosing(all) != 0)
        return -1;
    unsigned bin = (unsigned)(place >> all->place_shift);
    uint64_t *to = bins_place(&all->places, bin);
    if (to == NULL)
        return -1;
    *to = place;
    return 0;
}

/* ---- in the order of their places ---- */

typedef struct sorted {
    uint64_t *places;
    size_t count, room;
    uint64_t from, width; /* the range that they are of */
    void *chunk;
    char *window; /* of the file */
    uint64_t window_start;
    size_t window_bytes;
} sorted;

static int add_places(void *context, const void *records, size_t count)
{
    sorted *into = context;
    const uint64_t *from = records;
    for (size_t i = 0; i < count; i++) {
        if (from[i] - into->from >= into->width)
            continue;
        if (into->count == into->room)
            return OVERFLOWS;
        into->places[into->count++] = from[i];
    }
    return 0;
}

static int compare(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a;
    uint64_t other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Lists the places of the next range that has no more than there is room for:
 * a place alone has room. Returns 0, or -1 and errno. */
static int list_places(sorted *into, const bins *places, unsigned bin)
{
    for (;;) {
        into->count = 0;
        int result = bins_visit(places, bin, into->chunk, add_places, into);
        if (result != OVERFLOWS) {
            qsort(into->places, into->count, sizeof *into->places, compare);
            return result;
        }
        into->width /= 2;
    }
}

/* Returns where the bytes from `place` on are in memory, and how many, at least
 * one; NULL and errno if they cannot be read. */
static const char *look(sorted *in, int fd, uint64_t place, uint64_t *bytes)
{
    if (place - in->window_start >= in->window_bytes) {
        ssize_t got;
        do
            got = pread(fd, in->window, WINDOW_BYTES, (off_t)place);
        while (got < 0 && errno == EINTR);
        if (got <= 0) {
            errno = got == 0 ? EIO : errno;
            return NULL;
        }
        in->window_start = place;
        in->window_bytes = (size_t)got;
    }
    *bytes = in->window_bytes - (place - in->window_start);
    return in->window + (place - in->window_start);
}

/* Copies `size` bytes from `place` on to memory, or else to the output. Returns
 * 0, or -1 and errno. */
static int copy(sorted *in, int fd, uint64_t place, uint64_t size, char *memory,
                output *to)
{
    while (size > 0) {
        uint64_t bytes = 0;
        const char *from = look(in, fd, place, &bytes);
        if (from == NULL)
            return -1;
        bytes = bytes < size ? bytes : size;
        if (memory != NULL) {
            memcpy(memory, from, (size_t)bytes);
            memory += bytes;
        } else {
            output_put(to, from, (size_t)bytes);
        }
        place += bytes;
        size -= bytes;
    }
    return 0;
}

static int print_line(sorted *in, int fd, uint64_t place, output *to)
{
    uint64_t size = 0;
    if (copy(in, fd, place, sizeof size, (char *)&size, NULL) != 0)
        return -1;
    return copy(in, fd, place + sizeof size, size, NULL, to);
}

static int print_bin(const late *all, sorted *in, unsigned bin, output *to)
{
    uint64_t end = (uint64_t)(bin + 1) << all->place_shift;
    in->width = UINT64_C(1) << all->place_shift;
    for (in->from = (uint64_t)bin << all->place_shift; in->from < end;
         in->from += in->width) {
        if (list_places(in, &all->places, bin) != 0)
            return -1;
        for (size_t i = 0; i < in->count && to->error == 0; i++)
            if (print_line(in, all->text.fd, in->places[i], to) != 0)
                return -1;
    }
    return 0;
}

int late_print(late *all, size_t most_places, output *to)
{
    sorted in = {.places = malloc(most_places * sizeof *in.places),
                 .room = most_places,
                 .chunk = malloc(BINS_CHUNK_BYTES),
                 .window = malloc(WINDOW_BYTES)};
    int result = in.places != NULL && in.chunk != NULL && in.window != NULL
                     ? output_flush(&all->text)
                     : -1;
    for (unsigned bin = 0; result == 0 && bin < BINS_COUNT; bin++)
        if (all->places.memory != NULL && bins_count(&all->places, bin) > 0)
            result = print_bin(all, &in, bin, to);
    free(in.places);
    free(in.chunk);
    free(in.window);
    return result;
}
