/*
 * consumer.c - somebody else's program, in what C and C++ share. It says
 * "new seen" and the library's version when the library works.
 */
#include <seenset/seenset.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *key = "https://example.com/";
    seenset *set = NULL;
    if (seenset_new(&set, NULL) != 0)
        return 1;
    int first = seenset_add(set, key, strlen(key));
    int second = seenset_add(set, key, strlen(key));
    printf("%s %s %s\n", first == 1 ? "new" : "?", second == 0 ? "seen" : "?",
           seenset_version());
    seenset_free(set);
    return 0;
}
