/*
 * sample.c - see sample.h.
 *
 * The number of lines is that of the line ends in what is read, times the size
 * of the files over the bytes that are read: those between two line ends would
 * be the short lines only, where a piece is too short for the long ones. How
 * many of them are different is estimated from those that were seen in one
 * piece only and in two (Chao and Lin 2012, for samples without replacement,
 * Biometrics 68:912):
 *
 *     different = d + f1^2 / (2 f2 u / (u - 1) + f1 q / (1 - q))
 *
 * d lines were seen in all, f1 of them in one piece, f2 in two; u is the sum
 * over the pieces of the different lines in each, and q the part of all such
 * that was looked at. Lines that come again close by, as in sorted files, count
 * once a piece: so pieces may be drawn, and not lines.
 *
 * If no line is seen in two pieces, that is u / q, all that there can be. If
 * every line is in all of them, it is the d that were seen. In between it is a
 * lower bound, met where all lines come equally often, and u / q is an upper
 * one. The answer is the middle of the two on a scale of ratios, but at most
 * twice the lower: where lines come often, few are new, so that a table too
 * small costs little time and one too large much memory.
 */
#define _GNU_SOURCE /* pread */
#include "sets/sample.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/format.h"
#include "report/progress.h"
#include "seenset/hash.h"
#include "seenset/plan.h"
#include "system/machine.h"

enum {
    PIECE_BYTES = 1 << 16,
    LEAST_PIECES = 16,
    MOST_PIECES = 64,
    MOST_LINES = 2048, /* of a piece */
    PLACES = 1 << 18,  /* twice what comes of that */
    SHARE_OF_MEMORY = 8
};

#define BYTES_A_PIECE (UINT64_C(1) << 20)

/* A line that was seen, and in how many pieces; 0: a free place. */
typedef struct seen_line {
    uint64_t hash;
    uint32_t last_piece, pieces;
} seen_line;

typedef struct sample {
    char separator;
    input_mode mode;
    uint64_t total_bytes;
    uint32_t piece_count, piece; /* the next one */
    uint64_t lines;              /* looked at: whole ones */
    uint64_t ends, bytes;        /* read: line ends, and among how much */
    uint64_t in_pieces;          /* different ones, piece by piece */
    uint64_t different, in_one, in_two;
    char *data;
    seen_line *places;
} sample;

/* ---- lines ---- */

static void see_again(sample *of, seen_line *line)
{
    if (line->last_piece == of->piece)
        return;
    line->last_piece = of->piece;
    line->pieces++;
    of->in_pieces++;
    of->in_one -= line->pieces == 2;
    of->in_two += line->pieces == 2;
    of->in_two -= line->pieces == 3;
}

static void see(sample *of, const char *line, size_t bytes)
{
    uint64_t hash = seenset_hash(line, bytes);
    size_t at = hash % PLACES;
    while (of->places[at].pieces > 0 && of->places[at].hash != hash)
        at = (at + 1) % PLACES;
    if (of->places[at].pieces > 0) {
        see_again(of, &of->places[at]);
        return;
    }
    of->places[at] = (seen_line){hash, of->piece, 1};
    of->in_pieces++;
    of->different++;
    of->in_one++;
}

/* Whole lines; returns where it stopped: at `end`, or after enough lines. */
static const char *see_lines(sample *of, const char *from, const char *end)
{
    for (unsigned count = 0; from < end && count < MOST_LINES; count++) {
        const char *stop = memchr(from, of->separator, (size_t)(end - from));
        if (stop == NULL)
            return end;
        see(of, from, (size_t)(stop - from));
        of->lines++;
        of->ends++;
        from = stop + 1;
    }
    return from;
}

/* ---- files ---- */

/* A file, or what is left of standard input, and where it is among all. */
typedef struct part {
    int fd;
    uint64_t offset, bytes;
    uint64_t before; /* in the files before */
} part;

