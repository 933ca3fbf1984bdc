/*
 * seenset/error.h - every way in which a call can fail.
 *
 * A function that can fail returns one of these negative numbers. They are
 * part of the ABI: a number never changes its meaning, and new errors go to
 * the end.
 */
#ifndef SEENSET_ERROR_H
#define SEENSET_ERROR_H

#include "seenset/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum seenset_error {
    /* No error. */
    SEENSET_OK = 0,
    /* An argument is missing (NULL) or outside its range. */
    SEENSET_EINVAL = -1,
    /* Out of memory. */
    SEENSET_ENOMEM = -2,
    /* The size is over the limit of 2^53 bits, or there are too many tables. */
    SEENSET_ETOOBIG = -3,
    /* These sizes cannot keep the false-positive rate. */
    SEENSET_ERATE = -4,
    /* The set is at its capacity, and it refuses new keys. */
    SEENSET_EFULL = -5,
    /* The layout, the hash or the machine cannot do this. */
    SEENSET_EUNSUPPORTED = -6,
    /* The set is a read-only view; open a copy to change it. */
    SEENSET_EREADONLY = -7,
    /* Two sets, or a set and what was asked for, are not alike. */
    SEENSET_EMISMATCH = -8,
    /* A system call failed, and errno says how; or a caller's function did. */
    SEENSET_EIO = -9,
    /* The file is not a seenset file. */
    SEENSET_EFORMAT = -10,
    /* A seenset file whose version this library cannot read. */
    SEENSET_EVERSION = -11,
    /* The file ends before its own header says that it should. */
    SEENSET_ETRUNCATED = -12,
    /* The file is damaged: a checksum or a field is wrong. */
    SEENSET_ECORRUPT = -13,
    /* The file was made with another hash function. */
    SEENSET_EHASH = -14,
    /* The buffer is too small; the size that is needed was stored. */
    SEENSET_ESPACE = -15,
    /* Another process, or another handle, has the queue open. */
    SEENSET_EINUSE = -16,
    /* The queue's log is damaged; seenset_queue_verify says where. */
    SEENSET_EDAMAGED = -17,
    /* A sync failed before; close the queue and open it again. */
    SEENSET_EPOISONED = -18,
    /* No such lease, or it ended and the item went to another. */
    SEENSET_ELEASE = -19,
    /* Not a URL, and this queue takes nothing else. */
    SEENSET_EURL = -20,
    /* The set is keyed, and this is not its secret. */
    SEENSET_ESECRET = -21,
    /* The set's journal, the .log beside its file, is missing or another's. */
    SEENSET_EJOURNAL = -22,
    /* The host has all the URLs that its budget allows. */
    SEENSET_EBUDGET = -23
} seenset_error;

/*
 * One sentence in English for an error, such as "out of memory"; for a number
 * that is not an error, "unknown error". Never NULL; the text is static.
 * Threads: any time.
 */
SEENSET_API const char *seenset_strerror(int error);

/*
 * The name of an error, such as "SEENSET_EFULL"; for a number that is not an
 * error, "unknown". Never NULL; the text is static. Threads: any time.
 */
SEENSET_API const char *seenset_error_name(int error);

#ifdef __cplusplus
}
#endif
#endif
