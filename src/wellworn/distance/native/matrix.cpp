// All distances of a set. Each text is compared with a group of patterns in a band that is a
// little wider than the last distances would need; where that is too narrow, without a band.

#include <algorithm>
#include <cmath>

#include "groups.hpp"
#include "runner.hpp"
#include "search.hpp"

namespace wellworn {
namespace {

// A guess at distances to come, from the last ones: a little more than the largest of them.
class Guess {
 public:
  void saw(double share) { last_[next_++ % kLast] = share; }

  int cutoff(int longest) const {
    if (next_ < kLast) return longest;
    const double share = *std::max_element(last_, last_ + kLast) * 1.03 + 0.005;
    return std::min(longest, static_cast<int>(std::ceil(share * longest)));
  }

 private:
  static constexpr size_t kLast = 8;
  double last_[kLast] = {};
  size_t next_ = 0;
};

}  // namespace

uint64_t matrix(const Sequences& set, const Kernel& kernel, const Stopped& stopped,
                int32_t* distances) {
  const std::vector<int> order = by_length(set);
  Runner runner(set, kernel);
  Guess guess;
  const auto keep = [&](int i, int j, int distance) {
    distances[static_cast<size_t>(i) * set.count() + j] = distance;
    distances[static_cast<size_t>(j) * set.count() + i] = distance;
    const int longest = std::max({1, set.length(i), set.length(j)});
    guess.saw(static_cast<double>(distance) / longest);
  };
  for (int i = 0; i < set.count(); i++) distances[static_cast<size_t>(i) * set.count() + i] = 0;
  for (int begin = 0; begin < set.count();) {
    const Groups groups(set, order, begin, kernel.lanes);
    for (int g = 0; g < groups.count(); g++) {
      const int first = groups.first(g);
      for (int text = first + 1; text < set.count(); text++) {
        if (stopped()) return runner.cells;
        const int j = order[text], used = std::min(kernel.lanes, text - first);
        int cutoff[kMaxLanes], distance[kMaxLanes];
        for (int l = 0; l < kernel.lanes; l++) {
          const int apart = l < used ? set.length(j) - set.length(order[first + l]) : 0;
          cutoff[l] = l < used ? std::max(apart, guess.cutoff(set.length(j))) : -1;
        }
        runner.banded(groups.profile(g), j, cutoff, distance);
        if (std::count(distance, distance + used, kOver)) {
          runner.full(groups.profile(g), j, distance);
        }
        for (int l = 0; l < used; l++) keep(order[first + l], j, distance[l]);
      }
    }
    begin = groups.end();
  }
  return runner.cells;
}

}  // namespace wellworn
