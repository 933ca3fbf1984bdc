/*
 * audit.c - see audit.h.
 */
#include "report/audit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "command.h"
#include "report/complain.h"
#include "report/progress.h"
#include "report/report.h"
#include "sets/setfile.h"
#include "text/options.h"
#include "text/units.h"

#define KEYS UINT64_C(1000000)
#define MOST_SEED ((UINT64_C(1) << 53) - 1) /* JSON's numbers are exact */
#define KEY_BYTES ((size_t)16)
#define FILL_BYTES ((size_t)17) /* of another length, so of other keys */
#define GROUP_KEYS ((size_t)512)
#define NORMAL_95 1.959963984540054       /* 95 % are as near to the mean */
#define NORMAL_CERTAIN 6.5                /* all but 1 in 10 billion */
#define STEP UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / the golden ratio */

void audit_parse(audit_request *request, arguments *state, const char *text)
{
    request->is_wanted = true;
    if (text != NULL)
        request->seed = options_count(state, "--audit", text);
}

/* ---- keys ---- */

/* The output of SplitMix64 (Steele, Lea, Flood 2014): a bijection, whose
 * results for a counter pass as random. */
static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

static void put_word(uint8_t *to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(word >> 8 * i);
}

typedef struct group {
    uint8_t bytes[GROUP_KEYS][FILL_BYTES];
    seenset_key keys[GROUP_KEYS];
    uint8_t answers[GROUP_KEYS];
} group;

/* Keys number first, ..., first + count - 1 of a seed: two outputs each of a
 * SplitMix64 that is seeded with the first output of one seeded with `seed`. */
static void make_keys(group *out, uint64_t seed, uint64_t first, size_t count,
                      size_t key_bytes)
{
    uint64_t start = mix(seed + STEP);
    for (size_t i = 0; i < count; i++) {
        uint64_t at = start + (2 * (first + i) + 1) * STEP;
        put_word(out->bytes[i], mix(at));
        put_word(out->bytes[i] + 8, mix(at + STEP));
        out->bytes[i][KEY_BYTES] = 0;
        out->keys[i] = (seenset_key){out->bytes[i], key_bytes};
    }
}

static size_t group_size(uint64_t left)
{
    return left < GROUP_KEYS ? (size_t)left : GROUP_KEYS;
}

/* From 1 to MOST_SEED. 0 if the system gives no random bytes. */
static uint64_t random_seed(void)
{
    uint8_t bytes[SEENSET_SECRET_BYTES];
    uint64_t seed = 0;
    if (seenset_make_secret(bytes) != 0)
        return 0;
    memcpy(&seed, bytes, sizeof seed);
    return seed % MOST_SEED + 1;
}

/* ---- measuring ---- */

/* Wilson's interval of a rate. */
static void find_interval(audit *out)
{
    double n = (double)out->key_count;
    double p = (double)out->seen_count / n;
    double z2 = NORMAL_95 * NORMAL_95;
    double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half =
        NORMAL_95 / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    out->fp_rate = p;
    out->low = out->seen_count > 0 ? middle - half : 0;
    out->high = out->seen_count < out->key_count ? middle + half : 1;
}

static int look_up(audit *out, const seenset *set)
{
    group now;
    for (uint64_t done = 0; done < out->key_count;) {
        size_t count = group_size(out->key_count - done);
        make_keys(&now, out->seed, done, count, KEY_BYTES);
        int error = seenset_has_many(set, now.keys, count, now.answers);
        if (error != 0)
            return error;
        for (size_t i = 0; i < count; i++)
            out->seen_count += now.answers[i];
        done += count;
    }
    return 0;
}

int audit_run(audit *out, const audit_request *request, const seenset *set)
{
    seenset_stats stats = {0};
    *out = (audit){.seed = request->seed, .key_count = KEYS};
    if (out->seed == 0)
        out->seed = random_seed();
    if (out->seed == 0)
        return SEENSET_EIO;
    int error = seenset_get_stats(set, &stats, sizeof stats);
    if (error == 0)
        error = look_up(out, set);
    if (error != 0)
        return error;
    find_interval(out);
    out->promised = stats.fp_rate;
    out->computed = fabs(stats.current_fp_rate);
    return 0;
}

/* ---- printing ---- */

/* Is the difference of the rates what chance makes of so many keys? */
static bool is_as_computed(const audit *result)
{
    double expected = result->computed * (double)result->key_count;
    double spread = sqrt(expected * (1 - result->computed));
    double difference = fabs((double)result->seen_count - expected);
    return difference <= NORMAL_CERTAIN * (spread + 1);
}

static const char *verdict(const audit *result)
{
    if (result->high <= result->promised)
        return "kept";
    if (result->low > result->promised)
        return "not kept";
    return "within the interval";
}

void audit_print(FILE *out, const audit *result)
{
    report_row(out, "audit", "%s of %s fresh keys were reported as seen",
               units_grouped(result->seen_count).text,
               units_grouped(result->key_count).text);
    report_row(out, "  rate measured", "%s, 95 %%: %.4g to %.4g",
               units_as_rate(result->fp_rate).text, result->low, result->high);
    report_row(out, "  rate computed", "%s%s",
               units_as_rate(result->computed).text,
               is_as_computed(result) ? "" : ": not what was measured");
    report_row(out, "  rate promised", "%s: %s",
               units_as_rate(result->promised).text, verdict(result));
    report_row(out, "  seed", "%llu", (unsigned long long)result->seed);
}

void audit_json(json *out, const audit *result)
{
    json_open(out, "audit", '{');
    json_count(out, "key_count", result->key_count);
    json_count(out, "seen_count", result->seen_count);
    json_real(out, "fp_rate", result->fp_rate);
    json_real(out, "low", result->low);
    json_real(out, "high", result->high);
    json_bool(out, "is_as_computed", is_as_computed(result));
    json_count(out, "seed", result->seed);
    json_close(out, '}');
}

int audit_report(const audit_request *request, const seenset *set,
                 const char *name)
{
    audit result;
    if (!request->is_wanted)
        return 0;
    int error = audit_run(&result, request, set);
    if (error == 0)
        audit_print(stderr, &result);
    else
        setfile_complain_of_content(name, error);
    return error == 0 ? 0 : COMMAND_ERROR;
}

/* ---- a rehearsal ---- */

static int fill(seenset *set, uint64_t seed, uint64_t key_count, progress *bar)
{
    group now;
    for (uint64_t done = 0; done < key_count;) {
        size_t count = group_size(key_count - done);
        make_keys(&now, seed, done, count, FILL_BYTES);
        int error = seenset_add_many(set, now.keys, count, now.answers);
        if (error != 0)
            return error;
        done += count;
        progress_advance(bar, count);
    }
    return 0;
}

int audit_fill(seenset *set, const char *name)
{
    seenset_info info = {0};
    progress bar;
    (void)seenset_get_info(set, &info, sizeof info);
    progress_start_steps(&bar, "filling", info.capacity_items);
    int error = fill(set, 1, info.capacity_items, &bar);
    progress_clear(&bar);
    if (error != 0)
        setfile_complain(name, error);
    else
        report_row(stderr, "filled for the audit", "with %s keys",
                   units_grouped(info.capacity_items).text);
    return error == 0 ? 0 : COMMAND_ERROR;
}
