/* exports.c - the public functions, as the version scripts list them */
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* The version scripts of both libraries as one text; to be freed. */
static char *read_scripts(void)
{
    size_t core_bytes, queue_bytes;
    uint8_t *core = test_read_file(SEENSET_TEST_MAP, &core_bytes);
    uint8_t *queue = test_read_file(SEENSET_TEST_QUEUE_MAP, &queue_bytes);
    char *text = realloc(core, core_bytes + queue_bytes + 1);
    assert_non_null(text);
    memcpy(text + core_bytes, queue, queue_bytes);
    text[core_bytes + queue_bytes] = '\0';
    free(queue);
    return text;
}

/* The first name that has no row, or NULL. Cuts the text up. */
static const char *missing_row(char *text, bool (*has_row)(const char *name),
                               int *name_count)
{
    static const char between[] = " \n;";
    for (char *word = strtok(text, between); word != NULL;
         word = strtok(NULL, between)) {
        if (strncmp(word, "seenset_", 8) != 0)
            continue;
        *name_count += 1;
        if (!has_row(word))
            return word;
    }
    return NULL;
}

void test_each_export_has_a_row(bool (*has_row)(const char *name))
{
    int name_count = 0;
    char *text = read_scripts();
    const char *missing = missing_row(text, has_row, &name_count);
    if (missing != NULL)
        fail_msg("%s is in no row", missing);
    assert_true(name_count > 50);
    free(text);
    char planted[] = "global:\n seenset_new;\n seenset_shrink;\n";
    assert_string_equal(missing_row(planted, has_row, &name_count),
                        "seenset_shrink");
}
