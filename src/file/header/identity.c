/*
 * identity.c - the part of a header that says how keys become places:
 * the hash, the scheme, its arguments, and the check value.
 */
#include "file/header/fields.h"

static uint64_t load_8(const uint8_t *bytes, size_t at)
{
    return ss_bits_load(bytes + at, 8);
}

static uint32_t load_4(const uint8_t *bytes, size_t at)
{
    return (uint32_t)ss_bits_load(bytes + at, 4);
}

/*
 * The arguments of a scheme, in versions 4, 6 and 7. Their length has to fit
 * the header's, and what they leave free is zero. seeds: where they are kept.
 */
static int decode_arguments(ss_scheme_arguments *out, const uint8_t *bytes,
                            uint32_t *seeds, seenset_file_report *report)
{
    uint32_t version = ss_header_version(bytes);
    size_t at =
        ss_header_arguments_offset(version, load_4(bytes, AT_GENERATION_COUNT));
    size_t end = load_4(bytes, AT_HEADER_BYTES);
    uint32_t count = load_4(bytes, at + OF_SEED_COUNT);
    if (count > SEENSET_MAX_HASH_COUNT ||
        end - at != ss_header_arguments_bytes(version, count))
        return ss_header_refuse(report, SEENSET_ECORRUPT, at + OF_SEED_COUNT,
                                "the seeds do not fit the header");
    if (!ss_header_is_zero(bytes, at + OF_SEEDS + count * sizeof *seeds, end))
        return ss_header_refuse(report, SEENSET_EVERSION, at + OF_SEEDS,
                                "reserved bytes are in use");
    for (uint32_t i = 0; i < count; i++)
        seeds[i] = load_4(bytes, at + OF_SEEDS + i * sizeof *seeds);
    *out = (ss_scheme_arguments){.seed = load_8(bytes, at + OF_SEED),
                                 .seeds = count > 0 ? seeds : NULL,
                                 .seed_count = count,
                                 .unit_bits = load_4(bytes, at + OF_UNIT_BITS)};
    return SEENSET_OK;
}

/* A hash and a scheme as version 4 has them: neither keyed nor the caller's,
 * and none that an older version can hold. */
static int decode_with_arguments(ss_header *header,
                                 const ss_scheme_arguments *arguments,
                                 const uint8_t *bytes,
                                 seenset_file_report *report)
{
    ss_key_hash *identity = &header->kind.identity;
    uint32_t scheme = load_4(bytes, AT_SCHEME);
    if (scheme == 0 || ss_scheme_find(scheme) == NULL ||
        ss_key_hash_make(identity, scheme, NULL, arguments) != SEENSET_OK ||
        identity->hash != load_4(bytes, AT_HASH) ||
        ss_key_hash_file_version(identity) != 4)
        return ss_header_refuse(report, SEENSET_EHASH, AT_HASH,
                                "the hash, the index scheme or its arguments "
                                "are unknown");
    return SEENSET_OK;
}

/* The same without arguments: in every other version. From version 5 on there
 * are no schemes. */
static int decode_without(ss_header *header, const uint8_t *bytes,
                          seenset_file_report *report)
{
    uint32_t hash = load_4(bytes, AT_HASH);
    const ss_scheme *scheme = ss_scheme_find(load_4(bytes, AT_SCHEME));
    bool is_chain = scheme != NULL && scheme->id == SS_SCHEME_CHAIN;
    bool is_known = hash == SS_HASH_XXH3_64 && is_chain;
    if (header->version > 1)
        is_known |= (hash == SS_HASH_SIPHASH_2_4_128 && is_chain) ||
                    (hash == SS_HASH_OF_SCHEME && !is_chain && scheme != NULL &&
                     scheme->first_file_version <= header->version &&
                     header->version < 4);
    if (!is_known)
        return ss_header_refuse(report, SEENSET_EHASH, AT_HASH,
                                "the hash or the index scheme is unknown");
    header->kind.identity =
        (ss_key_hash){.hash = hash, .scheme = (uint16_t)scheme->id};
    return SEENSET_OK;
}

/* Versions 6 and 7 have the arguments of any hash, and so also those of none.
 */
static int decode_by_version(ss_header *header, const uint8_t *bytes,
                             seenset_file_report *report)
{
    static const ss_scheme_arguments none = {0};
    ss_scheme_arguments arguments;
    if (!ss_header_has_arguments(header->version))
        return decode_without(header, bytes, report);
    int error = decode_arguments(&arguments, bytes, header->seeds, report);
    if (error != SEENSET_OK)
        return error;
    return header->version > 4 && ss_scheme_is_same(&arguments, &none)
               ? decode_without(header, bytes, report)
               : decode_with_arguments(header, &arguments, bytes, report);
}

/* Which hash and scheme; a plain one's check value is ours to check. */
int ss_header_decode_identity(ss_header *header, const uint8_t *bytes,
                              seenset_file_report *report)
{
    const ss_key_hash *identity = &header->kind.identity;
    int error = decode_by_version(header, bytes, report);
    if (error != SEENSET_OK)
        return error;
    header->hash_check = load_8(bytes, AT_HASH_CHECK);
    bool is_ours = identity->hash != SS_HASH_SIPHASH_2_4_128 &&
                   identity->scheme != SS_SCHEME_CALLER;
    if (is_ours && header->hash_check != ss_key_hash_check(identity))
        return ss_header_refuse(report, SEENSET_EHASH, AT_HASH_CHECK,
                                "the writer's hash gave other values");
    return SEENSET_OK;
}
