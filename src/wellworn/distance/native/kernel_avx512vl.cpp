// The kernel for AVX-512 (Ice Lake, Zen 4 and later) that keeps to 4 words in a register: three
// operands a logical operation, and shifts that take their low bits from another word. Where
// a processor works on long registers in two halves, this loses nothing, and wastes fewer lanes.
#if defined(__x86_64__)
#include <immintrin.h>

#include "kernel.hpp"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target( \
    "avx512f,avx512bw,avx512vl,avx512vbmi2,avx512vpopcntdq,popcnt,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx512vpopcntdq,popcnt,bmi,bmi2")
#endif
#define KERNEL avx512vl
#define KERNEL_NAME "avx512vl"
#define LANES 4
#define COLUMNS 6
#define CHAINS 24
#define TERNARY(a, b, c, table) \
  (Vec) _mm256_ternarylogic_epi64((__m256i)(a), (__m256i)(b), (__m256i)(c), table)
#define SHIFT_IN(a, below) (Vec) _mm256_shldi_epi64((__m256i)(a), (__m256i)(below), 1)
#define POPCOUNT(a) (Vec) _mm256_popcnt_epi64((__m256i)(a))
#include "kernel.inc"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
