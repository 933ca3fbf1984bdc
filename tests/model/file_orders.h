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

#endif
