/*
 * batch.c - many keys in one call, without the GIL.
 *
 * A batch that adds has the set to itself for a turn at a time, and batches
 * that ask share it (gate.h). A turn ends with the chunk, or when its time is
 * over (pace.h).
 */
#include "native/convert.h"
#include "native/errors.h"
#include "native/pace.h"
#include "native/set/set.h"
#include "native/source.h"

/* A byte for each key, as the library answers. */
struct answers {
    uint8_t *bytes;
    size_t count;
    size_t room;
};

static int make_room(struct answers *answers, size_t more)
{
    if (answers->room - answers->count >= more)
        return 0;
    size_t room = answers->count + more;
    if (answers->count > 0)
        room += answers->count / 2; /* an iterable, whose end is not known */
    uint8_t *bytes = PyMem_Realloc(answers->bytes, room);
    if (bytes == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    answers->bytes = bytes;
    answers->room = room;
    return 0;
}

static PyObject *as_bools(const struct answers *answers)
{
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)answers->bytes,
                                                (Py_ssize_t)answers->count);
    PyObject *bools = bytes == NULL ? NULL : sp_view_of(bytes, "?", 1);
    Py_XDECREF(bytes);
    return bools;
}

/* A chunk, and how far it is; answers NULL: they are not wanted. */
struct job {
    const struct sp_chunk *chunk;
    size_t done;
    uint8_t *answers;
};

/* What a batch does with the next `count` keys of a chunk; answers is theirs,
 * or NULL. Returns 0 or an error. */
typedef int work(struct sp_set *self, const struct job *job, size_t count,
                 uint8_t *answers);

static int add_piece(struct sp_set *self, const struct job *job, size_t count,
                     uint8_t *answers)
{
    const struct sp_chunk *chunk = job->chunk;
    seenset *set = self->set;
    switch (chunk->shape) {
    case SP_INTEGERS:
        return seenset_add_u64_many(set, chunk->numbers + job->done, count,
                                    answers);
    case SP_HASHES:
        return seenset_add_hash_many(set, chunk->numbers + job->done, count,
                                     answers);
    default:
        return seenset_add_many(set, chunk->keys + job->done, count, answers);
    }
}

static int has_piece(struct sp_set *self, const struct job *job, size_t count,
                     uint8_t *answers)
{
    const struct sp_chunk *chunk = job->chunk;
    const seenset *set = self->set;
    switch (chunk->shape) {
    case SP_INTEGERS:
        return seenset_has_u64_many(set, chunk->numbers + job->done, count,
                                    answers);
    case SP_HASHES:
        return seenset_has_hash_many(set, chunk->numbers + job->done, count,
                                     answers);
    default:
        return seenset_has_many(set, chunk->keys + job->done, count, answers);
    }
}

static int run_piece(struct sp_set *self, struct job *job, work *run,
                     size_t most)
{
    size_t left = job->chunk->count - job->done;
    size_t count = left < most ? left : most;
    uint8_t *answers = job->answers == NULL ? NULL : job->answers + job->done;
    int error = run(self, job, count, answers);
    job->done += count;
    return error;
}

enum {
    SMALL_BATCH = 64 /* from here on the clock's cost is not seen */
};

/* Goes on with a chunk, to its end or that of the turn. Without the GIL. The
 * cost of the clock is seen in small batches, which need none if larger pieces
 * were quick. */
static int run_pieces(struct sp_set *self, struct job *job, work *run,
                      struct sp_pace *pace)
{
    size_t count = job->chunk->count;
    if (count <= SMALL_BATCH && count <= pace->piece / 2)
        return run_piece(self, job, run, count);
    bool goes_on = true;
    int error = 0;
    sp_pace_begin(pace, sp_pace_now());
    while (error == 0 && goes_on && job->done < count) {
        size_t before = job->done;
        error = run_piece(self, job, run, pace->piece);
        goes_on = sp_pace_goes_on(pace, job->done - before, sp_pace_now());
    }
    return error;
}

