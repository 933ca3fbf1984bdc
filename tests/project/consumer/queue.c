/*
 * queue.c - somebody else's program that uses the queue, in what C and C++
 * share. Its argument is the queue's folder.
 */
#include <seenset/queue.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *url = "https://example.com/";
    seenset_queue *queue;
    if (argc < 2 || seenset_queue_open(&queue, argv[1], NULL) != 0)
        return 1;
    int first = seenset_queue_push(queue, url, strlen(url), NULL, 0);
    int second = seenset_queue_push(queue, url, strlen(url), NULL, 0);
    printf("%s %s %s\n", first == 1 ? "new" : "?", second == 0 ? "seen" : "?",
           seenset_version());
    return seenset_queue_close(queue) != 0;
}
