/*
 * gate.c - who may use a set or a queue now.
 */
#include "native/gate.h"

int sp_gate_open(struct sp_gate *gate)
{
    *gate = (struct sp_gate){.lock = PyThread_allocate_lock()};
    if (gate->lock != NULL)
        return 0;
    PyErr_NoMemory();
    return -1;
}

void sp_gate_close(struct sp_gate *gate)
{
    if (gate->lock != NULL)
        PyThread_free_lock(gate->lock);
    gate->lock = NULL;
}

/* Until the calls that are in have gone, or until somebody else who waits has
 * seen that. */
static void wait_for_lock(struct sp_gate *gate)
{
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(gate->lock, WAIT_LOCK);
    PyThread_release_lock(gate->lock);
    Py_END_ALLOW_THREADS
}

void sp_gate_wait_to_ask(struct sp_gate *gate)
{
    while (gate->changing != 0)
        wait_for_lock(gate);
}

void sp_gate_wait_to_change(struct sp_gate *gate)
{
    gate->waiting++;
    while (gate->changing != 0 || gate->asking != 0)
        wait_for_lock(gate);
    gate->waiting--;
}

/* Nobody is in. One who waits may hold the lock for a moment, and needs no GIL
 * to release it. */
static void take_lock(struct sp_gate *gate)
{
    PyThread_acquire_lock(gate->lock, WAIT_LOCK);
}

static void enter(struct sp_gate *gate, bool changes)
{
    if (gate->asking == 0)
        take_lock(gate);
    if (changes)
        gate->changing = 1;
    else
        gate->asking++;
}

void sp_gate_enter_to_ask(struct sp_gate *gate)
{
    if (gate->is_single) {
        sp_gate_enter_to_change(gate);
        return;
    }
    while (gate->changing != 0 || gate->waiting != 0)
        wait_for_lock(gate);
    enter(gate, false);
}

void sp_gate_enter_to_change(struct sp_gate *gate)
{
    sp_gate_change(gate);
    enter(gate, true);
}

void sp_gate_leave(struct sp_gate *gate)
{
    if (gate->changing != 0)
        gate->changing = 0;
    else
        gate->asking--;
    if (gate->asking == 0)
        PyThread_release_lock(gate->lock);
}

/* Is it free for a call? If not, this waits until it may be. */
static bool is_free(struct sp_gate *gate, bool changes)
{
    if (gate->changing == 0 && !(changes && gate->asking != 0))
        return true;
    wait_for_lock(gate);
    return false;
}

void sp_gate_enter_both(struct sp_gate *first, struct sp_gate *second,
                        bool changes_first)
{
    changes_first = changes_first || first->is_single;
    /* Both at one moment, under the GIL. */
    while (!is_free(first, changes_first) ||
           !is_free(second, second->is_single))
        ;
    enter(first, changes_first);
    if (second != first)
        enter(second, second->is_single);
}

void sp_gate_leave_both(struct sp_gate *first, struct sp_gate *second)
{
    sp_gate_leave(first);
    if (second != first)
        sp_gate_leave(second);
}
