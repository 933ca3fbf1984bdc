/*
 * target.h - the file that a name leads to, for the files beside a set.
 *
 * A set file may have several names: symbolic links lead to it. Its lock and
 * its secret are files beside it, and every name has to lead to the same ones.
 * So the links are followed first, one after the other, also where the last
 * one leads to a file that does not exist yet. seenset_save finds the file
 * that it replaces in the same way.
 *
 * Links in the folder part of a path are left to the system: whichever way a
 * folder is reached, the files beside the set are in it.
 */
#ifndef TARGET_H
#define TARGET_H

/*
 * Follows the links of `path`. Returns the name of the file, to be freed; or
 * NULL and errno: ELOOP for more than 40 links, ENOMEM, or what readlink(2)
 * reports. It is not an error if there is no such file.
 */
char *target_of(const char *path);

/*
 * The name of a file beside the target: the target's name and the suffix.
 * Where that would be longer than a name can be, it is ".seenset-", a hash of
 * the target's name and the suffix. To be freed; NULL and errno: ENOMEM.
 */
char *target_beside(const char *target, const char *suffix);

#endif
