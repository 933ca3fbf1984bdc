/*
 * lives.h - what is in the files of lives.c and file_orders.c, read in another
 * way than the library reads it: a set alone, as bytes, and the records of a
 * journal by hand.
 */
#ifndef LIVES_H
#define LIVES_H

#include "support.h"

enum {
    LIFE_SECRETS = 16, /* at most */
    LIFE_FILES = 128,
    LIFE_KEY_BYTES = 16,
    LIFE_TEXT_BYTES = 2048,
    LIFE_NOT_KILLED = -1
};

/* A folder with sets, and the keys "k0" and so on that went into them. */
typedef struct life_folder {
    test_folder folder;
    int key_count;
    uint8_t secrets[LIFE_SECRETS][SEENSET_SECRET_BYTES];
    int secret_count;
} life_folder;

/* The path of a set's file, or of a part of it such as ".log". */
char *life_path(const life_folder *of, char out[TEST_PATH_BYTES],
                const char *name, const char *part);

void life_key(char out[LIFE_KEY_BYTES], int key);

/* The files of the folder but hidden ones; how many. */
int life_list(const life_folder *of, char out[LIFE_FILES][TEST_PATH_BYTES]);

/* The bytes of a file; NULL and 0 of one that is empty or not there. */
typedef struct life_bytes {
    uint8_t *at;
    size_t count;
} life_bytes;

life_bytes life_map(const char *path);
void life_unmap(life_bytes of);

bool life_read_secret(const char *path, uint8_t out[SEENSET_SECRET_BYTES]);

/* The secrets that are in the folder, for all that follows. */
void life_find_secrets(life_folder *of);

/* The keys that a file has and that those secrets open: a bit each. */
uint64_t life_keys(const life_folder *of, const char *path);

/* The same of all files of the folder, whose secrets it finds. */
uint64_t life_look(life_folder *of);

/* Does a set answer what the files beside each other say? A fault, or NULL. */
const char *life_check_set(const life_folder *of, const char *name);

/* The keys that the set at a path has, as any program finds it beside its
 * journal and its secret; none if it does not open. */
uint64_t life_answers(const life_folder *of, const char *path);

/* ---- lives_command.c ---- */

bool life_copy(const char *from, const char *to);

/* Runs the command, with its message, and perhaps kills it. Returns its exit
 * status, or -1. */
int life_run(const life_folder *of, char *const *words, const char *input,
             int killed_after_us, char message[LIFE_TEXT_BYTES]);

/* Does a message say what to do? */
bool life_is_advice(const char *message);

#endif
