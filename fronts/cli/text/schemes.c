/* schemes.c - see schemes.h */
#include "text/schemes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/complain.h"
#include "text/layouts.h"
#include "text/options.h"
#include "text/units.h"

/* A command has no function of its own, and makes no filters of tables. */
static bool can_be_named(seenset_scheme scheme)
{
    return scheme != SEENSET_SCHEME_CALLER &&
           scheme != SEENSET_SCHEME_LEVELDB &&
           scheme != SEENSET_SCHEME_ROCKSDB_LEGACY &&
           scheme != SEENSET_SCHEME_ROCKSDB &&
           scheme != SEENSET_SCHEME_REDISBLOOM;
}

static seenset_scheme read_scheme(arguments *state, const char *text)
{
    for (int i = SEENSET_SCHEME_CHAIN; i <= SEENSET_SCHEME_REDISBLOOM; i++)
        if (can_be_named((seenset_scheme)i) &&
            strcmp(text, seenset_scheme_name((seenset_scheme)i)) == 0)
            return (seenset_scheme)i;
    arguments_refuse(
        state,
        "--scheme '%s': it must be chain, murmur2a+fnv1a, "
        "murmur2a+fnv1a-signed, murmur3-128, polynomial, md5-divmod, "
        "enhanced-double, clickhouse-bloom, "
        "clickhouse-tokenbf, parquet, dcso, guava-mitz-64, guava-mitz-32 "
        "or bip37",
        text);
    return SEENSET_SCHEME_DEFAULT;
}

/* A number at *text, decimal or 0x and hexadecimal, up to `most`; *text becomes
 * what follows it. */
static bool read_number(const char **text, uint64_t most, uint64_t *out)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    bool is_hex = (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X');
    errno = 0;
    *out = strtoull(*text, &end, is_hex ? 16 : 10);
    *text = end;
    return errno == 0 && *out <= most;
}

static void read_seed(arguments *state, const char *text,
                      scheme_request *request)
{
    const char *at = text;
    if (!read_number(&at, UINT64_MAX, &request->arguments.seed) || *at != '\0')
        arguments_refuse(
            state,
            "--seed '%s': it must be a number of at most 2^64 - 1, such "
            "as 7 or 0x5eed",
            text);
}

static void read_seeds(arguments *state, const char *text,
                       scheme_request *request)
{
    const char *at = text;
    uint32_t count = 0;
    uint64_t value = 0;
    bool is_list = true;
    while (is_list && count < SEENSET_MAX_HASH_COUNT) {
        is_list = read_number(&at, UINT32_MAX, &value);
        request->seeds[count++] = (uint32_t)value;
        if (!is_list || *at != ',')
            break;
        at++;
    }
    if (!is_list || *at != '\0' || at[-1] == ',')
        arguments_refuse(
            state,
            "--seeds '%s': it must be up to 255 numbers below 2^32 with "
            "commas between them, such as 31,131,1313",
            text);
    request->arguments.seeds = request->seeds;
    request->arguments.seed_count = count;
}

static void read_units(arguments *state, const char *text,
                       scheme_request *request)
{
    if (strcmp(text, "8") != 0 && strcmp(text, "16") != 0)
        arguments_refuse(
            state, "--units '%s': it must be 8 (bytes) or 16 (UTF-16 units)",
            text);
    request->arguments.unit_bits = text[0] == '8' ? 8 : 16;
}

int schemes_parse(int key, char *text, arguments *state,
                  scheme_request *request, seenset_options *options)
{
    switch (key) {
    case OPTION_SCHEME:
        options->scheme = read_scheme(state, text);
        return 0;
    case OPTION_SEED:
        read_seed(state, text, request);
        break;
    case OPTION_SEEDS:
        read_seeds(state, text, request);
        break;
    case OPTION_UNITS:
        read_units(state, text, request);
        break;
    default:
        return ARGUMENTS_UNKNOWN;
    }
    options->scheme_arguments = &request->arguments;
    return 0;
}

