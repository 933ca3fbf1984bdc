/*
 * key_calls.c - what a key is for the library: its bytes, its hash, its shard.
 */
#include "native/calls.h"

#include <seenset/seenset.h>

#include "native/key.h"

PyObject *sp_key_bytes(PyObject *module, PyObject *object)
{
    struct sp_key key;
    (void)module;
    if (!sp_key_take(&key, object))
        return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(key.data, (Py_ssize_t)key.len);
    sp_key_drop(&key);
    return bytes;
}

PyObject *sp_hash_key(PyObject *module, PyObject *object)
{
    struct sp_key key;
    (void)module;
    if (!sp_key_take(&key, object))
        return NULL;
    uint64_t hash = seenset_hash(key.data, key.len);
    sp_key_drop(&key);
    return PyLong_FromUnsignedLongLong(hash);
}

PyObject *sp_shard(PyObject *module, PyObject *args)
{
    struct sp_key key;
    PyObject *object;
    long long shards;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL:shard", &object, &shards))
        return NULL;
    if (shards < 1 || shards > (long long)UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError,
                        "shards has to be from 1 to 4294967295");
        return NULL;
    }
    if (!sp_key_take(&key, object))
        return NULL;
    uint32_t shard =
        seenset_shard(seenset_hash(key.data, key.len), (uint32_t)shards);
    sp_key_drop(&key);
    return PyLong_FromUnsignedLong(shard);
}
