/*
 * new_file.h - a file under a new name, which goes when it is closed.
 */
#ifndef SYSTEM_WINDOWS_NEW_FILE_H
#define SYSTEM_WINDOWS_NEW_FILE_H

/* name: a path that ends with "XXXXXX", which are changed. Windows removes the
 * file when it is closed, in whatever way the process ends. Returns a
 * descriptor, to be read and written, or -1 and errno. */
int new_file_open(char *name);

/* It stays. Returns 0, or -1 and errno. */
int new_file_keep(int fd);

#endif
