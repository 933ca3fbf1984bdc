/*
 * lines.c - lines in, the new ones out, in a memory that stays small.
 *
 * The caller writes a piece of a file behind what is left of the piece before.
 * The whole lines of it become keys, a group at a time, and a group is answered
 * by one call of the library, whose cache misses then overlap. Lines that are
 * kept move to the front of the same memory, where there is room, as they are
 * never more than the lines before them:
 *
 *     | kept lines | free | keys of this group | to be split | slack |
 *     0            output_bytes   done                       used
 *
 * In the end the caller takes the kept lines, and the part of a line after the
 * last separator moves to the front. So the memory is that of one piece and of
 * the longest line.
 *
 * Of a file with columns (csv.h) a line is a record, which may have newlines in
 * quotes, and the key is what one of its fields means. The first record names
 * the columns and is kept. A record without the field is kept too, since it
 * cannot be known to be a repeat, and is counted.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wasm/csv.h"
#include "wasm/find.h"
#include "wasm/web.h"

#define GROUP_LINES ((size_t)512)
#define SLACK_BYTES ((size_t)16) /* of find.h */
#define MOST_LINE_BYTES ((size_t)64 << 20)
#define LEAST_SCRATCH_BYTES ((size_t)1 << 16)
#define NOT_FOUND UINT32_MAX

/* Which lines are kept. */
typedef enum lines_mode {
    LINES_NEW = 0,      /* all lines are added, and new ones are kept */
    LINES_REPEATED = 1, /* all lines are added, and repeats are kept */
    LINES_SEEN = 2,     /* nothing is added, and seen lines are kept */
    LINES_UNSEEN = 3
} lines_mode;

/* What the first record is. Of many files, one header is enough. */
typedef enum header_kind {
    HEADER_NONE = 0,
    HEADER_KEPT = 1,
    HEADER_DROPPED = 2
} header_kind;

/* The numbers that web_lines_count is asked for. */
enum {
    COUNT_LINES,
    COUNT_KEPT,
    COUNT_DROPPED,
    COUNT_WITHOUT, /* records without the column, which are kept */
    COUNT_OPEN,    /* 1: a quote was never closed */
    COUNTS
};

typedef struct lines {
    seenset *set; /* the caller's */
    lines_mode mode;
    uint8_t separator;
    /* files with columns */
    bool is_csv, is_first; /* is_first: no record was read yet */
    header_kind header;
    uint8_t delimiter;
    uint32_t column; /* from 0 */
    uint8_t *name;   /* of the column, or NULL: its number is given */
    size_t name_bytes;
    /* the memory */
    uint8_t *data;
    size_t room, used, done, scanned, output_bytes;
    bool ends_crlf; /* the first record did */
    double counts[COUNTS];
    /* a group: line i ends at ends[i], where the next one begins */
    size_t group_count;
    size_t ends[GROUP_LINES];
    seenset_key keys[GROUP_LINES];
    uint8_t answers[GROUP_LINES];
    uint8_t *scratch; /* what fields of the group mean, if not their bytes */
    size_t scratch_used, scratch_room;
} lines;

/* ---- a group ---- */

static void keep(lines *work, size_t from, size_t to)
{
    if (to > from && work->output_bytes != from)
        memmove(work->data + work->output_bytes, work->data + from, to - from);
    work->output_bytes += to - from;
}

/* Lines that follow each other are moved at once. */
static void keep_answered(lines *work, uint8_t wanted)
{
    size_t start = work->done; /* of the lines to be moved, up to `end` */
    size_t end = work->done;
    for (size_t i = 0; i < work->group_count; i++) {
        bool is_kept = work->answers[i] == wanted;
        work->counts[COUNT_LINES] += work->answers[i] <= SEENSET_ANSWER_NEW;
        work->counts[COUNT_KEPT] += is_kept;
        if (!is_kept) {
            keep(work, start, end);
            start = work->ends[i];
        }
        end = work->ends[i];
    }
    keep(work, start, end);
    work->counts[COUNT_DROPPED] =
        work->counts[COUNT_LINES] - work->counts[COUNT_KEPT];
    work->done = end;
}

