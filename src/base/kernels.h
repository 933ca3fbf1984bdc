/*
 * kernels.h - does this build have kernels for some processors only, which are
 * chosen at run time? SEENSET_NO_SIMD leaves them out.
 *
 * gcc for Windows takes vectors of 32 bytes on the stack to be aligned, and
 * Windows aligns the stack to 16 only (gcc's bug 54412), so a kernel might
 * crash. Who compiles with -Wa,-muse-unaligned-vector-move, which makes that
 * harmless, defines SEENSET_UNALIGNED_VECTOR_MOVES; else there are none.
 */
#ifndef SS_BASE_KERNELS_H
#define SS_BASE_KERNELS_H

#if defined(_WIN32) && defined(__GNUC__) && !defined(__clang__) &&             \
    !defined(SEENSET_UNALIGNED_VECTOR_MOVES)
#define SS_VECTORS_MAY_CRASH 1
#else
#define SS_VECTORS_MAY_CRASH 0
#endif

#if defined(__x86_64__) && !defined(SEENSET_NO_SIMD) && !SS_VECTORS_MAY_CRASH
#define SS_HAS_X86_KERNELS 1
#else
#define SS_HAS_X86_KERNELS 0
#endif

#endif
