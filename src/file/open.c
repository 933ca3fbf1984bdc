/*
 * open.c - a set from a file as a copy: read whole, and every checksum checked
 * (view.c: mapped, and each block checked when it is first touched).
 *
 * The report names the place and the reason of each refusal.
 */
#include "base/growth.h"
#include "file/open_parts.h"
#include "table/expandable.h"
#include "table/layouts.h"

#include <string.h>

#include "file/append.h"
#include "file/header/fields.h"
#include "file/journal/journal.h"
#include "file/payload.h"
#include "file/sums.h"
#include "set/capacity.h"
#include "set/set.h"

/* ---- the way keys are hashed ---- */

/* Is its secret not asked for? */
static bool is_locked(const ss_key_hash *identity,
                      const seenset_open_options *options)
{
    return ss_key_hash_is_keyed(identity) && options->secret == NULL &&
           (options->flags & SEENSET_OPEN_WITHOUT_SECRET) != 0;
}

/* What was given to open it with, against what the header asks for. */
static int check_given(const ss_key_hash *identity,
                       const seenset_open_options *options,
                       seenset_file_report *report)
{
    bool is_keyed = ss_key_hash_is_keyed(identity);
    bool is_caller = identity->scheme == SS_SCHEME_CALLER;
    if (is_keyed != (options->secret != NULL) && !is_locked(identity, options))
        return ss_header_refuse(report, SEENSET_ESECRET, AT_HASH,
                                is_keyed ? "the set is keyed: its secret is "
                                           "needed"
                                         : "the set is not keyed, and a "
                                           "secret was given");
    if (is_caller != (options->index_function != NULL))
        return ss_header_refuse(report, SEENSET_EHASH, AT_SCHEME,
                                is_caller ? "the index function is the "
                                            "caller's: it is needed"
                                          : "the index function is not the "
                                            "caller's, and one was given");
    return SEENSET_OK;
}

int ss_file_adopt_identity(ss_header *header,
                           const seenset_open_options *options,
                           seenset_file_report *report)
{
    ss_key_hash *identity = &header->kind.identity;
    ss_key_hash made;
    ss_scheme_arguments arguments = identity->arguments;
    arguments.caller = (ss_scheme_caller){.function = options->index_function,
                                          .context = options->index_context};
    int error = check_given(identity, options, report);
    if (error == SEENSET_OK && is_locked(identity, options)) {
        ss_key_hash_lock(identity, header->hash_check);
        return SEENSET_OK;
    }
    if (error == SEENSET_OK)
        error = ss_key_hash_make(&made, identity->scheme, options->secret,
                                 &arguments);
    if (error != SEENSET_OK)
        return error;
    if (ss_key_hash_check(&made) != header->hash_check) {
        bool is_keyed = ss_key_hash_is_keyed(identity);
        ss_key_hash_wipe(&made);
        return ss_header_refuse(
            report, is_keyed ? SEENSET_ESECRET : SEENSET_EHASH, AT_HASH_CHECK,
            is_keyed ? "the secret is not the set's"
                     : "the writer's index function gave "
                       "other indices");
    }
    *identity = made;
    return SEENSET_OK;
}

static bool is_shared(const seenset_open_options *options)
{
    return (options->flags & SEENSET_FLAG_SHARED) != 0;
}

/* ---- a copy ---- */

static const char out_of_memory[] = "out of memory";

int ss_file_finish(int error, seenset *set, const seenset_open_options *options,
                   seenset **out)
{
    if (error != SEENSET_OK) {
        seenset_free(set);
        return error;
    }
    ss_capacity_watch(set, options->at_capacity, options->at_capacity_context);
    if (set->identity.is_locked) {
        set->is_copied_view = true;
        ss_set_choose_kind(set);
    }
    *out = set;
    return SEENSET_OK;
}

static int append_expandable(seenset *set, const ss_table_record *record)
{
    ss_expand *expand;
    int error = ss_image_begin(&expand, &set->memory, &record->image);
    if (error != SEENSET_OK)
        return error;
    ss_generation added = {.table = ss_expandable_table(expand),
                           .capacity_items = record->capacity_items,
                           .fp_rate = record->fp_rate};
    error = ss_set_append_table(set, &added);
    if (error != SEENSET_OK)
        ss_expand_free(expand);
    return error;
}

static int append_empty(seenset *set, const ss_header *header,
                        const ss_table_record *record)
{
    seenset_plan plan = {.layout = header->layout,
                         .hash_count = record->hash_count,
                         .capacity_items = record->capacity_items,
                         .fp_rate = record->fp_rate,
                         .size_bits = record->size_bits};
    return record->is_expandable ? append_expandable(set, record)
                                 : ss_set_append(set, &plan, header->cell_bits);
}

