/*
 * map.h - a file as memory: its pages are read when they are first touched.
 */
#ifndef SS_BASE_MAP_H
#define SS_BASE_MAP_H

#include <stddef.h>

/* The first size_bytes bytes of an open file, to be read only. The file may be
 * closed afterwards. NULL and errno on failure. */
void *ss_map_file(int fd, size_t size_bytes);

/* The same to be written, too, which the file does not see. A page takes memory
 * of its own once it is written. */
void *ss_map_file_as_copy(int fd, size_t size_bytes);

/* The same where few pages will be written: no memory is set aside for all. */
void *ss_map_file_for_few(int fd, size_t size_bytes);

/* Ends a mapping; NULL allowed. */
void ss_map_end(void *mapping, size_t size_bytes);

#endif
