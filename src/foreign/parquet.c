/*
 * parquet.c - the filters of an Apache Parquet file, found by its footer.
 *
 *     "PAR1"  data, filters, indexes  footer  its length (4 bytes)  "PAR1"
 *
 * The footer is one struct of Thrift. Its schema lists the columns, each with
 * its type; its row groups list the same columns in the same order, each with
 * the place of its filter, if it has one. Other fields are passed over.
 *
 * The footer is walked twice: the first time counts filters and the bytes of
 * their columns' names, and the second fills them in. So memory is allocated
 * for what is there, and the counts that the file names are only ever compared.
 *
 * Apache Parquet, parquet.thrift (the format's specification).
 */
#include "foreign/parquet.h"

#include <string.h>

#include "base/bits.h"
#include "file/header/header.h"
#include "foreign/thrift.h"

enum {
    MAGIC_BYTES = 4,
    TAIL_BYTES = 8, /* the footer's length, and the magic again */
    UUID_BYTES = 16
};

/* What the schema says of a column. */
typedef struct leaf {
    int32_t type; /* of parquet.thrift; -1: none, so not a column */
    int32_t length;
    bool is_unsigned, is_uuid;
} leaf;

/* A walk through the footer. Before room is made, `filters` is NULL. */
typedef struct walk {
    seenset_foreign *file;
    ss_thrift from;
    uint64_t limit; /* where the footer begins */
    leaf *leaves;   /* leaf_count of them, once there is room */
    uint32_t leaf_count;
    bool has_schema;
    uint32_t group_count, filter_count;
    size_t name_bytes;
    int64_t row_count;
    bool is_misplaced; /* row groups that do not fit the schema */
} walk;

/* A column of a row group, as far as it was read. */
typedef struct chunk {
    ss_thrift path; /* the names, from the first on */
    uint32_t name_count;
    int32_t type;
    int64_t value_count;
    ss_parquet_place place;
    bool is_elsewhere, is_encrypted, has_filter;
} chunk;

/* ---- the schema ---- */

/* ConvertedType 11 to 14 are UINT_8 to UINT_64. */
static bool is_unsigned_type(int64_t converted)
{
    return converted >= 11 && converted <= 14;
}

/* IntType: 1 its width, 2 whether it is signed. */
static bool read_is_unsigned(ss_thrift *from)
{
    ss_thrift_field field = {0};
    bool is_unsigned = false;
    while (ss_thrift_next(from, &field)) {
        if (field.id == 2)
            is_unsigned = field.type == SS_THRIFT_FALSE;
        ss_thrift_skip(from, field.type);
    }
    return is_unsigned;
}

/* LogicalType, a union: 10 is an integer, 14 a UUID. */
static void read_logical(ss_thrift *from, leaf *out)
{
    ss_thrift_field member = {0};
    while (ss_thrift_next(from, &member)) {
        out->is_uuid |= member.id == 14;
        if (member.id == 10 && member.type == SS_THRIFT_STRUCT)
            out->is_unsigned |= read_is_unsigned(from);
        else
            ss_thrift_skip(from, member.type);
    }
}

static int32_t narrow(ss_thrift *from, uint8_t type)
{
    int64_t value = ss_thrift_integer(from, type);
    if (value < INT32_MIN || value > INT32_MAX)
        ss_thrift_fail(from);
    return (int32_t)value;
}

/* SchemaElement: 1 type, 2 length, 5 children, 6 converted, 10 logical. */
static leaf read_element(ss_thrift *from)
{
    leaf out = {.type = -1};
    ss_thrift_field field = {0};
    bool has_children = false;
    while (ss_thrift_next(from, &field)) {
        if (field.id == 1)
            out.type = narrow(from, field.type);
        else if (field.id == 2)
            out.length = narrow(from, field.type);
        else if (field.id == 5)
            has_children = narrow(from, field.type) > 0;
        else if (field.id == 6)
            out.is_unsigned |=
                is_unsigned_type(ss_thrift_integer(from, field.type));
        else if (field.id == 10 && field.type == SS_THRIFT_STRUCT)
            read_logical(from, &out);
        else
            ss_thrift_skip(from, field.type);
    }
    if (has_children)
        out.type = -1;
    return out;
}

