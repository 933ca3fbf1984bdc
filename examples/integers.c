/*
 * integers.c - identifiers that are 64-bit numbers, one at a time and many.
 */
#include <seenset/extra/inline.h>
#include <stdio.h>

#include "example.h"

enum {
    COUNT = 5
};

int main(void)
{
    static const uint64_t ids[COUNT] = {1001, 1002, 1001, 1003, 1002};
    static const uint64_t others[] = {1003, 2000};
    seenset *set;
    const seenset_view *view;
    uint8_t answers[2];
    check(seenset_new(&set, NULL));
    check(seenset_get_view(set, &view));
    for (int i = 0; i < COUNT; i++) {
        /* no call while the set is one table with room; else seenset_add */
        int answer = seenset_inline_add_u64(view, ids[i]);
        printf("%d is %s\n", (int)ids[i], answer == 1 ? "new" : "seen");
    }
    check(seenset_has_u64_many(set, others, 2, answers));
    for (int i = 0; i < 2; i++)
        printf("%d was %s\n", (int)others[i],
               answers[i] ? "added" : "never added");
    seenset_free(set);
    return 0;
}
