/* blocked.c - the portable kernel of the blocked layout, with the loops of
 * hosts that have no prefetch */
#define TWIN_HAS_BURSTS 1
#define ss_blocked_portable blocked_in_bursts
#include "table/blocked/portable.c"
