/* sst_block.c - the blocks of a table, and the names and values in them; see
 * sst.h */
#include <string.h>

#include "base/bits.h"
#include "foreign/sst.h"

bool ss_sst_read_part(ss_sst_part *out, ss_thrift *from, uint64_t limit)
{
    out->first = ss_thrift_number(from);
    uint64_t bytes = ss_thrift_number(from);
    if (from->is_bad || out->first > limit ||
        limit - out->first < SS_SST_TRAILER_BYTES ||
        bytes > limit - out->first - SS_SST_TRAILER_BYTES)
        return false;
    out->end = out->first + bytes;
    return true;
}

const char *ss_sst_compression(const ss_sst *of, ss_sst_part block)
{
    static const char *const reasons[] = {
        NULL,
        "the block is compressed by Snappy",
        "the block is compressed by zlib",
        "the block is compressed by bzip2",
        "the block is compressed by LZ4",
        "the block is compressed by LZ4HC",
        "the block is compressed by Xpress",
        "the block is compressed by Zstandard"};
    uint8_t type = of->file->bytes[block.end];
    return type < sizeof reasons / sizeof reasons[0]
               ? reasons[type]
               : "the block is compressed in a way that is not known";
}

ss_sst_walk ss_sst_walk_of(const ss_sst *of, ss_sst_part block)
{
    const uint8_t *bytes = of->file->bytes;
    ss_sst_walk walk = {
        .from = {.at = bytes + block.first, .end = bytes + block.end}};
    uint64_t size = block.end - block.first;
    uint64_t restarts = size < 4 ? 0 : ss_bits_load(bytes + block.end - 4, 4);
    if (size < 4 || restarts > (size - 4) / 4)
        ss_thrift_fail(&walk.from);
    else
        walk.from.end -= 4 + 4 * restarts;
    return walk;
}

/* Of a name, its first bytes: those that it shares with the last one, and its
 * own. */
static void keep_name(ss_sst_walk *walk, uint64_t shared, const uint8_t *own,
                      uint64_t own_bytes)
{
    if (shared < SS_SST_NAME_BYTES) {
        uint64_t room = SS_SST_NAME_BYTES - shared;
        memcpy(walk->name + shared, own,
               (size_t)(own_bytes < room ? own_bytes : room));
    }
    walk->name_bytes = shared + own_bytes;
}

bool ss_sst_next(ss_sst_walk *walk)
{
    ss_thrift *from = &walk->from;
    if (from->is_bad || from->at == from->end)
        return false;
    uint64_t shared = ss_thrift_number(from);
    uint64_t own_bytes = ss_thrift_number(from);
    uint64_t value_bytes = ss_thrift_number(from);
    uint64_t left = from->is_bad ? 0 : (uint64_t)(from->end - from->at);
    if (shared > walk->name_bytes || own_bytes > left ||
        value_bytes > left - own_bytes)
        ss_thrift_fail(from);
    if (from->is_bad)
        return false;
    keep_name(walk, shared, from->at, own_bytes);
    walk->value = from->at + own_bytes;
    walk->value_bytes = (size_t)value_bytes;
    from->at = walk->value + value_bytes;
    return true;
}

bool ss_sst_is_name(const ss_sst_walk *walk, const char *name)
{
    size_t length = strlen(name);
    return walk->name_bytes == length && memcmp(walk->name, name, length) == 0;
}

int ss_sst_refuse_filter(seenset_foreign *file, int error, uint64_t offset,
                         const char *reason, seenset_file_report *report)
{
    int made = ss_foreign_make_room(file, 1, 0, report);
    if (made == SEENSET_OK)
        file->filters[0] = (seenset_foreign_filter){.column = "",
                                                    .reason = reason,
                                                    .reason_offset = offset,
                                                    .error = error};
    return made;
}
