/*
 * read.c - decode and doubt the header of a file.
 *
 * Order of doubt: magic, version, length, checksum, then every field. The
 * checksum finds accidents; the fields are checked all the same, because who
 * forges a file can forge a checksum.
 */

#include "file/header/fields.h"
#include "plan/shape.h"
#include "table/layouts.h"

static uint64_t load_8(const uint8_t *bytes, size_t at)
{
    return ss_bits_load(bytes + at, 8);
}

static uint32_t load_4(const uint8_t *bytes, size_t at)
{
    return (uint32_t)ss_bits_load(bytes + at, 4);
}

static double load_rate(const uint8_t *bytes, size_t at)
{
    uint64_t bits = load_8(bytes, at);
    double rate;
    memcpy(&rate, &bits, sizeof rate);
    return rate;
}

size_t ss_header_claimed_bytes(const uint8_t fixed[SS_HEADER_FIXED_BYTES])
{
    uint32_t claimed = load_4(fixed, AT_HEADER_BYTES);
    if (claimed < SS_HEADER_FIXED_BYTES)
        return SS_HEADER_FIXED_BYTES;
    return claimed < SS_HEADER_MAX_BYTES ? claimed : SS_HEADER_MAX_BYTES;
}

uint64_t
ss_header_claimed_file_bytes(const uint8_t fixed[SS_HEADER_FIXED_BYTES])
{
    return load_8(fixed, AT_FILE_BYTES);
}

/* Is it ours, and of a version we know? */
static int check_identity(const uint8_t *bytes, size_t size_bytes,
                          seenset_file_report *report)
{
    size_t compared = size_bytes < sizeof ss_header_magic
                          ? size_bytes
                          : sizeof ss_header_magic;
    if (size_bytes == 0)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, 0,
                                "the file is empty");
    if (memcmp(bytes, ss_header_magic, compared) != 0)
        return ss_header_refuse(report, SEENSET_EFORMAT, AT_MAGIC,
                                "the first 8 bytes are not seenset's");
    if (size_bytes >= AT_HEADER_BYTES &&
        (ss_header_version(bytes) < 1 ||
         ss_header_version(bytes) > SS_HEADER_VERSION))
        return ss_header_refuse(report, SEENSET_EVERSION, AT_VERSION,
                                "the format version is not 1 to 7");
    if (size_bytes < SS_HEADER_FIXED_BYTES)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size_bytes,
                                "the file ends inside the header");
    return SEENSET_OK;
}

/* Before the policy is known, which says more. */
static uint32_t most_tables(uint32_t version)
{
    return version == 1 ? 1 : version == 2 ? SS_MAX_GENERATIONS : SS_MAX_TABLES;
}

/* Is it a length that a header of so many tables can have? In version 4 the
 * arguments are of some lines, as decode_arguments finds out. */
static bool is_header_length(uint32_t version, uint32_t count, size_t length)
{
    size_t records_end = ss_header_arguments_offset(version, count);
    if (!ss_header_has_arguments(version))
        return length == records_end;
    return length > records_end &&
           length - records_end <= SS_HEADER_ARGUMENTS_MAX_BYTES &&
           (length - records_end) % SS_LINE_BYTES == 0;
}

/* Is the whole header there, and unhurt? Its length comes from the number of
 * generations, which is checked first. */
static int check_envelope(const uint8_t *bytes, size_t size_bytes,
                          seenset_file_report *report)
{
    uint32_t version = ss_header_version(bytes);
    uint32_t count = load_4(bytes, AT_GENERATION_COUNT);
    if (count < 1 || count > most_tables(version))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_GENERATION_COUNT,
                                "the number of generations is out of range");
    size_t header_bytes = load_4(bytes, AT_HEADER_BYTES);
    if (!is_header_length(version, count, header_bytes))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_HEADER_BYTES,
                                "the header's length does not fit it");
    if (size_bytes < header_bytes)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size_bytes,
                                "the file ends inside the header");
    if (load_8(bytes, AT_CHECKSUM) != ss_header_checksum(bytes, header_bytes))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_CHECKSUM,
                                "the header's checksum is wrong");
    return SEENSET_OK;
}

static bool is_capacity(uint64_t items)
{
    return items >= 1 && items <= SEENSET_MAX_SIZE_BITS;
}

static bool is_rate(double rate)
{
    return rate > 0.0 && rate <= 1.0;
}

/* Does the window fit the policy and the number of tables? Only by age, and
 * from version 3 on, can there be more tables than the window has spans. */
