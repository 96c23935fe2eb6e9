// How fast a kernel is, and how fast it could be; for benchmarks.

#include <ctime>
#include <numeric>

#include "groups.hpp"
#include "runner.hpp"
#include "search.hpp"

namespace wellworn {
namespace {

double thread_seconds() {
  std::timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double speed(const Sequences& set, const Kernel& kernel) {
  std::vector<int> order(static_cast<size_t>(set.count()));
  std::iota(order.begin(), order.end(), 0);
  const Groups groups(set, order, 0, kernel.lanes);
  Runner runner(set, kernel);
  int distance[kMaxLanes];
  const double start = thread_seconds();
  runner.full(groups.profile(0), set.count() - 1, distance);
  return static_cast<double>(runner.cells) / (thread_seconds() - start);
}

double ceiling(const Kernel& kernel) {
  const double start = thread_seconds();
  const uint64_t cells = kernel.arithmetic(10'000'000);
  return static_cast<double>(cells) / (thread_seconds() - start);
}

}  // namespace wellworn
