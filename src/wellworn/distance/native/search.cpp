// Branch and bound over pairs, four or eight at a time. Let U[i] be the smallest distance
// seen for i and tau the k-th smallest U. A pair at max(U[i], U[j]) or more improves neither,
// and one above tau only beyond the k smallest, since tau only falls; so each pair is computed
// up to the largest integer that is neither, and a run of the kernel is left out where the
// lengths alone exclude all of its pairs. Runs come in the order of the smallest distance that
// their lengths allow, and end where that exceeds tau.

#include "search.hpp"

#include <algorithm>
#include <limits>

#include "groups.hpp"
#include "runner.hpp"

namespace wellworn {
namespace {

constexpr int kBands[] = {64, 8, 1};  // parts of a text's length that are tried as cutoffs
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Return the largest integer x with x / longest < limit and x / longest <= tau; -1 if there is
// none.
int largest(double limit, double tau, int longest) {
  if (limit > 1 && tau >= 1) return longest;
  int x = static_cast<int>(std::min({limit, tau, 1.0}) * longest) + 1;
  const auto share = [&] { return static_cast<double>(x) / longest; };
  while (x >= 0 && (share() >= limit || share() > tau)) x--;
  return x;
}

class Search {
 public:
  Search(const Sequences& set, int k, const Kernel& kernel, double* bounds)
      : set_(set), order_(by_length(set)), k_(k), lanes_(kernel.lanes), bounds_(bounds),
        runner_(set, kernel) {
    for (int i = 0; i < set.count(); i++) {
      if (bounds[i] > 0) ranked_.push_back(i);
    }
  }

  uint64_t run(const Stopped& stopped) {
    for (int begin = 0; begin < set_.count();) {
      const Groups groups(set_, order_, begin, lanes_);
      if (!run_groups(groups, stopped)) break;
      begin = groups.end();
    }
    return runner_.cells;
  }

 private:
  struct Job {
    double least;
    int group, text;  // positions among the groups and in the order
  };

  // The smallest distance that the lengths of a group's patterns and a text allow.
  double least(int first, int text) const {
    const int length = set_.length(order_[text]);
    double smallest = kInfinity;
    for (int i = first; i < std::min(first + lanes_, text); i++) {
      const double difference = length - set_.length(order_[i]);
      smallest = std::min(smallest, difference / std::max(1, length));
    }
    return smallest;
  }

  bool run_groups(const Groups& groups, const Stopped& stopped) {
    std::vector<Job> jobs;
    for (int g = 0; g < groups.count(); g++) {
      for (int text = groups.first(g) + 1; text < set_.count(); text++) {
        jobs.push_back({least(groups.first(g), text), g, text});
      }
    }
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const Job& a, const Job& b) { return a.least < b.least; });
    for (const Job& job : jobs) {
      if (job.least > tau_) break;
      if (stopped()) return false;
      run_job(groups.profile(job.group), groups.first(job.group), job.text);
    }
    return true;
  }

  // Pairs without any bound yet are tried in narrow bands first: these cost little, and where
  // sequences are alike they spare the whole width.
  void run_job(const Profile& profile, int first, int text) {
    const int j = order_[text], length = set_.length(j);
    int cutoff[kMaxLanes], tried[kMaxLanes];
    std::fill(tried, tried + lanes_, -1);
    for (const int part : kBands) {
      bool any = false, unbounded = false;
      for (int l = 0; l < lanes_; l++) {
        cutoff[l] = first + l < text ? cutoff_of(order_[first + l], j) : -1;
        if (cutoff[l] <= tried[l]) cutoff[l] = -1;
        any = any || cutoff[l] >= 0;
        unbounded = unbounded || cutoff[l] == length;
      }
      if (!any) return;
      for (int l = 0; l < lanes_; l++) {
        if (unbounded) cutoff[l] = std::min(cutoff[l], length / part);
        tried[l] = std::max(tried[l], cutoff[l]);
      }
      run_pairs(profile, first, text, cutoff);
      if (!unbounded) return;
    }
  }

  void run_pairs(const Profile& profile, int first, int text, const int* cutoff) {
    int distance[kMaxLanes];
    const int j = order_[text];
    runner_.banded(profile, j, cutoff, distance);
    bool lower = false;
    for (int l = 0; l < lanes_; l++) {
      if (distance[l] == kOver) continue;
      const int i = order_[first + l];
      const double found = static_cast<double>(distance[l]) / longest(i, j);
      for (const int end : {i, j}) {
        lower = lower || found < bounds_[end];
        bounds_[end] = std::min(bounds_[end], found);
      }
    }
    if (lower) update_tau();
  }

  int longest(int i, int j) const { return std::max(set_.length(i), set_.length(j)); }

  int cutoff_of(int i, int j) const {
    const int cutoff = largest(std::max(bounds_[i], bounds_[j]), tau_, longest(i, j));
    return std::abs(set_.length(i) - set_.length(j)) <= cutoff ? cutoff : -1;
  }

  void update_tau() {
    ranks_.clear();
    for (const int i : ranked_) ranks_.push_back(bounds_[i]);
    const auto kth = ranks_.begin() + (k_ - 1);
    std::nth_element(ranks_.begin(), kth, ranks_.end());
    tau_ = *kth;
  }

  const Sequences& set_;
  const std::vector<int> order_;
  const int k_;
  const int lanes_;
  double* const bounds_;
  std::vector<int> ranked_;  // sequences without a twin
  std::vector<double> ranks_;
  double tau_ = kInfinity;
  Runner runner_;
};

}  // namespace

uint64_t search(const Sequences& set, int k, const Kernel& kernel, const Stopped& stopped,
                double* bounds) {
  return Search(set, k, kernel, bounds).run(stopped);
}

}  // namespace wellworn
