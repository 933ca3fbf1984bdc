/*
 * city.h - CityHash64 as it was in version 1.0.2 (Pike and Alakuijala, Google,
 * 2011), which is the one that ClickHouse has. Version 1.0.3 and later give
 * other values. For reading and writing ClickHouse's filters; new sets do not
 * need it.
 */
#ifndef SS_HASH_CITY_H
#define SS_HASH_CITY_H

#include <stddef.h>
#include <stdint.h>

/* CityHash64 */
uint64_t ss_city_64(const void *key, size_t key_len);

/* Two numbers made one: its Hash128to64(low, high). */
uint64_t ss_city_mix(uint64_t low, uint64_t high);

/* CityHash64WithSeed, from the CityHash64 of the key */
uint64_t ss_city_seeded(uint64_t hash, uint64_t seed);

#endif