static int run_turn(struct sp_set *self, struct job *job, work *run)
{
    int error;
    if (run == add_piece)
        sp_gate_enter_to_change(&self->gate);
    else
        sp_gate_enter_to_ask(&self->gate);
    struct sp_pace pace = {.piece = self->piece};
    Py_BEGIN_ALLOW_THREADS
    error = run_pieces(self, job, run, &pace);
    Py_END_ALLOW_THREADS
    self->piece = pace.piece;
    sp_gate_leave(&self->gate);
    if (error == 0)
        return 0;
    sp_set_raise(self, error);
    return -1;
}

static int run_chunk(struct sp_set *self, const struct sp_chunk *chunk,
                     work *run, uint8_t *answers)
{
    struct job job = {.chunk = chunk, .answers = answers};
    while (job.done < chunk->count) {
        if (job.done > 0 && PyErr_CheckSignals() < 0)
            return -1;
        if (run_turn(self, &job, run) < 0)
            return -1;
    }
    return 0;
}

static int run_source(struct sp_set *self, struct sp_source *source, work *run,
                      struct answers *answers)
{
    struct sp_chunk *chunk;
    int more;
    while ((more = sp_source_next(source, &chunk)) == 1) {
        if (answers != NULL && make_room(answers, chunk->count) < 0)
            return -1;
        uint8_t *place =
            answers == NULL ? NULL : answers->bytes + answers->count;
        if (run_chunk(self, chunk, run, place) < 0)
            return -1;
        if (answers != NULL)
            answers->count += chunk->count;
    }
    return more;
}

struct batch {
    PyObject *keys;
    PyObject *offsets;
    int hashed;
};

static bool parse(struct batch *batch, const char *format, PyObject *args,
                  PyObject *kwargs)
{
    static const char *const names[] = {"keys", "offsets", "hashed", NULL};
    *batch = (struct batch){0};
    return PyArg_ParseTupleAndKeywords(args, kwargs, format, SP_NAMES(names),
                                       &batch->keys, &batch->offsets,
                                       &batch->hashed);
}

static int run_batch(struct sp_set *self, const struct batch *batch, work *run,
                     struct answers *answers)
{
    struct sp_source source;
    int result = sp_source_open(&source, batch->keys, batch->offsets,
                                batch->hashed != 0);
    if (result == 0)
        result = run_source(self, &source, run, answers);
    sp_source_close(&source);
    return result;
}

static PyObject *run_with_answers(PyObject *self, const struct batch *batch,
                                  work *run)
{
    struct answers answers = {0};
    PyObject *bools = NULL;
    if (run_batch((struct sp_set *)self, batch, run, &answers) == 0)
        bools = as_bools(&answers);
    PyMem_Free(answers.bytes);
    return bools;
}

PyObject *sp_batch_add_many(PyObject *self, PyObject *args, PyObject *kwargs)
{
    struct batch batch;
    if (!parse(&batch, "O|O$p:add_many", args, kwargs))
        return NULL;
    return run_with_answers(self, &batch, add_piece);
}

PyObject *sp_batch_has_many(PyObject *self, PyObject *args, PyObject *kwargs)
{
    struct batch batch;
    if (!parse(&batch, "O|O$p:has_many", args, kwargs))
        return NULL;
    return run_with_answers(self, &batch, has_piece);
}

PyObject *sp_batch_update(PyObject *object, PyObject *args, PyObject *kwargs)
{
    struct sp_set *self = (struct sp_set *)object;
    struct batch batch;
    if (!parse(&batch, "O|O$p:update", args, kwargs))
        return NULL;
    if (sp_set_of(self->state, batch.keys) != NULL && batch.offsets == NULL) {
        PyObject *merged = sp_pair_merge(object, batch.keys);
        Py_XDECREF(merged);
        return merged == NULL ? NULL : Py_NewRef(Py_None);
    }
    if (run_batch(self, &batch, add_piece, NULL) < 0)
        return NULL;
    return Py_NewRef(Py_None);
}
