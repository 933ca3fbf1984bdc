/*
 * log_reader.h - reads the log's records in order, across its segments.
 *
 * It has one buffer, which is refilled from the position of the next record.
 * The reader never uses bytes at or beyond its limit, so those may change.
 */
#ifndef SS_LOG_LOG_READER_H
#define SS_LOG_LOG_READER_H

#include "log/folder.h"
#include "log/record.h"

typedef struct ss_log_reader {
    const ss_folder *folder;
    const ss_memory *memory;
    const ss_positions *segments; /* where each starts; not empty */
    uint32_t log_id;
    size_t ahead_bytes; /* read at once, unless a record needs more */
    uint64_t position;  /* of the next record */
    int fd;             /* of the segment at fd_start, or -1 */
    uint64_t fd_start;
    uint8_t *buffer;
    size_t room;
    uint64_t buffer_at; /* position of its first byte */
    size_t buffer_bytes;
} ss_log_reader;

/* Returns 0 or SEENSET_ENOMEM. */
int ss_log_reader_init(ss_log_reader *reader, const ss_folder *folder,
                       const ss_memory *memory, const ss_positions *segments,
                       uint32_t log_id, size_t ahead_bytes);

/* Readies a reader that is {0} but for its position to read what `like` reads.
 * Returns 0 or SEENSET_ENOMEM. */
int ss_log_reader_init_like(ss_log_reader *reader, const ss_log_reader *like);

void ss_log_reader_free(ss_log_reader *reader);

/* Empties the buffer, and continues at this position. */
void ss_log_reader_seek(ss_log_reader *reader, uint64_t position);

/* Goes back to a record that it read just now. */
void ss_log_reader_back(ss_log_reader *reader, uint64_t position);

/*
 * Reads the next record, which must end at `limit` or before. It stays valid
 * until the next call. *at, if not NULL, becomes its position. Returns 1; 0 at
 * the limit; SEENSET_EIO; SEENSET_ENOMEM; or SEENSET_EDAMAGED: then the reader
 * is where no record, or no segment header, could be read.
 */
int ss_log_reader_next(ss_log_reader *reader, uint64_t limit, ss_record *out,
                       uint64_t *at);

/*
 * Continues at the next position, this one included, that could be a record's
 * by its log id. Returns 1; 0 (there is none before `end`, which is in the same
 * segment); or SEENSET_EIO.
 */
int ss_log_reader_find(ss_log_reader *reader, uint64_t end);

/* Opens the segment that starts there, unless it is open. False and errno. */
bool ss_log_reader_open(ss_log_reader *reader, uint64_t start);

/* Where the segment that holds `position` starts; *end becomes where it ends,
 * if that is before *end. */
uint64_t ss_log_reader_part(const ss_log_reader *reader, uint64_t position,
                            uint64_t *end);

/* Where the segment that holds `position` starts. */
uint64_t ss_log_reader_segment_of(const ss_positions *segments,
                                  uint64_t position);

#endif