static int check_window(const ss_header *header, seenset_file_report *report)
{
    const ss_set_params *kind = &header->kind;
    uint32_t window = kind->window_generations;
    uint32_t most = SS_MAX_GENERATIONS;
    bool is_window = kind->on_full == SEENSET_ON_FULL_ROTATE;
    if (is_window)
        most = ss_header_is_by_age(header) ? SS_MAX_TABLES : window;
    if (is_window
            ? window < 2 || window > SS_MAX_GENERATIONS
            : window != 0 || kind->window_seconds != 0 || kind->is_sliding)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_WINDOW_GENERATIONS,
                                "the window does not fit the set");
    if (header->generation_count > most)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_GENERATION_COUNT,
                                "more tables than the policy makes");
    return SEENSET_OK;
}

/* What version 3 added to the fixed header; where the sums are, check_lengths
 * says. */
static int decode_sums(ss_header *header, const uint8_t *bytes,
                       seenset_file_report *report)
{
    uint32_t flags = load_4(bytes, AT_FLAGS);
    if (flags > FLAG_SLIDING)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_FLAGS,
                                "a flag is unknown to this version");
    if (load_8(bytes, AT_BLOCK_BYTES) != SS_BLOCK_BYTES)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_BLOCK_BYTES,
                                "the blocks are not of 4096 bytes");
    header->kind.is_sliding = (flags & FLAG_SLIDING) != 0;
    header->sums_checksum = load_8(bytes, AT_SUMS_CHECKSUM);
    return SEENSET_OK;
}

/* Version 2's reserved bytes, and version 3's fields in them. */
static int decode_rest(ss_header *header, const uint8_t *bytes,
                       seenset_file_report *report)
{
    if (header->version > 2)
        return decode_sums(header, bytes, report);
    if (!ss_header_is_zero(bytes, AT_FLAGS, AT_WINDOW_SECONDS) ||
        !ss_header_is_zero(bytes, AT_RESERVED, AT_CHECKSUM))
        return ss_header_refuse(report, SEENSET_EVERSION, AT_RESERVED,
                                "reserved bytes are in use");
    return SEENSET_OK;
}

/* The part of the fixed header that version 2 added. */
static int decode_whole(ss_header *header, const uint8_t *bytes,
                        seenset_file_report *report)
{
    ss_set_params *kind = &header->kind;
    header->cell_bits = load_4(bytes, AT_PLACE_BITS);
    kind->window_generations = load_4(bytes, AT_WINDOW_GENERATIONS);
    kind->window_seconds = load_8(bytes, AT_WINDOW_SECONDS);
    kind->capacity_items = load_8(bytes, AT_WHOLE_CAPACITY);
    kind->fp_rate = load_rate(bytes, AT_WHOLE_RATE);
    uint32_t places = header->cell_bits;
    if (!ss_layout_is_cell_bits(ss_layout_find_traits(header->layout), places))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_PLACE_BITS,
                                "no table has places of this width");
    if (!is_capacity(kind->capacity_items) || !is_rate(kind->fp_rate))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_WHOLE_CAPACITY,
                                "the whole set's promise is out of range");
    int error = decode_rest(header, bytes, report);
    return error == SEENSET_OK ? check_window(header, report) : error;
}

/* A scheme has places in tables of its own kinds, or, if it makes a hash, in
 * those of one layout; and such sets degrade. */
static bool can_have_scheme(const ss_header *header)
{
    uint32_t id = header->kind.identity.scheme;
    const ss_scheme *scheme = ss_scheme_find(id);
    if (id == SS_SCHEME_CHAIN)
        return true;
    return header->kind.on_full == SEENSET_ON_FULL_DEGRADE &&
           (scheme->indices != NULL
                ? ss_layout_find_foreign(header->layout) != NULL
                : header->layout == scheme->hashed_layout);
}

