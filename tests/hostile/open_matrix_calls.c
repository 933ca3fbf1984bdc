/*
 * open_matrix_calls.c - the calls on a set that was opened; the idea is in
 * open_matrix.h
 */
#include "open_matrix.h"
#include "seenset/extra/raw.h"
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

const char *matrix_ask_all(const matrix_opened *at, const seenset *set,
                           bool is_own)
{
    for (int i = 0; i < MATRIX_KEYS; i++) {
        const seenset_key *key = &at->keys->keys[i];
        int answer = is_own ? at->has(set, key->data, key->len)
                            : seenset_has(set, key->data, key->len);
        if (!matrix_is_allowed(at, answer) || answer > 1)
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
    if (!matrix_is_allowed(at, error))
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
        if (is_plain(at->from->of) && !matrix_is_allowed(at, answer))
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
const char *matrix_judge_add(const matrix_opened *at, int answer, bool is_hash)
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
    return matrix_judge_add(at, answer, false);
}

static const char *call_add_many(matrix_opened *at)
{
    uint8_t is_new[MATRIX_KEYS];
    return matrix_judge_add(
        at, seenset_add_many(at->set, at->keys->keys, MATRIX_KEYS, is_new),
        false);
}

static const char *call_add_hash(matrix_opened *at)
{
    return matrix_judge_add(at, seenset_add_hash(at->set, 12345), true);
}

static const char *call_add_hash_many(matrix_opened *at)
{
    return matrix_judge_add(
        at, seenset_add_hash_many(at->set, at->keys->hashes, MATRIX_KEYS, NULL),
        true);
}

static const char *call_build(matrix_opened *at)
{
    return matrix_judge_add(
        at, seenset_add_parallel(at->set, at->keys->keys, MATRIX_KEYS, 2),
        false);
}

static const char *call_build_hashes(matrix_opened *at)
{
    return matrix_judge_add(
        at,
        seenset_add_hash_parallel(at->set, at->keys->hashes, MATRIX_KEYS, 2),
        true);
}

static const char *call_remove(matrix_opened *at)
{
    const seenset_key *key = &at->keys->keys[0];
    int answer = seenset_remove(at->set, key->data, key->len);
    int expected = !matrix_has_copies(at) ? SEENSET_EUNSUPPORTED
                   : at->is_view          ? SEENSET_EREADONLY
                                          : 1;
    return answer == expected ? NULL : "remove answered what it must not";
}

static const char *call_count(matrix_opened *at)
{
    const seenset_key *key = &at->keys->keys[0];
    uint64_t count = 77;
    int error = seenset_count(at->set, key->data, key->len, &count);
    if (!matrix_has_copies(at))
        return error == SEENSET_EUNSUPPORTED && count == 77
                   ? NULL
                   : "what counts nothing counted";
    if (!matrix_is_allowed(at, error) || (error != 0 && count != 77))
        return "count answered what it must not";
    return error != 0 || at->may_forget || (count >= 1 && count < 77)
               ? NULL
               : "a key does not count";
}

static const char *call_remove_hash(matrix_opened *at)
{
    bool can = matrix_has_copies(at) && is_plain(at->from->of);
    int answer = seenset_remove_hash(at->set, at->keys->hashes[0]);
    if (!can || at->is_view)
        return answer == (can ? SEENSET_EREADONLY : SEENSET_EUNSUPPORTED)
                   ? NULL
                   : "remove_hash answered what it must not";
    return answer == 1 || (answer == 0 && at->may_forget)
               ? NULL
               : "remove_hash lost a hash";
}

static const char *call_count_hash(matrix_opened *at)
{
    bool can = matrix_has_copies(at) && is_plain(at->from->of);
    uint64_t count = 77;
    int error = seenset_count_hash(at->set, at->keys->hashes[0], &count);
    if (!can)
        return error == SEENSET_EUNSUPPORTED && count == 77
                   ? NULL
                   : "what counts no hashes counted";
    if (!matrix_is_allowed(at, error) || (error != 0 && count != 77))
        return "count_hash answered what it must not";
    return error != 0 || at->may_forget || (count >= 1 && count < 77)
               ? NULL
               : "a hash does not count";
}

static const char *call_expect(matrix_opened *at)
{
    seenset_info info = {0};
    (void)seenset_get_info(at->set, &info, sizeof info);
    int expected = info.on_full != SEENSET_ON_FULL_GROW ? SEENSET_EUNSUPPORTED
                   : at->is_view                        ? SEENSET_EREADONLY
                                                        : SEENSET_OK;
    if (seenset_expect(at->set, 1000000) != expected)
        return "expect answered what it must not";
    return matrix_ask_all(at, at->set, true);
}

static const char *call_set_time(matrix_opened *at)
{
    seenset_info info = {0};
    (void)seenset_get_info(at->set, &info, sizeof info);
    int expected = info.window_seconds > 0 ? SEENSET_OK : SEENSET_EUNSUPPORTED;
    if (seenset_set_time(at->set, 1) != expected ||
        seenset_set_time(at->set, 0) != expected)
        return "set_time answered what it must not";
    return matrix_ask_all(at, at->set, true);
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
    if (!matrix_is_allowed(at, error) || (error == 0) != (copy != NULL))
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
    if (!matrix_is_allowed(at, error))
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

/* error: of writing it. The stream is freed. */
static const char *judge_stream(const matrix_opened *at, test_stream *stream,
                                int error)
{
    seenset *again = NULL;
    size_t written = stream->size_bytes;
    seenset_open_options options =
        matrix_options_for(at->from->of, SEENSET_OPEN_COPY);
    if (error == 0)
        (void)seenset_read(&again, test_stream_read, stream, &options);
    test_stream_free(stream);
    if (!matrix_is_allowed(at, error))
        return "write was refused";
    if (error != 0)
        return written == 0 ? NULL : "damage was written";
    return judge_saved(at, again);
}

static const char *call_write(matrix_opened *at)
{
    test_stream stream = {0};
    int error = seenset_write(at->set, test_stream_write, &stream);
    return judge_stream(at, &stream, error);
}

/* In two parts. Of a damaged set there is no length. */
static const char *call_write_part(matrix_opened *at)
{
    test_stream stream = {0};
    size_t size_bytes = 100;
    (void)seenset_write_bytes(at->set, NULL, &size_bytes);
    size_t half = size_bytes / 2;
    int error =
        seenset_write_part(at->set, 0, half, test_stream_write, &stream);
    if (error == 0)
        error = seenset_write_part(at->set, half, size_bytes - half,
                                   test_stream_write, &stream);
    return judge_stream(at, &stream, error);
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
    if (!matrix_is_allowed(at, error) || room != needed)
        return "write_bytes answered what it must not";
    return error != 0 ? NULL : judge_saved(at, again);
}

static bool is_algebra(const matrix_opened *at, int answer)
{
    return matrix_is_allowed(at, answer) || answer == SEENSET_EUNSUPPORTED ||
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
    int own = test_is_superset(at->set, at->from->sound);
    int other = test_is_superset(at->from->sound, at->set);
    if (!is_algebra(at, own) || !is_algebra(at, other))
        return "contains was refused";
    return own != 0 || at->may_forget ? NULL : "a set lacks its own keys";
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
    {"seenset_add_u64_many", matrix_add_integers},
    {"seenset_add_parallel", call_build},
    {"seenset_add_hash_parallel", call_build_hashes},
    {"seenset_append", call_append},
    {"seenset_clear", call_clear},
    {"seenset_expect", call_expect},
    {"seenset_set_time", call_set_time},
    {"seenset_get_overlap", call_overlap},
    {"seenset_is_superset", call_contains},
    {"seenset_copy", call_copy},
    {"seenset_count", call_count},
    {"seenset_count_hash", call_count_hash},
    {"seenset_free", call_free},
    {"seenset_get_bits", matrix_get_bits},
    {"seenset_get_counters", matrix_get_counters},
    {"seenset_count_cells", matrix_count_cells},
    {"seenset_get_info", matrix_get_info},
    {"seenset_get_table_info", matrix_get_table_info},
    {"seenset_get_stats", matrix_get_stats},
    {"seenset_get_estimate", matrix_get_estimate},
    {"seenset_get_view", matrix_use_view},
    {"seenset_get_uniformity", matrix_get_uniformity},
    {"seenset_to_bits", matrix_to_bits},
    {"seenset_has", call_has},
    {"seenset_has_hash", call_has_hash},
    {"seenset_has_hash_many", call_has_hash_many},
    {"seenset_has_many", call_has_many},
    {"seenset_has_u64_many", matrix_has_integers},
    {"seenset_intersect", call_intersect},
    {"seenset_merge", call_merge},
    {"seenset_remove", call_remove},
    {"seenset_remove_hash", call_remove_hash},
    {"seenset_save", call_save},
    {"seenset_write", call_write},
    {"seenset_write_bytes", call_write_bytes},
    {"seenset_write_part", call_write_part},
};
const size_t matrix_call_count = TEST_COUNT(matrix_calls);