int ss_file_make_empty(const ss_header *header, const ss_memory *memory,
                       bool is_shared, seenset **out,
                       seenset_file_report *report)
{
    ss_set_params kind = header->kind;
    bool can_share = kind.on_full == SEENSET_ON_FULL_DEGRADE ||
                     kind.on_full == SEENSET_ON_FULL_REFUSE;
    kind.is_shared = is_shared;
    if (is_shared &&
        (!can_share || ss_layout_find(header->layout, true) == NULL ||
         !ss_key_hash_is_hash(&kind.identity)))
        return ss_header_refuse(report, SEENSET_EUNSUPPORTED, 0,
                                "threads cannot share a set of this kind");
    seenset *set;
    if (ss_header_check_room(header, report) != SEENSET_OK)
        return SEENSET_ENOMEM;
    if (ss_set_make(&set, memory, &kind, header->generation_count) !=
        SEENSET_OK)
        return ss_header_refuse(report, SEENSET_ENOMEM, 0, out_of_memory);
    set->format_version = header->version;
    for (uint32_t i = 0; i < header->generation_count; i++) {
        const ss_table_record *record = &header->records[i];
        if (append_empty(set, header, record) != SEENSET_OK) {
            seenset_free(set);
            return ss_header_refuse(report, SEENSET_ENOMEM,
                                    record->payload_offset, out_of_memory);
        }
        ss_set_newest(set)->table.fuse = record->fuse;
        ss_set_newest(set)->added_items = record->added_items;
        ss_set_newest(set)->started_seconds = record->started_seconds;
        ss_set_newest(set)->noticed_seconds = record->noticed_seconds;
    }
    *out = set;
    return SEENSET_OK;
}

/* A payload's bytes: those of the file in memory, or what comes next at its
 * descriptor. */
typedef struct opened {
    const ss_sums *sums;
    const ss_table_record *record;
    seenset_file_report *report;
} opened;

static int read_payload(void *context, uint8_t *bytes, size_t size_bytes,
                        uint64_t done)
{
    const opened *from = context;
    const ss_sums *sums = from->sums;
    uint64_t offset = from->record->payload_offset + done;
    if (sums->bytes != NULL) {
        memcpy(bytes, sums->bytes + offset, size_bytes);
        return SEENSET_OK;
    }
    ssize_t got = ss_io_read_all(sums->io, sums->fd, bytes, size_bytes);
    if (got < 0)
        return ss_header_refuse_errno(from->report, offset);
    if ((size_t)got < size_bytes)
        return ss_header_refuse(from->report, SEENSET_ETRUNCATED,
                                offset + (uint64_t)got,
                                "the file ends inside the payload");
    return SEENSET_OK;
}

/* Fills in the tables of a set: from bytes, or from what follows the header at
 * the descriptor. */
static int read_payloads(ss_sums *sums, seenset *set,
                         seenset_file_report *report)
{
    const ss_header *header = sums->header;
    int error = ss_sums_start(sums, report);
    for (uint32_t i = 0; error == SEENSET_OK && i < header->generation_count;
         i++) {
        const ss_table_record *record = &header->records[i];
        ss_table *table = &set->generations[i].table;
        opened from = {sums, record, report};
        error = ss_payload_read(record, table, read_payload, &from, report);
        if (error == SEENSET_OK)
            error = ss_payload_accept(sums, record, table, report);
    }
    return error;
}

int ss_file_refuse_slots(const ss_table_record *record,
                         seenset_file_report *report)
{
    return ss_header_refuse(report, SEENSET_ECORRUPT, record->payload_offset,
                            "the slots are not those of a table");
}

int ss_file_check_tables(const ss_header *header, const seenset *set,
                         seenset_file_report *report)
{
    for (uint32_t i = 0; i < set->generation_count; i++)
        if (!ss_table_is_sound(&set->generations[i].table))
            return ss_file_refuse_slots(&header->records[i], report);
    return SEENSET_OK;
}

int ss_file_check_kind(const ss_header *header, const seenset_options *made,
                       seenset_file_report *report)
{
    if (made == NULL || (!header->has_journal && ss_header_fits(header, made)))
        return SEENSET_OK;
    return ss_header_refuse(report, SEENSET_EMISMATCH, 0,
                            "the set is of another kind");
}

static int load(const ss_io *io, const seenset_open_options *options,
                const seenset_options *made, seenset **out, const char *path,
                seenset_file_report *report)
{
    ss_header header;
    ss_memory memory;
    int fd;
    int error = ss_file_init_memory(&memory, options, report);
    if (error == SEENSET_OK)
        error = ss_file_open(io, path, &fd, &header, report);
    if (error != SEENSET_OK)
        return error;
    seenset *set = NULL;
    ss_sums sums = {.header = &header, .io = io, .fd = fd};
    if (made == NULL)
        error = ss_journal_find(io, path, &header, report);
    if (error == SEENSET_OK)
        error = ss_file_adopt_identity(&header, options, report);
    if (error == SEENSET_OK)
        error = ss_file_check_kind(&header, made, report);
    if (error == SEENSET_OK)
        error = ss_file_make_empty(&header, &memory, is_shared(options), &set,
                                   report);
    if (error == SEENSET_OK)
        error = read_payloads(&sums, set, report);
    if (error == SEENSET_OK)
        error = ss_file_check_tables(&header, set, report);
    if (error == SEENSET_OK && (options->flags & SEENSET_OPEN_APPEND) != 0)
        error = ss_append_start(set, &header, options);
    if (error == SEENSET_OK)
        error = ss_journal_load(io, path, fd, &header,
                                ss_file_needs_journal(options), set, report);
    ss_io_close_quietly(io, fd);
    return ss_file_finish(error, set, options, out);
}

