// What a search and a matrix share: an order of the sequences, and runs of a kernel.

#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernel.hpp"
#include "search.hpp"

namespace wellworn {

// The order of sequences by length, in which groups of neighbours are alike.
inline std::vector<int> by_length(const Sequences& set) {
  std::vector<int> order(static_cast<size_t>(set.count()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return set.length(a) < set.length(b); });
  return order;
}

// Runs the kernel, each time on the same workspace.
class Runner {
 public:
  Runner(const Sequences& set, const Kernel& kernel) : set_(set), kernel_(kernel) {
    int longest = 1;
    for (int i = 0; i < set.count(); i++) longest = std::max(longest, set.length(i));
    space_.blocks = (longest + kWord - 1) / kWord;
    memory_.resize(kernel.bytes(space_.blocks));
    space_.memory = memory_.data();
  }

  void banded(const Profile& profile, int text, const int* cutoff, int* distance) {
    cells += kernel_.banded(profile, set_.at(text), set_.length(text), cutoff, space_, distance);
  }

  void full(const Profile& profile, int text, int* distance) {
    cells += kernel_.full(profile, set_.at(text), set_.length(text), space_, distance);
  }

  uint64_t cells = 0;

 private:
  const Sequences& set_;
  const Kernel& kernel_;
  std::vector<char> memory_;
  Workspace space_;
};

}  // namespace wellworn
