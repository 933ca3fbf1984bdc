/*
 * target.h - the file that a name leads to, and names beside it.
 *
 * A set is saved by renaming a new file over the old one, and a rename does
 * not follow a symbolic link: it would replace the link. So the name is
 * followed first, from link to link, also where the last one leads to a file
 * that is not there yet. A lock on a set file follows it in the same way,
 * so that all names of one file have one lock.
 *
 * Links in the folder part of a path are left to the system: whichever way a
 * folder is reached, what is beside the file is in the same folder.
 */
#ifndef SS_FILE_TARGET_H
#define SS_FILE_TARGET_H

#include <stdbool.h>

#include "base/path.h"

/* The longest suffix that ss_target_beside takes. */
#define SS_TARGET_SUFFIX_BYTES 20

/*
 * Follows the links of `path`. False and errno: ELOOP (over 40 of them),
 * ENAMETOOLONG (also where a name beside it would be longer than a path can
 * be), or the error of readlink. That nothing is there is not an error.
 */
bool ss_target_find(char target[SS_PATH_MAX], const char *path);

/* The last part of a path, after its last slash. */
const char *ss_target_base(const char *path);

/*
 * The name ".seenset-<hash of the target's name><suffix>" in the folder of a
 * target that ss_target_find found. It is as short as that however long the
 * target's own name is, so that every file that can have a name can be saved.
 */
void ss_target_beside(char out[SS_PATH_MAX], const char *target,
                      const char *suffix);

#endif
