/*
 * open_matrix_calls.c - the calls on a set that was opened; the idea is in
 * open_matrix.h
 */
#include "open_matrix.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_plain(const matrix_kind *of)
{
    return !of->is_keyed && of->options.scheme == 0 &&
           of->options.scheme_arguments == NULL;
}

static bool is_allowed(const matrix_opened *at, int answer)
{
    return answer >= 0 || (answer == SEENSET_ECORRUPT && at->may_fail);
}

const char *matrix_ask_all(const matrix_opened *at, const seenset *set,
                           bool is_own)
{
    for (int i = 0; i < MATRIX_KEYS; i++) {
        const seenset_key *key = &at->keys->keys[i];
        int answer = is_own ? at->has(set, key->data, key->len)
                            : seenset_has(set, key->data, key->len);
        if (!is_allowed(at, answer) || answer > 1)
            return "has answered what it must not";
        if (answer == 0 && !at->may_forget)
            return "a key was forgotten";
    }
    return NULL;
}

static const char *call_has(matrix_opened *at)
{
    if (seenset_has(at->set, NULL, 1) != SEENSET_EINVAL)
        return "a key that is NULL was asked for";
    return matrix_ask_all(at, at->set, true);
}

static const char *judge_seen(const matrix_opened *at, int error,
                              const uint8_t *is_seen)
{
    if (!is_allowed(at, error))
        return "a batch was refused";
    for (int i = 0; i < MATRIX_KEYS && !at->may_forget; i++)
        if (is_seen[i] != 1)
            return "a batch forgot a key";
    return NULL;
}

static const char *call_has_many(matrix_opened *at)
{
    uint8_t is_seen[MATRIX_KEYS];
    int error = seenset_has_many(at->set, at->keys->keys, MATRIX_KEYS, is_seen);
    return judge_seen(at, error, is_seen);
}

static const char *call_has_hash(matrix_opened *at)
{
    for (int i = 0; i < MATRIX_KEYS; i++) {
        int answer = seenset_has_hash(at->set, at->keys->hashes[i]);
        if (!is_plain(at->from->of) && answer != SEENSET_EUNSUPPORTED)
            return "a hash was taken where none can be";
        if (is_plain(at->from->of) && !is_allowed(at, answer))
            return "a hash was refused";
        if (is_plain(at->from->of) && answer == 0 && !at->may_forget)
            return "a hash was forgotten";
    }
    return NULL;
}

static const char *call_has_hash_many(matrix_opened *at)
{
    uint8_t is_seen[MATRIX_KEYS];
    int error =
        seenset_has_hash_many(at->set, at->keys->hashes, MATRIX_KEYS, is_seen);
    if (!is_plain(at->from->of))
        return error == SEENSET_EUNSUPPORTED ? NULL : "hashes were taken";
    return judge_seen(at, error, is_seen);
}

/* An add, of a set whose kind may refuse hashes: is the answer one? */
static const char *judge_add(const matrix_opened *at, int answer, bool is_hash)
{
    bool is_refused = answer == SEENSET_EUNSUPPORTED;
    if (at->from->of->is_sealed || (is_hash && !is_plain(at->from->of)))
        return is_refused ? NULL : "what cannot be added to was added to";
    if (at->is_view)
        return answer == SEENSET_EREADONLY ? NULL : "a view was added to";
    return answer == 0 || answer == 1 || answer == SEENSET_EFULL
               ? matrix_ask_all(at, at->set, true)
               : "an add was refused";
}

static const char *call_add(matrix_opened *at)
{
    int answer = seenset_add(at->set, "one more", 8);
    if (answer >= 0 && seenset_has(at->set, "one more", 8) != 1)
        return "what was added is not there";
    return judge_add(at, answer, false);
}

static const char *call_add_many(matrix_opened *at)
{
    uint8_t is_new[MATRIX_KEYS];
    return judge_add(
        at, seenset_add_many(at->set, at->keys->keys, MATRIX_KEYS, is_new),
        false);
}

static const char *call_add_hash(matrix_opened *at)
{
    return judge_add(at, seenset_add_hash(at->set, 12345), true);
}

static const char *call_add_hash_many(matrix_opened *at)
{
    return judge_add(
        at, seenset_add_hash_many(at->set, at->keys->hashes, MATRIX_KEYS, NULL),
        true);
}

static const char *call_build(matrix_opened *at)
{
    return judge_add(
        at, seenset_add_parallel(at->set, at->keys->keys, MATRIX_KEYS, 2),
        false);
}

