/*
 * expand.c - which widths of slots keep a rate; see expand.h.
 *
 * A key that is added while i bits name a unit, in slots of W bits, covers
 * 2^-(i + W - 1) of all hashes for ever. In that time the keys become as many
 * as fill 2^i units, L 2^i, and half of them, L 2^(i-1), are new. So the rate
 * goes up by
 *
 *     L 2^-W                                   (expand/expand.h, n = N_g)
 *
 * each time the table doubles, and from 1,000 keys to 10^12 that is 30 times.
 * The list of widths has four parts:
 *
 *     units named by   width
 *     up to c bits     w0, while the table is small
 *     to c1            w1: then all slots are cut to w1 bits, as if the table
 *                      were young again, and w1 is kept for long
 *     to c2            w2, 8,000 times as many keys
 *     beyond           w3, to what 64-bit hashes can tell apart
 *
 * w1 decides how large most sets are. So it is the narrowest that keeps the
 * rate if the others are as wide as they can be, the next ones as wide as a
 * segment may become in one step. What w1 leaves of the rate goes to w0 and w2,
 * then to w3, and to the generations one by one from the first.
 *
 * Slots of 32 bits at most are tried first, as a processor compares and moves
 * more of them at a time. Rates below about 5e-8 need wider ones. With 56 bits
 * a slot has the whole hash: 8 bits or more name the unit, and 55 follow. So
 * all rates are kept that hashes can keep.
 */
#include "plan/expand.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "lines/line.h"
#include "plan/expand_walk.h"
#include "seenset/plan.h"

enum {
    CUT_BITS_MIN = 16,    /* c: some 400,000 keys at least */
    CUT_BITS_FIRST = 2,   /* c is log2 of the first table's keys, less this */
    MAIN_BITS_MIN = 25,   /* c1: some 200 million keys at least, */
    MAIN_GENERATIONS = 6, /* and so many generations after c */
    NEXT_GENERATIONS = 13
};

uint64_t ss_plan_expand_items(double fp_rate)
{
    double items = fp_rate * 0x1p63;
    return items < (double)SEENSET_MAX_SIZE_BITS ? (uint64_t)items
                                                 : SEENSET_MAX_SIZE_BITS;
}

/* Is the rate kept as long as hashes can be told apart? It is highest at the
 * end of a generation. */
static bool keeps(const uint8_t *widths, double fp_rate, uint32_t load)
{
    double most = (double)ss_plan_expand_items(fp_rate);
    ss_walk walk = ss_walk_begin(widths, load);
    for (;; ss_walk_grow(&walk)) {
        ss_walk_fill(&walk, most);
        if (!(ss_walk_rate(&walk) <= fp_rate))
            return false;
        if (walk.items >= most || walk.unit_bits >= SS_WALK_BITS_MAX)
            return true;
    }
}

/* ---- choosing ---- */

typedef struct choice {
    double fp_rate;
    uint32_t load;
    uint8_t widest;   /* that a slot may be */
    uint32_t ends[3]; /* c, c1, c2 */
    uint32_t chosen;  /* generations whose width is chosen one by one: up to */
    uint8_t width[4];
    uint8_t widths[SS_EXPAND_DEPTHS];
} choice;

/* The next width that is of use: the widest of those of which as many slots
 * are in a line. */
static uint8_t wider(const choice *in, uint8_t width)
{
    uint32_t next = width + 1u;
    while (next < in->widest && ss_line_slots(next + 1) == ss_line_slots(next))
        next++;
    return (uint8_t)next;
}

/* The widest that a segment may take when it parts (ss_expand_options). */
static uint8_t step_from(const choice *in, uint8_t width)
{
    uint8_t next = width;
    while (next < in->widest &&
           3 * ss_line_slots(width) <= 4 * ss_line_slots(next + 1u))
        next++;
    return next;
}

/* Does the list keep the rate, with what is chosen of it as it is? */
static bool is_kept(choice *in)
{
    for (uint32_t i = in->chosen; i < SS_EXPAND_DEPTHS; i++) {
        uint32_t part = 0;
        while (part < 3 && i > in->ends[part])
            part++;
        in->widths[i] = in->width[part];
        if (i > 0 && in->widths[i] > step_from(in, in->widths[i - 1]))
            in->widths[i] = step_from(in, in->widths[i - 1]);
    }
    return keeps(in->widths, in->fp_rate, in->load);
}

