/*
 * faulty_io.h - the system's file operations, which count themselves and fail
 * when they are told to.
 */
#ifndef TEST_FAULTY_IO_H
#define TEST_FAULTY_IO_H

#include "base/io.h"
#include "support.h"

typedef enum test_fault {
    TEST_FAIL,  /* the call does nothing and reports `error` */
    TEST_SHORT, /* every read and write moves one byte only */
    TEST_KILL   /* the process is killed: before the call, or in half a write */
} test_fault;

typedef struct test_io {
    ss_io io;
    test_fault fault;
    size_t calls;   /* so far */
    size_t fail_at; /* the call that fails, from 1; 0: none */
    size_t fail_to; /* and all up to this one */
    uint64_t from;  /* not 0: only calls at an offset from here on count */
    int error;      /* errno of the failure */
    int open_files;
    const char *failed; /* the name of the operation that failed */
    char trail[64];     /* the first letters of the last calls */
} test_io;

void test_io_init(test_io *io);

/* A copying open; memory from `allocator`, NULL for the library's own. */
int test_load(const ss_io *io, const seenset_allocator *allocator,
              bool is_shared, seenset **out, const char *path);

#endif
