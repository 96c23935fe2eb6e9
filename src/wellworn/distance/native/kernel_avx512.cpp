// The kernel for AVX-512 (Ice Lake, Zen 4 and later) with 8 words in a register: three operands
// a logical operation, and shifts that take their low bits from another word.
#if defined(__x86_64__)
#include <immintrin.h>

#include "kernel.hpp"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target( \
    "avx512f,avx512bw,avx512vl,avx512vbmi2,avx512vpopcntdq,popcnt,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx512vpopcntdq,popcnt,bmi,bmi2")
#endif
#define KERNEL avx512
#define KERNEL_NAME "avx512"
#define LANES 8
#define COLUMNS 6
#define CHAINS 24
#define TERNARY(a, b, c, table) \
  (Vec) _mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table)
#define SHIFT_IN(a, below) (Vec) _mm512_shldi_epi64((__m512i)(a), (__m512i)(below), 1)
#define POPCOUNT(a) (Vec) _mm512_popcnt_epi64((__m512i)(a))
#include "kernel.inc"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
