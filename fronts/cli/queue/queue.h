/*
 * queue.h - the subcommands of `seenset queue`, each as a main() of its own:
 * argv[0] is "seenset queue NAME" (see command.h).
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>

int queue_push(int argc, char **argv);
int queue_pop(int argc, char **argv);
int queue_ack(int argc, char **argv);
int queue_nack(int argc, char **argv);
int queue_forget(int argc, char **argv);
int queue_peek(int argc, char **argv);
int queue_plan(int argc, char **argv);
int queue_host(int argc, char **argv);
int queue_hosts(int argc, char **argv);
int queue_list(int argc, char **argv);
int queue_export(int argc, char **argv);
int queue_stat(int argc, char **argv);
int queue_verify(int argc, char **argv);
int queue_repair(int argc, char **argv);
int queue_remake(int argc, char **argv);
int queue_delete(int argc, char **argv);

/* Is a queue in that folder? (Does it have a MANIFEST?) */
bool queue_is_at(const char *dir);

#endif
