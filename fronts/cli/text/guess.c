/*
 * guess.c - see guess.h.
 */
#include "text/guess.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_LETTERS = 32, /* of a name */
    NEAR = 2           /* letters that may differ */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Do the letters before a[i] and b[j] stand there the other way round? */
static bool is_swapped(const char *a, size_t i, const char *b, size_t j)
{
    return i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
}

/*
 * The number of letters to insert, remove, change or swap with the next one:
 * the optimal string alignment distance. Row i of the table is for the first i
 * letters of a.
 */
static size_t distance(const char *a, size_t a_length, const char *b)
{
    size_t rows[MOST_LETTERS + 1][MOST_LETTERS + 1];
    size_t b_length = strlen(b);
    if (a_length > MOST_LETTERS || b_length > MOST_LETTERS)
        return MOST_LETTERS;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        rows[i][0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            best = least(best, 1 + least(rows[i - 1][j], rows[i][j - 1]));
            if (is_swapped(a, i, b, j))
                best = least(best, 1 + rows[i - 2][j - 2]);
            rows[i][j] = best;
        }
    }
    return rows[a_length][b_length];
}

static bool is_like(const char *word, size_t length, const char *name)
{
    if (strncmp(word, name, length) == 0)
        return true;
    size_t changes = distance(word, length, name);
    return changes <= NEAR && 2 * changes < length;
}

void guess_try(guess *out, const char *word, size_t length, const char *prefix,
               const char *name)
{
    size_t used = strlen(out->text);
    char more[64];
    if (length < 2 || !is_like(word, length, name))
        return;
    int size = snprintf(more, sizeof more, "%s%s%s",
                        used == 0 ? "; did you mean " : " or ", prefix, name);
    if (size >= 0 && (size_t)size < sizeof more &&
        (size_t)size < sizeof out->text - used)
        memcpy(out->text + used, more, (size_t)size + 1);
}

const char *guess_end(const guess *made)
{
    return made->text[0] != '\0' ? "?" : "";
}
