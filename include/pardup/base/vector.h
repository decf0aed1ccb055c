/*
 * base/vector.h - vectors of 16 bytes: the SSE2 intrinsics of every x86-64.
 *
 * Elsewhere SIMDe has functions of the same names, made from the vectors of that processor, such as
 * NEON. PD_VECTORS is defined when there are vectors. Without them plain code does the same. AVX2
 * and more are for x86 alone and are asked for where they are used (__SSE2__).
 */
#ifndef PARDUP_BASE_VECTOR_H
#define PARDUP_BASE_VECTOR_H

#if defined(__SSE2__)
#include <emmintrin.h>
#define PD_VECTORS
#elif defined(PARDUP_SIMDE) /* CMakeLists.txt has found SIMDe */
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/sse2.h>
#define PD_VECTORS
#endif

#endif
