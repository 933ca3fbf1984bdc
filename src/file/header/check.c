/*
 * check.c - what a decoded header is good for: a payload, a block or a
 * set of options is held against it, and what does not fit is reported.
 */
#include <stdint.h>
#include <string.h>

#include "base/errno_text.h"
#include "file/header/fields.h"
#include "set/options.h"
#include "table/layouts.h"

int ss_header_refuse(seenset_file_report *report, int error, uint64_t offset,
                     const char *reason)
{
    size_t length = strlen(reason);
    if (length >= sizeof report->reason)
        length = sizeof report->reason - 1;
    report->offset = offset;
    memcpy(report->reason, reason, length);
    report->reason[length] = '\0';
    return error;
}

int ss_header_refuse_errno(seenset_file_report *report, uint64_t offset)
{
    char reason[sizeof report->reason];
    ss_errno_text(reason, sizeof reason);
    return ss_header_refuse(report, SEENSET_EIO, offset, reason);
}

/* The number in decimal, at the end of `room`. Not by snprintf: in a page it
 * would take the whole of stdio with it. */
static const char *decimal(char room[21], uint64_t number)
{
    char *at = room + 20;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return at;
}

int ss_header_check_room(const ss_header *header, seenset_file_report *report)
{
    char reason[sizeof report->reason] = "the set needs ";
    char room[21];
    uint64_t bytes = ss_header_file_bytes(header);
    uint64_t most_bytes = PTRDIFF_MAX;
    if (bytes <= most_bytes)
        return SEENSET_OK;
    strcat(reason, decimal(room, bytes));
    strcat(reason, " bytes, and a program of ");
    strcat(reason, decimal(room, sizeof(void *) * 8));
    strcat(reason, " bits can have at most ");
    strcat(reason, decimal(room, most_bytes));
    return ss_header_refuse(report, SEENSET_ENOMEM, 0, reason);
}

int ss_header_check_payload(const ss_header *header,
                            const ss_table_record *record, uint64_t checksum,
                            const uint8_t *last_line,
                            seenset_file_report *report)
{
    if (checksum != record->payload_checksum)
        return ss_header_refuse(report, SEENSET_ECORRUPT,
                                record->payload_offset,
                                "the payload's checksum is wrong");
    unsigned used_bits =
        (unsigned)(record->size_bits * header->cell_bits % SS_LINE_BITS);
    for (unsigned i = used_bits; used_bits != 0 && i < SS_LINE_BITS; i++) {
        if (last_line[i / 8] >> (i % 8) & 1)
            return ss_header_refuse(report, SEENSET_ECORRUPT,
                                    record->payload_offset +
                                        record->payload_bytes - SS_LINE_BYTES +
                                        i / 8,
                                    "a bit is set past the end of the table");
    }
    return SEENSET_OK;
}

bool ss_header_can_journal(const ss_header *header)
{
    return !ss_layout_find_traits(header->layout)->is_built_once &&
           ss_key_hash_is_hash(&header->kind.identity);
}

/* ---- of the right kind ---- */

/* A promise that is asked for is in the header, and so does a size; what
 * is not asked for follows from the rest. */
static bool is_promise_kept(const ss_header *header, const ss_set_spec *design,
                            const seenset_options *options)
{
    const ss_table_record *first = &header->records[0];
    if (options->hash_count != 0 && first->hash_count != options->hash_count)
        return false;
    if (options->size_bits != 0)
        return first->size_bits == design->first.size_bits;
    /* older versions promised what was asked, whatever the scheme's rule */
    return header->kind.capacity_items == design->kind.capacity_items &&
           (header->kind.fp_rate == design->kind.fp_rate ||
            (header->kind.fp_rate == options->fp_rate &&
             options->fp_rate != 0.0));
}

/* The check value is that of the secret, or of the caller's function, which is
 * in no header. */
static bool is_identity(const ss_header *header, const ss_key_hash *asked)
{
    const ss_key_hash *there = &header->kind.identity;
    ss_scheme_arguments arguments = there->arguments;
    arguments.caller = asked->arguments.caller;
    return there->hash == asked->hash && there->scheme == asked->scheme &&
           ss_scheme_is_same(&arguments, &asked->arguments) &&
           header->hash_check == ss_key_hash_check(asked);
}

static bool is_design(const ss_header *header, const ss_set_spec *design,
                      const seenset_options *options)
{
    const ss_set_params *kind = &header->kind, *asked = &design->kind;
    return header->layout == design->first.layout &&
           header->cell_bits == design->cell_bits &&
           is_identity(header, &asked->identity) &&
           kind->on_full == asked->on_full &&
           kind->window_generations == asked->window_generations &&
           kind->window_seconds == asked->window_seconds &&
           kind->is_sliding == asked->is_sliding &&
           is_promise_kept(header, design, options);
}

bool ss_header_fits(const ss_header *header, const seenset_options *options)
{
    ss_set_spec design;
    if (ss_set_specify(&design, options) != SEENSET_OK)
        return false;
    bool fits = is_design(header, &design, options);
    ss_key_hash_wipe(&design.kind.identity);
    return fits;
}
