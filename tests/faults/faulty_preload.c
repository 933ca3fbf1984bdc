/*
 * faulty_preload.c - system calls that fail, for any program: to be preloaded.
 *
 * Counts the calls that a program makes to the files it works on and lets one
 * of them, or all from there on, do nothing and report an error, or do half
 * of their work. What the environment says:
 *
 *     FAULTY_AT       the call, from 1
 *     FAULTY_ERRNO    its errno; 0: it reads or writes half of what it should
 *     FAULTY_LASTING  set: all calls behind it too
 *     FAULTY_MALLOC   the call of malloc, from 1, that has no memory
 *     FAULTY_HIT      a file that is made when the call was reached
 *     FAULTY_TRAIL    a file to which each call that writes, syncs or renames
 *                     is added: "write 1", "fsync 3", "rename"
 *
 * The standard error stream is left alone, so that a program can complain.
 */
#undef _FILE_OFFSET_BITS /* open and open64 are two names here */
#undef _TIME_BITS
#undef _FORTIFY_SOURCE   /* which makes functions of its own of them */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REPLACES __attribute__((visibility("default")))

typedef enum outcome {
    AS_EVER,
    FAILED,
    HALVED
} outcome;

/* A function that replaces another has no argument to keep a state in. */
static struct {
    atomic_long calls;
    long at, error;
    bool is_lasting;
    atomic_long mallocs;
    long malloc_at;
} faults;

__attribute__((constructor)) static void read_environment(void)
{
    const char *at = getenv("FAULTY_AT"), *error = getenv("FAULTY_ERRNO");
    faults.at = at == NULL ? 0 : atol(at);
    faults.error = error == NULL ? 0 : atol(error);
    const char *memory = getenv("FAULTY_MALLOC");
    faults.malloc_at = memory == NULL ? 0 : atol(memory);
    faults.is_lasting = getenv("FAULTY_LASTING") != NULL;
}

static void tell(void)
{
    const char *path = getenv("FAULTY_HIT");
    if (path != NULL)
        syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, path,
                                   O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

/* Adds a call to the trail. */
static void leave_trail(const char *call, int fd)
{
    const char *path = getenv("FAULTY_TRAIL");
    char text[] = "               \n";
    size_t length = 0;
    if (path == NULL)
        return;
    for (; call[length] != '\0'; length++)
        text[length] = call[length];
    if (fd >= 0 && fd < 10)
        text[length + 1] = (char)('0' + fd);
    long to = syscall(SYS_openat, AT_FDCWD, path,
                      O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    syscall(SYS_write, to, text, sizeof text - 1);
    syscall(SYS_close, to);
}

static outcome next_call(bool can_halve)
{
    long call = ++faults.calls;
    if (faults.at == 0 || call < faults.at ||
        (call > faults.at && !faults.is_lasting))
        return AS_EVER;
    if (call == faults.at)
        tell();
    if (faults.error == 0)
        return can_halve ? HALVED : AS_EVER;
    errno = (int)faults.error;
    return FAILED;
}

/* Half of it, but not nothing: that would be the end of the file. */
static size_t half(size_t size, outcome how)
{
    return how == HALVED && size > 1 ? size / 2 : size;
}

static int open_as(const char *path, int flags, mode_t mode)
{
    if (next_call(false) == FAILED)
        return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define OPENER(name)                                                           \
    REPLACES int name(const char *path, int flags, ...)                        \
    {                                                                          \
        va_list arguments;                                                     \
        va_start(arguments, flags);                                            \
        mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;         \
        va_end(arguments);                                                     \
        return open_as(path, flags, mode);                                     \
    }
OPENER(open)
#ifndef open64 /* in musl, another name of open */
OPENER(open64)
#endif

REPLACES ssize_t read(int fd, void *bytes, size_t size)
{
    outcome how = next_call(true);
    return how == FAILED ? -1 : syscall(SYS_read, fd, bytes, half(size, how));
}

REPLACES ssize_t write(int fd, const void *bytes, size_t size)
{
    outcome how = fd == STDERR_FILENO ? AS_EVER : next_call(true);
    leave_trail("write", fd);
    return how == FAILED ? -1 : syscall(SYS_write, fd, bytes, half(size, how));
}

REPLACES ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset)
{
    outcome how = next_call(true);
    return how == FAILED
               ? -1
               : syscall(SYS_pread64, fd, bytes, half(size, how), offset);
}

REPLACES ssize_t pwrite64(int fd, const void *bytes, size_t size,
                          off64_t offset)
{
    outcome how = next_call(true);
    return how == FAILED
               ? -1
               : syscall(SYS_pwrite64, fd, bytes, half(size, how), offset);
}

REPLACES int fsync(int fd)
{
    leave_trail("fsync", fd);
    return next_call(false) == FAILED ? -1 : (int)syscall(SYS_fsync, fd);
}

REPLACES int fdatasync(int fd)
{
    return next_call(false) == FAILED ? -1 : (int)syscall(SYS_fdatasync, fd);
}

REPLACES int ftruncate64(int fd, off64_t size)
{
    return next_call(false) == FAILED ? -1
                                      : (int)syscall(SYS_ftruncate, fd, size);
}

REPLACES int rename(const char *from, const char *to)
{
    leave_trail("rename", -1);
    return next_call(false) == FAILED
               ? -1
               : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

void *__libc_malloc(size_t size);

REPLACES void *malloc(size_t size)
{
    if (faults.malloc_at == 0 || ++faults.mallocs != faults.malloc_at)
        return __libc_malloc(size);
    tell();
    errno = ENOMEM;
    return NULL;
}

/* Memory is another matter: only files' mappings fail. */
REPLACES void *mmap64(void *address, size_t size, int protection, int flags,
                      int fd, off64_t offset)
{
    if (fd >= 0 && next_call(false) == FAILED)
        return MAP_FAILED;
    long at = syscall(SYS_mmap, address, size, protection, flags, fd, offset);
    return (void *)(intptr_t)at;
}

/* For programs whose offsets have the size that they have anyway. In musl, all
 * have, and the names above are these. */
#ifndef pread64
REPLACES ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    return pread64(fd, bytes, size, offset);
}

REPLACES ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    return pwrite64(fd, bytes, size, offset);
}

REPLACES int ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}

REPLACES void *mmap(void *address, size_t size, int protection, int flags,
                    int fd, off_t offset)
{
    return mmap64(address, size, protection, flags, fd, offset);
}
#endif
