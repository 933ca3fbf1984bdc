/* sentence.c - see sentence.h */
#include "plan/sentence.h"

#include <stdio.h>

#include "seenset/seenset.h"
#include "text/units.h"

static units_text bytes_of(uint64_t size_bits)
{
    return units_as_bytes((size_bits + 7) / 8);
}

static units_text keys_of(uint64_t items)
{
    units_text words = units_in_words(items), out = {{0}};
    snprintf(out.text, sizeof out.text, "%.40s key%s", words.text,
             items == 1 ? "" : "s");
    return out;
}

/* Of a set that has no more keys than it was planned for. */
static void print_planned(const plan_columns *shown)
{
    const seenset_plan_growth *growth = &shown->growth;
    printf("In short: a set that 'seenset new' makes takes %s for %s.\n"
           "It grows when more come, and keeps its rate of %s.\n",
           bytes_of(growth->size_bits).text, keys_of(growth->added_items).text,
           units_as_rate(growth->fp_rate).text);
    if (shown->count > 1)
        printf("With '--on-full degrade' it takes %s, and more keys raise its "
               "rate.\n",
               bytes_of(shown->plans[shown->count - 1].size_bits).text);
}

/* Of one that has more: held against a set that was planned for as many. */
static void print_grown(const plan_columns *shown)
{
    const seenset_plan_growth *growth = &shown->growth;
    const seenset_plan_growth *direct = &shown->direct;
    printf("In short: a set planned for %s that grew to %s takes\n"
           "%s in %u tables, %.1f times as much as one planned for so many "
           "(%s).\nA lookup of a new key reads up to %u places in memory, and "
           "there up to %u.\n",
           keys_of(growth->first_capacity_items).text,
           units_in_words(growth->added_items).text,
           bytes_of(growth->size_bits).text, growth->table_count,
           (double)growth->size_bits / (double)direct->size_bits,
           bytes_of(direct->size_bits).text, growth->probe_count,
           direct->probe_count);
}

/* Of a set of a given size, which 'new' does not let grow. */
static void print_fixed(const seenset_plan *plan)
{
    printf("In short: a set that 'seenset new' makes takes %s for %s,\n"
           "and reports a new key as seen by a chance of %s.\n",
           bytes_of(plan->size_bits).text, keys_of(plan->capacity_items).text,
           units_as_rate(plan->expected_fp_rate).text);
    if (!(plan->fp_rate <= SEENSET_MOST_RATE))
        puts("Give fewer keys or a larger size; 'seenset new' makes it with "
             "--force only.");
}

/* Bits of the set that the sentence is about. */
static uint64_t size_of_new(const plan_columns *shown)
{
    return shown->has_growth ? shown->growth.size_bits
                             : shown->plans[shown->count - 1].size_bits;
}

void plan_sentence_print(const plan_columns *shown)
{
    const int last = shown->count - 1;
    if (!shown->has_growth && (last < 1 || shown->errors[last] != 0))
        return;
    putchar('\n');
    if (!shown->has_growth)
        print_fixed(&shown->plans[last]);
    else if (shown->growth.added_items == shown->growth.first_capacity_items)
        print_planned(shown);
    else
        print_grown(shown);
    if (shown->has_sealed && shown->sealed.size_bits < size_of_new(shown))
        printf("If all keys are known at once, 'seenset seal' makes a set of "
               "%s,\nat %s.\n",
               bytes_of(shown->sealed.size_bits).text,
               units_as_rate(shown->sealed.expected_fp_rate).text);
}