/* The fields that say what kind of set it is. */
static int decode_kind(ss_header *header, const uint8_t *bytes,
                       seenset_file_report *report)
{
    uint32_t version = header->version;
    header->layout = (seenset_layout)load_4(bytes, AT_LAYOUT);
    const ss_layout_traits *layout = ss_layout_find_traits(header->layout);
    if (header->layout == SEENSET_LAYOUT_DEFAULT || layout == NULL ||
        layout->is_expandable || version < layout->first_file_version ||
        (version == 5 && layout->first_file_version < version) ||
        (version == 7 && !layout->is_built_once))
        return ss_header_refuse(report, SEENSET_EVERSION, AT_LAYOUT,
                                "the layout is unknown to this version");
    uint32_t on_full = load_4(bytes, AT_ON_FULL);
    uint32_t last =
        version == 1 ? SEENSET_ON_FULL_REFUSE : SEENSET_ON_FULL_ROTATE;
    if (on_full < SEENSET_ON_FULL_DEGRADE || on_full > last)
        return ss_header_refuse(report, SEENSET_EVERSION, AT_ON_FULL,
                                "the policy is unknown to this version");
    header->kind.on_full = (seenset_on_full)on_full;
    bool is_list =
        on_full == SEENSET_ON_FULL_GROW || on_full == SEENSET_ON_FULL_ROTATE;
    if (header->generation_count > 1 && !is_list)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_GENERATION_COUNT,
                                "more tables than the policy makes");
    if (!can_have_scheme(header))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_SCHEME,
                                "no such set can have an index scheme");
    if (is_list && !layout->can_grow)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_ON_FULL,
                                "this layout cannot do that when full");
    if (version > 1)
        return decode_whole(header, bytes, report);
    header->cell_bits = 1;
    if (!ss_header_is_zero(bytes, AT_PLACE_BITS, AT_CHECKSUM))
        return ss_header_refuse(report, SEENSET_EVERSION, AT_RESERVED,
                                "reserved bytes are in use");
    return SEENSET_OK;
}

/* A sealed table's shape; the number of slots follows from the rest. Every
 * product is checked, as none of these numbers is bounded yet. Packed slots
 * are of version 7, and all that is of it. */
static bool decode_fuse(ss_table_record *record, uint32_t version,
                        const uint8_t *bytes)
{
    ss_fuse_shape *shape = &record->fuse;
    *shape =
        (ss_fuse_shape){.arity = record->hash_count,
                        .fingerprint_bits = load_4(bytes, IN_FINGERPRINT_BITS),
                        .segment_length = load_8(bytes, IN_SEGMENT_LENGTH),
                        .segment_count = load_8(bytes, IN_SEGMENT_COUNT),
                        .seed = load_8(bytes, IN_SEED)};
    uint64_t segments;
    return (version == 7) == ss_fuse_is_packed(shape->fingerprint_bits) &&
           !__builtin_add_overflow(shape->segment_count,
                                   (uint64_t)shape->arity - 1, &segments) &&
           !__builtin_mul_overflow(segments, shape->segment_length,
                                   &shape->slot_count) &&
           ss_fuse_shape_is_sound(shape) &&
           ss_fuse_size_bits(shape) == record->size_bits;
}

/* A table that grows in place; its pages say the rest. */
static bool decode_image(ss_table_record *record, const uint8_t *bytes)
{
    record->image =
        (ss_image_shape){.size_bits = record->size_bits,
                         .segments = load_8(bytes, IN_SEGMENT_COUNT),
                         .unit_bits = load_4(bytes, IN_UNIT_BITS)};
    return record->hash_count == 1 && ss_image_is_shape(&record->image);
}

/* From version 6 on: that of the set, or one that grows in place. */
static bool decode_layout(ss_table_record *record, const ss_header *header,
                          const uint8_t *bytes)
{
    seenset_layout layout = (seenset_layout)load_4(bytes, IN_LAYOUT);
    const ss_layout_traits *traits = ss_layout_find_traits(layout);
    record->is_expandable = ss_header_has_images(header) &&
                            layout != SEENSET_LAYOUT_DEFAULT &&
                            traits != NULL && traits->is_expandable;
    return record->is_expandable || layout == header->layout;
}

static bool is_shape(ss_table_record *record, const ss_header *header,
                     const uint8_t *bytes)
{
    if (record->is_expandable)
        return decode_image(record, bytes);
    if (ss_layout_find_traits(header->layout)->is_built_once)
        return decode_fuse(record, header->version, bytes);
    return ss_plan_is_shape(header->layout, record->size_bits,
                            record->hash_count);
}

