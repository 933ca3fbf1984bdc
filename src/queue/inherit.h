/* inherit.h - the options of a new queue that is made of another */
#ifndef SS_QUEUE_INHERIT_H
#define SS_QUEUE_INHERIT_H

#include "queue/handle.h"

/*
 * Fills in what *to and *set, which becomes to->set, leave to the queue `from`.
 * A size and a rate replace each other, and a window, a layout or a scheme that
 * is given replaces all that belongs to the old one. *arguments may become
 * set->scheme_arguments; then its seeds are those of `from`, or as given.
 */
void ss_inherit_options(seenset_queue_options *to, seenset_options *set,
                        seenset_scheme_arguments *arguments,
                        const seenset_queue *from);

/* Is it SEENSET_QUEUE_NOT_POLITE, and no more? */
bool ss_inherit_is_off(const seenset_queue_politeness *politeness);

/* The politeness that *to asks for, or that of `from`: *room then. */
void ss_inherit_politeness(seenset_queue_options *to,
                           seenset_queue_politeness *room,
                           const seenset_queue *from);

#endif
