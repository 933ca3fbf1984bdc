/*
 * seenset/file.h - sets saved, opened, checked and sent.
 *
 * A set has the same bytes wherever it is written: to a file (seenset_save), to
 * memory (seenset_write_bytes) or through a function of the caller's
 * (seenset_write). docs/format.md describes every byte of them.
 *
 * Programs that take the library in as two files can define SEENSET_NO_FILES
 * (docs/embedding.md), which leaves out the calls that have a path.
 *
 * seenset/seenset.h includes this header, and has the rules for NULL and
 * for threads.
 */
#ifndef SEENSET_FILE_H
#define SEENSET_FILE_H

#include "seenset/base.h"
#include "seenset/error.h"
#include "seenset/hash.h"
#include "seenset/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where and why a file was refused. */
typedef struct seenset_file_report {
    uint64_t file_bytes;  /* the file's length; of a stream, of the set in it */
    uint64_t offset;      /* byte offset of the field or block at fault */
    char reason[120];     /* what was wrong, one line; "" if nothing */
    uint64_t reserved[4]; /* 0 */
} seenset_file_report;

/* ---- opening ---- */

/*
 * SEENSET_OPEN_VIEW: read-only and without a copy, over the mapped file or the
 * caller's bytes. The header and every size are checked when it is opened,
 * which takes the same time for any size of set. Each block of 4096 bytes is
 * checked when it is first touched, and calls that touch a damaged block return
 * SEENSET_ECORRUPT each time. The check takes a bit of memory for each block.
 * Once all blocks were touched, a view is as fast as any set. For a table that
 * grows in place the directory is read when it is opened: 8 bytes for each
 * segment of 36 to 64 KiB, which become 136 bytes of memory; and a segment is
 * checked whole.
 *
 * A big-endian machine has its words in another order than the file. There a
 * view, an unchecked one too, is read into memory when it is opened, with every
 * checksum checked: seenset_get_info reports it by is_copied. It is read-only
 * as any view, and costs what a copy costs.
 *
 * SEENSET_OPEN_UNCHECKED: a view whose blocks are trusted. A damaged file gives
 * wrong answers. The segments of an expandable table are still checked, because
 * a lookup follows the counts in them, but not their checksums; damage in them
 * is reported as in a checked view. Files of the format versions 1 and 2 have
 * no checksums of blocks, so any view of one is unchecked: check it with
 * seenset_verify.
 *
 * SEENSET_OPEN_COPY: read whole, with every checksum checked, into memory of
 * its own. The set can be changed; the file stays as it is until seenset_save.
 *
 * SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED: a copy that threads can add to at
 * once.
 *
 * SEENSET_OPEN_APPEND: a set to which keys can be added without reading the
 * file or writing it again. It is a checked view whose changes are its own, and
 * seenset_append makes them durable. Only keys can be added; other calls that
 * change a set return SEENSET_EREADONLY while it is mapped. One thread at a
 * time may use it, also to ask.
 *
 * It starts as a copy, read whole, if no journal is possible: for sets with an
 * index scheme, sealed sets, files of the format versions 1 and 2, files under
 * 1 MiB, and on big-endian machines. It becomes a copy when a key is added that
 * the newest table or the journal has no room for, or that makes a window turn.
 * That add takes as long as reading the file, and returns SEENSET_ECORRUPT if
 * the file is damaged anywhere, or SEENSET_ENOMEM.
 */
#define SEENSET_OPEN_VIEW UINT32_C(0)
#define SEENSET_OPEN_COPY (UINT32_C(1) << 8)
#define SEENSET_OPEN_UNCHECKED (UINT32_C(1) << 9)
#define SEENSET_OPEN_APPEND (UINT32_C(1) << 10)

/*
 * With any of those: open a set even if its journal is missing, another set's
 * or damaged, with the keys of the journal that can be read.
 * seenset_get_info reports in journal_missing_items how many keys may be
 * missing at most. Where the journal is sound, the flag changes nothing. The
 * file stays as it is until it is saved; seenset_append saves such a set whole,
 * and then it has no journal any more.
 */
#define SEENSET_OPEN_WITHOUT_JOURNAL (UINT32_C(1) << 11)

/*
 * With a view or a copy that is not shared: open a keyed set even if its secret
 * is not given, for its figures. Such a set is read-only. Calls that ask for a
 * key, copy the set or change it return SEENSET_ESECRET, or
 * SEENSET_EUNSUPPORTED where no keyed set or none of the layout has them; those
 * of seenset/algebra.h, to which it is the other set, SEENSET_EMISMATCH. It can
 * be saved, with the same bytes. Where the secret is given, and for a set that
 * is not keyed, the flag changes nothing.
 */
#define SEENSET_OPEN_WITHOUT_SECRET (UINT32_C(1) << 12)