/* Asks the set about the group, and keeps what is wanted. Returns 0 or an
 * error: then lines from the first refused one on are gone. */
static int finish_group(lines *work)
{
    static const uint8_t wanted[] = {[LINES_NEW] = SEENSET_ANSWER_NEW,
                                     [LINES_REPEATED] = SEENSET_ANSWER_SEEN,
                                     [LINES_SEEN] = 1,
                                     [LINES_UNSEEN] = 0};
    size_t count = work->group_count;
    if (count == 0)
        return 0;
    memset(work->answers, SEENSET_ANSWER_REFUSED, count);
    int error =
        work->mode >= LINES_SEEN
            ? seenset_has_many(work->set, work->keys, count, work->answers)
            : seenset_add_many(work->set, work->keys, count, work->answers);
    keep_answered(work, wanted[work->mode]);
    work->group_count = 0;
    work->scratch_used = 0;
    return error;
}

static void put_key(lines *work, const uint8_t *at, size_t size, size_t end)
{
    work->keys[work->group_count] = (seenset_key){at, size};
    work->ends[work->group_count++] = end;
}

/* ---- lines ---- */

#if defined(__wasm_simd128__)
/* Stores where lines end, after their separators. Returns how many. */
static size_t split(const lines *work, size_t from, size_t *ends)
{
    v128_t all = wasm_i8x16_splat((int8_t)work->separator);
    size_t count = 0;
    for (size_t at = from; at < work->used; at += FIND_BYTES) {
        uint32_t mask = find_mask(work->data + at, all, all);
        for (; mask != 0; mask &= mask - 1) {
            size_t found = at + (size_t)__builtin_ctz(mask);
            if (found >= work->used || count == GROUP_LINES)
                return count;
            ends[count++] = found + 1;
        }
    }
    return count;
}
#else
static size_t split(const lines *work, size_t from, size_t *ends)
{
    size_t count = 0;
    while (count < GROUP_LINES) {
        const uint8_t *found =
            memchr(work->data + from, work->separator, work->used - from);
        if (found == NULL)
            break;
        from = (size_t)(found - work->data) + 1;
        ends[count++] = from;
    }
    return count;
}
#endif

static int take_lines(lines *work)
{
    int error = 0;
    size_t count;
    while (error == 0 && (count = split(work, work->scanned, work->ends)) > 0) {
        size_t start = work->done;
        for (size_t i = 0; i < count; i++) {
            const uint8_t *at = work->data + start;
            work->keys[i] = (seenset_key){at, work->ends[i] - 1 - start};
            start = work->ends[i];
        }
        work->group_count = count;
        error = finish_group(work);
        work->scanned = start;
    }
    work->scanned = work->used;
    return error;
}

/* ---- records ---- */

/* Room for `size` more bytes of scratch, which moves only between groups. */
static int reserve_scratch(lines *work, size_t size)
{
    int error = 0;
    if (size > work->scratch_room - work->scratch_used)
        error = finish_group(work);
    if (error != 0 || size <= work->scratch_room - work->scratch_used)
        return error;
    size_t room = size > LEAST_SCRATCH_BYTES ? size : LEAST_SCRATCH_BYTES;
    uint8_t *grown = realloc(work->scratch, room);
    if (grown == NULL)
        return SEENSET_ENOMEM;
    work->scratch = grown;
    work->scratch_room = room;
    return 0;
}

static int put_field(lines *work, const csv_field *field, size_t end)
{
    csv_field plain;
    if (csv_is_plain(field, &plain)) {
        put_key(work, plain.at, plain.size, end);
    } else {
        int error = reserve_scratch(work, field->size);
        if (error != 0)
            return error;
        uint8_t *to = work->scratch + work->scratch_used;
        size_t size = csv_decode(field, to);
        work->scratch_used += size;
        put_key(work, to, size, end);
    }
    return work->group_count == GROUP_LINES ? finish_group(work) : 0;
}

