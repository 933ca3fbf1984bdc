/* formats.c - the rows of foreign.h, in the order in which they are tried:
 * formats that have a magic come first */
#include "foreign/foreign.h"

static const ss_format *const formats[] = {
    &ss_format_parquet,    &ss_format_leveldb, &ss_format_rocksdb,
    &ss_format_redisbloom, &ss_format_dcso,    &ss_format_guava,
    &ss_format_bip37,      &ss_format_bip158,
};

enum {
    FORMAT_COUNT = sizeof formats / sizeof formats[0]
};

const ss_format *ss_format_find(seenset_format id)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->id == id)
            return formats[i];
    return NULL;
}

const ss_format *ss_format_of(const uint8_t *bytes, size_t size_bytes)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->begins(bytes, size_bytes))
            return formats[i];
    return NULL;
}

const char *seenset_format_name(seenset_format format)
{
    const ss_format *row = ss_format_find(format);
    return row == NULL ? "unknown" : row->name;
}

const char *seenset_value_type_name(seenset_value_type type)
{
    static const char *const names[] = {"bytes", "int32",  "int64", "int96",
                                        "float", "double", "fixed", "bool"};
    size_t number = (size_t)type;
    return number < sizeof names / sizeof names[0] ? names[number] : "unknown";
}
