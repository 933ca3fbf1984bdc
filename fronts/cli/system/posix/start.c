/* start.c - see system/start.h. Arguments are bytes already. */
#include "system/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

/*
 * If one of the descriptors 0 to 2 is closed, the next file that is opened
 * would get its number, and messages would be written into that file. So a
 * closed one becomes /dev/null, opened such that using it is an error.
 */
static int hold_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
                return -1;
    return 0;
}

int start_process(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (hold_standard_descriptors() != 0)
        return -1;
    /* A file at the size limit (ulimit -f) is an error like any other. */
    (void)signal(SIGXFSZ, SIG_IGN);
    return 0;
}
