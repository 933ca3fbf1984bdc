/* pairs_known.c - which keys a set must have; the idea is in pairs.h */
#include "pairs.h"

seenset *pair_make(const pair_scene *scene, uint32_t key_count)
{
    seenset *set = NULL;
    if (scene->kind->is_sealed) {
        seenset_key keys[PAIR_OLD];
        for (uint32_t i = 0; i < PAIR_OLD; i++)
            keys[i] = pair_key(scene, i);
        assert_int_equal(seenset_build_sealed(&set, &scene->kind->options, keys,
                                              PAIR_OLD, NULL, NULL),
                         SEENSET_OK);
        return set;
    }
    set = test_make(scene->kind->options);
    for (uint32_t i = 0; i < key_count; i++) {
        seenset_key key = pair_key(scene, i);
        assert_true(seenset_add(set, key.data, key.len) >= 0);
    }
    return set;
}

void pair_look(pair_turn *turn)
{
    const pair_scene *scene = turn->scene;
    for (uint32_t i = 0; i < PAIR_KEYS; i++)
        turn->before[i] = __atomic_load_n(&scene->known[i], __ATOMIC_ACQUIRE);
}

bool pair_holds(const pair_turn *turn, const seenset *set)
{
    bool holds = true;
    for (uint32_t i = 0; i < PAIR_KEYS; i++) {
        seenset_key key = pair_key(turn->scene, i);
        holds &=
            turn->before[i] == 0 || seenset_has(set, key.data, key.len) == 1;
    }
    return holds;
}
