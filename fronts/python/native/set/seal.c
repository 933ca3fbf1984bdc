/*
 * seal.c - a sealed set, of all keys at once.
 *
 * Until it is built, 8 bytes are kept of each key: its hash. A keyed set needs
 * the keys themselves, so their bytes are gathered, one after another.
 */
#include "native/calls.h"

#include <seenset/extra/inline.h>
#include <seenset/seenset.h>

#include "native/convert.h"
#include "native/errors.h"
#include "native/set/set.h"
#include "native/source.h"

/* Items of one size in an array that grows. */
struct array {
    void *items;
    size_t count;
    size_t room;
};

/* A place for `more` items at the end, NULL and an exception without memory. */
static void *add_items(struct array *array, size_t more, size_t item_bytes)
{
    if (array->room - array->count < more) {
        size_t room = array->count + array->count / 2 + more;
        void *items = NULL;
        if (room <= (size_t)PY_SSIZE_T_MAX / item_bytes)
            items = PyMem_Realloc(array->items, room * item_bytes);
        if (items == NULL)
            return PyErr_NoMemory();
        array->items = items;
        array->room = room;
    }
    char *place = (char *)array->items + array->count * item_bytes;
    array->count += more;
    return place;
}

/* What is kept of all keys, and the number of an error once the set is to be
 * built. */
struct gathered {
    struct array hashes; /* uint64_t */
    struct array bytes;  /* of keys, if it is keyed */
    struct array ends;   /* size_t, where each of them ends */
};

static void gathered_free(struct gathered *gathered)
{
    PyMem_Free(gathered->hashes.items);
    PyMem_Free(gathered->bytes.items);
    PyMem_Free(gathered->ends.items);
}

/* ---- hashes ---- */

static uint64_t hash_of(const struct sp_chunk *chunk, size_t i)
{
    switch (chunk->shape) {
    case SP_HASHES:
        return chunk->numbers[i];
    case SP_INTEGERS:
        return seenset_inline_mix(chunk->numbers[i]);
    default:
        return seenset_hash(chunk->keys[i].data, chunk->keys[i].len);
    }
}

static int add_hashes(struct gathered *gathered, const struct sp_chunk *chunk)
{
    uint64_t *place = add_items(&gathered->hashes, chunk->count, sizeof *place);
    if (place == NULL)
        return -1;
    Py_BEGIN_ALLOW_THREADS
    for (size_t i = 0; i < chunk->count; i++)
        place[i] = hash_of(chunk, i);
    Py_END_ALLOW_THREADS
    return 0;
}

static int build_of_hashes(seenset **out, const seenset_options *options,
                           struct gathered *gathered)
{
    int error;
    Py_BEGIN_ALLOW_THREADS
    error = seenset_build_sealed_hashes(out, options, gathered->hashes.items,
                                        gathered->hashes.count, NULL, NULL);
    Py_END_ALLOW_THREADS
    return error;
}

/* ---- keys ---- */

static int add_key(struct gathered *gathered, const void *data, size_t len)
{
    char *place = add_items(&gathered->bytes, len, 1);
    size_t *end = add_items(&gathered->ends, 1, sizeof *end);
    if (end == NULL || (place == NULL && len > 0))
        return -1;
    if (len > 0)
        memcpy(place, data, len);
    *end = gathered->bytes.count;
    return 0;
}

static int add_integer(struct gathered *gathered, uint64_t integer)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(integer >> (8 * i));
    return add_key(gathered, bytes, sizeof bytes);
}

static int add_keys(struct gathered *gathered, const struct sp_chunk *chunk)
{
    int result = 0;
    if (chunk->shape == SP_HASHES) {
        PyErr_SetString(PyExc_ValueError,
                        "a keyed set needs the keys, not their hashes");
        return -1;
    }
    for (size_t i = 0; i < chunk->count && result == 0; i++)
        result =
            chunk->shape == SP_INTEGERS
                ? add_integer(gathered, chunk->numbers[i])
                : add_key(gathered, chunk->keys[i].data, chunk->keys[i].len);
    return result;
}

static int build_of_keys(seenset **out, const seenset_options *options,
                         struct gathered *gathered)
{
    const size_t *ends = gathered->ends.items;
    const char *bytes = gathered->bytes.items;
    size_t count = gathered->ends.count;
    seenset_key *keys = PyMem_Calloc(count + 1, sizeof *keys);
    int error = SEENSET_ENOMEM;
    if (keys != NULL) {
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; i < count; i++) {
            size_t start = i == 0 ? 0 : ends[i - 1];
            keys[i] = (seenset_key){bytes + start, ends[i] - start};
        }
        error = seenset_build_sealed(out, options, keys, count, NULL, NULL);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(keys);
    return error;
}

/* ---- both ---- */

static int gather(struct gathered *gathered, struct sp_source *source,
                  bool is_keyed)
{
    struct sp_chunk *chunk;
    int more;
    while ((more = sp_source_next(source, &chunk)) == 1) {
        int result =
            is_keyed ? add_keys(gathered, chunk) : add_hashes(gathered, chunk);
        if (result < 0)
            return -1;
    }
    return more;
}

static PyObject *seal(struct sp_state *state, const seenset_options *options,
                      struct sp_source *source)
{
    struct gathered gathered = {0};
    bool is_keyed = options->secret != NULL;
    PyObject *made = NULL;
    if (gather(&gathered, source, is_keyed) == 0) {
        seenset *set;
        int error = is_keyed ? build_of_keys(&set, options, &gathered)
                             : build_of_hashes(&set, options, &gathered);
        made = error == 0 ? sp_set_wrap(state->set_type, set, options->secret)
                          : sp_errors_raise(state, error, NULL);
    }
    gathered_free(&gathered);
    return made;
}

PyObject *sp_seal(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static const char *const names[] = {"keys",   "fp_rate", "offsets",
                                        "hashed", "keyed",   NULL};
    PyObject *keys;
    PyObject *offsets = NULL;
    PyObject *keyed = NULL;
    int hashed = 0;
    uint8_t secret[SEENSET_SECRET_BYTES];
    seenset_options options = {.fp_rate = 0.01};
    struct sp_source source;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|d$OpO:seal",
                                     SP_NAMES(names), &keys, &options.fp_rate,
                                     &offsets, &hashed, &keyed))
        return NULL;
    int is_keyed = sp_secret_take(secret, keyed, true);
    if (is_keyed < 0)
        return NULL;
    options.secret = is_keyed > 0 ? secret : NULL;
    PyObject *made = NULL;
    if (sp_source_open(&source, keys, offsets, hashed != 0) == 0)
        made = seal(PyModule_GetState(module), &options, &source);
    sp_source_close(&source);
    return made;
}
