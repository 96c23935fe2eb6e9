// Which kernels this processor can run.
#include "kernel.hpp"

namespace wellworn {

namespace generic { extern const Kernel kernel; }
#if defined(__x86_64__)
namespace avx2 { extern const Kernel kernel; }
namespace avx512 { extern const Kernel kernel; }
namespace avx512vl { extern const Kernel kernel; }
#endif

namespace {

struct Table {
  const Kernel* kernels[5] = {};
  Table() {
    int count = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2")) {
      // Zen 4 works on 8 words in two halves: 4 lanes are as fast, and fewer of them idle.
      const bool halves = __builtin_cpu_is("amdfam19h");
      kernels[count++] = halves ? &avx512vl::kernel : &avx512::kernel;
      kernels[count++] = halves ? &avx512::kernel : &avx512vl::kernel;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
      kernels[count++] = &avx2::kernel;
    }
#endif
    kernels[count] = &generic::kernel;
  }
};

}  // namespace

const Kernel* const* available_kernels() {
  static const Table table;
  return table.kernels;
}

}  // namespace wellworn