/* Counts the columns, and keeps them if there is room: there is, for those of a
 * schema that is there once. */
static void read_schema(walk *in, uint8_t type)
{
    ss_thrift *from = &in->from;
    if (in->has_schema)
        ss_thrift_fail(from);
    in->has_schema = true;
    uint32_t count = ss_thrift_list(from, type, SS_THRIFT_STRUCT);
    for (uint32_t i = 0; i < count && !from->is_bad; i++) {
        leaf column = read_element(from);
        if (column.type < 0 || from->is_bad)
            continue;
        if (in->leaves != NULL)
            in->leaves[in->leaf_count] = column;
        in->leaf_count++;
    }
}

/* ---- the name of a column ---- */

/* The bytes of its names, with a dot between two and a zero at the end; written
 * to `out` unless that is NULL. Fails on a name with a zero in it. */
static size_t join_path(walk *in, const chunk *of, char *out)
{
    ss_thrift path = of->path;
    size_t bytes = 0;
    for (uint32_t i = 0; i < of->name_count; i++) {
        size_t length;
        const uint8_t *name = ss_thrift_text(&path, SS_THRIFT_BINARY, &length);
        if (length > 0 && memchr(name, 0, length) != NULL)
            ss_thrift_fail(&in->from);
        if (out != NULL && i > 0)
            out[bytes] = '.';
        bytes += i > 0;
        if (out != NULL)
            memcpy(out + bytes, name, length);
        bytes += length;
    }
    return bytes + 1; /* the memory is zeroed */
}

/* ---- a column of a row group ---- */

/* ColumnMetaData: 1 type, 3 path, 5 values, 14 and 15 the filter's place. */
static void read_meta(ss_thrift *from, chunk *out)
{
    ss_thrift_field field = {0};
    while (ss_thrift_next(from, &field)) {
        if (field.id == 1) {
            out->type = narrow(from, field.type);
        } else if (field.id == 3) {
            out->name_count =
                ss_thrift_list(from, field.type, SS_THRIFT_BINARY);
            out->path = *from;
            for (uint32_t i = 0; i < out->name_count && !from->is_bad; i++)
                ss_thrift_skip(from, SS_THRIFT_BINARY);
        } else if (field.id == 5) {
            out->value_count = ss_thrift_integer(from, field.type);
        } else if (field.id == 14) {
            out->place.offset = ss_thrift_integer(from, field.type);
            out->has_filter = true;
        } else if (field.id == 15) {
            out->place.length = ss_thrift_integer(from, field.type);
        } else {
            ss_thrift_skip(from, field.type);
        }
    }
}

/* ColumnChunk: 1 another file, 3 what is above, 8 how it is encrypted. */
static chunk read_chunk(ss_thrift *from)
{
    chunk out = {.type = -1};
    ss_thrift_field field = {0};
    while (ss_thrift_next(from, &field)) {
        out.is_elsewhere |= field.id == 1;
        out.is_encrypted |= field.id == 8;
        if (field.id == 3 && field.type == SS_THRIFT_STRUCT)
            read_meta(from, &out);
        else
            ss_thrift_skip(from, field.type);
    }
    return out;
}

/* ---- its filter ---- */

/* The types of parquet.thrift are numbered from 0. */
static bool take_type(seenset_foreign_filter *out, const leaf *column)
{
    static const seenset_value_type types[] = {
        SEENSET_VALUE_BOOL,  SEENSET_VALUE_INT32, SEENSET_VALUE_INT64,
        SEENSET_VALUE_INT96, SEENSET_VALUE_FLOAT, SEENSET_VALUE_DOUBLE,
        SEENSET_VALUE_BYTES, SEENSET_VALUE_FIXED};
    if ((size_t)column->type >= sizeof types / sizeof types[0])
        return false;
    out->value_type = types[column->type];
    out->is_unsigned = column->is_unsigned;
    if (out->value_type != SEENSET_VALUE_FIXED)
        return true;
    out->value_bytes = (uint32_t)column->length;
    out->is_uuid = column->is_uuid && column->length == UUID_BYTES;
    return column->length > 0;
}

