/*
 * project.h - the bits of a table as those of a table of another size.
 *
 * A line of a table of R lines is for an interval of all hashes, from i / R to
 * (i + 1) / R, and within a line a key sets the same bits whatever R is. So a
 * line of one table that takes in all lines of another whose intervals touch
 * its own has the bits of all of their keys:
 *
 *     from  |   0   |   1   |   2   |   3   |      R = 4
 *     into  |     0     |     1     |     2     |  R = 3: line 0 takes 0 and 1
 *
 * No key is lost. What it costs is that a line of `from` may go to two lines of
 * `into`, so for tables of about one size the bits become about twice as many.
 * (In the classic filter a line is a bit.) A table whose keys set fewer bits
 * takes one whose keys set more: places that it does not have are left out.
 */
#ifndef SS_TABLE_PROJECT_H
#define SS_TABLE_PROJECT_H

#include "table/table.h"

/* Can `from`, a table of bits, be projected into `into`? So can any pair of one
 * layout, one way round or the other, unless a scheme says the places. */
bool ss_table_can_project(const ss_table *into, const ss_table *from);

/* Adds the keys of `from`; both have words of their own. Cost: each line of
 * both once, in their order. */
void ss_table_project(ss_table *into, const ss_table *from);

/* Would that change nothing? Reads until a bit is missing. */
bool ss_table_covers(const ss_table *into, const ss_table *from);

#endif
