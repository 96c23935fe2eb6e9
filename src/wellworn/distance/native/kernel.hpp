// The contract between the search, which is compiled once, and the kernels, which are
// compiled once for each instruction set.
//
// A kernel computes the edit distances of up to `lanes` patterns to one text at once. It
// holds one pattern in each lane of its vectors, so that all lanes read the same text
// column and a look-up of the pattern's symbols is one plain load.

#pragma once
#include <cstddef>
#include <cstdint>

namespace wellworn {

constexpr int kMaxLanes = 8;
constexpr int kWord = 64;  // rows of the dynamic programme in one block
constexpr int kOver = INT32_MAX;  // a distance above its cutoff

// Where the symbols of a group of patterns stand. Bit i of the word of block b and lane l
// in a row says that the row's symbol is at position 64 b + i of pattern l.
struct Profile {
  const uint64_t* rows;   // [row][block][lane]; row 0 is a symbol that no pattern has
  int blocks;             // of the longest pattern, at least 1
  int length[kMaxLanes];  // of each pattern; 0 in unused lanes
  const int32_t* place;   // by symbol: blocks before its row; ~c for the rare symbol c
  // Symbols too rare for a row of their own: the bits that one would have, counted from the
  // row's start. Rare symbol c has the bits rare[rare_start[c] .. rare_start[c + 1]).
  const uint32_t* rare;
  const size_t* rare_start;
  bool has_rare;
};

// What a kernel works in, for patterns of so many blocks at most.
struct Workspace {
  void* memory;  // all zero before its first use
  int blocks;
};

struct Kernel {
  const char* name;
  int lanes;
  size_t (*bytes)(int blocks);  // of a workspace
  // distance[l] = the distance of pattern l to the text if it is at most cutoff[l], else
  // kOver; lanes with a negative cutoff are off. Returns how many cells it computed, in all
  // lanes.
  uint64_t (*banded)(const Profile&, const int32_t* text, int length, const int* cutoff,
                     const Workspace&, int* distance);
  // The distance of every pattern to the text, without a band; returns the cells likewise.
  uint64_t (*full)(const Profile&, const int32_t* text, int length, const Workspace&,
                   int* distance);
  // Does the arithmetic of so many steps, of 64 rows in all lanes, and nothing else; returns
  // the cells likewise.
  uint64_t (*arithmetic)(uint64_t steps);
};

// The kernels that this processor can run, best first; ends with a null.
extern const Kernel* const* available_kernels();

}  // namespace wellworn
