/* overlap_expanded.c - see overlap_tables.h */
#include "set/two/overlap_tables.h"

#include <math.h>

#include "seenset/extra/formulas.h"
#include "expand/overlap.h"
#include "hash/xxh3.h"
#include "set/expanded.h"

/* The part of new keys that came past the tables before table i: the others
 * were taken for seen. */
static double passed(const seenset *set, uint32_t i)
{
    double part = 1.0;
    for (uint32_t older = 0; older < i; older++)
        part *= 1.0 - ss_table_sample(&set->generations[older].table).rate;
    return part;
}

/* So many of the keys that a table has, for all that were offered. */
static ss_overlap_estimate scaled(ss_overlap_estimate had, double part)
{
    if (!(part > 0.0))
        return (ss_overlap_estimate){NAN, INFINITY};
    double items = had.items / part;
    return (ss_overlap_estimate){items, had.variance / (part * part) +
                                            items * (1.0 - part)};
}

ss_overlap_estimate ss_overlap_of_expanded(const seenset *set, uint32_t i)
{
    const ss_generation *generation = &set->generations[i];
    double wrong = ss_expanded_wrong_items(generation);
    ss_overlap_estimate had = {(double)ss_set_added_items(generation) + wrong,
                               wrong};
    return scaled(had, passed(set, i));
}

/* ---- with a table of bits ---- */

/* Lines of the first region of a table, and the slots that fall there. */
typedef struct lines {
    const ss_table *table;
    uint32_t line_bits;
    double per_key; /* -ln of the part of a line's empty bits that a key leaves;
                       where a line is a bit: 0 */
    double slots, known; /* those whose line their prefix says */
    double sum;          /* of y, over these */
} lines;

/* y of a line: the keys that its bits show, or its bit. */
static double keys_shown(const lines *in, uint64_t line)
{
    const uint64_t *words = in->table->words;
    if (in->line_bits == 1)
        return (double)(ss_bits_read(&words[line / SS_WORD_BITS]) >>
                            (line % SS_WORD_BITS) &
                        1);
    uint64_t ones = 0;
    words += line * in->line_bits / SS_WORD_BITS;
    for (uint32_t i = 0; i < in->line_bits / SS_WORD_BITS; i++)
        ones += ss_bits_count(ss_bits_read(&words[i]));
    double zeros = fmax((double)in->line_bits - (double)ones, 0.5);
    return -log(zeros / in->line_bits) / in->per_key;
}

static uint64_t line_of(const lines *in, uint64_t hash)
{
    const ss_table *table = in->table;
    return ss_hash_range(hash & ~table->layout->range_ignores, table->range);
}

static bool add_slot(void *context, ss_prefix prefix)
{
    lines *in = context;
    uint64_t rest = prefix.bits == 0   ? UINT64_MAX
                    : prefix.bits < 64 ? UINT64_MAX >> prefix.bits
                                       : 0;
    uint64_t line = line_of(in, prefix.prefix);
    in->slots++;
    if (line != line_of(in, prefix.prefix | rest))
        return true;
    in->known++;
    in->sum += keys_shown(in, line);
    return true;
}

/* y's mean and variance over all lines. */
static ss_overlap_estimate all_lines(const lines *in)
{
    double sum = 0.0, squares = 0.0, count = (double)in->table->range;
    for (uint64_t i = 0; i < in->table->range; i++) {
        double y = keys_shown(in, i);
        sum += y;
        squares += y * y;
    }
    double mean = sum / count;
    return (ss_overlap_estimate){mean, fmax(squares / count - mean * mean, 0)};
}

static lines lines_of(const ss_table *table)
{
    const ss_layout *layout = table->layout;
    uint32_t line_bits = layout->range_step_bits;
    double left = 1.0 - (double)layout->probe_bits / line_bits;
    return (lines){.table = table,
                   .line_bits = line_bits,
                   .per_key = line_bits > 1 ? -log(left) : 0.0};
}

/* What the lines show of the keys of both. Keys of one line are Poisson, so y
 * varies as much as its mean at least; a single line shows nothing. */
static ss_overlap_estimate shown(const lines *in)
{
    double count = (double)in->table->range;
    ss_overlap_estimate y = all_lines(in);
    if (!(in->known > 0 && count > 1))
        return (ss_overlap_estimate){0.0, INFINITY};
    bool is_bit = in->line_bits == 1;
    double variance = is_bit ? y.variance : fmax(y.variance, y.items);
    double one = is_bit ? 1.0 - y.items : 1.0; /* what a key of both adds */
    double scale = in->slots / in->known / one * count / (count - 1.0);
    return (ss_overlap_estimate){(in->sum - in->known * y.items) * scale,
                                 in->known * variance * scale * scale};
}

/* The same, weighed against what is known before. */
static ss_overlap_estimate within(ss_overlap_estimate found,
                                  ss_overlap_guess guess)
{
    double most = fmax(guess.most, 0.0);
    bool is_guessed = guess.mean >= 0.0;
    double mean = is_guessed ? fmin(guess.mean, most) : most / 2.0;
    /* the mean square of how far from it a number up to `most` is: one of any
     * chance, or, where keys may have come in an order, the most it can be */
    double middle = mean - most / 2.0;
    double before = most * most / (is_guessed ? 4.0 : 12.0) + middle * middle;
    if (!(before > 0.0))
        return (ss_overlap_estimate){0};
    if (!isfinite(found.variance))
        return (ss_overlap_estimate){mean, before};
    double weight = before / (before + found.variance);
    double items = mean + weight * (found.items - mean);
    return (ss_overlap_estimate){fmin(fmax(items, 0.0), most),
                                 weight * found.variance};
}

static ss_overlap_estimate with_bits(const ss_expand *expand,
                                     const ss_table *table,
                                     ss_overlap_guess guess)
{
    lines in = lines_of(table);
    double keys = seenset_plan_item_estimate(
        ss_table_count_cells(table), table->size_bits, table->hash_count);
    (void)ss_expand_visit(expand, add_slot, &in);
    guess.most = fmin(guess.most, fmin(keys, in.slots));
    return within(shown(&in), guess);
}

ss_overlap_estimate ss_overlap_of_tables(const ss_table *x, const ss_table *y,
                                         ss_overlap_guess guess)
{
    if (x->expand == NULL)
        return with_bits(y->expand, x, guess);
    if (y->expand == NULL)
        return with_bits(x->expand, y, guess);
    ss_matches found = ss_expand_matches(x->expand, y->expand);
    return (ss_overlap_estimate){found.items, found.variance};
}

ss_overlap_estimate ss_overlap_with_expanded(const seenset *a, uint32_t i,
                                             const seenset *b, uint32_t j,
                                             ss_overlap_guess guess)
{
    const ss_table *x = &a->generations[i].table;
    const ss_table *y = &b->generations[j].table;
    ss_overlap_estimate both = ss_overlap_of_tables(x, y, guess);
    double part = 1.0;
    if (x->expand != NULL && (y->expand == NULL || a != b))
        part *= passed(a, i);
    if (y->expand != NULL)
        part *= passed(b, j);
    return scaled(both, part);
}
