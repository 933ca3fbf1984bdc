/*
 * resync.c - reading files that may be damaged: is this a state? Is this end
 * of the log torn, or is it damage to what was durable?
 */
#define _POSIX_C_SOURCE 200809L /* fcntl flags */
#include "queue/recover/recover.h"

#include <fcntl.h>

#include "base/bits.h"
#include "frontier/hosts_bytes.h"

/* Only a polite queue has hosts, and all of its states do. Items were moved
 * only if the manifest allows it. */
static bool is_of_kind(const ss_state *state, const ss_manifest *manifest)
{
    return state->is_polite == manifest->is_polite &&
           (manifest->has_runs || !state->has_runs) &&
           (manifest->has_moved || !state->has_moved) &&
           (!state->is_polite ||
            ss_hosts_bytes_are_sound(state->hosts, state->hosts_bytes));
}

int ss_recover_state(const ss_folder *folder, const ss_memory *memory,
                     const ss_manifest *manifest, uint64_t position,
                     ss_state *out)
{
    char name[SS_FOLDER_NAME_BYTES];
    uint8_t *bytes;
    size_t size_bytes;
    ss_folder_name(name, SS_FOLDER_STATE, position);
    int error = ss_folder_read(folder, memory, name, &bytes, &size_bytes);
    if (error != SEENSET_OK)
        return error;
    error = ss_state_decode(out, memory, manifest->log_id, bytes, size_bytes);
    ss_memory_free(memory, bytes, size_bytes, 1);
    if (error == SEENSET_OK &&
        (out->position != position || !is_of_kind(out, manifest))) {
        ss_state_free(out, memory);
        error = SEENSET_EDAMAGED;
    }
    return error;
}

int ss_recover_length(const ss_folder *folder, uint64_t start,
                      uint64_t *size_bytes)
{
    char name[SS_FOLDER_NAME_BYTES];
    struct stat status;
    ss_folder_name(name, SS_FOLDER_LOG, start);
    int fd = ss_folder_open(folder, name, O_RDONLY);
    if (fd < 0)
        return SEENSET_EIO;
    int result = folder->io->status(folder->io->context, fd, &status);
    ss_io_close_quietly(folder->io, fd);
    if (result != 0)
        return SEENSET_EIO;
    *size_bytes = (uint64_t)status.st_size;
    return SEENSET_OK;
}

/*
 * Goes to the next position where a record can be read. Those are tried where
 * the log id is in its place. Returns 1, 0 at the end, or an error.
 */
static int resync(ss_log_reader *reader, uint64_t end, ss_record *record,
                  uint64_t *at)
{
    for (; reader->position < end; ss_log_reader_seek(reader, *at + 1)) {
        uint64_t from = reader->position;
        int found = ss_log_reader_find(reader, end);
        if (found != 1)
            return found;
        *at = reader->position;
        int result = ss_log_reader_next(reader, end, record, at);
        if (result != SEENSET_EDAMAGED)
            return result;
        *at = reader->position > from ? reader->position : from;
    }
    return 0;
}

/* Does the record at `at` say that the log was durable beyond `position`? */
static bool says_durable(const ss_record *record, uint64_t at,
                         uint64_t position)
{
    if (record->type != SS_RECORD_DURABLE)
        return false;
    uint64_t durable = ss_bits_load(record->payload, 8);
    return durable > position && durable <= at;
}

int ss_recover_was_durable(ss_log_reader *reader, uint64_t position,
                           uint64_t end, uint64_t *next)
{
    ss_record record;
    uint64_t at = position;
    if (next != NULL)
        *next = end;
    ss_log_reader_seek(reader, position + 1);
    bool is_first = true;
    int result;
    while ((result = resync(reader, end, &record, &at)) == 1) {
        if (is_first && next != NULL)
            *next = at;
        is_first = false;
        if (says_durable(&record, at, position))
            return 1;
    }
    return result;
}
