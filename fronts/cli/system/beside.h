/*
 * beside.h - a new file in the folder of one that it will replace.
 *
 * Where the system can, nothing is left of it when the command is killed before
 * the file is whole: it has no name until then, or one that goes with it.
 */
#ifndef SYSTEM_BESIDE_H
#define SYSTEM_BESIDE_H

#include <stdbool.h>

/*
 * Makes the file, empty, to be written. target: what it will replace, whose
 * mode and owner it gets as far as that is possible. name: a path in the same
 * folder that ends with "XXXXXX", which are changed. *is_named: it has that
 * name by now, and the caller removes it when it is not wanted any more.
 * Returns a descriptor, or -1 and errno.
 */
int beside_open(const char *target, char *name, bool *is_named);

/* The file is whole: gives it its name, if it has none. Returns 0, or -1 and
 * errno. Afterwards it is the caller's to rename or remove. */
int beside_keep(int fd, char *name);

/* Can a file be replaced while this process has it open? */
bool beside_replaces_open(void);

#endif
