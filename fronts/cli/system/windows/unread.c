/* unread.c - see system/unread.h. The C library forgets the error of an earlier
 * write; but a write to a pipe fails for no other reason. */
#include "system/unread.h"

#include "base/windows/handle.h"

bool unread_is(int fd)
{
    return errno == EPIPE ||
           GetFileType(ss_windows_handle(fd)) == FILE_TYPE_PIPE;
}
