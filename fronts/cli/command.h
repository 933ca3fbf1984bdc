/*
 * command.h - what a command is.
 *
 * `seenset` is a table of commands (main.c). A command is one function in one
 * file of its own name, called as a main() of its own: argv[0] is "seenset
 * NAME", the rest is its options. It prints results on standard output and
 * everything else on standard error, and returns one of the three numbers
 * below, which becomes the exit status.
 *
 * Most commands print with stdio, which main() flushes and checks (stdout.h).
 * `dedup`, `has` and `count` write whole batches through stream/output.h.
 */
#ifndef COMMAND_H
#define COMMAND_H

#define COMMAND_DONE 0    /* done; `has`: something was found */
#define COMMAND_NOTHING 1 /* `has`: nothing was found */
#define COMMAND_ERROR 2   /* wrong usage, or anything that failed */

int command_add(int argc, char **argv);
int command_check(int argc, char **argv);
int command_compact(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_count(int argc, char **argv);
int command_dedup(int argc, char **argv);
int command_overlap(int argc, char **argv);
int command_has(int argc, char **argv);
int command_info(int argc, char **argv);
int command_intersect(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_new(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_queue(int argc, char **argv);
int command_rekey(int argc, char **argv);
int command_remove(int argc, char **argv);
int command_rename(int argc, char **argv);
int command_seal(int argc, char **argv);
int command_similarity(int argc, char **argv);
int command_verify(int argc, char **argv);

#endif
