/*
 * terminal.h - is a person looking?
 */
#ifndef SYSTEM_TERMINAL_H
#define SYSTEM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Is the descriptor open on a terminal? */
bool terminal_is(int fd);

/* The width of that terminal, in letters; 0 if it is not known. */
size_t terminal_columns(int fd);

#endif
