/* arguments.c - the arguments of a scheme, kept; the idea is in arguments.h */
#include "seen/arguments.h"

#include <string.h>

void ss_arguments_keep(ss_arguments *out, const ss_scheme_arguments *read)
{
    *out = (ss_arguments){.seed = read->seed,
                          .unit_bits = read->unit_bits,
                          .seed_count = read->seed_count};
    if (read->seed_count > 0)
        memcpy(out->seeds, read->seeds, read->seed_count * sizeof *read->seeds);
}

ss_scheme_arguments ss_arguments_read(const ss_arguments *kept)
{
    return (ss_scheme_arguments){.seed = kept->seed,
                                 .seeds =
                                     kept->seed_count > 0 ? kept->seeds : NULL,
                                 .seed_count = kept->seed_count,
                                 .unit_bits = kept->unit_bits};
}

seenset_scheme_arguments ss_arguments_lend(const ss_arguments *kept)
{
    return (seenset_scheme_arguments){
        .seed = kept->seed,
        .seeds = kept->seed_count > 0 ? kept->seeds : NULL,
        .seed_count = kept->seed_count,
        .unit_bits = kept->unit_bits};
}

bool ss_arguments_are_given(const ss_arguments *kept)
{
    return kept->seed != 0 || kept->seed_count > 0 || kept->unit_bits != 0;
}

bool ss_arguments_are_asked(const seenset_scheme_arguments *given)
{
    return given != NULL &&
           (given->seed != 0 || given->seeds != NULL || given->unit_bits != 0);
}

bool ss_arguments_are_same(const ss_arguments *a, const ss_arguments *b)
{
    return a->seed == b->seed && a->unit_bits == b->unit_bits &&
           a->seed_count == b->seed_count &&
           memcmp(a->seeds, b->seeds, a->seed_count * sizeof *a->seeds) == 0;
}