/* Keeps a record that is not asked about, which ends at `end`. */
static int pass(lines *work, size_t end)
{
    int error = finish_group(work);
    if (error == 0)
        keep(work, work->done, end);
    work->done = end;
    return error;
}

/* A mark of UTF-8 may begin the file, and is not a part of the first field. */
static const uint8_t *after_mark(const uint8_t *at, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    return size >= 3 && memcmp(at, mark, 3) == 0 ? at + 3 : at;
}

/* Does the field mean the name of the column? */
static bool is_named(lines *work, const csv_field *field)
{
    uint8_t *meaning = malloc(field->size + 1);
    if (meaning == NULL)
        return false;
    bool is_it = csv_decode(field, meaning) == work->name_bytes &&
                 memcmp(meaning, work->name, work->name_bytes) == 0;
    free(meaning);
    return is_it;
}

/* Finds the column in the first record, between `at` and `end`. */
static void find_column(lines *work, const uint8_t *at, const uint8_t *end)
{
    csv_record record = {0};
    uint32_t number = 0;
    work->column = NOT_FOUND;
    for (; at != NULL && work->column == NOT_FOUND; number++) {
        at = csv_next(at, end, work->delimiter, &record);
        if (is_named(work, &record.field))
            work->column = number;
    }
}

/* The record that names the columns. Returns 0 or an error: SEENSET_EMISMATCH
 * if none has the name. */
static int take_header(lines *work, const uint8_t *at, const uint8_t *end)
{
    if (work->name != NULL)
        find_column(work, at, end);
    if (work->column == NOT_FOUND)
        return SEENSET_EMISMATCH;
    if (work->header == HEADER_DROPPED) {
        work->done = (size_t)(end - work->data);
        return 0;
    }
    return pass(work, (size_t)(end - work->data));
}

static int take_record(lines *work, const uint8_t *at, const csv_record *record)
{
    size_t end = (size_t)(record->end - work->data);
    bool is_first = work->is_first;
    work->counts[COUNT_OPEN] += record->is_open;
    work->is_first = false;
    if (is_first)
        work->ends_crlf = !record->is_open && record->end - at > 1 &&
                          memcmp(record->end - 2, "\r\n", 2) == 0;
    if (is_first && work->header != HEADER_NONE)
        return take_header(work, at, record->end);
    if (record->field.at != NULL)
        return put_field(work, &record->field, end);
    work->counts[COUNT_WITHOUT]++;
    return pass(work, end);
}

static int take_records(lines *work, bool is_last)
{
    const uint8_t *end = work->data + work->used;
    const uint8_t *at = work->data + work->done;
    int error = 0;
    while (error == 0 && at < end) {
        if (work->is_first)
            at = after_mark(at, work->used);
        csv_record record =
            csv_read(at, end, work->delimiter, work->column, is_last);
        if (record.end == NULL)
            break;
        error = take_record(work, at, &record);
        at = record.end;
    }
    int last = finish_group(work);
    return error != 0 ? error : last;
}

/* ---- what the page calls ---- */

lines *WEB_CALL(web_lines_new)(seenset *set, double mode, double separator)
{
    lines *work = calloc(1, sizeof *work);
    if (work == NULL)
        return NULL;
    work->set = set;
    work->mode = (lines_mode)mode;
    work->separator = (uint8_t)separator;
    return work;
}

/* The lines are records, and the key is field number `column`, from 0. */
void WEB_CALL(web_lines_set_column)(lines *work, double delimiter,
                                    double column, double header)
{
    work->is_csv = true;
    work->delimiter = (uint8_t)delimiter;
    work->column = (uint32_t)column;
    work->header = (header_kind)header;
    work->is_first = true;
}