static const char *call_build_hashes(matrix_opened *at)
{
    return judge_add(
        at,
        seenset_add_hash_parallel(at->set, at->keys->hashes, MATRIX_KEYS, 2),
        true);
}

static bool is_counting(const matrix_opened *at)
{
    return at->from->of->options.layout == SEENSET_LAYOUT_COUNTING;
}

static const char *call_remove(matrix_opened *at)
{
    const seenset_key *key = &at->keys->keys[0];
    int answer = seenset_remove(at->set, key->data, key->len);
    int expected = !is_counting(at) ? SEENSET_EUNSUPPORTED
                   : at->is_view    ? SEENSET_EREADONLY
                                    : 1;
    return answer == expected ? NULL : "remove answered what it must not";
}

static const char *call_count(matrix_opened *at)
{
    const seenset_key *key = &at->keys->keys[0];
    uint64_t count = 77;
    int error = seenset_count(at->set, key->data, key->len, &count);
    if (!is_counting(at))
        return error == SEENSET_EUNSUPPORTED && count == 77
                   ? NULL
                   : "what counts nothing counted";
    if (!is_allowed(at, error) || (error != 0 && count != 77))
        return "count answered what it must not";
    return error != 0 || at->may_forget || (count >= 1 && count < 77)
               ? NULL
               : "a key does not count";
}

static const char *call_get_bits(matrix_opened *at)
{
    uint8_t bits[64];
    memset(bits, 9, sizeof bits);
    int error = seenset_get_bits(at->set, 0, 3, sizeof bits, bits);
    if (!is_allowed(at, error))
        return "get_bits answered what it must not";
    for (size_t i = 0; i < sizeof bits; i++)
        if (error == 0 ? bits[i] > 1 : bits[i] != 9)
            return "bits were stored that are none";
    return NULL;
}

static const char *call_get_counters(matrix_opened *at)
{
    uint16_t counters[64];
    memset(counters, 0xEE, sizeof counters);
    int error = seenset_get_counters(at->set, 0, 3, 64, counters);
    if (!is_counting(at) ? error != SEENSET_EUNSUPPORTED
                         : !is_allowed(at, error))
        return "get_counters answered what it must not";
    for (size_t i = 0; error != 0 && i < 64; i++)
        if (counters[i] != 0xEEEE)
            return "counters were stored after an error";
    return NULL;
}

static const char *call_count_cells(matrix_opened *at)
{
    uint64_t set_count = 77;
    int error = seenset_count_cells(at->set, 0, 3, 64, &set_count);
    if (!is_allowed(at, error))
        return "count_cells answered what it must not";
    return error == 0 ? (set_count <= 64 ? NULL : "more cells than there are")
           : set_count == 77 ? NULL
                             : "a count was stored after an error";
}

/* Both are of the header, which is sound. */
static const char *call_get_info(matrix_opened *at)
{
    const matrix_file *from = at->from;
    unsigned flags = from->of->options.flags & SEENSET_SLIDING;
    seenset_info info;
    int error = seenset_get_info(at->set, &info, sizeof info);
    if (at->is_shared)
        flags |= SEENSET_SHARED;
    return error == 0 && info.flags == flags &&
                   info.format_version == from->version &&
                   info.is_read_only == at->is_view
               ? NULL
               : "get_info answered what it must not";
}

static const char *call_get_table_info(matrix_opened *at)
{
    seenset_table_info info;
    int error = seenset_get_table_info(at->set, 0, &info, sizeof info);
    return error == 0 && info.size_bits > 0 && info.capacity_items > 0 &&
                   info.memory_bytes * 8 >= info.cell_count * info.cell_bits
               ? NULL
               : "get_table_info answered what it must not";
}

static const char *call_get_stats(matrix_opened *at)
{
    seenset_stats stats = {.added_items = 77};
    int error = seenset_get_stats(at->set, &stats, sizeof stats);
    if (!is_allowed(at, error))
        return "get_stats was refused";
    bool is_told = stats.added_items > 77 && stats.set_bits <= stats.size_bits;
    return error == 0 ? (is_told ? NULL : "the statistics are wrong")
           : stats.added_items == 77 ? NULL
                                     : "statistics were stored after an error";
}

static const char *call_get_estimate(matrix_opened *at)
{
    seenset_estimate estimate = {.added_items = 77};
    int error = seenset_get_estimate(at->set, &estimate, sizeof estimate);
    if (!is_allowed(at, error))
        return "get_estimate was refused";
    bool is_told =
        estimate.added_items > 77 && estimate.set_bits <= estimate.size_bits;
    return error == 0 ? (is_told ? NULL : "the statistics are wrong")
           : estimate.added_items == 77
               ? NULL
               : "statistics were stored after an error";
}

