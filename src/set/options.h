/* options.h - what a set is to be, worked out from its options */
#ifndef SS_SET_OPTIONS_H
#define SS_SET_OPTIONS_H

#include "base/export.h"
#include "set/set.h"

/* What options ask for, defaults filled in. */
typedef struct ss_set_spec {
    ss_set_params kind;
    seenset_plan first; /* of the first table */
    uint32_t cell_bits; /* 1, or those of a counter */
} ss_set_spec;

/* How they hash keys. The seeds of a scheme remain the caller's. 0 or
 * SEENSET_EINVAL. */
int ss_set_identify(ss_key_hash *out, const seenset_options *options);

/* 0, or an error of seenset_new other than SEENSET_ENOMEM. */
SS_EXPORT int ss_set_specify(ss_set_spec *out, const seenset_options *options);

/* Has a set the rate that the options asked for, or one that it can be used
 * with? 0 or SEENSET_ERATE. Only of a new one: one that is there is opened. */
SS_EXPORT int ss_set_check_rate(const ss_set_spec *spec,
                                const seenset_options *options);

#endif
