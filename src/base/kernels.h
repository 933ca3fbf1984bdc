/*
 * kernels.h - does this build have kernels for some processors only, which are
 * chosen at run time? SEENSET_NO_SIMD leaves them out.
 */
#ifndef SS_BASE_KERNELS_H
#define SS_BASE_KERNELS_H

#if defined(__x86_64__) && !defined(SEENSET_NO_SIMD)
#define SS_HAS_X86_KERNELS 1
#else
#define SS_HAS_X86_KERNELS 0
#endif

#endif
