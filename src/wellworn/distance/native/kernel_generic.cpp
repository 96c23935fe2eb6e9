// The kernel for any processor: vectors of 4 words, which the compiler splits as it must.
#include "kernel.hpp"

#define KERNEL generic
#define KERNEL_NAME "generic"
#define LANES 4
#define COLUMNS 3
#define CHAINS 6
#include "kernel.inc"
