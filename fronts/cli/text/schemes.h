/*
 * schemes.h - the options of an index scheme: --scheme, and what it is given by
 * --seed, --seeds and --units.
 */
#ifndef TEXT_SCHEMES_H
#define TEXT_SCHEMES_H

#include <argp.h>
#include <stdbool.h>

#include "seenset/seenset.h"
#include "text/option_keys.h"

/* Keys of the options, with OPTION_SCHEME. */

/* What these options gave. */
typedef struct scheme_request {
    uint32_t seeds[SEENSET_MAX_HASH_COUNT];
    seenset_scheme_arguments arguments;
} scheme_request;

/* The scheme of that name, or argp_error. */
seenset_scheme schemes_read(struct argp_state *state, const char *text);

/*
 * The argp parser of these options. It puts what they give into options, which
 * then point to the request.
 */
error_t schemes_parse(int key, char *text, struct argp_state *state,
                      scheme_request *request, seenset_options *options);

/*
 * What a scheme and the other options cannot do together, or NULL. is_list: the
 * set would grow or rotate.
 */
const char *schemes_conflict(const seenset_options *options, bool is_list,
                             bool is_keyed);

#endif
