/*
 * mapped.c - sets that are views of a file: each block is checked when it is
 * first touched (set/view/checks.h). They are only asked, but one that has a
 * journal, which remembers the keys that are added to it
 * (set/view/remembered.h).
 */
#include "set/view/checks.h"
#include "set/kinds/kind.h"
#include "set/view/remembered.h"

static bool renews(const seenset *set, uint64_t hash)
{
    return set->tables->renews(set, hash);
}

const ss_set_kind ss_kind_mapped = {.name = "mapped",
                                    .add_error = SEENSET_EREADONLY,
                                    .rewrite_error = SEENSET_EREADONLY,
                                    .is_read_only = true,
                                    .add = ss_kind_refuse_key,
                                    .add_hash = ss_kind_refuse_hash,
                                    .add_at = ss_kind_refuse_at,
                                    .add_many = ss_kind_refuse_many,
                                    .has = ss_checks_has,
                                    .has_hash = ss_checks_has_hash,
                                    .has_many = ss_checks_has_many,
                                    .renews = renews};

const ss_set_kind ss_kind_mapped_sealed = {.name = "mapped_sealed",
                                           .add_error = SEENSET_EUNSUPPORTED,
                                           .rewrite_error = SEENSET_EREADONLY,
                                           .is_read_only = true,
                                           .add = ss_kind_refuse_key,
                                           .add_hash = ss_kind_refuse_hash,
                                           .add_at = ss_kind_refuse_at,
                                           .add_many = ss_kind_refuse_many,
                                           .has = ss_checks_has,
                                           .has_hash = ss_checks_has_hash,
                                           .has_many = ss_checks_has_many,
                                           .renews = ss_kind_never_renews};

const ss_set_kind ss_kind_mapped_journal = {.name = "mapped_journal",
                                            .rewrite_error = SEENSET_EREADONLY,
                                            .add = ss_kind_add_key,
                                            .add_hash = ss_remembered_add,
                                            .add_at = ss_kind_refuse_at,
                                            .add_many = ss_remembered_add_many,
                                            .has = ss_checks_has,
                                            .has_hash = ss_checks_has_hash,
                                            .has_many = ss_checks_has_many,
                                            .renews = ss_remembered_renews};
