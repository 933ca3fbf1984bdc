/*
 * private_file.h - a file that only its owner may read.
 */
#ifndef SYSTEM_WINDOWS_PRIVATE_FILE_H
#define SYSTEM_WINDOWS_PRIVATE_FILE_H

/* Makes it, to be written. Returns a descriptor, or -1 and errno: EEXIST if the
 * name is taken. */
int private_file_open(const char *path);

#endif
