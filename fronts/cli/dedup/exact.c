/*
 * exact.c - see exact.h.
 */
#include "dedup/exact.h"

#include <errno.h>
#include <stdlib.h>

#include "dedup/doubts.h"
#include "seenset/seenset.h"

#define RECENT_HASHES ((size_t)1 << 18) /* 4 MiB */
#define AHEAD ((size_t)16)
#define TABLE_SLOTS ((size_t)1 << 20)   /* 24 MiB */
#define SORTED_PLACES ((size_t)1 << 21) /* 16 MiB */

int exact_start(exact *with, bool wants_lines)
{
    if (!with->is_wanted)
        return 0;
    with->wants_lines = wants_lines;
    with->is_started = true;
    with->recent = calloc(RECENT_HASHES, sizeof *with->recent);
    if (with->recent == NULL || wide_make_secret(with->secret) != 0 ||
        bins_init(&with->printed, sizeof(wide_hash)) != 0 ||
        bins_init(&with->doubted, sizeof(doubt)) != 0)
        return -1;
    return wants_lines ? late_init(&with->lines) : 0;
}

void exact_free(exact *with)
{
    if (!with->is_started)
        return;
    free(with->recent);
    bins_free(&with->printed);
    bins_free(&with->doubted);
    late_free(&with->lines);
}

/* Was this hash kept lately? From now on it was. An empty place has 0, which a
 * hash is as rarely as it is any other number. */
static bool swap_recent(exact *with, wide_hash hash)
{
    wide_hash *place = &with->recent[hash.low % RECENT_HASHES];
    bool is_recent = place->low == hash.low && place->high == hash.high;
    *place = hash;
    return is_recent;
}

static int keep_printed(exact *with, wide_hash hash)
{
    wide_hash *to = bins_place(&with->printed, doubts_bin(hash));
    if (to == NULL)
        return -1;
    *to = hash;
    return 0;
}

static int keep_doubted(exact *with, wide_hash hash, const batch *keys,
                        size_t line)
{
    doubt *to = bins_place(&with->doubted, doubts_bin(hash));
    if (to == NULL)
        return -1;
    *to = (doubt){.hash = hash};
    if (with->wants_lines)
        to->place = late_keep(&with->lines, keys, line);
    errno = with->lines.text.error;
    return errno == 0 ? 0 : -1;
}

/* Places of hashes are anywhere in memory, so they are asked for ahead. */
static void prefetch_recent(const exact *with, const batch *keys, size_t i)
{
    if (i < batch_key_count(keys))
        __builtin_prefetch(&with->recent[keys->wide[i].low % RECENT_HASHES], 1);
}

int exact_take(exact *with, const batch *keys)
{
    size_t count = batch_key_count(keys);
    int result = 0;
    for (size_t i = 0; result == 0 && i < count; i++) {
        prefetch_recent(with, keys, i + AHEAD);
        size_t line = batch_line(keys, i);
        wide_hash hash = keys->wide[i];
        bool is_recent = swap_recent(with, hash);
        if (keys->answers[line] == SEENSET_ANSWER_NEW)
            result = keep_printed(with, hash);
        else if (!is_recent)
            result = keep_doubted(with, hash, keys, line);
    }
    if (result != 0)
        with->error = errno;
    return result;
}

/* ---- in the end ---- */

static int count_late(void *context, uint64_t place)
{
    exact *with = context;
    with->late_count++;
    return with->wants_lines ? late_choose(&with->lines, place) : 0;
}

int exact_finish(exact *with, output *to)
{
    if (!with->is_wanted || with->error != 0)
        return with->error == 0 ? 0 : -1;
    free(with->recent);
    with->recent = NULL;
    int result = doubts_settle(&with->printed, &with->doubted, TABLE_SLOTS,
                               count_late, with);
    if (result == 0 && with->late_count > 0 && with->wants_lines)
        result = late_print(&with->lines, SORTED_PLACES, to);
    if (result == 0 && to->error == 0)
        (void)output_flush(to);
    if (result != 0)
        with->error = errno;
    return result;
}
