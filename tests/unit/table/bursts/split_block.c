/* split_block.c - the portable kernel of the split-block layout, with the loops
 * of hosts that have no prefetch */
#define TWIN_HAS_BURSTS 1
#define ss_split_block_portable split_block_in_bursts
#include "table/split_block/portable.c"
