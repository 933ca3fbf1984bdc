/*
 * path.h - what is at a path, and where a symbolic link leads.
 */
#ifndef SS_BASE_PATH_H
#define SS_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#define SS_PATH_MAX 4096 /* bytes of a path, with the 0 at its end */

/* What ends the name of a folder in a path. */
static inline bool ss_path_is_slash(char letter)
{
#ifdef _WIN32
    return letter == '/' || letter == '\\';
#else
    return letter == '/';
#endif
}

/* The last name of a path: what is after its last slash, or on Windows after
 * the drive (C:name). */
static inline const char *ss_path_name(const char *path)
{
    const char *name = path;
#ifdef _WIN32
    if (path[0] != '\0' && path[1] == ':')
        name = path + 2;
#endif
    for (const char *at = path; *at != '\0'; at++)
        if (ss_path_is_slash(*at))
            name = at + 1;
    return name;
}

typedef enum ss_path_kind {
    SS_PATH_NOTHING,
    SS_PATH_FILE,
    SS_PATH_FOLDER,
    SS_PATH_OTHER /* a device, a pipe, ... */
} ss_path_kind;

typedef struct ss_path_found {
    ss_path_kind kind;
    unsigned mode; /* who may do what, in the bits of chmod */
} ss_path_found;

/* Links are followed. False and errno: nobody knows. */
bool ss_path_look(const char *path, ss_path_found *out);

/* Gives an open file another mode. False and errno on failure. */
bool ss_path_set_mode(int fd, unsigned mode);

/*
 * Where the link at `path` leads, without a 0 at its end. Returns the text's
 * length, or `room` if it was cut off there; 0 if no link is there; -1 and
 * errno on failure.
 */
ptrdiff_t ss_path_read_link(const char *path, char *text, size_t room);

#endif
