/*
 * blocks.h - rate, bound, fill and spread of the layouts whose keys set a bit
 * in each word of a block: the blocked layout and split blocks; see sizing.h.
 */
#ifndef SS_PLAN_BLOCKS_H
#define SS_PLAN_BLOCKS_H

#include <stdint.h>

/* Of either layout: a key sets one bit of each word, k / m of all bits. */
double ss_blocks_fill(double n, double m, uint32_t k);

double ss_blocked_rate(double n, double m, uint32_t k);
double ss_blocked_bound(double offered, double wrong, double m, uint32_t k);
double ss_blocked_spread(double n, double m, uint32_t k);

double ss_split_block_rate(double n, double m, uint32_t k);
double ss_split_block_bound(double offered, double wrong, double m, uint32_t k);
double ss_split_block_spread(double n, double m, uint32_t k);

#endif
