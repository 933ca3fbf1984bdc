/*
 * thrift.h - a reader of Thrift's compact protocol, for bytes that may have
 * been made to do harm.
 *
 *     struct    fields, then a byte 0
 *     field     (step << 4 | type) or, for large steps, (type) and the id
 *     integer   zigzag, then seven bits a byte, the lowest first
 *     text      its length, then its bytes
 *     list      (count << 4 | type) or, for 15 and more, (15 << 4 | type) and
 *               the count; then the elements
 *
 * A reader that meets what cannot be is bad from then on: it reads zeros, its
 * structs have no more fields, and `at` stays where the fault is. So callers
 * check once, at the end. A list cannot have more elements than bytes follow
 * it, since each takes one at least; and structs are skipped to a fixed depth.
 *
 * Apache Thrift, "Thrift Compact protocol encoding" (its specification).
 */
#ifndef SS_FOREIGN_THRIFT_H
#define SS_FOREIGN_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SS_THRIFT_TRUE = 1,
    SS_THRIFT_FALSE = 2,
    SS_THRIFT_I8 = 3,
    SS_THRIFT_I16 = 4,
    SS_THRIFT_I32 = 5,
    SS_THRIFT_I64 = 6,
    SS_THRIFT_DOUBLE = 7,
    SS_THRIFT_BINARY = 8,
    SS_THRIFT_LIST = 9,
    SS_THRIFT_SET = 10,
    SS_THRIFT_MAP = 11,
    SS_THRIFT_STRUCT = 12,
    SS_THRIFT_UUID = 13,
    SS_THRIFT_MOST_DEPTH = 32
};

typedef struct ss_thrift {
    const uint8_t *at, *end;
    bool is_bad;
} ss_thrift;

typedef struct ss_thrift_field {
    int32_t id; /* 0 before the first field of a struct */
    uint8_t type;
} ss_thrift_field;

/* The next field of a struct, whose value follows. False at its end, or if the
 * reader is bad. */
bool ss_thrift_next(ss_thrift *from, ss_thrift_field *field);

/* Seven bits a byte, the lowest first: as Thrift's lengths. */
uint64_t ss_thrift_number(ss_thrift *from);

/* The value of a field that has to be an integer, of any width. */
int64_t ss_thrift_integer(ss_thrift *from, uint8_t type);

/* One that has to be a text, which stays where it is. */
const uint8_t *ss_thrift_text(ss_thrift *from, uint8_t type, size_t *length);

/* The number of elements of one that has to be a list of `element`s, which
 * follow. */
uint32_t ss_thrift_list(ss_thrift *from, uint8_t type, uint8_t element);

/* Passes over one of any type. */
void ss_thrift_skip(ss_thrift *from, uint8_t type);

/* Whatever follows cannot be what it should. */
void ss_thrift_fail(ss_thrift *from);

#endif
