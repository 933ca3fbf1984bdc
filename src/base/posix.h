/*
 * posix.h - the types and constants of POSIX that the table of file operations
 * (io.h) is written in: ssize_t, mode_t, struct stat.
 *
 * This header and the files in posix/ are all of the core that depends on an
 * operating system; those in linux/ replace some of them there. Another system
 * has files of the same names in a folder of its own, as windows/ is. A test
 * (tests/project/platform.sh) sees that nothing else asks for a system.
 */
#ifndef SS_BASE_POSIX_H
#define SS_BASE_POSIX_H

#include <sys/stat.h>
#include <sys/types.h>

#ifdef _WIN32
#include <errno.h>
#ifndef stat
#define stat _stat64 /* whose sizes have 64 bits, whatever off_t has */
#endif
#ifndef ESTALE
#define ESTALE 10070 /* which Windows has for sockets only */
#endif
#endif

#endif