static const char *call_get_uniformity(matrix_opened *at)
{
    seenset_uniformity found = {.chi_square = -7};
    int error = seenset_get_uniformity(at->set, &found, sizeof found);
    if (!is_allowed(at, error))
        return "get_uniformity was refused";
    if (error != 0)
        return found.chi_square == -7 ? NULL : "it was stored after an error";
    return found.chi_square >= 0 && found.p_value <= 1 ? NULL
                                                       : "it is no measure";
}

static const char *call_to_bits(matrix_opened *at)
{
    size_t needed = 0, room;
    seenset_info info;
    (void)seenset_get_info(at->set, &info, sizeof info);
    bool is_one = info.table_count == 1 && !at->from->of->is_sealed;
    int expected = is_one ? SEENSET_ESPACE : SEENSET_EUNSUPPORTED;
    if (seenset_to_bits(at->set, NULL, &needed) != expected)
        return "to_bits needed no room";
    uint8_t *bytes = malloc(needed + 1);
    assert_non_null(bytes);
    room = needed;
    int error = seenset_to_bits(at->set, bytes, &room);
    free(bytes);
    if (is_one ? !is_allowed(at, error) : error != expected)
        return "to_bits answered what it must not";
    return room == needed ? NULL : "to_bits has other lengths";
}

static const char *call_clear(matrix_opened *at)
{
    const seenset_key *key = &at->keys->keys[0];
    int error = seenset_clear(at->set);
    int expected = at->from->of->is_sealed ? SEENSET_EUNSUPPORTED
                   : at->is_view           ? SEENSET_EREADONLY
                                           : SEENSET_OK;
    if (error != expected)
        return "clear answered what it must not";
    if (error == 0 && seenset_has(at->set, key->data, key->len) != 0)
        return "something is left after clear";
    return error == 0 ? NULL : matrix_ask_all(at, at->set, true);
}

static const char *call_copy(matrix_opened *at)
{
    seenset *copy = NULL;
    int error = seenset_copy(&copy, at->set);
    if (!is_allowed(at, error) || (error == 0) != (copy != NULL))
        return "copy answered what it must not";
    if (error != 0)
        return NULL;
    const char *wrong = matrix_ask_all(at, copy, false);
    seenset_free(copy);
    return wrong;
}

/* A set that was saved must be sound, and hold what it held. */
static const char *judge_saved(const matrix_opened *at, seenset *again)
{
    const char *wrong = again == NULL ? "what was saved does not open"
                                      : matrix_ask_all(at, again, false);
    seenset_free(again);
    return wrong;
}

static const char *call_save(matrix_opened *at)
{
    seenset *again = NULL;
    struct stat status;
    (void)unlink(at->other_path);
    int error = seenset_save(at->set, at->other_path);
    if (!is_allowed(at, error))
        return "save was refused";
    if (error != 0)
        return stat(at->other_path, &status) != 0 ? NULL : "damage was saved";
    seenset_open_options options =
        matrix_options_for(at->from->of, SEENSET_OPEN_COPY);
    (void)seenset_open(&again, at->other_path, &options);
    return judge_saved(at, again);
}

/* None of these was opened to be appended to. */
static const char *call_append(matrix_opened *at)
{
    return seenset_append(at->set, at->other_path) == SEENSET_EUNSUPPORTED
               ? NULL
               : "append takes a set that remembers nothing";
}

static const char *call_write(matrix_opened *at)
{
    seenset *again = NULL;
    test_stream stream = {0};
    int error = seenset_write(at->set, test_stream_write, &stream);
    size_t written = stream.size_bytes;
    seenset_open_options options =
        matrix_options_for(at->from->of, SEENSET_OPEN_COPY);
    if (error == 0)
        (void)seenset_read(&again, test_stream_read, &stream, &options);
    test_stream_free(&stream);
    if (!is_allowed(at, error))
        return "write was refused";
    if (error != 0)
        return written == 0 ? NULL : "damage was written";
    return judge_saved(at, again);
}

static const char *call_write_bytes(matrix_opened *at)
{
    seenset *again = NULL;
    size_t needed = 0, room = 1 << 20;
    if (seenset_write_bytes(at->set, NULL, &needed) != SEENSET_ESPACE)
        return "no room was needed";
    uint8_t *bytes = malloc(needed);
    assert_non_null(bytes);
    room = needed;
    int error = seenset_write_bytes(at->set, bytes, &room);
    seenset_open_options options =
        matrix_options_for(at->from->of, SEENSET_OPEN_COPY);
    if (error == 0)
        (void)seenset_open_bytes(&again, bytes, needed, &options);
    free(bytes);
    if (!is_allowed(at, error) || room != needed)
        return "write_bytes answered what it must not";
    return error != 0 ? NULL : judge_saved(at, again);
}

