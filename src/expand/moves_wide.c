/* moves_wide.c - slots of more than 32 bits as moves.h moves them, in all twins
 */
#include <stdint.h>

typedef uint64_t moved_slot;

#include "expand/slots_portable.h"
/* moves.h asks for what is above */
#include "expand/moves.h"

const ss_expand_moves ss_expand_moves_wide = {.narrow = move_narrow,
                                              .count_halves = move_count_halves,
                                              .part = move_part};
