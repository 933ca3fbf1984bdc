/* project.c - see project.h */
#include "table/project.h"

/* A pair of lines that touch, by their numbers. False: enough was seen. */
typedef bool line_function(const ss_table *into, uint64_t line,
                           const ss_table *from, uint64_t from_line);

static uint64_t regions_of(const ss_table *table)
{
    return table->size_bits / table->layout->range_step_bits / table->range;
}

bool ss_table_can_project(const ss_table *into, const ss_table *from)
{
    if (!ss_table_is_same_layout(into, from) ||
        !into->layout->traits->can_compare)
        return false;
    return ss_table_is_alike(into, from) ||
           (into->scheme == NULL && into->hash_count <= from->hash_count);
}

/* Walks along one region of both: a line of `into` is from->range units long,
 * and one of `from` into->range. */
static bool walk(const ss_table *into, const ss_table *from, uint64_t region,
                 line_function *visit)
{
    uint64_t i = 0, j = 0;
    uint64_t left_into = from->range, left_from = into->range;
    while (i < into->range) {
        if (!visit(into, region * into->range + i, from,
                   region * from->range + j))
            return false;
        uint64_t common = left_into < left_from ? left_into : left_from;
        left_into -= common;
        left_from -= common;
        if (left_into == 0) {
            i++;
            left_into = from->range;
        }
        if (left_from == 0) {
            j++;
            left_from = into->range;
        }
    }
    return true;
}

static bool walk_all(const ss_table *into, const ss_table *from,
                     line_function *visit)
{
    for (uint64_t region = 0; region < regions_of(into); region++)
        if (!walk(into, from, region, visit))
            return false;
    return true;
}

/* The bit of a line of one bit, at the lowest end. */
static uint64_t bit_of(const ss_table *table, uint64_t line)
{
    return ss_bits_read(&table->words[line / SS_WORD_BITS]) >>
               (line % SS_WORD_BITS) &
           1;
}

static bool add_line(const ss_table *into, uint64_t line, const ss_table *from,
                     uint64_t from_line)
{
    uint32_t line_bits = into->layout->range_step_bits;
    if (line_bits == 1) {
        into->words[line / SS_WORD_BITS] |= bit_of(from, from_line)
                                            << (line % SS_WORD_BITS);
        return true;
    }
    uint32_t count = line_bits / SS_WORD_BITS;
    for (uint32_t i = 0; i < count; i++)
        into->words[line * count + i] |=
            ss_bits_read(&from->words[from_line * count + i]);
    return true;
}

static bool has_line(const ss_table *into, uint64_t line, const ss_table *from,
                     uint64_t from_line)
{
    uint32_t line_bits = into->layout->range_step_bits;
    if (line_bits == 1)
        return bit_of(into, line) >= bit_of(from, from_line);
    uint32_t count = line_bits / SS_WORD_BITS;
    uint64_t missing = 0;
    for (uint32_t i = 0; i < count; i++)
        missing |= ss_bits_read(&from->words[from_line * count + i]) &
                   ~ss_bits_read(&into->words[line * count + i]);
    return missing == 0;
}

void ss_table_project(ss_table *into, const ss_table *from)
{
    if (ss_table_is_alike(into, from))
        ss_table_merge(into, from);
    else
        (void)walk_all(into, from, add_line);
}

static bool has_words(const ss_table *into, const ss_table *from)
{
    uint64_t count = ss_table_word_count(into);
    for (uint64_t i = 0; i < count; i++)
        if ((ss_bits_read(&from->words[i]) & ~into->words[i]) != 0)
            return false;
    return true;
}

bool ss_table_covers(const ss_table *into, const ss_table *from)
{
    if (!ss_table_can_project(into, from))
        return false;
    return ss_table_is_alike(into, from) ? has_words(into, from)
                                         : walk_all(into, from, has_line);
}
