/* queue_outage.c - see queue_outage.h */
#include "queue_outage.h"

/* Uses the image up. */
static void judge(outage *of, disk *image)
{
    const char *wrong = of->judge(of->context, image);
    of->images++;
    of->broken += wrong != NULL;
    if (of->wrong == NULL)
        of->wrong = wrong;
    disk_free(image);
}

bool outage_is_over(const outage *of)
{
    return of->most_images > 0 && of->images >= of->most_images;
}

void outage_cut(outage *of, disk *on)
{
    for (int i = 0; i < of->images_a_change && !outage_is_over(of); i++)
        judge(of, disk_image(on, of->seed++));
}

static void interrupt(void *context, disk *changed)
{
    outage *of = context;
    of->changes++;
    if (of->is_killed && !outage_is_over(of))
        judge(of, disk_copy(changed));
    outage_cut(of, changed);
}

void outage_begin(outage *of, disk *on)
{
    disk_watch(on, interrupt, of);
}

void outage_end(disk *on)
{
    disk_watch(on, NULL, NULL);
}