int ss_file_load(const ss_io *io, const seenset_open_options *options,
                 const seenset_options *made, seenset **out, const char *path,
                 seenset_file_report *report)
{
    int error;
    do {
        error = load(io, options, made, out, path, report);
    } while (error == SS_JOURNAL_AGAIN);
    return error;
}

int ss_file_load_with(const ss_io *io, const seenset_open_options *options,
                      seenset **out, const char *path)
{
    seenset_file_report report;
    return ss_file_load(io, options, NULL, out, path, &report);
}

seenset_open_options ss_file_options_as(const seenset_options *made,
                                        uint32_t flags)
{
    return (seenset_open_options){.flags = flags,
                                  .secret = made->secret,
                                  .index_function = made->index_function,
                                  .index_context = made->index_context,
                                  .allocator = made->allocator};
}

int ss_file_load_as(const ss_io *io, const seenset_options *made, seenset **out,
                    const char *path)
{
    seenset_open_options options = ss_file_options_as(made, SEENSET_OPEN_COPY);
    seenset_file_report report;
    return ss_file_load(io, &options, made, out, path, &report);
}

int ss_file_check_options(const seenset_open_options *options,
                          seenset_file_report *report)
{
    uint32_t flags = options->flags & ~(SEENSET_OPEN_WITHOUT_JOURNAL |
                                        SEENSET_OPEN_WITHOUT_SECRET);
    bool is_asked_only = (options->flags & SEENSET_OPEN_WITHOUT_SECRET) != 0;
    if (is_asked_only && (flags & (SEENSET_OPEN_APPEND | SEENSET_FLAG_SHARED)))
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "without its secret a set takes no keys");
    if (flags != SEENSET_OPEN_VIEW && flags != SEENSET_OPEN_UNCHECKED &&
        flags != SEENSET_OPEN_COPY && flags != SEENSET_OPEN_APPEND &&
        flags != (SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED))
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "the flags do not go together");
    if (options->reserved32 != 0 || !SS_GROWTH_IS_UNUSED(options))
        return ss_header_refuse(report, SEENSET_EINVAL, 0,
                                "a reserved field is not 0");
    return SEENSET_OK;
}

int ss_file_init_memory(ss_memory *memory, const seenset_open_options *options,
                        seenset_file_report *report)
{
    *report = (seenset_file_report){0};
    if (ss_memory_init(memory, options->allocator) == SEENSET_OK)
        return SEENSET_OK;
    return ss_header_refuse(report, SEENSET_EINVAL, 0,
                            "the allocator lacks a function");
}

int ss_file_decode(ss_header *header, ss_memory *memory, const uint8_t *bytes,
                   size_t size_bytes, const seenset_open_options *options,
                   seenset_file_report *report)
{
    int error = ss_file_init_memory(memory, options, report);
    if (error == SEENSET_OK)
        error = ss_header_decode(header, bytes, size_bytes, size_bytes, report);
    if (error == SEENSET_OK)
        error = ss_file_adopt_identity(header, options, report);
    return error;
}

bool ss_file_needs_journal(const seenset_open_options *options)
{
    return (options->flags & SEENSET_OPEN_WITHOUT_JOURNAL) == 0;
}

int ss_file_copy_bytes(seenset **out, const uint8_t *bytes, size_t size_bytes,
                       const seenset_open_options *options,
                       seenset_file_report *report)
{
    ss_header header;
    ss_memory memory;
    int error =
        ss_file_decode(&header, &memory, bytes, size_bytes, options, report);
    seenset *set = NULL;
    if (error == SEENSET_OK)
        error = ss_journal_miss(&header, ss_file_needs_journal(options), NULL,
                                report);
    if (error == SEENSET_OK)
        error = ss_file_make_empty(&header, &memory, is_shared(options), &set,
                                   report);
    if (error == SEENSET_OK)
        error = ss_journal_miss(&header, false, set, report);
    ss_sums sums = {.header = &header, .bytes = bytes};
    if (error == SEENSET_OK)
        error = read_payloads(&sums, set, report);
    if (error == SEENSET_OK)
        error = ss_file_check_tables(&header, set, report);
    return ss_file_finish(error, set, options, out);
}