/* As web_lines_set_column, for the column that the first record calls so. */
int WEB_CALL(web_lines_set_name)(lines *work, double delimiter,
                                 const uint8_t *name, double name_bytes,
                                 double header)
{
    work->name_bytes = (size_t)name_bytes;
    work->name = malloc(work->name_bytes + 1);
    if (work->name == NULL)
        return SEENSET_ENOMEM;
    memcpy(work->name, name, work->name_bytes);
    web_lines_set_column(work, delimiter, 0, header);
    return 0;
}

/* Where the next piece goes, of `bytes` bytes; NULL: no memory. What was kept
 * of the piece before is gone. */
uint8_t *WEB_CALL(web_lines_room)(lines *work, double bytes)
{
    size_t left = work->used - work->done;
    size_t need = left + (size_t)bytes + SLACK_BYTES;
    if (need > work->room) {
        uint8_t *grown = realloc(work->data, need);
        if (grown == NULL)
            return NULL;
        work->data = grown;
        work->room = need;
    }
    memmove(work->data, work->data + work->done, left);
    work->scanned -= work->done;
    work->used = left;
    work->done = 0;
    work->output_bytes = 0;
    return work->data + left;
}

/*
 * `bytes` bytes were written there. Returns 0; SEENSET_ETOOBIG, a line is over
 * 64 MiB; SEENSET_EMISMATCH, no column has the name; or what adding returns.
 * Lines before the error are kept.
 */
int WEB_CALL(web_lines_push)(lines *work, double bytes)
{
    work->used += (size_t)bytes;
    int error = work->is_csv ? take_records(work, false) : take_lines(work);
    if (error == 0 && work->used - work->done > MOST_LINE_BYTES)
        return SEENSET_ETOOBIG;
    return error;
}

/* There is no more: a last line without its separator gets one. */
int WEB_CALL(web_lines_end)(lines *work)
{
    uint8_t *room = web_lines_room(work, 2);
    if (room == NULL)
        return SEENSET_ENOMEM;
    if (work->used == 0)
        return 0;
    if (!work->is_csv) {
        *room = work->separator;
        return web_lines_push(work, 1);
    }
    int error = take_records(work, true);
    if (work->output_bytes > 0 && work->ends_crlf)
        work->data[work->output_bytes++] = '\r';
    if (work->output_bytes > 0)
        work->data[work->output_bytes++] = '\n';
    return error;
}

/* The lines kept of this piece, and how many bytes they are. */
const uint8_t *WEB_CALL(web_lines_output)(const lines *work)
{
    return work->data;
}

double WEB_CALL(web_lines_output_bytes)(const lines *work)
{
    return (double)work->output_bytes;
}

/* 0 lines, 1 kept, 2 dropped, 3 without the column, 4 a quote is open. */
double WEB_CALL(web_lines_count)(const lines *work, double which)
{
    return which >= 0 && which < COUNTS ? work->counts[(int)which] : 0;
}

void WEB_CALL(web_lines_free)(lines *work)
{
    if (work == NULL)
        return;
    free(work->name);
    free(work->data);
    free(work->scratch);
    free(work);
}

/*
 * What the fields of the first record mean, each with a NUL after it, written
 * to `to`, which has room for `bytes` + 1. Returns how many bytes that is; 0 if
 * the record does not end within the data. After the data are 16 more bytes.
 */
double WEB_CALL(web_lines_header)(const uint8_t *data, double bytes,
                                  double delimiter, uint8_t *to)
{
    const uint8_t *end = data + (size_t)bytes;
    const uint8_t *at = after_mark(data, (size_t)bytes);
    const uint8_t *start = to;
    csv_record record = {0};
    while (at != NULL) {
        at = csv_next(at, end, (uint8_t)delimiter, &record);
        to += csv_decode(&record.field, to);
        *to++ = '\0';
    }
    return record.is_open ? 0 : (double)(to - start);
}
