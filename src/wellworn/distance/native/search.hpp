// Exact nearest neighbours and distance matrices over a set of sequences.

#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "kernel.hpp"

namespace wellworn {

// A set of sequences of symbols, one after the other: sequence i is
// symbols[start[i] .. start[i + 1]), of symbols from 0 to `alphabet` - 1.
struct Sequences {
  std::vector<int32_t> symbols;
  std::vector<int64_t> start = {0};
  int32_t alphabet = 1;

  int count() const { return static_cast<int>(start.size()) - 1; }
  int length(int i) const { return static_cast<int>(start[i + 1] - start[i]); }
  const int32_t* at(int i) const { return symbols.data() + start[i]; }

  // Number the symbols anew as they appear, so that tables by symbol stay small.
  void renumber();
};

// Asked between runs of the kernel, some milliseconds apart; true gives the work up.
using Stopped = std::function<bool()>;

// Lower each bounds[i] to the smallest normalised distance of sequence i to another one, so
// far as the `k` smallest of those that do not begin at 0 are concerned: these, and all that are
// equal to the k-th, become exact; the others stay upper bounds. No two sequences are equal.
// Returns the cells computed.
//
// A bound that begins at 0 says that the sequence has a twin; it is not among the k.
uint64_t search(const Sequences& set, int k, const Kernel& kernel, const Stopped& stopped,
                double* bounds);

// distances[i * count + j] = the distance of i and j. Returns the cells computed.
uint64_t matrix(const Sequences& set, const Kernel& kernel, const Stopped& stopped,
                int32_t* distances);

// Return the cells a second of a kernel without a band, over the first sequences, as many as
// it has lanes, against the last one.
double speed(const Sequences& set, const Kernel& kernel);

// Return the cells a second that a kernel's arithmetic alone reaches.
double ceiling(const Kernel& kernel);

}  // namespace wellworn
