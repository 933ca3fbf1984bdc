/*
 * growth.c - what a set costs on its way; see growth.h.
 *
 * Bits a key go up and down as a set grows: a step of growth is memory for keys
 * to come. So the bits at one number of keys are a matter of luck, and beside
 * them are the mean and the most while the keys became twice as many.
 */
#include "plan/growth.h"

#include <math.h>
#include <stdio.h>

#include "report/report.h"
#include "text/units.h"

enum {
    LOOKS = 8, /* in the doubling that ends at a step */
    MOST_STEPS = 20
};

typedef struct step {
    seenset_plan_growth at;
    double mean_bits, most_bits; /* a key */
} step;

typedef struct steps {
    int count;
    step list[MOST_STEPS];
} steps;

static int look(const seenset_plan *first, uint64_t items, step *out)
{
    double sum = 0.0;
    *out = (step){.most_bits = 0.0};
    for (int i = 1; i <= LOOKS; i++) {
        double part = exp2((double)(i - LOOKS) / LOOKS);
        uint64_t here = (uint64_t)((double)items * part);
        /* before it was full it had its first table */
        here = here > first->capacity_items ? here : first->capacity_items;
        here = i == LOOKS || here > items ? items : here;
        int error = seenset_plan_grown(first, here, &out->at, sizeof out->at);
        if (error != 0)
            return error;
        sum += out->at.bits_per_key;
        out->most_bits = fmax(out->most_bits, out->at.bits_per_key);
    }
    out->mean_bits = sum / LOOKS;
    return 0;
}

/* The steps that can be planned: those of the whole growth can. */
static steps steps_of(const plan_columns *shown)
{
    const seenset_plan_growth *growth = &shown->growth;
    const seenset_plan first = {.layout = growth->layout,
                                .capacity_items = growth->first_capacity_items,
                                .fp_rate = growth->fp_rate};
    steps out = {0};
    uint64_t items = first.capacity_items, last = growth->added_items;
    for (;;) {
        if (look(&first, items, &out.list[out.count]) == 0)
            out.count++;
        if (items >= last || out.count == MOST_STEPS)
            return out;
        items = items > last / 10 ? last : items * 10;
    }
}

static bool has_grown(const plan_columns *shown)
{
    const seenset_plan_growth *growth = &shown->growth;
    return shown->has_growth &&
           growth->added_items > growth->first_capacity_items;
}

void plan_growth_print(const plan_columns *shown)
{
    if (!has_grown(shown))
        return;
    const steps on_the_way = steps_of(shown);
    printf("\n%-15s%-11s%-25s%-8s%-9s%s\n", "as it grows", "size",
           "bits per key, mean, most", "tables", "reads", "rate (p)");
    for (int i = 0; i < on_the_way.count; i++) {
        const step *of = &on_the_way.list[i];
        char bits[64], reads[32];
        snprintf(bits, sizeof bits, "%.2f  %.2f  %.2f", of->at.bits_per_key,
                 of->mean_bits, of->most_bits);
        snprintf(reads, sizeof reads, "%u", of->at.probe_count);
        printf("%-14.14s %-10.10s %-24.24s %-7u %-8.8s %.4g\n",
               units_in_words(of->at.added_items).text,
               units_as_bytes((of->at.size_bits + 7) / 8).text, bits,
               of->at.table_count, reads, of->at.expected_fp_rate);
    }
}

static void print_figure(const char *name, double value)
{
    printf(", \"%s\": ", name);
    json_number(stdout, value);
}

void plan_growth_print_json(const plan_columns *shown)
{
    steps on_the_way = {0};
    if (has_grown(shown))
        on_the_way = steps_of(shown);
    for (int i = 0; i < on_the_way.count; i++) {
        const step *of = &on_the_way.list[i];
        printf("%s{\"added_items\": %llu, \"table_count\": %u, "
               "\"size_bits\": %llu, \"memory_bytes\": %llu, "
               "\"probe_count\": %u",
               i == 0 ? "[\n    " : ",\n    ",
               (unsigned long long)of->at.added_items, of->at.table_count,
               (unsigned long long)of->at.size_bits,
               (unsigned long long)of->at.memory_bytes, of->at.probe_count);
        print_figure("bits_per_key", of->at.bits_per_key);
        print_figure("mean_bits_per_key", of->mean_bits);
        print_figure("most_bits_per_key", of->most_bits);
        print_figure("expected_fp_rate", of->at.expected_fp_rate);
        putchar('}');
    }
    fputs(on_the_way.count == 0 ? "[]" : "]", stdout);
}
