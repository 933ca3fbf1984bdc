/*
 * queue_outage.h - a program ends after each change that it makes to a disk.
 *
 * An outage watches a disk. After each operation that changed something it
 * makes images of what the next program could find there: what a kill leaves,
 * which is all that was written, and several of what a power cut may leave.
 * Each image is handed to a judge, who says what is wrong with it. So a test
 * is a list of what is interrupted, and a judge.
 */
#ifndef QUEUE_OUTAGE_H
#define QUEUE_OUTAGE_H

#include "queue_disk.h"

/* NULL, or what is wrong with the image. It may be changed. */
typedef const char *outage_judge(void *context, disk *image);

typedef struct outage {
    outage_judge *judge;
    void *context;
    int images_a_change; /* of a power cut */
    long most_images;    /* no more of them; 0: as many as there are */
    bool is_killed;      /* a kill is tried as well */
    uint64_t seed;       /* of the next image */
    long changes, images, broken;
    const char *wrong; /* the first thing */
} outage;

/* Ends the program after each change to the disk from now on. */
void outage_begin(outage *of, disk *on);
void outage_end(disk *on);

/* Cuts the power now, as often as for a change. */
void outage_cut(outage *of, disk *on);

/* Are there as many images as there may be? */
bool outage_is_over(const outage *of);

#endif
