/*
 * gate.c - who may use a set or a queue now.
 */
#include "native/gate.h"

static void free_lock(PyThread_type_lock *lock)
{
    if (*lock != NULL)
        PyThread_free_lock(*lock);
    *lock = NULL;
}

int sp_gate_open(struct sp_gate *gate)
{
    *gate = (struct sp_gate){.lock = PyThread_allocate_lock(),
                             .line = PyThread_allocate_lock()};
    if (gate->lock != NULL && gate->line != NULL)
        return 0;
    sp_gate_close(gate);
    PyErr_NoMemory();
    return -1;
}

void sp_gate_close(struct sp_gate *gate)
{
    free_lock(&gate->lock);
    free_lock(&gate->line);
}

/* Waits until the lock is free, and keeps it if it is to. */
static void wait_for(PyThread_type_lock lock, bool keeps)
{
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(lock, WAIT_LOCK);
    if (!keeps)
        PyThread_release_lock(lock);
    Py_END_ALLOW_THREADS
}

static bool is_open(const struct sp_gate *gate, bool changes)
{
    return gate->changing == 0 && !(changes && gate->asking != 0);
}

/* Returns with the GIL, which was not released since the gate was open. */
static void wait_in_line(struct sp_gate *gate, bool changes)
{
    gate->waiting++;
    wait_for(gate->line, true);
    while (!is_open(gate, changes))
        wait_for(gate->lock, false);
    gate->waiting--;
    PyThread_release_lock(gate->line);
}

/* A long call lets one that waits go first. */
static void pass_line(struct sp_gate *gate)
{
    if (gate->waiting != 0)
        wait_for(gate->line, false);
}

void sp_gate_wait_to_ask(struct sp_gate *gate)
{
    wait_in_line(gate, false);
}

void sp_gate_wait_to_change(struct sp_gate *gate)
{
    wait_in_line(gate, true);
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
    pass_line(gate);
    sp_gate_ask(gate);
    enter(gate, false);
}

void sp_gate_enter_to_change(struct sp_gate *gate)
{
    pass_line(gate);
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

/* Is it open for a call? If not, this waits until it may be. */
static bool was_open(struct sp_gate *gate, bool changes)
{
    if (is_open(gate, changes))
        return true;
    wait_for(gate->lock, false);
    return false;
}

void sp_gate_enter_both(struct sp_gate *first, struct sp_gate *second,
                        bool changes_first)
{
    changes_first = changes_first || first->is_single;
    /* Both at one moment, under the GIL. */
    while (!was_open(first, changes_first) ||
           !was_open(second, second->is_single))
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