static void fill_in(walk *in, const chunk *of, const leaf *column)
{
    seenset_foreign *file = in->file;
    seenset_foreign_filter *out = &file->filters[in->filter_count];
    char *name = file->names + in->name_bytes;
    (void)join_path(in, of, name);
    *out = (seenset_foreign_filter){.column = name,
                                    .reason = "",
                                    .group = in->group_count,
                                    .value_count = (uint64_t)of->value_count,
                                    .layout = SEENSET_LAYOUT_SPLIT_BLOCK,
                                    .scheme = SEENSET_SCHEME_PARQUET};
    bool is_typed = take_type(out, column);
    uint64_t footer = in->limit;
    if (!is_typed || of->type != column->type)
        ss_parquet_refuse(out, SEENSET_ECORRUPT, footer,
                          "the column's type is unknown, or not the schema's");
    else if (of->is_encrypted)
        ss_parquet_refuse(out, SEENSET_EUNSUPPORTED, footer,
                          "the column is encrypted");
    else if (of->is_elsewhere)
        ss_parquet_refuse(out, SEENSET_EUNSUPPORTED, footer,
                          "the column is in another file");
    else if (out->value_type == SEENSET_VALUE_BOOL)
        ss_parquet_refuse(out, SEENSET_EUNSUPPORTED, footer,
                          "columns of booleans have no filters");
    else
        ss_parquet_read_header(out, file->bytes, &of->place);
}

static void take_chunk(walk *in, chunk *of, const leaf *column)
{
    of->place.limit = in->limit;
    if (!of->has_filter || in->from.is_bad)
        return;
    if (of->name_count == 0 || of->value_count < 0)
        ss_thrift_fail(&in->from);
    else if (in->file->filters != NULL)
        fill_in(in, of, column);
    in->name_bytes += join_path(in, of, NULL);
    in->filter_count++;
}

/* ---- row groups ---- */

/* As many as the schema has. */
static void read_columns(walk *in, uint8_t type)
{
    static const leaf unknown = {.type = -1};
    ss_thrift *from = &in->from;
    uint32_t count = ss_thrift_list(from, type, SS_THRIFT_STRUCT);
    in->is_misplaced = !from->is_bad && count != in->leaf_count;
    for (uint32_t i = 0; i < count && !from->is_bad && !in->is_misplaced; i++) {
        chunk of = read_chunk(from);
        take_chunk(in, &of, in->leaves != NULL ? &in->leaves[i] : &unknown);
    }
}

/* RowGroup: 1 columns. */
static void read_group(walk *in)
{
    ss_thrift *from = &in->from;
    ss_thrift_field field = {0};
    while (!in->is_misplaced && ss_thrift_next(from, &field)) {
        if (field.id == 1)
            read_columns(in, field.type);
        else
            ss_thrift_skip(from, field.type);
    }
    in->group_count++;
}

static void read_groups(walk *in, uint8_t type)
{
    ss_thrift *from = &in->from;
    uint32_t count = ss_thrift_list(from, type, SS_THRIFT_STRUCT);
    for (uint32_t i = 0; i < count && !from->is_bad && !in->is_misplaced; i++)
        read_group(in);
}

/* ---- the footer ---- */

/* Where it begins and ends in the file. */
typedef struct footer {
    seenset_foreign *file;
    uint64_t first, end;
} footer;

/* FileMetaData: 2 schema, 3 rows, 4 row groups. */
static void walk_fields(walk *in)
{
    ss_thrift_field field = {0};
    while (!in->is_misplaced && ss_thrift_next(&in->from, &field)) {
        if (field.id == 2)
            read_schema(in, field.type);
        else if (field.id == 3)
            in->row_count = ss_thrift_integer(&in->from, field.type);
        else if (field.id == 4)
            read_groups(in, field.type);
        else
            ss_thrift_skip(&in->from, field.type);
    }
}

