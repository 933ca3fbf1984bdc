/* rows.h - several sets below each other, a line for each */
#ifndef INFO_ROWS_H
#define INFO_ROWS_H

#include "seenset/seenset.h"

/* On standard output. */
void rows_print_titles(void);
void rows_print(const char *path, const seenset_stats *stats);
void rows_print_queue(const char *path, const seenset_stats *stats);

#endif
