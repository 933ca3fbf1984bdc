/* inlining.h - which functions a compiler is to inline, and which not */
#ifndef SS_BASE_INLINING_H
#define SS_BASE_INLINING_H

#define SS_ALWAYS_INLINE inline __attribute__((always_inline))
#define SS_NOINLINE __attribute__((noinline)) /* keeps a short path short */

#endif
