/*
 * moving.h - what gives each block another place (base/memory.h), and fills the
 * old one with rubbish before it is freed: code that has the old address reads
 * that, or is caught by a sanitizer.
 */
#ifndef TEST_MOVING_H
#define TEST_MOVING_H

#include <string.h>

#include "base/memory.h"
#include "support.h"

typedef struct test_mover {
    test_memory *memory;
    size_t moved;
    size_t left_at; /* planted: of that one the caller is told that it is where
                       it was, in which there is rubbish now */
} test_mover;

static inline void *test_move(void *context, void *block, size_t size_bytes)
{
    test_mover *mover = context;
    seenset_allocator *allocator = &mover->memory->allocator;
    void *made = allocator->allocate(allocator->context, size_bytes, 64);
    assert_non_null(made);
    memcpy(made, block, size_bytes);
    memset(block, 0xa5, size_bytes);
    bool is_left = ++mover->moved == mover->left_at;
    allocator->release(allocator->context, is_left ? made : block, size_bytes);
    return is_left ? block : made;
}

#endif
