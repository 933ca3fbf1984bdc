/*
 * queue.h - the subcommands of `seenset queue`, each as a main() of its own:
 * argv[0] is "seenset queue NAME" (see command.h).
 */
#ifndef QUEUE_H
#define QUEUE_H

int queue_push(int argc, char **argv);
int queue_pop(int argc, char **argv);
int queue_ack(int argc, char **argv);
int queue_nack(int argc, char **argv);
int queue_stat(int argc, char **argv);
int queue_verify(int argc, char **argv);
int queue_repair(int argc, char **argv);
int queue_delete(int argc, char **argv);

#endif
