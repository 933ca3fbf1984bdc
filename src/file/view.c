/*
 * view.c - a set over bytes that are not its own, and the calls that open one.
 *
 * A view maps the file and checks the header, every size and the last line of
 * each table, which costs the same for any size of set; checks.c then checks
 * each block when it is first touched, unless speed is asked for.
 *
 * The words of a file are little-endian. A big-endian machine cannot ask them
 * where they are: there the file is read into memory instead, as a copy, and
 * that copy is only asked.
 */
#include <errno.h>

#include "base/map.h"
#include "file/append.h"
#include "file/journal/journal.h"
#include "file/open_parts.h"
#include "set/view/checks.h"
#include "set/view/remembered.h"
#include "table/expandable.h"

/* Is the padding of each table zero? */
static int check_last_lines(const ss_header *header, const uint8_t *bytes,
                            seenset_file_report *report)
{
    int error = SEENSET_OK;
    for (uint32_t i = 0; error == SEENSET_OK && i < header->generation_count;
         i++) {
        const ss_table_record *record = &header->records[i];
        uint64_t end = record->payload_offset + record->payload_bytes;
        error =
            ss_header_check_payload(header, record, record->payload_checksum,
                                    bytes + end - SS_LINE_BYTES, report);
    }
    return error;
}

/* Table number i of the header, over the file's bytes. */
static ss_generation generation_of(const seenset *set, const ss_header *header,
                                   uint32_t i, const uint8_t *bytes)
{
    const ss_table_record *record = &header->records[i];
    /* the words are const underneath: is_view keeps them from being written */
    uint64_t *words = (uint64_t *)(uintptr_t)(bytes + record->payload_offset);
    ss_generation generation = {.capacity_items = record->capacity_items,
                                .fp_rate = record->fp_rate,
                                .added_items = record->added_items,
                                .started_seconds = record->started_seconds,
                                .noticed_seconds = record->noticed_seconds,
                                .first_block = record->first_block};
    if (record->is_expandable)
        return generation;
    generation.table =
        ss_set_table(set, header->layout, record->size_bits, record->hash_count,
                     header->cell_bits, words);
    generation.table.fuse = record->fuse;
    return generation;
}

/* The same of one that grows in place, whose pages are in those bytes. */
static int make_image(ss_table *table, const ss_memory *memory,
                      const ss_table_record *record, const uint8_t *bytes,
                      seenset_file_report *report)
{
    const char *fault = NULL;
    ss_expand *expand;
    uint8_t *image = (uint8_t *)(uintptr_t)(bytes + record->payload_offset);
    int error = ss_image_view(&expand, memory, &record->image, image, &fault);
    if (error != SEENSET_OK)
        return ss_header_refuse(report, error, record->payload_offset,
                                fault != NULL ? fault : "out of memory");
    *table = ss_expandable_table(expand);
    return SEENSET_OK;
}

static int out_of_memory(seenset_file_report *report)
{
    return ss_header_refuse(report, SEENSET_ENOMEM, 0, "out of memory");
}

static int make_tables(seenset *set, const ss_header *header,
                       const uint8_t *bytes, seenset_file_report *report)
{
    int error = SEENSET_OK;
    for (uint32_t i = 0; error == SEENSET_OK && i < header->generation_count;
         i++) {
        const ss_table_record *record = &header->records[i];
        set->generations[i] = generation_of(set, header, i, bytes);
        if (record->is_expandable)
            error = make_image(&set->generations[i].table, &set->memory, record,
                               bytes, report);
        set->generation_count += error == SEENSET_OK;
    }
    return error;
}

/* Blocks are checked where that is asked for, and counts of tables that grow in
 * place always: a lookup follows them. */
static int start_checks(seenset *set, const ss_header *header,
                        const uint8_t *bytes, bool is_checked,
                        seenset_file_report *report)
{
    bool is_needed =
        is_checked || header->has_journal || ss_header_has_images(header);
    const uint8_t *sums = is_checked ? bytes + header->sums_offset : NULL;
    if (!is_needed || header->version < 3)
        return SEENSET_OK;
    if (ss_checks_start(set, sums, header->block_count) != SEENSET_OK)
        return out_of_memory(report);
    uint32_t bad = ss_checks_images(set);
    return bad == header->generation_count
               ? SEENSET_OK
               : ss_header_refuse(report, SEENSET_ECORRUPT,
                                  header->records[bad].payload_offset,
                                  "the table's directory is damaged");
}

