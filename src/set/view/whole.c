/* whole.c - see whole.h */
#include "set/view/whole.h"

#include <errno.h>

#include "set/view/checks.h"

int ss_whole_begin(ss_whole *whole, const seenset *set)
{
    *whole = (ss_whole){.set = set};
    if (ss_checks_beside_count(set) == 0)
        return ss_checks_all(set);
    int error = ss_set_copy(&whole->copy, set);
    if (error == SEENSET_OK)
        whole->set = whole->copy;
    return error;
}

void ss_whole_end(const ss_whole *whole)
{
    int kept = errno;
    seenset_free(whole->copy);
    errno = kept;
}
