/* open_parts.h - the parts of opening a set, for open.c, view.c, read.c and
 * verify.c */
#ifndef SS_FILE_OPEN_PARTS_H
#define SS_FILE_OPEN_PARTS_H

#include "file/file.h"
#include "file/header/header.h"
#include "file/sums.h"

/* Opens a regular file and decodes its header; *fd is open only on success. */
int ss_file_open(const ss_io *io, const char *path, int *fd, ss_header *header,
                 seenset_file_report *report);

/* Does the file hold what it has to? made may be NULL: anything will do. */
int ss_file_check_kind(const ss_header *header, const seenset_options *made,
                       seenset_file_report *report);

/* How to open a set that `made` makes. */
seenset_open_options ss_file_options_as(const seenset_options *made,
                                        uint32_t flags);

/* Completes the identity that the header names with what only the caller has,
 * and checks it by the value that the writer left. */
int ss_file_adopt_identity(ss_header *header,
                           const seenset_open_options *options,
                           seenset_file_report *report);

/* 0, or SEENSET_EINVAL: flags that do not go together, a reserved field. */
int ss_file_check_options(const seenset_open_options *options,
                          seenset_file_report *report);

/* The memory that a set is to be made in. 0 or SEENSET_EINVAL. */
int ss_file_init_memory(ss_memory *memory, const seenset_open_options *options,
                        seenset_file_report *report);

/* The header of bytes that hold a whole file, and what the options add. */
int ss_file_decode(ss_header *header, ss_memory *memory, const uint8_t *bytes,
                   size_t size_bytes, const seenset_open_options *options,
                   seenset_file_report *report);

/* A set as the header describes it, with zeroed words of its own. */
int ss_file_make_empty(const ss_header *header, const ss_memory *memory,
                       bool is_shared, seenset **out,
                       seenset_file_report *report);

/* The words are all there: can they be such tables? What damage does, the sums
 * show; this is for words that were made to do harm. */
int ss_file_check_tables(const ss_header *header, const seenset *set,
                         seenset_file_report *report);

/* A payload that is not a table of its layout. */
int ss_file_refuse_slots(const ss_table_record *record,
                         seenset_file_report *report);

/* Is a set without its journal to be refused? */
bool ss_file_needs_journal(const seenset_open_options *options);

/* The end of a copying open: hands out the set, and has it tell of its capacity
 * whom the options name; or frees it if there was an error. Returns that. */
int ss_file_finish(int error, seenset *set, const seenset_open_options *options,
                   seenset **out);

/* A copying open of such bytes. */
int ss_file_copy_bytes(seenset **out, const uint8_t *bytes, size_t size_bytes,
                       const seenset_open_options *options,
                       seenset_file_report *report);

#endif