static int make_view(seenset **out, const ss_memory *memory,
                     const ss_header *header, const uint8_t *bytes,
                     bool is_checked, seenset_file_report *report)
{
    seenset *set;
    int error =
        ss_set_make(&set, memory, &header->kind, header->generation_count);
    if (error != SEENSET_OK)
        return out_of_memory(report);
    set->is_view = true;
    set->format_version = header->version;
    error = make_tables(set, header, bytes, report);
    if (error == SEENSET_OK) {
        ss_set_choose_kind(set);
        error = start_checks(set, header, bytes, is_checked, report);
    }
    if (error == SEENSET_OK)
        *out = set;
    else
        seenset_free(set);
    return error;
}

/* A read-only set over bytes that hold a whole file. found: the header of the
 * file that they are, which may have a journal beside it; or NULL. */
static int view_bytes(seenset **out, const uint8_t *bytes, size_t size_bytes,
                      const seenset_open_options *options,
                      const ss_header *found, seenset_file_report *report)
{
    ss_header header;
    ss_memory memory;
    int error =
        ss_file_decode(&header, &memory, bytes, size_bytes, options, report);
    if (error == SEENSET_OK && found != NULL)
        header.has_journal = found->has_journal;
    else if (error == SEENSET_OK)
        error = ss_journal_miss(&header, ss_file_needs_journal(options), NULL,
                                report);
    if (error == SEENSET_OK)
        error = check_last_lines(&header, bytes, report);
    if (error != SEENSET_OK)
        return error;
    bool is_checked = (options->flags & SEENSET_OPEN_UNCHECKED) == 0;
    error = make_view(out, &memory, &header, bytes, is_checked, report);
    if (error == SEENSET_OK && found == NULL)
        error = ss_journal_miss(&header, false, *out, report);
    return error;
}

typedef void *map_function(int fd, size_t size_bytes);

/* Maps the file whose header was decoded, and views the mapping. */
static int map_view(map_function *map, int fd, const ss_header *header,
                    seenset **out, const seenset_open_options *options,
                    seenset_file_report *report)
{
    if (ss_header_check_room(header, report) != SEENSET_OK)
        return SEENSET_ENOMEM;
    size_t size_bytes = (size_t)ss_header_file_bytes(header);
    void *mapping = map(fd, size_bytes);
    if (mapping == NULL)
        return errno == ENOMEM ? out_of_memory(report)
                               : ss_header_refuse_errno(report, 0);
    int error = view_bytes(out, mapping, size_bytes, options, header, report);
    if (error != SEENSET_OK) {
        ss_map_end(mapping, size_bytes);
        return error;
    }
    (*out)->mapping = mapping;
    (*out)->mapping_bytes = size_bytes;
    return SEENSET_OK;
}

static bool is_append(const seenset_open_options *options)
{
    return (options->flags & SEENSET_OPEN_APPEND) != 0;
}

static const ss_table_record *newest_of(const ss_header *header)
{
    return &header->records[header->generation_count - 1];
}

/* How the file is mapped: keys of its journal, and those that are added, are in
 * pages of the set's own, or beside a table that grows in place. */
static map_function *map_for(const ss_header *header,
                             const seenset_open_options *options)
{
    bool is_written = (header->has_journal || is_append(options)) &&
                      !newest_of(header)->is_expandable;
    return is_written ? ss_map_file_for_few : ss_map_file;
}

/* A view of an open file, with the keys of its journal. */
static int view_opened(const char *path, int fd, const ss_header *header,
                       seenset **out, const seenset_open_options *options,
                       seenset_file_report *report)
{
    seenset *set = NULL;
    int error =
        map_view(map_for(header, options), fd, header, &set, options, report);
    if (error != SEENSET_OK)
        return error;
    if (is_append(options) &&
        ss_append_start(set, header, options) != SEENSET_OK)
        error = out_of_memory(report);
    if (error == SEENSET_OK)
        error = ss_journal_load(&ss_io_system, path, fd, header,
                                ss_file_needs_journal(options), set, report);
    if (error == SEENSET_OK)
        *out = set;
    else
        seenset_free(set);
    return error;
}

/* A copy in place of a view, which is only asked, as a view is. */
static int ask_only(int error, seenset **out)
{
    if (error != SEENSET_OK)
        return error;
    (*out)->is_copied_view = true;
    ss_set_choose_kind(*out);
    return SEENSET_OK;
}

static int view_once(seenset **out, const char *path,
                     const seenset_open_options *options,
                     seenset_file_report *report)
{
    ss_header header;
    int fd;
    int error = ss_file_open(&ss_io_system, path, &fd, &header, report);
    if (error != SEENSET_OK)
        return error;
    error = ss_journal_find(&ss_io_system, path, &header, report);
    if (error != SEENSET_OK) {
        ss_io_close_quietly(&ss_io_system, fd);
        return error;
    }
    if (is_append(options) && !ss_append_is_possible(&header))
        error = ss_file_load(&ss_io_system, options, NULL, out, path, report);
    else
        error = view_opened(path, fd, &header, out, options, report);
    ss_io_close_quietly(&ss_io_system, fd);
    return error;
}

