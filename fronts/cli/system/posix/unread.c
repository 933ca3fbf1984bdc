/* unread.c - see system/unread.h. A process that ignores SIGPIPE learns it so.
 */
#include "system/unread.h"

#include <errno.h>

bool unread_is(int fd)
{
    (void)fd;
    return errno == EPIPE;
}
