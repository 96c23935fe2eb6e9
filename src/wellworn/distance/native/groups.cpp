#include "groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

namespace wellworn {

Compact::Compact(const Sequences& set)
    : symbols_(static_cast<size_t>(set.start[set.count])), set_(set) {
  // calloc, since most of a large table is never touched and so costs nothing.
  const std::unique_ptr<int32_t, decltype(&std::free)> numbers(
      static_cast<int32_t*>(std::calloc(static_cast<size_t>(set.alphabet), sizeof(int32_t))),
      &std::free);
  if (!numbers) throw std::bad_alloc();
  int32_t last = 0;
  for (size_t x = 0; x < symbols_.size(); x++) {
    int32_t& number = numbers.get()[set.symbols[x]];
    if (number == 0) number = ++last;
    symbols_[x] = number - 1;
  }
  set_.symbols = symbols_.data();
  set_.alphabet = std::max(1, last);
}

Group::Group(const Sequences& set, const int* members, int size, int lanes) : profile_{} {
  int longest = 1;
  for (int l = 0; l < size; l++) {
    profile_.length[l] = set.length(members[l]);
    longest = std::max(longest, profile_.length[l]);
  }
  profile_.blocks = (longest + kWord - 1) / kWord;
  const size_t words = static_cast<size_t>(profile_.blocks) * static_cast<size_t>(lanes);
  count(set, members, size);
  choose_rows(std::max(kLeastRows, kRowBytes / sizeof(uint64_t) / words));
  fill(set, members, size, lanes);
}

void Group::count(const Sequences& set, const int* members, int size) {
  occurs_.assign(static_cast<size_t>(set.alphabet), 0);
  for (int l = 0; l < size; l++) {
    const int32_t* text = set.at(members[l]);
    for (int x = 0; x < set.length(members[l]); x++) {
      if (occurs_[text[x]]++ == 0) symbols_.push_back(text[x]);
    }
  }
}

// Give the most frequent symbols rows of their own, `limit` at most with row 0.
void Group::choose_rows(size_t limit) {
  if (symbols_.size() >= limit) {
    std::nth_element(symbols_.begin(), symbols_.begin() + static_cast<ptrdiff_t>(limit - 1),
                     symbols_.end(), [&](int32_t a, int32_t b) { return occurs_[a] > occurs_[b]; });
  }
  row_of_.assign(occurs_.size(), 0);
  int32_t row = 1, rare = 0;
  rare_start_.push_back(0);
  for (const int32_t symbol : symbols_) {
    if (static_cast<size_t>(row) < limit) {
      row_of_[symbol] = row++;
    } else {
      row_of_[symbol] = ~rare++;
      rare_start_.push_back(rare_start_.back() + static_cast<size_t>(occurs_[symbol]));
    }
  }
  rare_.resize(rare_start_.back());
  const size_t words = static_cast<size_t>(profile_.blocks);
  rows_.resize(static_cast<size_t>(row) * words);  // in units that fill() widens by the lanes
}

void Group::fill(const Sequences& set, const int* members, int size, int lanes) {
  constexpr size_t kAlign = 64 / sizeof(uint64_t);
  const size_t blocks = static_cast<size_t>(profile_.blocks), width = static_cast<size_t>(lanes);
  rows_.assign(rows_.size() * width + kAlign, 0);
  const uintptr_t address = reinterpret_cast<uintptr_t>(rows_.data());
  uint64_t* rows = rows_.data() + (64 - address % 64) % 64 / sizeof(uint64_t);
  std::vector<size_t> next(rare_start_);
  for (size_t l = 0; l < static_cast<size_t>(size); l++) {
    const int32_t* text = set.at(members[l]);
    for (size_t x = 0; x < static_cast<size_t>(profile_.length[l]); x++) {
      const int32_t row = row_of_[text[x]];
      const size_t word = x / kWord * width + l;
      const uint64_t mask = uint64_t{1} << (x % kWord);
      if (row > 0) {
        rows[static_cast<size_t>(row) * blocks * width + word] |= mask;
      } else {
        rare_[next[~row]++] = {static_cast<uint32_t>(word), mask};
      }
    }
  }
  profile_.rows = rows;
  profile_.rare = rare_.data();
  profile_.rare_start = rare_start_.data();
}

void Group::translate(const int32_t* text, int length, int32_t* rows) const {
  for (int x = 0; x < length; x++) rows[x] = row_of_[text[x]];
}

}  // namespace wellworn
