/* core.c - somebody else's program, of ten lines, in what C and C++ share. */
#include <seenset/seenset.h>
#include <stdio.h>

int main(void)
{
    seenset *set;
    if (seenset_new(&set, NULL) != 0)
        return 1;
    int first = seenset_add(set, "key", 3), second = seenset_add(set, "key", 3);
    printf("%s %s %s\n", first == 1 ? "new" : "?", second == 0 ? "seen" : "?",
           seenset_version());
    seenset_free(set);
}
