#include "groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

namespace wellworn {

void Sequences::renumber() {
  const auto largest = std::max_element(symbols.begin(), symbols.end());
  const size_t size = largest == symbols.end() ? 1 : static_cast<size_t>(*largest) + 1;
  // calloc, since most of a large table is never touched and so costs nothing.
  const std::unique_ptr<int32_t, decltype(&std::free)> table(
      static_cast<int32_t*>(std::calloc(size, sizeof(int32_t))), &std::free);
  if (!table) throw std::bad_alloc();
  int32_t* const numbers = table.get();
  int32_t last = 0;
  for (int32_t& symbol : symbols) {
    int32_t& number = numbers[symbol];
    if (number == 0) number = ++last;
    symbol = number - 1;
  }
  alphabet = std::max(1, last);
}

Group::Group(const Sequences& set, const int* members, int size, int lanes) : profile_{} {
  int longest = 1;
  for (int l = 0; l < size; l++) {
    profile_.length[l] = set.length(members[l]);
    longest = std::max(longest, profile_.length[l]);
  }
  profile_.blocks = (longest + kWord - 1) / kWord;
  std::vector<int32_t> symbols = count(set, members, size);
  choose_rows(symbols, static_cast<size_t>(profile_.blocks) * static_cast<size_t>(lanes));
}

// Return the symbols that occur; how often goes to place_.
std::vector<int32_t> Group::count(const Sequences& set, const int* members, int size) {
  std::vector<int32_t> symbols;
  place_.assign(static_cast<size_t>(set.alphabet), 0);
  for (int l = 0; l < size; l++) {
    const int32_t* text = set.at(members[l]);
    for (int x = 0; x < set.length(members[l]); x++) {
      if (place_[text[x]]++ == 0) symbols.push_back(text[x]);
    }
  }
  return symbols;
}

// Give the most frequent symbols rows of so many words. One that occurs once needs none, unless
// all of them take little.
void Group::choose_rows(std::vector<int32_t>& symbols, size_t words) {
  const size_t limit = std::max(kLeastRows, kRowBytes / sizeof(uint64_t) / words);
  if (symbols.size() >= limit) {
    std::nth_element(symbols.begin(), symbols.begin() + static_cast<ptrdiff_t>(limit - 1),
                     symbols.end(), [&](int32_t a, int32_t b) { return place_[a] > place_[b]; });
  }
  const bool few = symbols.size() < limit / 4;
  size_t rows = 1;
  rare_start_.push_back(0);
  for (const int32_t symbol : symbols) {
    const size_t occurs = static_cast<size_t>(place_[symbol]);
    if ((rows < limit && (few || occurs > 1)) || occurs > words / 4) {
      place_[symbol] = static_cast<int32_t>(rows++) * profile_.blocks;
    } else {
      place_[symbol] = ~static_cast<int32_t>(rare_start_.size() - 1);
      rare_start_.push_back(rare_start_.back() + occurs);
    }
  }
  row_words_ = rows * words;
  rare_.resize(rare_start_.back());
}

// The lists of rare symbols come in the order of the words, so that a band is a part of them.
void Group::fill(const Sequences& set, const int* members, int size, int lanes, uint64_t* rows) {
  const size_t width = static_cast<size_t>(lanes);
  const int longest = *std::max_element(profile_.length, profile_.length + size);
  std::vector<size_t> next(rare_start_);
  for (int block = 0; block * kWord < longest; block++) {
    for (int l = 0; l < size; l++) {
      const size_t word = static_cast<size_t>(block) * width + static_cast<size_t>(l);
      const int32_t* text = set.at(members[l]) + block * kWord;
      const int length = std::min(kWord, profile_.length[l] - block * kWord);
      for (int x = 0; x < length; x++) {
        const int32_t place = place_[text[x]];
        if (place >= 0) {
          rows[static_cast<size_t>(place) * width + word] |= uint64_t{1} << x;
        } else {
          rare_[next[~place]++] = static_cast<uint32_t>(word * kWord + static_cast<size_t>(x));
        }
      }
    }
  }
  profile_.rows = rows;
  profile_.place = place_.data();
  profile_.rare = rare_.data();
  profile_.rare_start = rare_start_.data();
  profile_.has_rare = !rare_.empty();
}

Groups::Groups(const Sequences& set, const std::vector<int>& order, int begin, int lanes)
    : begin_(begin), lanes_(lanes), end_(begin) {
  constexpr size_t kAlign = 64 / sizeof(uint64_t);  // the longest vectors
  const auto size = [&](int first) { return std::min(lanes, set.count() - first); };
  size_t bytes = 0, words = kAlign;
  while (end_ < set.count() && bytes < kHeldBytes) {
    groups_.emplace_back(set, &order[end_], size(end_), lanes);
    bytes += groups_.back().bytes();
    words += (groups_.back().row_words() + kAlign - 1) / kAlign * kAlign;
    end_ += size(end_);
  }
  rows_.resize(words);
  const size_t address = reinterpret_cast<uintptr_t>(rows_.data()) / sizeof(uint64_t);
  uint64_t* rows = rows_.data() + (kAlign - address % kAlign) % kAlign;
  for (int g = 0; g < count(); g++) {
    groups_[g].fill(set, &order[first(g)], size(first(g)), lanes, rows);
    rows += (groups_[g].row_words() + kAlign - 1) / kAlign * kAlign;
  }
}

}  // namespace wellworn
