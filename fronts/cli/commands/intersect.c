/*
 * intersect.c - makes the intersection of set files: what all have seen.
 */
#include "command.h"
#include "commands/combine.h"

int command_intersect(int argc, char **argv)
{
    static const combination intersect = {
        .doc = "Make OUT the intersection of the INs: what all of them have "
               "seen and, as false positives, some keys that only some of them "
               "have. They must have been made with the same options, and not "
               "have grown.",
        .least_inputs = 2,
        .too_few = "an OUT and at least two INs are needed",
        .fold = seenset_intersect};
    return combine(&intersect, argc, argv);
}
