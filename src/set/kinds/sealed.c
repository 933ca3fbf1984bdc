/* sealed.c - a set of one table that was built from all keys at once, to which
 * none can be added */
#include "set/kinds/chunks.h"
#include "set/kinds/kind.h"
#include "set/kinds/room.h"

const ss_set_kind ss_kind_sealed = {.name = "sealed",
                                    .add_error = SEENSET_EUNSUPPORTED,
                                    .rewrite_error = SEENSET_EUNSUPPORTED,
                                    .add = ss_kind_refuse_key,
                                    .add_hash = ss_kind_refuse_hash,
                                    .add_at = ss_kind_refuse_at,
                                    .add_many = ss_kind_refuse_many,
                                    .has = ss_kind_has_key,
                                    .has_hash = ss_room_has,
                                    .has_many = ss_chunks_has_many,
                                    .renews = ss_kind_never_renews};
