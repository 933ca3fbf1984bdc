/* whole.c - see whole.h */
#include "set/view/whole.h"

#include <errno.h>

#include "set/view/checks.h"
#include "table/table.h"

int ss_whole_check(const seenset *set)
{
    int error = ss_checks_all(set);
    for (uint32_t i = 0;
         error == SEENSET_OK && set->is_view && i < set->generation_count; i++)
        if (!ss_table_is_sound(&set->generations[i].table))
            error = SEENSET_ECORRUPT;
    return error;
}

int ss_whole_begin(ss_whole *whole, const seenset *set)
{
    *whole = (ss_whole){.set = set};
    if (ss_checks_beside_count(set) == 0)
        return ss_checks_all(set);
    int error = seenset_copy(&whole->copy, set);
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