static bool is_algebra(const matrix_opened *at, int answer)
{
    return is_allowed(at, answer) || answer == SEENSET_EUNSUPPORTED ||
           answer == SEENSET_EMISMATCH ||
           (answer == SEENSET_EREADONLY && at->is_view);
}

/* The opened set into a sound one like it, and the other way round. */
static const char *combine(matrix_opened *at,
                           int (*fold)(seenset *into, const seenset *from))
{
    seenset *sound = NULL;
    assert_int_equal(seenset_copy(&sound, at->from->sound), 0);
    int there = fold(sound, at->set);
    matrix_opened plain = {.keys = at->keys,
                           .may_forget =
                               at->may_forget && fold != seenset_merge};
    const char *wrong = is_algebra(at, there)
                            ? matrix_ask_all(&plain, sound, false)
                            : "a set of its kind was not taken";
    seenset_free(sound);
    int back = fold(at->set, at->from->sound);
    if (!is_algebra(at, back) || (at->is_view && back >= 0))
        return "a view was changed, or a set was refused";
    return wrong != NULL ? wrong : matrix_ask_all(at, at->set, true);
}

static const char *call_merge(matrix_opened *at)
{
    return combine(at, seenset_merge);
}

static const char *call_intersect(matrix_opened *at)
{
    return combine(at, seenset_intersect);
}

static const char *call_contains(matrix_opened *at)
{
    int own = seenset_is_superset(at->set, at->from->sound);
    int other = seenset_is_superset(at->from->sound, at->set);
    if (!is_algebra(at, own) || !is_algebra(at, other))
        return "contains was refused";
    return own != 0 || at->may_forget ? NULL : "a set lacks its own keys";
}

static const char *call_compare(matrix_opened *at)
{
    seenset_similarity alike = {.jaccard = 77};
    int error = seenset_compare(at->set, at->from->sound, &alike);
    if (!is_algebra(at, error))
        return "compare was refused";
    if (error != 0)
        return alike.jaccard > 76 ? NULL : "stored after an error";
    return at->may_forget || alike.jaccard > 0.999 ? NULL
                                                   : "a set is not like itself";
}

static const char *call_overlap(matrix_opened *at)
{
    seenset_overlap found = {.jaccard = 77};
    int error =
        seenset_get_overlap(at->set, at->from->sound, &found, sizeof found);
    if (error == 0)
        return at->may_forget || !(found.jaccard < 0.9)
                   ? NULL
                   : "a set does not overlap itself";
    return found.jaccard > 76 ? NULL : "stored after an error";
}

/* call_all() frees it after each call. */
static const char *call_free(matrix_opened *at)
{
    seenset_free(NULL);
    return matrix_ask_all(at, at->set, true);
}

const matrix_call matrix_calls[] = {
    {"seenset_add", call_add},
    {"seenset_add_hash", call_add_hash},
    {"seenset_add_hash_many", call_add_hash_many},
    {"seenset_add_many", call_add_many},
    {"seenset_add_parallel", call_build},
    {"seenset_add_hash_parallel", call_build_hashes},
    {"seenset_append", call_append},
    {"seenset_clear", call_clear},
    {"seenset_compare", call_compare},
    {"seenset_get_overlap", call_overlap},
    {"seenset_is_superset", call_contains},
    {"seenset_copy", call_copy},
    {"seenset_count", call_count},
    {"seenset_free", call_free},
    {"seenset_get_bits", call_get_bits},
    {"seenset_get_counters", call_get_counters},
    {"seenset_count_cells", call_count_cells},
    {"seenset_get_info", call_get_info},
    {"seenset_get_table_info", call_get_table_info},
    {"seenset_get_stats", call_get_stats},
    {"seenset_get_estimate", call_get_estimate},
    {"seenset_get_uniformity", call_get_uniformity},
    {"seenset_to_bits", call_to_bits},
    {"seenset_has", call_has},
    {"seenset_has_hash", call_has_hash},
    {"seenset_has_hash_many", call_has_hash_many},
    {"seenset_has_many", call_has_many},
    {"seenset_intersect", call_intersect},
    {"seenset_merge", call_merge},
    {"seenset_remove", call_remove},
    {"seenset_save", call_save},
    {"seenset_write", call_write},
    {"seenset_write_bytes", call_write_bytes},
};
const size_t matrix_call_count = TEST_COUNT(matrix_calls);