/* Are all bytes zero that this record makes no use of? */
static bool is_rest_zero(const ss_header *header, const ss_table_record *record,
                         uint32_t version, const uint8_t *bytes)
{
    bool is_sealed = ss_layout_find_traits(header->layout)->is_built_once;
    if (version < 6 &&
        !ss_header_is_zero(bytes, IN_RESERVED_12, IN_CAPACITY_ITEMS))
        return false;
    if (version == 1)
        return true;
    if (record->is_expandable)
        return ss_header_is_zero(bytes, IN_RESERVED_76, IN_SEGMENT_COUNT) &&
               ss_header_is_zero(bytes, IN_SEED, IN_RESERVED_104) &&
               ss_header_is_zero(bytes, IN_RESERVED_112, RECORD_2_BYTES);
    return ss_header_is_zero(bytes, IN_RESERVED_76, IN_SEGMENT_LENGTH) &&
           ss_header_is_zero(bytes,
                             is_sealed ? IN_RESERVED_104 : IN_FINGERPRINT_BITS,
                             IN_RESERVED_104) &&
           ss_header_is_zero(bytes,
                             version == 2 ? IN_RESERVED_104 : IN_RESERVED_112,
                             RECORD_2_BYTES);
}

/* How large a table is and what it promises; bytes: its record, at offset. */
static int decode_record(ss_table_record *record, const ss_header *header,
                         uint32_t version, const uint8_t *bytes,
                         uint64_t offset, seenset_file_report *report)
{
    *record = (ss_table_record){
        .size_bits = load_8(bytes, IN_SIZE_BITS),
        .hash_count = load_4(bytes, IN_HASH_COUNT),
        .capacity_items = load_8(bytes, IN_CAPACITY_ITEMS),
        .fp_rate = load_rate(bytes, IN_FP_RATE),
        .added_items = load_8(bytes, IN_ADDED_ITEMS),
        .payload_checksum = load_8(bytes, IN_PAYLOAD_CHECKSUM)};
    if (version > 5 && !decode_layout(record, header, bytes))
        return ss_header_refuse(report, SEENSET_EVERSION, offset + IN_LAYOUT,
                                "the table's layout is not the set's");
    if (!is_shape(record, header, bytes))
        return ss_header_refuse(report, SEENSET_ECORRUPT, offset + IN_SIZE_BITS,
                                "no table has this size and hash count");
    const ss_key_hash *identity = &header->kind.identity;
    if (!ss_key_hash_is_hash(identity) &&
        !ss_scheme_accepts(ss_scheme_find(identity->scheme),
                           &identity->arguments, record->size_bits,
                           record->hash_count))
        return ss_header_refuse(report, SEENSET_ECORRUPT, offset + IN_SIZE_BITS,
                                "the index scheme has no tables of this size");
    if (!is_capacity(record->capacity_items))
        return ss_header_refuse(report, SEENSET_ECORRUPT,
                                offset + IN_CAPACITY_ITEMS,
                                "the capacity is outside its range");
    if (!is_rate(record->fp_rate))
        return ss_header_refuse(report, SEENSET_ECORRUPT, offset + IN_FP_RATE,
                                "the false-positive rate is outside (0, 1]");
    if (record->added_items > SEENSET_MAX_SIZE_BITS)
        return ss_header_refuse(report, SEENSET_ECORRUPT,
                                offset + IN_ADDED_ITEMS,
                                "more keys than a table can hold");
    if (!is_rest_zero(header, record, version, bytes))
        return ss_header_refuse(report, SEENSET_EVERSION,
                                offset + IN_RESERVED_12,
                                "reserved bytes are in use");
    if (version > 1)
        record->started_seconds = load_8(bytes, IN_STARTED_SECONDS);
    if (version > 2)
        record->noticed_seconds = load_8(bytes, IN_NOTICED_SECONDS);
    return SEENSET_OK;
}

/* Is there no older version for it? It has tables that grow in place, but not
 * only those; or a layout of version 5 with a seed, which that has no room
 * for. */
static bool needs_version_6(const ss_header *header)
{
    uint32_t expandable = 0;
    for (uint32_t i = 0; i < header->generation_count; i++)
        expandable += header->records[i].is_expandable;
    if (expandable > 0)
        return expandable < header->generation_count;
    return ss_layout_find_traits(header->layout)->first_file_version == 5 &&
           ss_scheme_has_arguments(&header->kind.identity.arguments);
}

/* A window's tables are used again and again, so they must be of one shape; but
 * a window by age, from version 3 on, makes them as keys come. */