void schemes_say_rate(const char *name, const seenset_options *asked,
                      double kept)
{
    if (asked->scheme == SEENSET_SCHEME_CLICKHOUSE_BLOOM &&
        asked->fp_rate > 0 && kept > asked->fp_rate)
        complain("%s: the parameters that ClickHouse has for a rate of %s keep "
                 "%s; with a -k, the size is one that keeps yours",
                 name, units_as_rate(asked->fp_rate).text,
                 units_as_rate(kept).text);
}

/* Two hashes, of unsigned or of signed bytes. */
static bool is_of_two(seenset_scheme scheme)
{
    return scheme == SEENSET_SCHEME_MURMUR2A_FNV1A ||
           scheme == SEENSET_SCHEME_MURMUR2A_FNV1A_SIGNED;
}

const char *schemes_argument_conflict(const seenset_options *options,
                                      bool is_keyed)
{
    const seenset_scheme_arguments *given = options->scheme_arguments;
    seenset_plan plan = {.capacity_items = 1, .fp_rate = 0.5};
    if (given == NULL)
        return NULL;
    if ((given->seeds != NULL || given->unit_bits != 0) &&
        options->scheme != SEENSET_SCHEME_POLYNOMIAL)
        return "--seeds and --units are for --scheme polynomial";
    if (given->seed != 0 && is_keyed)
        return "a set is hashed with a --seed or under a secret, not both";
    if (seenset_plan_solve_scheme(&plan, options->scheme, given) !=
        SEENSET_EINVAL)
        return NULL;
    return is_of_two(options->scheme) ||
                   options->scheme == SEENSET_SCHEME_MURMUR3_128 ||
                   options->scheme == SEENSET_SCHEME_BIP37
               ? "--seed: a scheme of MurmurHash takes one below 2^32"
               : "--seed: this scheme has none";
}

/* Of a size, or of a number of bits that a key sets. */
static const char *shape_conflict(const seenset_options *options)
{
    seenset_plan plan = {.layout = options->layout,
                         .size_bits = options->size_bits,
                         .hash_count = options->hash_count,
                         .fp_rate = 0.5};
    if (plan.size_bits == 0)
        plan.capacity_items = 1;
    if (seenset_plan_solve_scheme(&plan, options->scheme,
                                  options->scheme_arguments) != SEENSET_EINVAL)
        return NULL;
    if (is_of_two(options->scheme))
        return "--scheme murmur2a+fnv1a sets 2 bits for each key, in at most "
               "2^32 of them";
    if (options->scheme == SEENSET_SCHEME_POLYNOMIAL)
        return "--scheme polynomial takes -m of a power of two bits, such as "
               "64Kibits, and -k of 7 at most, or of the number of --seeds";
    if (options->scheme == SEENSET_SCHEME_PARQUET)
        return "--scheme parquet takes -m of blocks of 32 bytes, and -k 8";
    if (options->scheme == SEENSET_SCHEME_GUAVA_MITZ_32)
        return "--scheme guava-mitz-32 takes -m of at most 2^31 bits";
    if (options->scheme == SEENSET_SCHEME_BIP37)
        return "--scheme bip37 takes -m of whole bytes, 36,000 of them at "
               "most, and -k of at most 50";
    return "--scheme: -m must be whole bytes, of at most 1 GiB for tokenbf, "
           "and -k at most 15 for clickhouse-bloom";
}

const char *schemes_conflict(const seenset_options *options, bool is_list,
                             bool is_keyed)
{
    const char *wrong = schemes_argument_conflict(options, is_keyed);
    if (options->scheme <= SEENSET_SCHEME_CHAIN || wrong != NULL)
        return wrong;
    if (options->on_full == SEENSET_ON_FULL_REFUSE || is_list)
        return "a set with a --scheme can only degrade";
    bool is_parquet = options->scheme == SEENSET_SCHEME_PARQUET;
    bool is_split =
        strcmp(seenset_layout_name(options->layout), "split_block") == 0;
    if (is_parquet && options->layout != SEENSET_LAYOUT_DEFAULT && !is_split)
        return "--scheme parquet is for --layout split_block";
    if (!is_parquet && options->layout != SEENSET_LAYOUT_DEFAULT &&
        !layouts_words(options->layout)->has_schemes)
        return "a --scheme is for --layout bloom or counting";
    if (is_keyed)
        return "a --scheme hashes without a secret";
    return shape_conflict(options);
}
