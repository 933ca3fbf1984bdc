/*
 * file.h - save, open and verify over any table of file operations; the
 * public calls are these over the system's.
 */
#ifndef SS_FILE_FILE_H
#define SS_FILE_FILE_H

#include "base/io.h"
#include "seenset/seenset.h"

int ss_file_save(const ss_io *io, const seenset *set, const char *path);

/* A file of these bytes, saved in the same way. 0 or SEENSET_EIO. */
int ss_file_save_bytes(const ss_io *io, const void *bytes, size_t size_bytes,
                       const char *path);

/*
 * The bytes of a file to a descriptor, and nothing else: syncing and naming
 * are the caller's. 0 or SEENSET_EIO.
 */
SS_EXPORT int ss_file_write(const ss_io *io, int fd, const seenset *set);

/*
 * A copying open. made: the options of the kind of set that it must be, else
 * SEENSET_EMISMATCH; NULL: any will do. The report is filled in on error.
 */
int ss_file_load(const ss_io *io, const seenset_open_options *options,
                 const seenset_options *made, seenset **out, const char *path,
                 seenset_file_report *report);
int ss_file_load_with(const ss_io *io, const seenset_open_options *options,
                      seenset **out, const char *path);

/*
 * The same for a file that must hold a set that these options make, in memory
 * from their allocator. SEENSET_EMISMATCH: it is of another kind.
 */
SS_EXPORT int ss_file_load_as(const ss_io *io, const seenset_options *made,
                              seenset **out, const char *path);

/*
 * The same at once: the words are the file's pages, mapped so that a change of
 * the set does not change the file. Only its header is checked, and of tables
 * that grow in place their directory; the rest of these when it is first read.
 */
SS_EXPORT int ss_file_map_as(const ss_io *io, const seenset_options *made,
                             seenset **out, const char *path);

SS_EXPORT int ss_file_verify_as(const ss_io *io, const seenset_options *made,
                                const char *path, seenset_file_report *report);

int ss_file_verify(const ss_io *io, const char *path,
                   seenset_file_report *report);

#endif
