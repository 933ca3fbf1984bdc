/*
 * gate.h - who may use a set or a queue now.
 *
 * A short call keeps the GIL, so nothing else runs meanwhile. A long one (a
 * batch, a file) releases it, and other threads may then call the same object.
 * What is allowed is what seenset.h allows: any number of calls that ask at
 * once, or one that changes. A gate counts them. All its fields but the lock
 * itself are read and written under the GIL, so a short call pays for one
 * comparison.
 *
 *     asking = 2, changing = 0    two batches ask; asks pass, changes wait
 *     asking = 0, changing = 1    a batch adds; all wait
 *
 * The lock is held by the object's users together: the first to come takes it
 * and the last to go releases it. A call that has to wait waits for it, without
 * the GIL, at the head of a line: it holds the lock of the line until it is let
 * in. A long call passes the line first. So between two chunks of a batch
 * another thread has its turn, and a change is not kept out by calls that ask.
 *
 * A set that is open to be appended to takes one call at a time, also to ask:
 * its gate is single, and asks are changes.
 */
#ifndef SP_PYTHON_GATE_H
#define SP_PYTHON_GATE_H

#include "native/python.h"

struct sp_gate {
    PyThread_type_lock lock;
    PyThread_type_lock line;
    unsigned asking;   /* calls that ask without the GIL */
    unsigned changing; /* 0 or 1 */
    unsigned waiting;  /* calls in the line */
    bool is_single;    /* every call changes */
};

/* Returns 0, or -1 and an exception. */
int sp_gate_open(struct sp_gate *gate);

/* Frees it; nobody is in it. */
void sp_gate_close(struct sp_gate *gate);

/* Waits until a call may ask, or change. With the GIL, which is released while
 * there is something to wait for. */
void sp_gate_wait_to_ask(struct sp_gate *gate);
void sp_gate_wait_to_change(struct sp_gate *gate);

/* The same for a call that keeps the GIL: it has the object to itself until it
 * releases the GIL. */
static inline void sp_gate_ask(struct sp_gate *gate)
{
    if (gate->changing != 0)
        sp_gate_wait_to_ask(gate);
}

static inline void sp_gate_change(struct sp_gate *gate)
{
    if (gate->changing != 0 || gate->asking != 0)
        sp_gate_wait_to_change(gate);
}

/* Around a call without the GIL. Both are called with it. */
void sp_gate_enter_to_ask(struct sp_gate *gate);
void sp_gate_enter_to_change(struct sp_gate *gate);
void sp_gate_leave(struct sp_gate *gate);

/* The same for a call on two objects, which may be one: the second is asked,
 * the first changed or asked. Neither is kept from others while this call waits
 * for the other one, so no two calls wait for each other. */
void sp_gate_enter_both(struct sp_gate *first, struct sp_gate *second,
                        bool changes_first);
void sp_gate_leave_both(struct sp_gate *first, struct sp_gate *second);

#endif
