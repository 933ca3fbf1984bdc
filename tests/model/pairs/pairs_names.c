/*
 * pairs_names.c - is the table of pairs.h whole? Each exported function is in a
 * row, and each row that takes a set is of the class that the header says.
 */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_words[] = {"asks", "adds", "changes", "ends"};

/* Is a call named in the header's list of a class? The class's word begins a
 * line, and its list goes on to the line that begins the next. */
static bool is_listed(const char *header, const pair_row *row)
{
    const char *name = row->name + strlen("seenset_");
    char start[24], end[24];
    snprintf(start, sizeof start, "\n *     %s ", class_words[row->class]);
    const char *from = strstr(header, start);
    assert_non_null(from);
    snprintf(end, sizeof end, "\n *     %s ",
             row->class == PAIR_ENDS ? "" : class_words[row->class + 1]);
    const char *to = row->class == PAIR_ENDS ? strstr(from + 1, "\n *\n")
                                             : strstr(from, end);
    assert_non_null(to);
    for (const char *at = from; (at = strstr(at, name)) != NULL && at < to;
         at++) {
        char before = at[-1], after = at[strlen(name)];
        if (before == ' ' && (after == ',' || after == ' ' || after == ';' ||
                              after == ':' || after == '\n'))
            return true;
    }
    return false;
}

static bool is_in(const pair_row *rows, size_t row_count, const char *name)
{
    for (size_t i = 0; i < row_count; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool has_row(const char *name)
{
    return is_in(pair_set_rows, pair_set_row_count, name) ||
           is_in(pair_alone_rows, pair_alone_row_count, name) ||
           is_in(pair_queue_rows, pair_queue_row_count, name);
}

void pair_every_exported_function_has_a_class(void **state)
{
    (void)state;
    test_each_export_has_a_row(has_row);
}

static char *read_text(const char *path)
{
    size_t size_bytes;
    char *text = (char *)test_read_file(path, &size_bytes);
    text[size_bytes] = '\0';
    return text;
}

/* Is a call in queue.h's list of those that may run at once? */
static bool is_listed_for_queues(const char *header, const char *name)
{
    char word[40];
    const char *from = strstr(header, "Every call on an open queue (");
    const char *to = from == NULL ? NULL : strchr(from, ')');
    assert_non_null(to);
    for (const char *at = strchr(from, '(') + 1; at < to;) {
        size_t length = strcspn(at, ",) \n*");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (strcmp(word, name) == 0)
            return true;
        at += length + strspn(at + length, ", \n*");
    }
    return false;
}

void pair_queue_h_lists_what_may_run_at_once(void **state)
{
    (void)state;
    char *header = read_text(SEENSET_TEST_QUEUE_HEADER);
    for (size_t i = 0; i < pair_queue_row_count; i++) {
        const pair_row *row = &pair_queue_rows[i];
        const char *name = row->name + strlen("seenset_queue_");
        if (is_listed_for_queues(header, name) != (row->class == PAIR_QUEUES))
            fail_msg("%s: queue.h says otherwise", row->name);
    }
    assert_false(is_listed_for_queues(header, "ac")); /* planted */
    free(header);
}

void pair_the_header_says_the_same_classes(void **state)
{
    (void)state;
    char *header = read_text(SEENSET_TEST_HEADER);
    for (size_t i = 0; i < pair_set_row_count; i++) {
        if (!is_listed(header, &pair_set_rows[i]))
            fail_msg("%s is not among those that \"%s\"", pair_set_rows[i].name,
                     class_words[pair_set_rows[i].class]);
    }
    /* planted */
    assert_false(
        is_listed(header, &(pair_row){"seenset_add", PAIR_ASKS, NULL}));
    assert_false(
        is_listed(header, &(pair_row){"seenset_has", PAIR_ENDS, NULL}));
    free(header);
}