static int check_shapes(const ss_header *header, seenset_file_report *report)
{
    const ss_table_record *first = header->records;
    if (header->version == 6 && !needs_version_6(header))
        return ss_header_refuse(report, SEENSET_ECORRUPT,
                                SS_HEADER_FIXED_BYTES + IN_LAYOUT,
                                "no table or each of them grows in place");
    for (uint32_t i = 0; i < header->generation_count; i++) {
        const ss_table_record *record = &header->records[i];
        bool is_alike = record->size_bits == first->size_bits &&
                        record->hash_count == first->hash_count;
        if (header->kind.on_full == SEENSET_ON_FULL_ROTATE && !is_alike &&
            !ss_header_is_by_age(header))
            return ss_header_refuse(report, SEENSET_ECORRUPT,
                                    SS_HEADER_FIXED_BYTES,
                                    "the tables of a window differ in size");
    }
    return SEENSET_OK;
}

/* Every length in the file against the one that the shapes ask for: at most
 * 256 payloads of 2^53 places of 2 bytes, which is 2^62, and their sums, a
 * 512th of it. */
static int check_lengths(ss_header *header, const uint8_t *bytes,
                         uint64_t file_bytes, seenset_file_report *report)
{
    ss_header_place(header);
    for (uint32_t i = 0; i < header->generation_count; i++) {
        size_t at =
            SS_HEADER_FIXED_BYTES + i * ss_header_record_bytes(header->version);
        const ss_table_record *record = &header->records[i];
        if (load_8(bytes, at + IN_PAYLOAD_OFFSET) != record->payload_offset ||
            load_8(bytes, at + IN_PAYLOAD_BYTES) != record->payload_bytes)
            return ss_header_refuse(
                report, SEENSET_ECORRUPT, at + IN_PAYLOAD_OFFSET,
                "the payload is not where its size puts it");
    }
    if (header->version > 2 &&
        (load_8(bytes, AT_SUMS_OFFSET) != header->sums_offset ||
         load_8(bytes, AT_SUMS_BYTES) != header->block_count * SS_SUM_BYTES))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_SUMS_OFFSET,
                                "the sums are not where the tables end");
    uint64_t end = ss_header_file_bytes(header);
    if (load_8(bytes, AT_FILE_BYTES) != end)
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_FILE_BYTES,
                                "the file size does not fit the table's");
    if (file_bytes < end)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, file_bytes,
                                file_bytes < header->sums_offset
                                    ? "the file ends inside the payload"
                                    : "the file ends inside its sums");
    if (file_bytes > end)
        return ss_header_refuse(report, SEENSET_ECORRUPT, end,
                                "bytes follow the end of the set");
    return SEENSET_OK;
}

static int decode_records(ss_header *header, const uint8_t *bytes,
                          seenset_file_report *report)
{
    uint32_t version = header->version;
    for (uint32_t i = 0; i < header->generation_count; i++) {
        size_t at = SS_HEADER_FIXED_BYTES + i * ss_header_record_bytes(version);
        int error = decode_record(&header->records[i], header, version,
                                  bytes + at, at, report);
        if (error != SEENSET_OK)
            return error;
    }
    if (version == 1) {
        header->kind.capacity_items = header->records[0].capacity_items;
        header->kind.fp_rate = header->records[0].fp_rate;
    }
    return check_shapes(header, report);
}

static int check_journal(const ss_header *header, seenset_file_report *report)
{
    if (header->has_journal && !ss_header_can_journal(header))
        return ss_header_refuse(report, SEENSET_ECORRUPT, AT_JOURNAL_MARK,
                                "no such set can have a journal");
    return SEENSET_OK;
}

int ss_header_decode(ss_header *header, const uint8_t *bytes, size_t size_bytes,
                     uint64_t file_bytes, seenset_file_report *report)
{
    *report = (seenset_file_report){.file_bytes = file_bytes};
    int error = check_identity(bytes, size_bytes, report);
    if (error == SEENSET_OK)
        error = check_envelope(bytes, size_bytes, report);
    if (error != SEENSET_OK)
        return error;
    header->version = ss_header_version(bytes);
    header->has_journal = ss_header_is_marked(bytes);
    header->checksum = load_8(bytes, AT_CHECKSUM);
    header->generation_count = load_4(bytes, AT_GENERATION_COUNT);
    header->kind = (ss_set_params){.on_full = SEENSET_ON_FULL_DEGRADE};
    header->sums_checksum = 0;
    if (error == SEENSET_OK)
        error = ss_header_decode_identity(header, bytes, report);
    if (error == SEENSET_OK)
        error = decode_kind(header, bytes, report);
    if (error == SEENSET_OK)
        error = decode_records(header, bytes, report);
    if (error == SEENSET_OK)
        error = check_lengths(header, bytes, file_bytes, report);
    if (error == SEENSET_OK)
        error = check_journal(header, report);
    return error;
}
