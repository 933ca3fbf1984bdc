/* pairs_bits.c - the calls that read every bit of a set; the idea is in
 * pairs.h */
#include "pairs.h"

#include <stdlib.h>

const char *pair_call_get_stats(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    uint64_t news = __atomic_load_n(&scene->news, __ATOMIC_ACQUIRE);
    seenset_stats stats;
    if (seenset_get_stats(scene->set, &stats, sizeof stats) != SEENSET_OK)
        return "get_stats fails";
    if (stats.added_items < scene->start.added_items + news)
        return "get_stats has too few keys";
    if (stats.set_bits < scene->start.set_bits)
        return "get_stats lacks bits";
    return NULL;
}

const char *pair_call_get_uniformity(pair_turn *turn)
{
    const seenset *set = turn->scene->set;
    seenset_uniformity found;
    if (seenset_get_uniformity(set, &found, sizeof found) != SEENSET_OK)
        return "get_uniformity fails";
    return found.is_skewed ? "get_uniformity calls good bits skewed" : NULL;
}

/* Are all bits set that the keys of the beginning had set? */
static bool has_old_bits(const pair_scene *scene, const uint8_t *bytes,
                         uint32_t cell_bits)
{
    bool holds = true;
    for (uint64_t i = 0; cell_bits == 1 && i < scene->bit_count; i++)
        holds &= scene->bits[i] == 0 || (bytes[i / 8] >> (i % 8) & 1) != 0;
    return holds;
}

const char *pair_call_to_bits(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    size_t size_bytes = 0;
    int expected = scene->start.table_count > 1 || scene->kind->is_sealed
                       ? SEENSET_EUNSUPPORTED
                       : SEENSET_OK;
    (void)seenset_to_bits(scene->set, NULL, &size_bytes);
    uint8_t *bytes = malloc(size_bytes + 1);
    const char *wrong = NULL;
    if (bytes == NULL ||
        seenset_to_bits(scene->set, bytes, &size_bytes) != expected)
        wrong = "to_bits fails";
    else if (expected == SEENSET_OK &&
             !has_old_bits(scene, bytes, scene->start.counter_bits > 0 ? 4 : 1))
        wrong = "to_bits lacks bits";
    free(bytes);
    return wrong;
}
