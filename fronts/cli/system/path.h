/*
 * path.h - the parts of a path.
 */
#ifndef SYSTEM_PATH_H
#define SYSTEM_PATH_H

#include <stdbool.h>

/* The last name of a path, which is all of it if it names no folder. */
const char *path_name(const char *path);

/* The folder part of a path: "." if it has none. To be freed; NULL and errno if
 * there is no memory. */
char *path_folder(const char *path);

/* Does it lead to the same place from any folder? */
bool path_is_absolute(const char *path);

#endif
