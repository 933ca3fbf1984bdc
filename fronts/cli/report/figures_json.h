/*
 * figures_json.h - figures as members of JSON, under the names of docs/json.md.
 *
 * Each call writes the rows that figures.h has of a struct. So a figure that is
 * added there is printed.
 */
#ifndef FIGURES_JSON_H
#define FIGURES_JSON_H

#include "report/json.h"
#include "seenset/queue.h"
#include "seenset/seenset.h"

/* What a set is, beside what its stats say of it. */
void figures_json_info(json *out, const seenset_info *from);
void figures_json_stats(json *out, const seenset_stats *from);
void figures_json_table(json *out, const seenset_table_info *from);
void figures_json_uniformity(json *out, const seenset_uniformity *from);
void figures_json_overlap(json *out, const seenset_overlap *from);

/* Of a queue, what its files show. */
void figures_json_queue(json *out, const seenset_queue_stats *from);

/* Both names of the number of keys that were wrongly called seen: the one that
 * is null unless the number is known, and the least that it can be. */
void figures_json_wrong(json *out, double wrong_items, bool is_at_least);

#endif
