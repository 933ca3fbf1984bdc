/* sample.c - what the cells of tables show whose keys have k places
 * anywhere
 */
#include "table/classic/sample.h"

#include <math.h>

#include "table/classic/counter.h"

/* The first place that begins in a line, or after all. */
static uint64_t first_place(const ss_table *table, uint64_t line)
{
    uint64_t bits = table->cell_bits;
    uint64_t place = (line * SS_LINE_BITS + bits - 1) / bits;
    return place < table->size_bits ? place : table->size_bits;
}

/* Places that are not 0, one after the other. */
static uint64_t count_places(const ss_table *table, uint64_t first,
                             uint64_t end)
{
    uint64_t found = 0;
    for (uint64_t i = first; i < end; i++)
        found += ss_counter_value(ss_counter_at(table, i)) != 0;
    return found;
}

/* The same in whole words, of places that do not cross words; what is past the
 * last place is 0. */
static SS_ALWAYS_INLINE uint64_t count_each(const uint64_t *word,
                                            const uint64_t *end, uint32_t bits)
{
    uint64_t found = 0;
    for (; word < end; word++)
        found += ss_bits_count(ss_bits_fold(ss_bits_read(word), bits));
    return found;
}

SS_BITS_COUNTER static uint64_t
count_by_counter(const uint64_t *word, const uint64_t *end, uint32_t bits)
{
    return bits == 1 ? count_each(word, end, 1) : count_each(word, end, bits);
}

static uint64_t count_in(const ss_table *table, ss_lines lines)
{
    uint32_t bits = table->cell_bits;
    const uint64_t *word = table->words + lines.first * SS_LINE_WORDS;
    const uint64_t *end = table->words + lines.end * SS_LINE_WORDS;
    if (SS_WORD_BITS % bits != 0)
        return count_places(table, first_place(table, lines.first),
                            first_place(table, lines.end));
    return ss_bits_has_counter() ? count_by_counter(word, end, bits)
                                 : count_each(word, end, bits);
}

ss_sample ss_classic_sample(const ss_table *table, const ss_part *part)
{
    ss_sample seen = {0};
    for (uint32_t i = 0; i < SS_CHUNKS; i++) {
        ss_lines lines = ss_part_lines(part, i);
        seen.cells +=
            first_place(table, lines.end) - first_place(table, lines.first);
        seen.set_cells += count_in(table, lines);
    }
    if (seen.set_cells == 0)
        return seen;
    double fill = (double)seen.set_cells / (double)seen.cells;
    seen.rate = pow(fill, table->hash_count);
    seen.fill_error = sqrt(fill * (1.0 - fill) / (double)seen.cells);
    seen.rate_error = table->hash_count * seen.fill_error / fill;
    return seen;
}

double ss_classic_events(const ss_table *table, ss_lines lines, double *places)
{
    *places = (double)(first_place(table, lines.end) -
                       first_place(table, lines.first));
    return (double)count_in(table, lines);
}