/* How to open a set. Start from {0} and name what you care about. */
typedef struct seenset_open_options {
    const uint8_t *secret; /* SEENSET_SECRET_BYTES; only of a keyed set */
    seenset_index_function *index_function; /* only SEENSET_SCHEME_CALLER */
    void *index_context;
    const seenset_allocator *allocator;     /* NULL: the C library's */
    seenset_file_report *report;            /* NULL, or always filled in */
    seenset_capacity_function *at_capacity; /* of a copy, as in seenset_options;
                                               a view takes no keys */
    void *at_capacity_context;
    uint32_t flags;       /* one line of those above, and perhaps the last two;
                             default a view */
    uint32_t reserved32;  /* must be 0 */
    uint64_t reserved[4]; /* must be 0 */
} seenset_open_options;

#ifndef SEENSET_NO_FILES
/*
 * Opens a file that seenset_save wrote. options NULL means a checked view.
 *
 * If the file has a journal (seenset_append), its keys are in the set, however
 * it is opened. A file whose journal is missing, as after a copy of the file
 * alone, is refused with SEENSET_EJOURNAL, unless flags have
 * SEENSET_OPEN_WITHOUT_JOURNAL; if the journal itself is at fault, the report's
 * offset and length are the journal's. A journal that is put back beside its
 * set is used again, also beside an older copy of the file that has the same
 * keys but does not mention the journal yet.
 *
 * The file of a view must not be changed in place or truncated while it is
 * open; seenset_save never does either, and seenset_append changes one byte of
 * the header, which a view no longer reads.
 *
 * Returns 0 and the set in *out, to be freed with seenset_free; or
 *     SEENSET_EINVAL        out or path is NULL; flags that do not go together;
 *                           a reserved field is not 0; the allocator lacks a
 *                           function
 *     SEENSET_EIO           the file cannot be read: errno
 *     SEENSET_EFORMAT       not a seenset file
 *     SEENSET_EVERSION      a version that this library does not know
 *     SEENSET_ETRUNCATED    the file is too short
 *     SEENSET_ECORRUPT      a field or a checksum is wrong
 *     SEENSET_EJOURNAL      the file's journal is missing or another set's
 *     SEENSET_ESECRET       the set is keyed, and the secret is missing or not
 *                           its own; or it is not keyed, and one is given
 *     SEENSET_EHASH         index_function is missing, is given for another
 *                           scheme, or gives other indices than the writer's
 *     SEENSET_EUNSUPPORTED  SEENSET_FLAG_SHARED for a set that cannot be shared
 *     SEENSET_ENOMEM        no memory; for a view: for its checks
 *
 * Cost: a view takes constant time, except for the directory of an expandable
 * table, and under a microsecond for each key of a journal. Such a key is set
 * in its block when that is first touched, or kept as a hash if the newest
 * table grows in place. A copy reads the file once. Threads: any time.
 */
SEENSET_API int seenset_open(seenset **out, const char *path,
                             const seenset_open_options *options);
#endif

/*
 * Opens a set from the size_bytes bytes at `bytes`, which hold what
 * seenset_save or seenset_write wrote and nothing else. options NULL means a
 * checked view.
 *
 * A view borrows the bytes: they must stay unchanged until seenset_free, and
 * begin at a multiple of 8 (of 64 for full speed). A copy takes them from any
 * address.
 *
 * If the file has a journal, its bytes are refused with SEENSET_EJOURNAL,
 * unless flags have SEENSET_OPEN_WITHOUT_JOURNAL: compact the file first.
 *
 * Returns as seenset_open, except SEENSET_EIO; SEENSET_EINVAL also if `bytes`
 * is NULL or, of a view, at another address; SEENSET_ECORRUPT also if there are
 * bytes after the set's end. Cost: as seenset_open. Threads: any time.
 */
SEENSET_API int seenset_open_bytes(seenset **out, const void *bytes,
                                   size_t size_bytes,
                                   const seenset_open_options *options);

/* ---- saving ---- */

