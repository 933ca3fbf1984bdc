/* move.c - see move.h */
#include "key/move.h"

void sr_incoming_move(sr_mover *mover, sr_incoming *incoming)
{
    incoming->bytes = sr_move(mover, incoming->bytes, incoming->room_bytes);
}

static sr_chain *move_chain(sr_mover *mover, sr_chain *chain)
{
    chain = sr_move_owned(mover, chain, sizeof *chain);
    chain->links =
        sr_move_owned(mover, chain->links, chain->room * sizeof *chain->links);
    for (uint32_t i = 0; i < chain->count; i++) {
        sr_link *link = &chain->links[i];
        link->data = sr_move_owned(mover, link->data, link->bytes);
    }
    return chain;
}

static sr_cuckoo *move_cuckoo(sr_mover *mover, sr_cuckoo *cuckoo)
{
    cuckoo = sr_move(mover, cuckoo, sizeof *cuckoo);
    for (uint32_t i = 0; i < cuckoo->count; i++)
        sr_move_set(mover, &cuckoo->parts[i].set);
    return cuckoo;
}

int sr_value_move(RedisModuleDefragCtx *ctx, RedisModuleString *key,
                  void **value)
{
    (void)key;
    sr_mover mover = sr_move_begin(ctx);
    sr_value *moved = *value = sr_move(&mover, *value, sizeof *moved);
    sr_move_set(&mover, &moved->set);
    if (moved->chain != NULL)
        moved->chain = move_chain(&mover, moved->chain);
    if (moved->cuckoo != NULL)
        moved->cuckoo = move_cuckoo(&mover, moved->cuckoo);
    sr_incoming_move(&mover, &moved->incoming);
    return sr_move_end(&mover, true);
}
