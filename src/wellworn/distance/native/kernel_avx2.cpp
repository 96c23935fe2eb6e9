// The kernel for AVX2: 4 words in a register.
#if defined(__x86_64__)
#include "kernel.hpp"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx2,popcnt,bmi,bmi2")
#endif
#define KERNEL avx2
#define KERNEL_NAME "avx2"
#define LANES 4
#define COLUMNS 4
#define CHAINS 12
#include "kernel.inc"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
