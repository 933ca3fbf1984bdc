/*
 * foreign_file.c - see foreign_file.h.
 *
 * A colon may be part of a file's name. So the longest beginning of the name
 * that is a file is taken for it.
 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "foreign/foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "input/input.h"
#include "report/complain.h"
#include "sets/setfile.h"

enum {
    FIRST_BYTES = 512 /* enough to recognise any format that is compressed, but
                         a chain of RedisBloom with more than nine filters */
};

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The name of the file, to be freed, and what follows the colon after it. NULL:
 * no beginning of the name is a file, or there is no memory. */
static char *find_file(const char *name, const char **column)
{
    char *path = strdup(name);
    *column = NULL;
    while (path != NULL && !is_regular(path)) {
        char *colon = strrchr(path, ':');
        if (colon == NULL || colon == path) {
            free(path);
            return NULL;
        }
        *colon = '\0';
        *column = name + (colon - path) + 1;
    }
    return path;
}

/* ---- a compressed file ---- */

typedef struct text {
    char *at;
    size_t count, room;
} text;

/* Room for one byte more. False: errno. */
static bool make_room(text *into)
{
    if (into->count < into->room)
        return true;
    size_t room = into->room == 0 ? FIRST_BYTES : 2 * into->room;
    char *moved = realloc(into->at, room);
    if (moved == NULL)
        return false;
    into->at = moved;
    into->room = room;
    return true;
}

/* Up to `most` bytes. 0, or errno. */
static int read_bytes(input_stream *from, text *into, size_t most)
{
    ptrdiff_t got = 1;
    while (got != 0 && into->count < most) {
        if (!make_room(into))
            return errno;
        got =
            input_read(from, into->at + into->count, into->room - into->count);
        if (got == INPUT_AGAIN)
            continue;
        if (got < 0)
            return errno;
        into->count += (size_t)got;
    }
    return 0;
}

/* Is it compressed by gzip? Then up to `most` bytes are in *into. */
static bool inflate_file(const char *path, text *into, size_t most, int *error)
{
    input_stream from;
    uint8_t magic[3] = {0}; /* and the method, which is always this */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_gzip = fd >= 0 && pread(fd, magic, 3, 0) == 3 && magic[0] == 0x1f &&
                   magic[1] == 0x8b && magic[2] == 8 && input_init(&from) == 0;
    if (!is_gzip) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    input_start(&from, fd);
    *error = read_bytes(&from, into, most);
    char words[160];
    if (*error != 0 && most == SIZE_MAX) {
        bool is_described = input_describe(&from, *error, words, sizeof words);
        complain("%s: %s", path, is_described ? words : strerror(*error));
    }
    input_free(&from);
    return true;
}

/* ---- opening ---- */

/* The library's error, or COMMAND_ERROR, which was reported. */
static int open_file(foreign_file *out, const char *path, size_t most,
                     const uint8_t *secret, seenset_file_report *report)
{
    const seenset_open_options options = {.report = report, .secret = secret};
    text whole = {0};
    int broken = 0;
    if (!inflate_file(path, &whole, most, &broken))
        return seenset_foreign_open(&out->file, path, &options);
    out->bytes = whole.at;
    if (broken != 0 && most == SIZE_MAX)
        return COMMAND_ERROR;
    if (broken != 0 || whole.at == NULL)
        return SEENSET_EFORMAT;
    return seenset_foreign_open_bytes(&out->file, whole.at, whole.count,
                                      &options);
}

bool foreign_file_is(const char *name)
{
    const char *column;
    seenset_file_report report = {0};
    foreign_file found = {.path = find_file(name, &column)};
    bool is_one = false;
    if (found.path != NULL && !setfile_is_set(found.path)) {
        int error = open_file(&found, found.path, FIRST_BYTES, NULL, &report);
        is_one = error != SEENSET_EFORMAT && error != SEENSET_EIO &&
                 error != SEENSET_ENOMEM;
    }
    foreign_file_close(&found);
    return is_one;
}

static void complain_of_report(const char *path, int error,
                               const seenset_file_report *report)
{
    if (error == SEENSET_EIO)
        complain("%s: %s", path, report->reason);
    else if (error == SEENSET_EFORMAT)
        complain("%s: not a file of another system that is known", path);
    else if (error == SEENSET_EINVAL)
        complain("%s: --block is for the filter of a block of Bitcoin, which "
                 "this is not",
                 path);
    else
        complain("%s: %s (at byte %llu of %llu: %s)", path,
                 error == SEENSET_EUNSUPPORTED ? "it cannot be read"
                                               : seenset_strerror(error),
                 (unsigned long long)report->offset,
                 (unsigned long long)report->file_bytes, report->reason);
}

int foreign_file_open(foreign_file *out, const char *name)
{
    return foreign_file_open_keyed(out, name, NULL);
}

int foreign_file_open_keyed(foreign_file *out, const char *name,
                            const uint8_t *secret)
{
    seenset_file_report report = {0};
    *out = (foreign_file){0};
    out->path = find_file(name, &out->column);
    if (out->path == NULL) {
        complain("%s: %s", name, strerror(ENOENT));
        return COMMAND_ERROR;
    }
    int error = open_file(out, out->path, SIZE_MAX, secret, &report);
    if (error != 0) {
        if (error != COMMAND_ERROR)
            complain_of_report(out->path, error, &report);
        foreign_file_close(out);
        return COMMAND_ERROR;
    }
    (void)seenset_foreign_get_info(out->file, &out->info, sizeof out->info);
    return 0;
}

void foreign_file_close(foreign_file *of)
{
    seenset_foreign_free(of->file);
    free(of->chosen);
    free(of->bytes);
    free(of->path);
    *of = (foreign_file){0};
}

