/* open_matrix_integers.c - calls for integers, of sets that were opened */
#include <string.h>

#include "open_matrix.h"
#include "support.h"

/* Integers that no set of the matrix has, and their bytes as keys. */
static void make_integers(uint64_t integers[MATRIX_KEYS],
                          uint8_t bytes[MATRIX_KEYS][8],
                          seenset_key keys[MATRIX_KEYS])
{
    for (int i = 0; i < MATRIX_KEYS; i++) {
        integers[i] = test_mix((uint64_t)i);
        test_store(bytes[i], 8, integers[i]);
        keys[i] = (seenset_key){bytes[i], 8};
    }
}

const char *matrix_has_integers(matrix_opened *at)
{
    uint64_t integers[MATRIX_KEYS];
    uint8_t bytes[MATRIX_KEYS][8], is_seen[MATRIX_KEYS], by_key[MATRIX_KEYS];
    seenset_key keys[MATRIX_KEYS];
    make_integers(integers, bytes, keys);
    int error = seenset_has_u64_many(at->set, integers, MATRIX_KEYS, is_seen);
    if (!matrix_is_allowed(at, error) ||
        seenset_has_many(at->set, keys, MATRIX_KEYS, by_key) != error)
        return "integers were refused";
    return memcmp(is_seen, by_key, MATRIX_KEYS) == 0
               ? NULL
               : "integers are answered otherwise than their bytes";
}

const char *matrix_add_integers(matrix_opened *at)
{
    uint64_t integers[MATRIX_KEYS];
    uint8_t bytes[MATRIX_KEYS][8];
    seenset_key keys[MATRIX_KEYS];
    make_integers(integers, bytes, keys);
    return matrix_judge_add(
        at, seenset_add_u64_many(at->set, integers, MATRIX_KEYS, NULL), false);
}