#ifndef SEENSET_NO_FILES
/*
 * Writes the set to a file, whole or not at all: to a temporary file in the
 * same folder, which is synced (fsync) and renamed over `path`; then the folder
 * is synced. An existing file keeps its mode. A symbolic link stays as it is:
 * the file that it points to is replaced, or made if there is none. If a file
 * has several hard links, only the given name gets the new one. Views of the
 * old file keep what they had.
 *
 * The journal of the file that is replaced is removed. A journal of that name
 * that belongs to another set, which was moved away without it, is kept: it is
 * renamed to "path", ".log.of-" and its set's checksum in 16 hexadecimal
 * digits.
 *
 * Any number of processes and threads may save to one path at once: each save
 * is whole, and the last one stays. A process that is killed while it saves
 * leaves the old file, and the temporary one, ".seenset-" and digits, which the
 * next save to that path removes. The temporary file is locked (flock) while it
 * is written; on a file system without locks it stays after a kill.
 *
 * Threads may add to a SEENSET_FLAG_SHARED set during the call: each key that
 * was added before it is in the file, and some of those added during it.
 *
 * Returns 0, SEENSET_EINVAL (set or path is NULL), SEENSET_ENOMEM,
 * SEENSET_ECORRUPT (a checked view of a damaged file; nothing was written) or
 * SEENSET_EIO (errno; ENAMETOOLONG: the folder's path is within 46 bytes of
 * PATH_MAX). An error leaves the old file as it was and no temporary file; only
 * if the last sync, of the folder, fails is the new file already in place.
 * A program with a limit on the size of files (RLIMIT_FSIZE) should ignore
 * SIGXFSZ, which would end it; the call then fails with EFBIG.
 * Cost: reads the set once, and waits for the disk; a view whose journal has
 * keys for a table that grows in place is copied first. Threads: asks.
 */
SEENSET_API int seenset_save(const seenset *set, const char *path);
#endif

/*
 * Writes the bytes of the set to memory. On entry *size_bytes is the room at
 * `bytes`, on return the bytes written. If the room is too small, or `bytes` is
 * NULL, stores the room that is needed in *size_bytes.
 *
 * Threads may add to a SEENSET_FLAG_SHARED set during the call, as for
 * seenset_save.
 *
 * Returns 0, SEENSET_ESPACE (the room is too small), SEENSET_EINVAL (set or
 * size_bytes is NULL), SEENSET_ECORRUPT (a checked view of a damaged file) or
 * SEENSET_ENOMEM (for the copy that seenset_save makes of some views).
 * Cost: as seenset_save, also to learn the room. Threads: asks.
 */
SEENSET_API int seenset_write_bytes(const seenset *set, void *bytes,
                                    size_t *size_bytes);

/* ---- a few keys more ---- */

#ifndef SEENSET_NO_FILES
/*
 * Makes durable the keys that were added to a set opened with
 * SEENSET_OPEN_APPEND; path is the file that it was opened from. One key is
 * added to a file of any size in milliseconds:
 *
 *     seenset_open(&set, path, &options)     .flags = SEENSET_OPEN_APPEND
 *     seenset_add(set, key, key_len)         1: new; any number of keys
 *     seenset_append(set, path)              0: it is on the disk
 *
 * Repeat seenset_add and seenset_append for as long as the set is open.
 *
 * The hashes of the new keys go to the end of a journal beside the file, "path"
 * and ".log", which is synced. From then on the file and its journal belong
 * together: move and copy both, or seenset_compact first. A journal of that
 * name that is another set's is renamed first, as by seenset_save. A library
 * that does not know journals refuses such a file with SEENSET_EVERSION.
 *
 * The journal has room for 65,536 keys. It has room for fewer if a key touches
 * more than two blocks of the file, because they touch at most 131,072 in all
 * (18,724 keys of a bloom set of seven hashes); and if the file is under
 * 12.6 MB, because 24 bytes a key make at most an eighth of its length. One
 * call appends up to 4,096 keys. With more, if the set is a copy, or if a
 * journal is not possible (the file is not writable, or another file has the
 * name), the set is saved as by seenset_save, and the journal is removed.
 *
 * Any number of processes and threads may append to one file, each with a set
 * of its own, which then has the keys of the others, too. Where no journal is
 * possible, a set does not get them: once another one has appended, the call
 * returns SEENSET_EMISMATCH. A crash loses nothing for which 0 was returned,
 * and leaves the file and its journal sound.
 *
 * Returns 0 (also if nothing was added); or, with the file and its journal as
 * they were,
 *     SEENSET_EINVAL        set or path is NULL
 *     SEENSET_EUNSUPPORTED  the set was not opened with SEENSET_OPEN_APPEND
 *     SEENSET_EINUSE        another append is at work: call again
 *     SEENSET_EMISMATCH     the file was saved again since: open it again, and
 *                           add the keys that were not yet appended
 *     SEENSET_EJOURNAL      the journal is gone, or another set's now
 *     SEENSET_EIO           errno
 *     SEENSET_ENOMEM, SEENSET_ECORRUPT, SEENSET_ETRUNCATED, SEENSET_EVERSION
 *                           of the file, which has to be saved whole, or of
 *                           the journal
 * Cost: one sync; the first time three more; and reading what others appended.
 * A save reads and writes the whole file. Threads: changes.
 */
SEENSET_API int seenset_append(seenset *set, const char *path);

/*
 * Saves the file with the keys of its journal, and removes the journal: for
 * backups, and before a file is sent, moved or given to an older library. A
 * file without a journal is not changed. options may be NULL; the secret, the
 * allocator and the report are used, and flags must be 0 or
 * SEENSET_OPEN_WITHOUT_JOURNAL.
 * Returns 0, or an error of seenset_open or seenset_append.
 * Cost: reads and writes the whole file, if it has a journal. Threads: any
 * time.
 */