seenset_foreign_filter foreign_file_filter(const foreign_file *of,
                                           uint32_t number)
{
    seenset_foreign_filter filter = {.column = "", .reason = ""};
    (void)seenset_foreign_get_filter(of->file, number, &filter, sizeof filter);
    return filter;
}

foreign_place foreign_file_place(const foreign_file *of,
                                 const seenset_foreign_filter *filter)
{
    foreign_place place = {""};
    if (of->info.format == SEENSET_FORMAT_PARQUET)
        snprintf(place.text, sizeof place.text, " of '%.200s' in row group %u",
                 filter->column, filter->group);
    else if (of->info.group_count > 1)
        snprintf(place.text, sizeof place.text, " of part %u", filter->group);
    return place;
}

/* ---- the filters of a column ---- */

/* Without a name the column is that of the first filter, if all have it. */
static int find_column(foreign_file *of)
{
    const char *first = NULL;
    for (uint32_t i = 0; i < of->info.filter_count; i++) {
        const char *name = foreign_file_filter(of, i).column;
        if (first != NULL && strcmp(first, name) != 0) {
            complain("%s: it has filters of several columns; name one, as in "
                     "'%s:%s'; 'seenset check %s' lists them",
                     of->path, of->path, first, of->path);
            return COMMAND_ERROR;
        }
        first = name;
    }
    of->column = first;
    return 0;
}

/* In the order of the file. */
static int choose(foreign_file *of, uint32_t number)
{
    seenset_foreign_filter filter = foreign_file_filter(of, number);
    if (strcmp(filter.column, of->column) != 0)
        return 0;
    of->chosen[of->chosen_count++] = number;
    if (filter.error == 0)
        return 0;
    complain("%s: the filter%s cannot be asked: %s (at byte %llu)", of->path,
             foreign_file_place(of, &filter).text, filter.reason,
             (unsigned long long)filter.reason_offset);
    return COMMAND_ERROR;
}

int foreign_file_choose(foreign_file *of)
{
    uint32_t count = of->info.filter_count;
    of->chosen = calloc(count > 0 ? count : 1, sizeof *of->chosen);
    if (of->chosen == NULL) {
        complain("%s: %s", of->path, strerror(errno));
        return COMMAND_ERROR;
    }
    int status = of->column == NULL ? find_column(of) : 0;
    for (uint32_t i = 0; status == 0 && i < count; i++)
        status = choose(of, i);
    if (status != 0 || of->chosen_count > 0)
        return status;
    if (count == 0)
        complain("%s: it has no Bloom filters", of->path);
    else
        complain("%s: it has no Bloom filter of '%s'; 'seenset check %s' lists "
                 "those that it has",
                 of->path, of->column, of->path);
    return COMMAND_ERROR;
}

bool foreign_file_has_gaps(const foreign_file *of)
{
    uint32_t groups = 0, last = UINT32_MAX;
    if (of->info.format != SEENSET_FORMAT_PARQUET)
        return false;
    for (uint32_t i = 0; i < of->chosen_count; i++) {
        uint32_t group = foreign_file_filter(of, of->chosen[i]).group;
        groups += group != last;
        last = group;
    }
    return groups < of->info.group_count;
}

/* ---- changing one ---- */

/* What of a file cannot be written again, or NULL. */
static const char *fixed_part(const foreign_file *of)
{
    if (of->info.format == SEENSET_FORMAT_PARQUET)
        return "a filter of Parquet is that of the rows beside it, so it takes "
               "no keys; write the rows with another program";
    if (of->info.format == SEENSET_FORMAT_LEVELDB ||
        of->info.format == SEENSET_FORMAT_ROCKSDB)
        return "a filter of a table is that of the entries beside it, so it "
               "takes no keys; put them into the database";
    if (of->info.format == SEENSET_FORMAT_BIP158)
        return "a filter of a block is complete, and packed in order, so it "
               "takes no keys; a node makes it of the block";
    if (of->info.format == SEENSET_FORMAT_REDISBLOOM &&
        of->info.filter_count > 1)
        return "a chain of filters takes keys in a server; load it there "
               "(BF.LOADCHUNK), and add them by BF.MADD";
    return of->bytes == NULL ? NULL
                             : "it is compressed; decompress it first, as by "
                               "gunzip";
}

int foreign_file_check_change(const foreign_file *of)
{
    const char *reason = fixed_part(of);
    if (reason == NULL)
        return 0;
    complain("%s: %s", of->path, reason);
    return COMMAND_ERROR;
}

int foreign_file_set(seenset **out, const foreign_file *of)
{
    uint32_t number = of->chosen_count > 0 ? of->chosen[0] : 0;
    int error = seenset_foreign_set(out, of->file, number);
    if (error == 0)
        return 0;
    complain("%s: %s", of->path,
             of->info.format == SEENSET_FORMAT_BIP158
                 ? "a Golomb-coded set is not a table of bits, so it becomes "
                   "no other file; its keys are needed"
                 : seenset_strerror(error));
    return COMMAND_ERROR;
}

static const char *reason_of(int error)
{
    if (error == SEENSET_EFULL)
        return "more keys than the filter was made for, where a server adds "
               "another one; add them there";
    return error == SEENSET_EIO ? strerror(errno) : seenset_strerror(error);
}

int foreign_file_save(const foreign_file *of, const seenset *set,
                      const char *path)
{
    int error = seenset_foreign_save(of->file, set, path);
    if (error == 0)
        return 0;
    complain("%s: not saved: %s", path, reason_of(error));
    return COMMAND_ERROR;
}
