/*
 * intersect.c - makes one set file of several: what all of them have seen.
 */
#include "command.h"
#include "commands/combine.h"

int command_intersect(int argc, char **argv)
{
    static const combination intersect = {
        .doc = "Make OUT the intersection of the INs: what all of them have "
               "seen, and some of what only most have. They must have been "
               "made alike, and not have grown.",
        .least_inputs = 2,
        .too_few = "an OUT and at least two INs are needed",
        .fold = seenset_intersect};
    return combine(&intersect, argc, argv);
}
