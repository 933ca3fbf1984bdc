/*
 * answer.h - replies of a server that is not trusted, checked against what was
 * asked. Nothing of a reply is used before all of it was checked: its kind, how
 * many rows it has, their kinds, and the ranges of numbers.
 */
#ifndef CRAWL_ANSWER_H
#define CRAWL_ANSWER_H

#include <stdint.h>

#include "crawl/parts.h"

struct redisReply;

/* The most that a figure of a partition can be, so that the sum of those of all
 * partitions is a number, too. */
#define ANSWER_MOST_FIGURE (UINT64_C(1) << 47)

/* Is it a number from `least` to `most`? */
bool answer_is_number(const struct redisReply *reply, long long least,
                      long long most);

/* Is it a text of at most so many bytes? */
bool answer_is_text(const struct redisReply *reply, uint64_t most_bytes);

/* Each of the rows that were asked for is 0 or 1, and there is no other.
 * `or_error`: or an error. */
bool answer_is_bits(const crawl_command *command, bool or_error);

/* Reports a command's reply that is an error, or `what` is wrong with one of
 * another kind. Returns COMMAND_ERROR. */
int crawl_complain_reply(const crawl *it, const crawl_command *command,
                         const char *what);

#endif
