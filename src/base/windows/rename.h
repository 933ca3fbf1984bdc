/*
 * rename.h - what io.c's table has for rename and unlink.
 */
#ifndef SS_BASE_WINDOWS_RENAME_H
#define SS_BASE_WINDOWS_RENAME_H

/* Gives a file another name, whatever had that name before. The new name is on
 * the disk when this returns. 0, or -1 and errno. */
int ss_windows_rename(const char *from, const char *to);

/* Removes a file. 0, or -1 and errno: EISDIR for a folder. */
int ss_windows_unlink(const char *path);

#endif
