/*
 * stream.c - memory in sequence: read, written and copied, in GB/s.
 *
 * What a build that only reads and writes in sequence can hope for.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static const size_t stream_bytes = (size_t)256 << 20;

typedef struct stream {
    uint64_t *from, *to;
    volatile uint64_t sum; /* keeps the reading loop */
} stream;

static void read_all(stream *s)
{
    uint64_t sums[8] = {0};
    for (size_t i = 0; i < stream_bytes / 8; i += 8)
        for (size_t j = 0; j < 8; j++)
            sums[j] ^= s->from[i + j];
    for (size_t j = 1; j < 8; j++)
        sums[0] ^= sums[j];
    s->sum = sums[0];
}

static void write_all(stream *s)
{
    memset(s->to, (int)(s->sum & 1) + 1, stream_bytes);
    s->sum = s->to[stream_bytes / 16];
}

static void copy_all(stream *s)
{
    memcpy(s->to, s->from, stream_bytes);
    s->sum = s->to[stream_bytes / 16];
}

void limits_stream(bench *to)
{
    static const char *const names[] = {"read in sequence", "write in sequence",
                                        "copy in sequence"};
    static void (*const runs[])(stream *) = {read_all, write_all, copy_all};
    stream s = {take(stream_bytes, 1), take(stream_bytes, 1), 0};
    memset(s.from, 3, stream_bytes);
    double *values[3];
    for (int i = 0; i < 3; i++)
        values[i] = take(to->rounds, sizeof **values);
    for (unsigned round = 0; round <= to->rounds; round++)
        for (int i = 0; i < 3; i++) {
            double start = now_seconds();
            runs[i](&s);
            double taken = now_seconds() - start;
            if (round > 0)
                values[i][round - 1] = (double)stream_bytes / taken / 1e9;
        }
    for (int i = 0; i < 3; i++) {
        label what = {
            .subject = "limit", .operation = names[i], .items = stream_bytes};
        record_figure(to, &what, "GB/s", values[i], to->rounds, 0);
        free(values[i]);
    }
    free(s.from);
    free(s.to);
}