static bool part_open(part *out, const char *path)
{
    struct stat file;
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    off_t at = is_stdin ? lseek(fd, 0, SEEK_CUR) : 0;
    out->fd = fd;
    if (fd < 0 || at < 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
        return false;
    out->offset = (uint64_t)at;
    out->bytes = file.st_size > at ? (uint64_t)(file.st_size - at) : 0;
    return true;
}

static void part_close(const part *old)
{
    if (old->fd > STDIN_FILENO)
        close(old->fd);
}

static bool is_compressed(const part *in)
{
    uint8_t first[8];
    ssize_t got = pread(in->fd, first, sizeof first, (off_t)in->offset);
    size_t size = got > 0 ? (size_t)got : 0;
    return input_match_gzip(first, size) == INPUT_YES ||
           input_match_zstd(first, size) == INPUT_YES ||
           input_match_xz(first, size) == INPUT_YES;
}

/* Of the piece around a byte of the part: its whole lines. */
static bool see_piece(sample *of, const part *in, uint64_t middle)
{
    uint64_t start = middle > PIECE_BYTES / 2 ? middle - PIECE_BYTES / 2 : 0;
    if (in->bytes < PIECE_BYTES)
        start = 0;
    else if (start > in->bytes - PIECE_BYTES)
        start = in->bytes - PIECE_BYTES;
    ssize_t got =
        pread(in->fd, of->data, PIECE_BYTES, (off_t)(in->offset + start));
    if (got < 0)
        return false;
    const char *from = of->data, *end = of->data + got;
    if (start > 0) {
        const char *first = memchr(from, of->separator, (size_t)got);
        from = first != NULL ? first + 1 : end;
        of->ends += first != NULL;
    }
    const char *stop = see_lines(of, from, end);
    of->bytes += (uint64_t)(stop - of->data);
    return true;
}

/* The middle of the next piece, among the bytes of all files: anywhere in its
 * share of them, as pieces at equal distances could be the same lines again
 * where a file is there twice. */
static uint64_t next_middle(const sample *of)
{
    uint64_t each = of->total_bytes / of->piece_count;
    return of->piece * each + seenset_hash(&of->piece, sizeof of->piece) % each;
}

static bool see_part(sample *of, const part *in)
{
    if (of->mode != INPUT_AS_IS && is_compressed(in))
        return false;
    while (of->piece < of->piece_count &&
           next_middle(of) < in->before + in->bytes) {
        if (!see_piece(of, in, next_middle(of) - in->before))
            return false;
        of->piece++;
    }
    return true;
}

static bool see_files(sample *of, char *const *paths, int path_count)
{
    part in = {0};
    bool is_seen = true;
    for (int i = 0; is_seen && i < path_count; i++) {
        is_seen = part_open(&in, paths[i]) && see_part(of, &in);
        in.before += in.bytes;
        part_close(&in);
    }
    return is_seen;
}

/* ---- the estimate ---- */

static uint64_t middle_of(double lower, double upper)
{
    double middle = sqrt(fmin(upper / lower, 4.0)) * lower;
    return (uint64_t)(middle * (1.0 + 1.0 / 32.0)); /* a sample's error */
}

static uint64_t estimate(const sample *of)
{
    if (of->lines == 0)
        return 0;
    double lines =
        (double)of->total_bytes / (double)of->bytes * (double)of->ends;
    double seen = (double)of->in_pieces;
    double all = lines * seen / (double)of->lines;
    double one = (double)of->in_one, two = (double)of->in_two;
    double looked = seen / all; /* q */
    if (!(seen > 1.0 && looked < 1.0))
        return of->different;
    double again =
        2.0 * two * seen / (seen - 1.0) + one * looked / (1.0 - looked);
    double different = (double)of->different;
    if (again > 0.0)
        different += one * one / again;
    return middle_of(fmin(different, all), all);
}

uint64_t sample_within(uint64_t items, double fp_rate, uint64_t most_bytes)
{
    seenset_plan plan = {.capacity_items = items, .fp_rate = fp_rate};
    seenset_plan_growth made = {0};
    if (items == 0 || seenset_plan_solve(&plan) != 0 ||
        seenset_plan_grown(&plan, items, &made, sizeof made) != 0 ||
        made.memory_bytes <= most_bytes)
        return items;
    double share = (double)most_bytes / (double)made.memory_bytes;
    return (uint64_t)((double)items * share);
}

uint64_t sample_at_most(uint64_t items, double fp_rate)
{
    return sample_within(items, fp_rate,
                         machine_memory_bytes() / SHARE_OF_MEMORY);
}

uint64_t sample_different_lines(char *const *paths, int path_count,
                                char separator, input_mode mode,
                                uint64_t planned, double fp_rate)
{
    sample of = {.separator = separator,
                 .mode = mode,
                 .total_bytes = progress_total(paths, path_count)};
    /* different lines take two bytes each, at least */
    if (of.total_bytes < BYTES_A_PIECE || of.total_bytes / 2 <= planned)
        return 0;
    uint64_t pieces = of.total_bytes / BYTES_A_PIECE;
    of.piece_count = pieces < LEAST_PIECES  ? LEAST_PIECES
                     : pieces > MOST_PIECES ? MOST_PIECES
                                            : (uint32_t)pieces;
    of.data = malloc(PIECE_BYTES);
    of.places = calloc(PLACES, sizeof *of.places);
    uint64_t found = 0;
    if (of.data != NULL && of.places != NULL &&
        see_files(&of, paths, path_count))
        found = estimate(&of);
    free(of.data);
    free(of.places);
    return sample_at_most(found, fp_rate);
}
