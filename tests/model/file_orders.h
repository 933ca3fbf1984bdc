/*
 * file_orders.h - a folder with two sets as which content is in which of its
 * files, so that what people do to files costs nothing and equal folders are
 * known as equal; see file_orders.c.
 */
#ifndef FILE_ORDERS_H
#define FILE_ORDERS_H

#include "lives.h"

enum {
    ORDER_KEYS = 8,
    ORDER_NAMES = 2,
    ORDER_PARTS = 4, /* set, journal, secret, lock */
    ORDER_SLOTS = ORDER_NAMES * ORDER_PARTS,
    ORDER_ASIDES = 4, /* files of other names, at most */
    ORDER_SECRETS = 128,
    ORDER_CONTENTS = 2048,
    ORDER_ASIDE_NAMES = 512
};

/* Where an act finds and leaves files: the two sets, and the backup. */
enum {
    ORDER_A = 0,
    ORDER_OLD = 1,
    ORDER_BACKUP = 2,
    ORDER_ALL_PARTS = ORDER_PARTS
};

/* In the order of names: a set's place is ORDER_PARTS times its name. */
extern const char *const order_names[ORDER_NAMES];
extern const char *const order_parts[ORDER_PARTS];

/* 0: there is no such file. An aside is a journal that a command renamed. */
typedef struct order_folder {
    uint16_t slots[ORDER_SLOTS];
    uint16_t aside_names[ORDER_ASIDES]; /* rising, and 0 at the end */
    uint16_t asides[ORDER_ASIDES];
} order_folder;

typedef struct order_content {
    uint64_t hash, size_bytes;
    uint64_t plain;                /* keys that it has without a secret, */
    uint64_t under[ORDER_SECRETS]; /* and under each secret */
    int tried;                     /* so many secrets */
    int secret;                    /* which one it is; -1: none */
} order_content;

typedef struct order_store {
    life_folder in;    /* the folder where the command runs */
    order_folder disk; /* what is in it, */
    uint64_t inodes[ORDER_SLOTS + ORDER_ASIDES]; /* and in which files */
    test_folder copies;                          /* a file for each content */
    order_content contents[ORDER_CONTENTS];
    int content_count; /* content 0 is none */
    uint8_t secrets[ORDER_SECRETS][SEENSET_SECRET_BYTES];
    int secret_count;
    char aside_names[ORDER_ASIDE_NAMES][TEST_PATH_BYTES];
    int aside_name_count;
} order_store;

void order_store_make(order_store *of);
void order_store_remove(order_store *of);

/* Makes the folder what it is to be, and finds what it is. */
void order_put(order_store *of, const order_folder *to);
void order_take(order_store *of, order_folder *out);

/* Without the files of other names; an aside is one of its set. */
order_folder order_only(const order_store *of, const order_folder *from,
                        unsigned which_names);

/* The keys that a content, or any file of a folder, has, by secrets that are in
 * the folder. */
uint64_t order_keys_of(order_store *of, const order_folder *in, int content);
uint64_t order_held(order_store *of, const order_folder *in);

/* ---- the acts: file_orders_acts.c ---- */

enum {
    ORDER_DEEDS = 8,
    ORDER_COMMANDS = 10
};

/* What people do to one file, or to all that belong to a set. */
typedef struct order_deed {
    const char *verb;
    int from, to; /* ORDER_A, ORDER_OLD, ORDER_BACKUP; to -1: nowhere */
    bool stays;   /* a copy */
} order_deed;

/* What the command does, to one name: people do the same to both. S, T: the set
 * and the other set; K: a new key. */
typedef struct order_command {
    const char *words[6];
    bool has_two; /* it may change the files of both */
} order_command;

typedef struct order_run {
    const order_command *command;
    order_folder before, after;
    int key; /* that it adds, or -1 */
    int status;
    char message[LIFE_TEXT_BYTES];
} order_run;

extern const order_deed order_deeds[ORDER_DEEDS];
extern const order_command order_commands[ORDER_COMMANDS];

/* To one part of a set, or to ORDER_ALL_PARTS. */
void order_do(const order_folder *backup, order_folder *in,
              const order_deed *what, int which_part);

/* The first journal that was set aside gets the name of a set's again. */
void order_bring_back(order_folder *in, int name);

/* Runs it in the store's folder, with out->key; fills in after, status and
 * message. */
void order_run_command(order_store *of, order_run *out);
bool order_adds(const order_command *command);

/* The first key that no file of the folder has. */
int order_new_key(order_store *of, const order_folder *in);

#endif
