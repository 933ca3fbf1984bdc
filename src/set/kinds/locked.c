/*
 * locked.c - keyed sets that were opened without their secret: no key can be
 * hashed as theirs are, so they are there for their figures alone.
 */
#include "set/kinds/kind.h"

static int refuse_to_say(const seenset *set, const void *key, size_t key_len)
{
    (void)set, (void)key, (void)key_len;
    return SEENSET_ESECRET;
}

static int refuse_hash(const seenset *set, uint64_t hash)
{
    (void)set, (void)hash;
    return SEENSET_ESECRET;
}

static int refuse_many(const seenset *set, const ss_batch *batch,
                       uint8_t *is_seen)
{
    (void)set, (void)batch, (void)is_seen;
    return SEENSET_ESECRET;
}

const ss_set_kind ss_kind_locked = {.name = "locked",
                                    .add_error = SEENSET_ESECRET,
                                    .rewrite_error = SEENSET_ESECRET,
                                    .is_read_only = true,
                                    .add = ss_kind_refuse_key,
                                    .add_hash = ss_kind_refuse_hash,
                                    .add_at = ss_kind_refuse_at,
                                    .add_many = ss_kind_refuse_many,
                                    .has = refuse_to_say,
                                    .has_hash = refuse_hash,
                                    .has_many = refuse_many,
                                    .renews = ss_kind_never_renews};
