/* figures_json.c - see figures_json.h. */
#include "report/figures_json.h"

#include <math.h>

#include "figures/figures.h"

static void put_seeds(json *out, const char *name, const uint32_t *seeds,
                      uint32_t count)
{
    json_open(out, name, '[');
    for (uint32_t i = 0; i < count; i++)
        json_count(out, NULL, seeds[i]);
    json_close(out, ']');
}

static void put_priorities(json *out, const char *name, const uint64_t *items)
{
    json_open(out, name, '[');
    for (size_t i = 0; i < SEENSET_QUEUE_PRIORITIES; i++)
        json_count(out, NULL, items[i]);
    json_close(out, ']');
}

static const char *normalise_name(seenset_queue_normalise normalise)
{
    return normalise == SEENSET_QUEUE_NORMALISE_URL ? "url" : "off";
}

static const char *site_name(seenset_url_site_kind kind)
{
    static const char *const names[] = {"host", "host-port", "domain"};
    return names[kind];
}

void figures_json_wrong(json *out, double wrong_items, bool is_at_least)
{
    json_real(out, "expected_false_positives",
              is_at_least ? (double)NAN : wrong_items);
    json_real(out, "least_false_positives", wrong_items);
}

/* The rows of figures.h, of a struct `from`. A sum with 0.0 is never -0. */
#define PUT(kind, member, name, python, redis, meaning)                        \
    PUT_##kind(#name, from->member);
#define PUT_U32(name, value) json_count(out, name, value)
#define PUT_U64(name, value) json_count(out, name, value)
#define PUT_SEED(name, value) json_count(out, name, value)
#define PUT_REAL(name, value) json_real(out, name, (value) + 0.0)
#define PUT_FLAG(name, value) json_bool(out, name, value)
#define PUT_LAYOUT(name, value) json_text(out, name, seenset_layout_name(value))
#define PUT_ON_FULL(name, value)                                               \
    json_text(out, name, seenset_on_full_name(value))
#define PUT_SCHEME(name, value) json_text(out, name, seenset_scheme_name(value))
#define PUT_NORMALISE(name, value) json_text(out, name, normalise_name(value))
#define PUT_SITE(name, value) json_text(out, name, site_name(value))
#define PUT_SLIDING(name, value)                                               \
    json_bool(out, name, ((value)&SEENSET_FLAG_SLIDING) != 0)
#define PUT_SHARED(name, value)                                                \
    json_bool(out, name, ((value)&SEENSET_FLAG_SHARED) != 0)
#define PUT_SEEDS(name, value) put_seeds(out, name, value, from->seed_count)
#define PUT_QUEUE_SEEDS PUT_SEEDS
#define PUT_PRIORITIES(name, value) put_priorities(out, name, value)
#define PUT_WRONG(name, value)                                                 \
    json_real(out, name, from->is_wrong_at_least ? (double)NAN : (value));     \
    figures_json_wrong(out, value, from->is_wrong_at_least)

void figures_json_info(json *out, const seenset_info *from)
{
    FIGURES_INFO_ONLY(PUT)
}

void figures_json_stats(json *out, const seenset_stats *from)
{
    FIGURES_STATS(PUT)
}

void figures_json_table(json *out, const seenset_table_info *from)
{
    FIGURES_TABLE(PUT)
}

void figures_json_uniformity(json *out, const seenset_uniformity *from)
{
    FIGURES_UNIFORMITY(PUT)
}

void figures_json_overlap(json *out, const seenset_overlap *from)
{
    FIGURES_OVERLAP(PUT)
}

void figures_json_queue(json *out, const seenset_queue_stats *from)
{
    FIGURES_QUEUE_COUNTS(PUT)
    FIGURES_QUEUE_FILES(PUT)
}