/* The narrowest for a part, from `least` on; false: none keeps the rate. */
static bool narrow(choice *in, uint32_t part, uint8_t least, uint8_t most)
{
    for (in->width[part] = least; in->width[part] <= most;
         in->width[part] = wider(in, in->width[part]))
        if (is_kept(in))
            return true;
    return false;
}

/* w1, with the others as wide as may be. */
static bool narrow_main(choice *in)
{
    in->width[0] = in->widest;
    for (uint8_t width = SS_WIDTH_MIN; width <= in->widest;
         width = wider(in, width)) {
        in->width[1] = width;
        in->width[2] = step_from(in, width);
        in->width[3] = step_from(in, in->width[2]);
        if (is_kept(in))
            return true;
    }
    return false;
}

/* Bits of a line that a slot has. */
static double slot_bits(uint8_t width)
{
    return (double)SS_LINE_BITS / ss_line_slots(width);
}

/* Of the pairs of w0 and w2 that keep the rate, that which is smaller together;
 * if two are, that with the smaller w0. The widest keep it. */
static void narrow_others(choice *in)
{
    uint8_t least_width = in->width[1], best[2] = {0};
    double least = INFINITY;
    for (uint8_t first = least_width; first <= in->widest;
         first = wider(in, first)) {
        in->width[0] = first;
        if (!narrow(in, 2, least_width, step_from(in, least_width)))
            continue;
        double bits = slot_bits(first) + slot_bits(in->width[2]);
        if (bits < least * 0.999) {
            best[0] = first;
            best[1] = in->width[2];
            least = bits;
        }
    }
    in->width[0] = best[0];
    in->width[2] = best[1];
    (void)narrow(in, 3, best[1], in->width[3]);
}

/* What is left of the rate, to one generation after the other. */
static void narrow_each(choice *in)
{
    uint8_t width = in->width[1];
    for (uint32_t i = in->ends[0] + 1; i < SS_EXPAND_DEPTHS; i++) {
        (void)is_kept(in);
        uint8_t planned = in->widths[i];
        in->chosen = i + 1;
        for (in->widths[i] = width; in->widths[i] < planned && !is_kept(in);)
            in->widths[i] = wider(in, in->widths[i]);
        width = in->widths[i];
    }
    (void)is_kept(in);
}

/* Chance fills a segment before the others: slots that the last keys have are
 * not cut after them. */
static void hold_last(choice *in)
{
    double most = (double)ss_plan_expand_items(in->fp_rate);
    ss_walk walk = ss_walk_begin(in->widths, in->load);
    for (ss_walk_fill(&walk, most);
         walk.items < most && walk.unit_bits < SS_WALK_BITS_MAX;
         ss_walk_fill(&walk, most))
        ss_walk_grow(&walk);
    for (uint32_t i = walk.unit_bits + 1; i < SS_EXPAND_DEPTHS; i++)
        if (in->widths[i] < walk.width)
            in->widths[i] = (uint8_t)walk.width;
}

/* False: the widest do not keep the rate. */
static bool choose(choice *in, uint8_t widest)
{
    in->widest = widest;
    in->chosen = 0;
    if (!narrow_main(in))
        return false;
    narrow_others(in);
    narrow_each(in);
    hold_last(in);
    return true;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

int ss_plan_expand(double fp_rate, uint64_t first_items, uint32_t load,
                   uint8_t widths[SS_EXPAND_DEPTHS])
{
    choice in = {.fp_rate = fp_rate, .load = load};
    uint32_t first_bits = 0;
    while (first_bits < 53 && first_items >> first_bits > 1)
        first_bits++;
    in.ends[0] = larger(first_bits, CUT_BITS_MIN + CUT_BITS_FIRST - 1) -
                 CUT_BITS_FIRST + 1;
    in.ends[1] = larger(in.ends[0] + MAIN_GENERATIONS, MAIN_BITS_MIN);
    in.ends[2] = in.ends[1] + NEXT_GENERATIONS;
    if (!(fp_rate > 0.0 && fp_rate < 1.0) ||
        ss_plan_expand_items(fp_rate) == 0 ||
        (!choose(&in, SS_WIDTH_SHORT) && !choose(&in, SS_WIDTH_MAX)))
        return SEENSET_ERATE;
    for (uint32_t i = 0; i < SS_EXPAND_DEPTHS; i++)
        widths[i] = in.widths[i];
    return SEENSET_OK;
}
