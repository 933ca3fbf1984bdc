/*
 * recent.c - see recent.h.
 *
 * An entry is in the place that its options hash to. Its version is odd while
 * a thread writes it, 0 if nobody ever did, and each write makes it larger. A
 * reader takes the words between two looks at the version: if both are the
 * same even number, the words are of one write (a sequence lock; Boehm, "Can
 * seqlocks get along with programming language memory models?", MSPC 2012).
 *
 *     writer   version + 1   words ...   version + 2
 *     reader   version       words ...   version
 *
 * The words are atomic too, each store a release and each load an acquire: who
 * sees a word of a write sees the odd version that came before it.
 */
#include "set/recent.h"

#include <string.h>

#include "hash/xxh3.h"

enum {
    WORD_BYTES = 8,
    ASKED_WORDS = sizeof(ss_recent_asked) / WORD_BYTES,
    WORDS = ASKED_WORDS + sizeof(ss_recent_found) / WORD_BYTES
};

_Static_assert(sizeof(ss_recent_asked) % WORD_BYTES == 0 &&
                   sizeof(ss_recent_found) % WORD_BYTES == 0,
               "an entry is a number of words");
_Static_assert((SS_RECENT_PLANS & (SS_RECENT_PLANS - 1)) == 0,
               "a place is some bits of a hash");

typedef struct entry {
    uint64_t version;
    uint64_t words[WORDS];
} entry;

static entry *place_of(const uint64_t asked[ASKED_WORDS])
{
    static entry entries[SS_RECENT_PLANS];
    uint64_t x = 0; /* products that wait for each other would take longer */
    for (size_t i = 0; i < ASKED_WORDS; i++)
        x += asked[i] * (SS_HASH_STEP * (2 * i + 1));
    return &entries[ss_hash_step(x) >> 32 & (SS_RECENT_PLANS - 1)];
}

bool ss_recent_find(const ss_recent_asked *asked, ss_recent_found *found)
{
    uint64_t wanted[ASKED_WORDS], words[WORDS];
    memcpy(wanted, asked, sizeof wanted);
    const entry *from = place_of(wanted);
    uint64_t version = __atomic_load_n(&from->version, __ATOMIC_ACQUIRE);
    if (version == 0 || version % 2 != 0)
        return false;
    for (size_t i = 0; i < WORDS; i++)
        words[i] = __atomic_load_n(&from->words[i], __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&from->version, __ATOMIC_RELAXED) != version ||
        memcmp(words, wanted, sizeof wanted) != 0)
        return false;
    memcpy(found, words + ASKED_WORDS, sizeof *found);
    return true;
}

void ss_recent_keep(const ss_recent_asked *asked, const ss_recent_found *found)
{
    uint64_t words[WORDS];
    memcpy(words, asked, sizeof *asked);
    memcpy(words + ASKED_WORDS, found, sizeof *found);
    entry *into = place_of(words);
    uint64_t version = __atomic_load_n(&into->version, __ATOMIC_RELAXED);
    if (version % 2 != 0 ||
        !__atomic_compare_exchange_n(&into->version, &version, version + 1,
                                     false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    for (size_t i = 0; i < WORDS; i++)
        __atomic_store_n(&into->words[i], words[i], __ATOMIC_RELEASE);
    __atomic_store_n(&into->version, version + 2, __ATOMIC_RELEASE);
}
