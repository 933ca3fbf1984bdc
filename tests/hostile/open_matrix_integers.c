/* open_matrix_integers.c - calls for integers, of sets that were opened */
#include <string.h>

#include "open_matrix.h"
#include "seenset/extra/inline.h"
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

/* Adds and asks without a call where the view allows it. */
const char *matrix_use_view(matrix_opened *at)
{
    const seenset_view *view;
    if (seenset_get_view(at->set, &view) != SEENSET_OK)
        return "a set has no view";
    for (uint64_t i = 0; i < MATRIX_KEYS; i++) {
        uint8_t bytes[8];
        test_store(bytes, sizeof bytes, test_mix(i));
        int answer = seenset_inline_has_u64(view, test_mix(i));
        if (!matrix_is_allowed(at, answer) ||
            seenset_has(at->set, bytes, sizeof bytes) != answer)
            return "a view answers otherwise than the set";
    }
    int answer = seenset_inline_add_u64(view, test_mix(1));
    if (answer >= 0 && seenset_inline_has_u64(view, test_mix(1)) != 1)
        return "what a view added is not there";
    return matrix_judge_add(at, answer, false);
}
