/*
 * seenset/error.h - every way a call can fail, said once.
 *
 * A function that can fail returns one of these negative numbers. The list
 * below makes the enum, the names and the texts, so the three cannot drift
 * apart. Numbers are part of the ABI: new errors go to the end.
 */
#ifndef SEENSET_ERROR_H
#define SEENSET_ERROR_H

#if defined(__GNUC__)
#define SEENSET_API __attribute__((visibility("default")))
#else
#define SEENSET_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, number, text) */
#define SEENSET_ERRORS(X)                                                      \
    X(OK, 0, "success")                                                        \
    X(EINVAL, -1, "an argument is missing or outside its range")               \
    X(ENOMEM, -2, "out of memory")                                             \
    X(ETOOBIG, -3, "the size asked for is over the limit of 2^53 bits")        \
    X(ERATE, -4, "the false-positive rate cannot be kept with these sizes")    \
    X(EFULL, -5, "the set is at its capacity and refuses new keys")            \
    X(EUNSUPPORTED, -6, "the layout or the machine cannot do this")            \
    X(EREADONLY, -7, "the set is a read-only view; open a copy to change it")  \
    X(EMISMATCH, -8, "the sets differ in layout, size or hash")                \
    X(EIO, -9, "a system call failed; errno says which way")                   \
    X(EFORMAT, -10, "not a seenset file")                                      \
    X(EVERSION, -11, "a seenset file of a version this library cannot read")   \
    X(ETRUNCATED, -12, "the file ends before its own header says it should")   \
    X(ECORRUPT, -13, "the file is damaged: a checksum or a field is wrong")    \
    X(EHASH, -14, "the file was made with another hash function")              \
    X(ESPACE, -15, "the buffer is too small; the size needed was stored")      \
    X(EINUSE, -16, "another process has the queue open")                       \
    X(EDAMAGED, -17, "the queue's log is damaged; verify says where")          \
    X(EPOISONED, -18, "a sync failed before; close the queue and open it")     \
    X(ELEASE, -19, "no such lease, or it ended and the item went to another")  \
    X(EURL, -20, "not a URL, and this queue takes nothing else")               \
    X(ESECRET, -21, "the set is keyed, and this is not its secret")

typedef enum seenset_error {
#define SEENSET_ERROR_ENUM(name, number, text) SEENSET_##name = (number),
    SEENSET_ERRORS(SEENSET_ERROR_ENUM)
#undef SEENSET_ERROR_ENUM
} seenset_error;

/*
 * One sentence in English for an error, never NULL; for any other number,
 * "unknown error". The text is static.
 */
SEENSET_API const char *seenset_strerror(int error);

/* The error's name, such as "SEENSET_EFULL"; "unknown" for other numbers. */
SEENSET_API const char *seenset_error_name(int error);

#ifdef __cplusplus
}
#endif
#endif
