/* sizing.c - the list of formulas, by layout */
#include "plan/sizing.h"

#include <stddef.h>

#include "plan/blocks.h"
#include "plan/classic.h"
#include "plan/fingerprint.h"

const ss_sizing *ss_sizing_find(seenset_layout layout)
{
    static const ss_sizing sizings[] = {
        [SEENSET_LAYOUT_BLOCKED] = {ss_blocked_rate, ss_blocked_bound,
                                    ss_blocks_fill, ss_blocked_spread, NULL,
                                    NULL},
        [SEENSET_LAYOUT_BLOOM] = {ss_classic_rate, ss_classic_bound,
                                  ss_classic_fill, ss_classic_spread, NULL,
                                  ss_classic_mean},
        [SEENSET_LAYOUT_COUNTING] = {ss_classic_rate, ss_classic_bound,
                                     ss_classic_fill, ss_classic_spread, NULL,
                                     ss_classic_mean},
        [SEENSET_LAYOUT_SPLIT_BLOCK] = {ss_split_block_rate,
                                        ss_split_block_bound, ss_blocks_fill,
                                        ss_split_block_spread, NULL, NULL},
        [SEENSET_LAYOUT_FINGERPRINT] = {ss_fingerprint_rate,
                                        ss_fingerprint_bound,
                                        ss_fingerprint_fill,
                                        ss_fingerprint_spread,
                                        ss_fingerprint_most, NULL},
    };
    return &sizings[layout];
}