static int view_file(seenset **out, const char *path,
                     const seenset_open_options *options,
                     seenset_file_report *report)
{
    int error;
    if (!ss_bits_is_little_endian() && !is_append(options)) {
        error = ss_file_load(&ss_io_system, options, NULL, out, path, report);
        return ask_only(error, out);
    }
    do {
        error = view_once(out, path, options, report);
    } while (error == SS_JOURNAL_AGAIN);
    return error;
}

/* A set over the mapping, whose pages are its own once they are written. */
static int map_to_write(int fd, const ss_header *header, seenset **out,
                        const seenset_open_options *options,
                        seenset_file_report *report)
{
    int error = map_view(ss_map_file_as_copy, fd, header, out, options, report);
    if (error != SEENSET_OK)
        return error;
    (*out)->is_view = false;
    ss_set_choose_kind(*out);
    return SEENSET_OK;
}

/* The same where a table grows in place, which is checked before it is asked.
 * Until much is added to it, that stays beside such a table if it is the
 * newest. */
static int map_with_keys_beside(int fd, const ss_header *header, seenset **out,
                                const seenset_open_options *options,
                                seenset_file_report *report)
{
    seenset *set;
    map_function *map =
        newest_of(header)->is_expandable ? ss_map_file : ss_map_file_as_copy;
    int error = map_view(map, fd, header, &set, options, report);
    if (error != SEENSET_OK)
        return error;
    error = ss_remembered_start(set, 0);
    if (error != SEENSET_OK) {
        seenset_free(set);
        return error;
    }
    set->remembered->most_items = SS_REMEMBERED_MOST_BESIDE;
    *out = set;
    return SEENSET_OK;
}

int ss_file_map_as(const ss_io *io, const seenset_options *made, seenset **out,
                   const char *path)
{
    const seenset_open_options options =
        ss_file_options_as(made, SEENSET_OPEN_UNCHECKED);
    seenset_file_report report;
    ss_header header;
    seenset *set = NULL;
    int fd;
    if (!ss_bits_is_little_endian())
        return ss_file_load_as(io, made, out, path);
    int error = ss_file_open(io, path, &fd, &header, &report);
    if (error != SEENSET_OK)
        return error;
    error = ss_file_check_kind(&header, made, &report);
    if (error == SEENSET_OK)
        error = ss_header_has_images(&header) || header.has_journal
                    ? map_with_keys_beside(fd, &header, &set, &options, &report)
                    : map_to_write(fd, &header, &set, &options, &report);
    ss_io_close_quietly(io, fd);
    if (error == SEENSET_OK)
        *out = set;
    return error;
}

/* ---- the public calls ---- */

static bool is_view(const seenset_open_options *options)
{
    return (options->flags & SEENSET_OPEN_COPY) == 0;
}

static const seenset_open_options defaults = {.flags = SEENSET_OPEN_VIEW};

/* Puts the defaults in place of missing options, and the caller's report, if
 * there is one, in place of *report. Then checks the arguments. */
static int begin_open(const void *out, const void *from, size_t file_bytes,
                      const seenset_open_options **options,
                      seenset_file_report **report)
{
    if (*options == NULL)
        *options = &defaults;
    if ((*options)->report != NULL)
        *report = (*options)->report;
    **report = (seenset_file_report){.file_bytes = file_bytes};
    if (out == NULL || from == NULL)
        return ss_header_refuse(*report, SEENSET_EINVAL, 0,
                                "an argument is missing");
    return ss_file_check_options(*options, *report);
}

int seenset_open_bytes(seenset **out, const void *bytes, size_t size_bytes,
                       const seenset_open_options *options)
{
    seenset_file_report own, *report = &own;
    int error = begin_open(out, bytes, size_bytes, &options, &report);
    if (error != SEENSET_OK)
        return error;
    if (is_append(options))
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "only a file can be appended to");
    if (!is_view(options))
        return ss_file_copy_bytes(out, bytes, size_bytes, options, report);
    if ((uintptr_t)bytes % sizeof(uint64_t) != 0)
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "the bytes are not at a multiple of 8");
    if (!ss_bits_is_little_endian()) {
        error = ss_file_copy_bytes(out, bytes, size_bytes, options, report);
        return ask_only(error, out);
    }
    return view_bytes(out, bytes, size_bytes, options, NULL, report);
}

int seenset_open(seenset **out, const char *path,
                 const seenset_open_options *options)
{
    seenset_file_report own, *report = &own;
    int error = begin_open(out, path, 0, &options, &report);
    if (error != SEENSET_OK)
        return error;
    if (is_view(options))
        return view_file(out, path, options, report);
    return ss_file_load(&ss_io_system, options, NULL, out, path, report);
}
