/*
 * names.c - numbers of the library by the names that Python has for them.
 */
#include "native/names.h"

#include <seenset/queue.h>
#include <seenset/seenset.h>

const char *sp_names_layout(int number)
{
    return seenset_layout_name((seenset_layout)number);
}

const char *sp_names_on_full(int number)
{
    return seenset_on_full_name((seenset_on_full)number);
}

const char *sp_names_scheme(int number)
{
    return seenset_scheme_name((seenset_scheme)number);
}

const char *sp_names_durability(int number)
{
    static const char *const names[] = {"unknown", "each", "interval", "none"};
    return names[number >= 1 && number <= 3 ? number : 0];
}

const char *sp_names_normalise(int number)
{
    static const char *const names[] = {"unknown", "off", "url"};
    return names[number >= 1 && number <= 2 ? number : 0];
}

const char *sp_names_site(int number)
{
    static const char *const names[] = {"unknown", "host", "host-port",
                                        "domain"};
    return names[number >= 1 && number <= 3 ? number : 0];
}
