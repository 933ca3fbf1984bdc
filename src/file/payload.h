/*
 * payload.h - a table's bytes in a file, whatever its layout: words from end to
 * end, or the image of one that grows in place (expand/image.h).
 */
#ifndef SS_FILE_PAYLOAD_H
#define SS_FILE_PAYLOAD_H

#include "file/header/header.h"
#include "file/sums.h"

/* Gives the payload's next bytes. 0 or an error, which was reported. */
typedef int ss_payload_source(void *context, uint8_t *bytes, size_t size_bytes,
                              uint64_t done);

/* Reads a payload into a new table, as bytes: more memory for it as they come,
 * where it grows in place. */
int ss_payload_read(const ss_table_record *record, ss_table *table,
                    ss_payload_source *source, void *context,
                    seenset_file_report *report);

/* Checks what was read by its sums and checksum, and makes the table of it. 0,
 * SEENSET_ECORRUPT or another error of seenset_open. */
int ss_payload_accept(ss_sums *sums, const ss_table_record *record,
                      ss_table *table, seenset_file_report *report);

/* What else than its sums and checksum there is to check of a payload in the
 * file of `sums`, which is read for it. Constant memory. */
int ss_payload_verify(const ss_sums *sums, const ss_table_record *record,
                      seenset_file_report *report);

#endif