/* leaves: room for the columns of the schema, or NULL. */
static int walk_footer(walk *in, const footer *at_end, leaf *leaves,
                       seenset_file_report *report)
{
    seenset_foreign *file = at_end->file;
    *in = (walk){.file = file, .limit = at_end->first, .leaves = leaves};
    in->from = (ss_thrift){.at = file->bytes + at_end->first,
                           .end = file->bytes + at_end->end};
    walk_fields(in);
    uint64_t at = (uint64_t)(in->from.at - file->bytes);
    if (in->is_misplaced)
        return ss_header_refuse(report, SEENSET_ECORRUPT, at,
                                "a row group has not the schema's columns");
    if (in->from.is_bad || in->row_count < 0)
        return ss_header_refuse(report, SEENSET_ECORRUPT, at,
                                "the footer is damaged");
    return SEENSET_OK;
}

static bool is_magic(const uint8_t *bytes, const char *magic)
{
    return memcmp(bytes, magic, MAGIC_BYTES) == 0;
}

static int find_footer(footer *out, seenset_foreign *file,
                       seenset_file_report *report)
{
    const uint8_t *bytes = file->bytes;
    uint64_t size = file->info.file_bytes;
    *out = (footer){.file = file};
    if (size < MAGIC_BYTES + TAIL_BYTES)
        return ss_header_refuse(report, SEENSET_ETRUNCATED, size,
                                "the file ends before its footer");
    out->end = size - TAIL_BYTES;
    const uint8_t *tail = bytes + out->end;
    if (is_magic(bytes, "PARE") || is_magic(tail + 4, "PARE"))
        return ss_header_refuse(report, SEENSET_EUNSUPPORTED, out->end + 4,
                                "the footer is encrypted");
    if (!is_magic(tail + 4, "PAR1"))
        return ss_header_refuse(report, SEENSET_ETRUNCATED, out->end + 4,
                                "the file does not end as a Parquet file does");
    uint64_t length = ss_bits_load(tail, 4);
    if (length > out->end - MAGIC_BYTES)
        return ss_header_refuse(report, SEENSET_ECORRUPT, out->end,
                                "the footer is longer than the file");
    out->first = out->end - length;
    return SEENSET_OK;
}

static bool begins(const uint8_t *bytes, size_t size_bytes)
{
    return size_bytes >= MAGIC_BYTES &&
           (is_magic(bytes, "PAR1") || is_magic(bytes, "PARE"));
}

/* The second walk, which has room for all that the first one counted. */
static int fill_file(walk *in, const footer *at_end,
                     seenset_file_report *report)
{
    seenset_foreign *file = at_end->file;
    const walk counted = *in;
    leaf *leaves =
        ss_memory_alloc(&file->memory, counted.leaf_count, sizeof *leaves);
    int error =
        leaves == NULL
            ? ss_header_refuse(report, SEENSET_ENOMEM, 0, "out of memory")
            : ss_foreign_make_room(file, counted.filter_count,
                                   counted.name_bytes, report);
    if (error == SEENSET_OK)
        error = walk_footer(in, at_end, leaves, report);
    ss_memory_free(&file->memory, leaves, counted.leaf_count, sizeof *leaves);
    return error;
}

static int open_parquet(seenset_foreign *file, seenset_file_report *report)
{
    walk in;
    footer at_end;
    int error = find_footer(&at_end, file, report);
    if (error == SEENSET_OK)
        error = walk_footer(&in, &at_end, NULL, report);
    if (error == SEENSET_OK && in.filter_count > 0)
        error = fill_file(&in, &at_end, report);
    if (error != SEENSET_OK)
        return error;
    file->info.group_count = in.group_count;
    file->info.row_count = (uint64_t)in.row_count;
    return SEENSET_OK;
}

const ss_format ss_format_parquet = {.id = SEENSET_FORMAT_PARQUET,
                                     .name = "parquet",
                                     .begins = begins,
                                     .open = open_parquet};
