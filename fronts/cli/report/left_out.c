/* left_out.c - see left_out.h. */
#include "report/left_out.h"

#include "command.h"
#include "report/complain.h"

void left_out_take(left_out *into, const batch *keys)
{
    uint64_t count = keys->count - batch_key_count(keys);
    if (count > 0 && into->count == 0) {
        into->first_number = keys->first_number + keys->forms->first_other;
        into->input = keys->input;
        into->unit = keys->unit;
        into->reason = keys->forms->reason;
    }
    into->count += count;
}

int left_out_finish(const left_out *all, const char *name, bool is_strict,
                    int status)
{
    if (all->count == 0)
        return status;
    bool is_one = all->count == 1;
    complain("%s: %llu %s left out; %s is %s %llu of %s: %s", name,
             (unsigned long long)all->count,
             is_one ? "line that is not a URL was"
                    : "lines that are not URLs were",
             is_one ? "it" : "the first", all->unit,
             (unsigned long long)all->first_number, all->input, all->reason);
    return is_strict ? COMMAND_ERROR : status;
}