SEENSET_API int seenset_compact(const char *path,
                                const seenset_open_options *options);
#endif

/* ---- streams ---- */

/*
 * Takes the next size_bytes bytes (at least 1, at most 64 KiB) of the set being
 * written. context is the one given to seenset_write. Returns 0 when all of
 * them were taken; any other number ends the call.
 */
typedef int seenset_write_function(void *context, const void *bytes,
                                   size_t size_bytes);

/*
 * Writes the bytes of the set, the same as seenset_save, from first to last
 * through the caller's function: to a socket, a pipe, into another file.
 *
 * Two kinds of sets are copied first, with memory of their allocator. One is a
 * SEENSET_FLAG_SHARED set: the sums of all bytes go out before the bytes, and
 * threads may be adding. The other is a view whose journal has keys for a table
 * that grows in place. All others are written from where they are.
 *
 * Returns 0; SEENSET_EINVAL (set or write is NULL); SEENSET_ECORRUPT (a checked
 * view of a damaged file; nothing was written); SEENSET_ENOMEM (for such a
 * copy; nothing was written); or SEENSET_EIO (write did not return 0; errno is
 * as it left it). Cost: reads the set three times. Threads: asks.
 */
SEENSET_API int seenset_write(const seenset *set, seenset_write_function *write,
                              void *context);

/*
 * Writes size_bytes bytes (0: none) of the output of seenset_write, from byte
 * number `offset` on: for a set that is sent in parts, each on request.
 * seenset_write_bytes with NULL stores how many there are. The parts are a
 * whole set only if nothing changed it between them; of another one the
 * checksums are wrong, and it is refused when it is opened.
 *
 * Returns as seenset_write, and SEENSET_EINVAL for a part that ends past the
 * last byte. Cost: copies what seenset_write copies, for each part; reads the
 * bytes of tables that are asked for. A part with the first byte reads the set
 * once, as the header has the sums of all of it; a byte of the block sums at
 * the end reads 512 bytes. Threads: asks.
 */
SEENSET_API int seenset_write_part(const seenset *set, uint64_t offset,
                                   size_t size_bytes,
                                   seenset_write_function *write,
                                   void *context);

/*
 * Stores the next bytes of a stream, at least 1 and at most size_bytes, which
 * is at most 1 MiB. context is the one given to seenset_read. Returns how many
 * bytes it stored, fewer than asked for if need be, 0 at the stream's end, or a
 * negative number for an error.
 */
typedef int64_t seenset_read_function(void *context, void *bytes,
                                      size_t size_bytes);

/*
 * Reads a set through the caller's function, as a copy: every checksum is
 * checked, and the set can be changed. Exactly the bytes of the set are asked
 * for, so what follows it in the stream can be read next, another set for
 * example. options may be NULL; flags may be 0 or SEENSET_OPEN_COPY, which are
 * the same here, or SEENSET_OPEN_COPY | SEENSET_FLAG_SHARED; and
 * SEENSET_OPEN_WITHOUT_JOURNAL.
 *
 * Memory for the set is taken once its header was read and checked, so a stream
 * from a sender whom you do not trust can ask for any amount: use an allocator
 * with a limit.
 *
 * Returns 0 and the set in *out, to be freed with seenset_free; SEENSET_EINVAL
 * (out or read is NULL, and as seenset_open), SEENSET_EIO (read returned a
 * negative number, or more than it was asked for; errno is as it left it),
 * SEENSET_ETRUNCATED (the stream ended inside the set; SEENSET_EFORMAT if it
 * ended before it looked like one), or as seenset_open for a copy. After an
 * error the stream is somewhere inside the set. Cost: one pass; in addition to
 * the set, 1/512 of its size during the call. Threads: any time.
 */
SEENSET_API int seenset_read(seenset **out, seenset_read_function *read,
                             void *context,
                             const seenset_open_options *options);

/* ---- checking ---- */

#ifndef SEENSET_NO_FILES
/*
 * Checks a whole file: its header, every size, every checksum. report may be
 * NULL; it is filled in whatever is returned.
 * Returns 0 when the file is sound, SEENSET_EINVAL (path is NULL), or
 * SEENSET_EIO, SEENSET_EFORMAT, SEENSET_EVERSION, SEENSET_ETRUNCATED,
 * SEENSET_ECORRUPT, or SEENSET_EJOURNAL (the file itself is sound) as
 * seenset_open. The secret of a keyed set is not needed.
 * Cost: reads the file once, in constant memory. Threads: any time.
 */
SEENSET_API int seenset_verify(const char *path, seenset_file_report *report);
#endif

#ifdef __cplusplus
}
#endif
#endif
