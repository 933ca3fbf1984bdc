/*
 * plain.h - is a URL in normal form already, as most are that a crawler meets?
 */
#ifndef SS_URL_PLAIN_H
#define SS_URL_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True: the text is its own normal form. False: it may be or not, and may not
 * even be a URL. Cost: about a nanosecond a byte.
 */
bool ss_url_is_plain(const char *url, size_t len);

#endif
