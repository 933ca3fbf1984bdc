/*
 * spread.h - are keys spread over a table as those of a good hash are?
 *
 * A table is cut into slices, and in each the things are counted that hashes
 * put there: distinct slots, or bits. If hashes are uniform, each thing is in
 * slice j with the chance w[j] that the slice has of all places. With c[j] of
 * n things there,
 *
 *     x = sum over j of c[j] ln(c[j] / (n w[j]))
 *
 * is n times the divergence of the counts from those chances, and half of the
 * likelihood ratio's chi-square. With D + 1 slices
 *
 *     P(x or more) <= exp(-x) (e x / D)^D        for x > D
 *
 * for counts of any size (Agrawal 2020, "Finite-sample concentration of the
 * multinomial in relative entropy"). So there are no false alarms where slices
 * are nearly empty. The bound is that of twice the variance which chance gives,
 * so that small effects of a table's history never count: slots that were cut,
 * hashes that a fuller part took for seen.
 *
 * Blocks. A key sets one bit in each of a block's eight words, so its bits come
 * together, and eight bits are one thing. That errs on the safe side: each of
 * the eight columns of words has its bits at places of which any are as likely
 * as any others, whatever was added, united or intersected. So a column's x is
 * at most that of as many things drawn one by one (Hoeffding 1963), and x of
 * the mean of eight columns at most the mean of their x, as x is convex.
 *
 * Slots. Copies of a slot are one thing.
 *
 * Keys that come meanwhile. Where other threads add, the slices counted last
 * have more of the keys that came while the table was counted. With n0 things
 * before and n1 after, the chances of two slices differ from w by a factor of
 * at most n1 / n0 = exp(d). That adds at most n d^2 / 8 to the mean of x, and
 * with it a sum of n terms within a range of d, which is over
 * d sqrt(24 n / 2) by a chance of exp(-24) at most (Hoeffding 1963: the lemma,
 * and the inequality). Both are taken off x.
 */
#ifndef SS_TABLE_SPREAD_H
#define SS_TABLE_SPREAD_H

#include <stdint.h>

typedef struct ss_spread {
    double events; /* n */
    double weight; /* sum of the slices' places */
    double sum;    /* of c ln(c / places) */
    uint64_t slices;
    double slack; /* divergence of each thing that is no sign of a weak hash */
    double drift; /* d: ln of the growth while it was counted; 0: none */
} ss_spread;

/* Things that a slice should have. */
#define SS_SPREAD_EVENTS 16

void ss_spread_add(ss_spread *spread, double events, double places);

/* The table had so many things before it was counted, and after. */
void ss_spread_between(ss_spread *spread, double before, double after);

/* x, and at most its chance. */
double ss_spread_divergence(const ss_spread *spread);
double ss_spread_chance(const ss_spread *spread);

#endif
