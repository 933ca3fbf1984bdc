/*
 * merge.c - makes the union of set files: what any of them has seen.
 */
#include "command.h"
#include "commands/combine.h"

int command_merge(int argc, char **argv)
{
    static const combination merge = {
        .doc =
            "Make OUT the union of the INs: what any of them has seen. "
            "Sets that grow and windows of a time may differ in size; "
            "others must have been made with the same options.\vAn IN "
            "that is - is standard input; an OUT that exists is then one of "
            "the INs. An OUT that is - is standard output. "
            "To go on where a set is full: 'seenset new LARGER -n N' makes "
            "a set that grows, and 'seenset merge LARGER LARGER FULL' gives "
            "it the keys of FULL, which must have its layout. Where most keys "
            "of a set of fingerprints were removed, 'seenset merge SMALL "
            "SMALL LARGE' moves the remaining keys to a smaller one, made by "
            "'seenset new'.",
        .least_inputs = 1,
        .too_few = "an OUT and at least one IN are needed",
        .fold = seenset_merge,
        .keeps_out = true};
    return combine(&merge, argc, argv);
}
