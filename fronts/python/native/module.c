/*
 * module.c - the module seenset._native: what is in it, and its life.
 */
#include <seenset/queue.h>
#include <seenset/seenset.h>

#include "native/calls.h"
#include "native/errors.h"
#include "native/foreign.h"
#include "native/queue/queue.h"
#include "native/set/figures.h"
#include "native/set/set.h"

static PyMethodDef functions[] = {
    {"seal", SP_WITH_KEYWORDS(sp_seal), METH_VARARGS | METH_KEYWORDS,
     "seal($module, keys, fp_rate=0.01, *, offsets=None, hashed=False,\n"
     "     keyed=None)\n--\n\n"
     "A SeenSet of all these keys at once, to which nothing can be added: the\n"
     "smallest kind. Its rate is 2**-8, 2**-16 or 2**-32, the first that is "
     "at\n"
     "most fp_rate. keys, offsets and hashed are as for SeenSet.add_many()."},
    {"plan", SP_WITH_KEYWORDS(sp_plan), METH_VARARGS | METH_KEYWORDS,
     "plan($module, n=None, p=None, *, m=None, k=None, layout='blocked')\n"
     "--\n\n"
     "How large a set of n keys at rate p has to be. Give two or more of n, "
     "p,\n"
     "m (bits) and k (bits a key sets), and the others are found:\n\n"
     "    plan(1e9, 0.01).size_bits / 8e9       # gigabytes"},
    {"key", sp_key_bytes, METH_O,
     "key($module, object, /)\n--\n\n"
     "The bytes that stand for a key in every set: of a str its UTF-8, of an\n"
     "int its 8 bytes, the least significant first (the same for int and for\n"
     "each integer type of NumPy), of a uuid.UUID its 16, and bytes as they\n"
     "are. Of parts, put these together:\n\n"
     "    seen.add(seenset.key(user_id) + seenset.key(day))"},
    {"hash_key", sp_hash_key, METH_O,
     "hash_key($module, key, /)\n--\n\n"
     "The 64-bit hash of a key, as a set that is not keyed takes it. An array\n"
     "of these is what hashed=True is for. To divide keys, call shard(): bits\n"
     "of a hash must not be used for that."},
    {"shard", sp_shard, METH_VARARGS,
     "shard($module, key, shards, /)\n--\n\n"
     "Which of so many shards a key belongs to: 0 to shards - 1, each as "
     "likely\n"
     "as each other. To divide keys among sets, threads or machines, the same\n"
     "in every front and every version:\n\n"
     "    sets[shard(url, 16)].add(url)"},
    {NULL, NULL, 0, NULL},
};

static int add_plan_type(PyObject *module, struct sp_state *state)
{
    return sp_figures_add_type(module, &sp_plan_figures, &state->plan_type);
}

static int module_start(PyObject *module)
{
    struct sp_state *state = PyModule_GetState(module);
    if (sp_errors_add(module, state) < 0 ||
        sp_set_figures_add_types(module, state) < 0 ||
        add_plan_type(module, state) < 0 ||
        sp_set_add_type(module, state) < 0 ||
        sp_foreign_add_type(module, state) < 0 ||
        sp_queue_add_types(module, state) < 0)
        return -1;
    if (PyModule_AddIntConstant(module, "MAX_ITEM_BYTES",
                                SEENSET_QUEUE_MAX_ITEM_BYTES) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "__version__", seenset_version());
}

/* Every object that the state has, for the three calls of a module's life. */
static PyObject **object_of(struct sp_state *state, size_t i)
{
    PyTypeObject **types[] = {
        &state->set_type,      &state->queue_type,  &state->each_type,
        &state->info_type,     &state->stats_type,  &state->overlap_type,
        &state->estimate_type, &state->table_type,  &state->uniformity_type,
        &state->plan_type,     &state->item_type,   &state->queue_stats_type,
        &state->counts_type,   &state->report_type, &state->foreign_type,
        &state->host_type,
    };
    size_t type_count = sizeof types / sizeof types[0];
    if (i < type_count)
        return (PyObject **)types[i];
    i -= type_count;
    if (i < SP_ERROR_COUNT)
        return &state->errors[i];
    return i == SP_ERROR_COUNT ? &state->error_base : NULL;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    struct sp_state *state = PyModule_GetState(module);
    PyObject **object;
    for (size_t i = 0; (object = object_of(state, i)) != NULL; i++)
        Py_VISIT(*object);
    return 0;
}

static int module_clear(PyObject *module)
{
    struct sp_state *state = PyModule_GetState(module);
    PyObject **object;
    for (size_t i = 0; (object = object_of(state, i)) != NULL; i++)
        Py_CLEAR(*object);
    return 0;
}

static void module_free(void *module)
{
    module_clear(module);
}

/* Slots that came after the stable ABI of 3.11, and from which version on. An
 * older Python refuses a module that has one. */
enum {
    SLOT_INTERPRETERS = 3, /* Py_mod_multiple_interpreters */
    INTERPRETERS_SINCE = 0x030c0000
};
#define OWN_GIL_SUPPORTED                                                      \
    ((void *)2) /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED                        \
                 */

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_start},
    {0, NULL},
};

/* Interpreters share nothing of the module, so each may have its own GIL. */
static PyModuleDef_Slot slots_since_3_12[] = {
    {Py_mod_exec, module_start},
    {SLOT_INTERPRETERS, OWN_GIL_SUPPORTED},
    {0, NULL},
};

struct PyModuleDef sp_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "seenset._native",
    .m_doc = "libseenset for Python. Use the package seenset.",
    .m_size = sizeof(struct sp_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__native(void);

PyMODINIT_FUNC PyInit__native(void)
{
    if (Py_Version >= INTERPRETERS_SINCE)
        sp_module.m_slots = slots_since_3_12;
    return PyModuleDef_Init(&sp_module);
}
