// Patterns in groups of as many as a kernel has lanes, with the profiles that it reads.

#pragma once
#include <cstdint>
#include <vector>

#include "kernel.hpp"
#include "search.hpp"

namespace wellworn {

// Bytes that the groups held at once may take, by and large.
constexpr size_t kGroupBytes = size_t{256} << 20;

// Bytes of rows that a group should have, to stay in a cache, and the least number of rows.
// Symbols beyond are kept as lists of their positions: they are rare in any long text.
constexpr size_t kRowBytes = size_t{256} << 10;
constexpr size_t kLeastRows = 64;

// A set with its symbols numbered anew as they appear, so that tables by symbol stay small.
class Compact {
 public:
  explicit Compact(const Sequences& set);
  const Sequences& set() const { return set_; }

 private:
  std::vector<int32_t> symbols_;
  Sequences set_;
};

// Some patterns of a set, as a kernel reads them.
class Group {
 public:
  // `members` are at most `lanes` positions in the set.
  Group(const Sequences& set, const int* members, int size, int lanes);

  const Profile& profile() const { return profile_; }
  size_t bytes() const {
    return rows_.size() * sizeof(uint64_t) + rare_.size() * sizeof(Profile::Bit);
  }

  // Write a text as rows of the profile.
  void translate(const int32_t* text, int length, int32_t* rows) const;

 private:
  void count(const Sequences& set, const int* members, int size);
  void choose_rows(size_t limit);
  void fill(const Sequences& set, const int* members, int size, int lanes);

  std::vector<int32_t> row_of_;    // by symbol: a row, ~c for the rare symbol c, 0 for none
  std::vector<int32_t> symbols_;   // that occur, in the order of their first occurrence
  std::vector<int32_t> occurs_;    // how often, by symbol
  std::vector<uint64_t> rows_;
  std::vector<Profile::Bit> rare_;
  std::vector<size_t> rare_start_;
  Profile profile_;
};

}  // namespace wellworn
