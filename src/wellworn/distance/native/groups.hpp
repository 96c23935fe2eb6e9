// Patterns in groups of as many as a kernel has lanes, with the profiles that it reads.

#pragma once
#include <cstdint>
#include <vector>

#include "kernel.hpp"
#include "search.hpp"

namespace wellworn {

// Bytes of profiles that are held at once, by and large; one group may take more.
constexpr size_t kHeldBytes = size_t{256} << 20;

// Bytes of rows that a group should have, to stay in a cache, and the least number of rows.
// Symbols beyond are kept as lists of their positions, unless they occur as often as every
// fourth word of a row.
constexpr size_t kRowBytes = size_t{1} << 20;
constexpr size_t kLeastRows = 64;

// Some patterns of a set, as a kernel reads them.
class Group {
 public:
  // `members` are at most `lanes` positions in the set. Chooses which symbols have rows.
  Group(const Sequences& set, const int* members, int size, int lanes);

  size_t row_words() const { return row_words_; }
  size_t bytes() const {
    return row_words_ * sizeof(uint64_t) + rare_.size() * sizeof(uint32_t) +
           place_.size() * sizeof(int32_t);
  }

  // Write the rows, into as many words as they have, all zero and aligned to vectors.
  void fill(const Sequences& set, const int* members, int size, int lanes, uint64_t* rows);
  const Profile& profile() const { return profile_; }

 private:
  std::vector<int32_t> count(const Sequences& set, const int* members, int size);
  void choose_rows(std::vector<int32_t>& symbols, size_t words);

  std::vector<int32_t> place_;  // by symbol; while counting, how often it occurs
  std::vector<uint32_t> rare_;
  std::vector<size_t> rare_start_;
  size_t row_words_ = 0;
  Profile profile_;
};

// Groups of sequences that follow each other in an order, as many as may be held at once.
class Groups {
 public:
  Groups(const Sequences& set, const std::vector<int>& order, int begin, int lanes);

  int count() const { return static_cast<int>(groups_.size()); }
  int first(int group) const { return begin_ + group * lanes_; }  // its position in the order
  int end() const { return end_; }
  const Profile& profile(int group) const { return groups_[group].profile(); }

 private:
  const int begin_, lanes_;
  int end_;
  std::vector<Group> groups_;
  std::vector<uint64_t> rows_;  // of all groups, since few large pieces of memory cost less
};

}  // namespace wellworn
