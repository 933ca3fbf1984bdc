/*
 * pump.c - see pump.h.
 *
 * There is one buffer: it is either the thread's, to be filled by one read, or
 * the reader's, until all of it was taken. `filled` is set while it is the
 * reader's; `emptied` hands it back.
 */
#include "system/windows/pump.h"

#include <process.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"

#define BUFFER_BYTES ((size_t)256 * 1024)

struct pump {
    pump *next;
    int fd;
    HANDLE filled, emptied, thread;
    size_t begin, end;
    int error;    /* errno of a read that failed */
    bool is_over; /* the thread reads no more: the end, or an error */
    char bytes[BUFFER_BYTES];
};

/* All that there are. Descriptors are numbers of the whole process. */
static struct {
    SRWLOCK lock;
    pump *first;
} pumps = {.lock = SRWLOCK_INIT};

/* Ctrl-C ends what is typed on a console, with this error. */
static ssize_t read_once(pump *to)
{
    ssize_t got = ss_io_system.read(ss_io_system.context, to->fd, to->bytes,
                                    BUFFER_BYTES);
    return got < 0 && GetLastError() == ERROR_OPERATION_ABORTED ? 0 : got;
}

static unsigned __stdcall work(void *argument)
{
    pump *to = argument;
    do {
        ssize_t got = read_once(to);
        to->error = got < 0 ? errno : 0;
        to->is_over = got <= 0;
        to->begin = 0;
        to->end = got > 0 ? (size_t)got : 0;
        SetEvent(to->filled);
    } while (!to->is_over &&
             WaitForSingleObject(to->emptied, INFINITE) == WAIT_OBJECT_0);
    return 0;
}

static void free_pump(pump *old)
{
    if (old->filled != NULL)
        CloseHandle(old->filled);
    if (old->emptied != NULL)
        CloseHandle(old->emptied);
    free(old);
}

static pump *start(int fd)
{
    pump *new = calloc(1, sizeof *new);
    if (new == NULL)
        return NULL;
    new->fd = fd;
    new->filled = CreateEventW(NULL, TRUE, FALSE, NULL);
    new->emptied = CreateEventW(NULL, FALSE, FALSE, NULL);
    if (new->filled != NULL &&new->emptied != NULL)
        new->thread = (HANDLE)_beginthreadex(NULL, 0, work, new, 0, NULL);
    if (new->thread != NULL)
        return new;
    free_pump(new);
    return NULL;
}

/* Where in the list the descriptor's is, or would be. */
static pump **find(int fd)
{
    pump **at = &pumps.first;
    while (*at != NULL && (*at)->fd != fd)
        at = &(*at)->next;
    return at;
}

pump *pump_of(int fd)
{
    if (GetFileType(ss_windows_handle(fd)) == FILE_TYPE_DISK)
        return NULL;
    AcquireSRWLockExclusive(&pumps.lock);
    pump **at = find(fd);
    if (*at == NULL)
        *at = start(fd);
    pump *found = *at;
    ReleaseSRWLockExclusive(&pumps.lock);
    return found;
}

HANDLE pump_event(const pump *from)
{
    return from->filled;
}

ssize_t pump_read(pump *from, void *bytes, size_t size)
{
    (void)WaitForSingleObject(from->filled, INFINITE);
    size_t left = from->end - from->begin;
    size_t got = size < left ? size : left;
    if (from->error != 0) {
        errno = from->error;
        return -1;
    }
    memcpy(bytes, from->bytes + from->begin, got);
    from->begin += got;
    if (from->begin == from->end && !from->is_over) {
        ResetEvent(from->filled);
        SetEvent(from->emptied);
    }
    return (ssize_t)got;
}

bool pump_may_close(int fd)
{
    bool may = true;
    AcquireSRWLockExclusive(&pumps.lock);
    pump **at = find(fd);
    pump *old = *at;
    if (old != NULL) {
        may = WaitForSingleObject(old->filled, 0) == WAIT_OBJECT_0 &&
              old->is_over;
        if (may) {
            *at = old->next;
            (void)WaitForSingleObject(old->thread, INFINITE);
            CloseHandle(old->thread);
            free_pump(old);
        }
    }
    ReleaseSRWLockExclusive(&pumps.lock);
    return may;
}
