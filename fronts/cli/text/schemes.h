/*
 * schemes.h - the options of an index scheme: --scheme, and what it is given by
 * --seed, --seeds and --units.
 */
#ifndef TEXT_SCHEMES_H
#define TEXT_SCHEMES_H

#include "text/arguments.h"
#include <stdbool.h>

#include "seenset/seenset.h"
#include "text/option_keys.h"

/* Keys of the options, with OPTION_SCHEME. */

/* What these options gave. */
typedef struct scheme_request {
    uint32_t seeds[SEENSET_MAX_HASH_COUNT];
    seenset_scheme_arguments arguments;
} scheme_request;

/*
 * The parser of these options. It puts what they give into options, which
 * then point to the request.
 */
int schemes_parse(int key, char *text, arguments *state,
                  scheme_request *request, seenset_options *options);

/*
 * Reports on standard error, where the parameters that the scheme's system has
 * for a rate do not keep it, which rate they keep.
 */
void schemes_say_rate(const char *name, const seenset_options *asked,
                      double kept);

/* What is wrong with what was given to the scheme of the options, or NULL. */
const char *schemes_argument_conflict(const seenset_options *options,
                                      bool is_keyed);

/*
 * What a scheme and the other options cannot do together, or NULL. is_list: the
 * set would grow or rotate.
 */
const char *schemes_conflict(const seenset_options *options, bool is_list,
                             bool is_keyed);

#endif
