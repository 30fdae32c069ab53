// SPDX-License-Identifier: BSD-3-Clause
// Measures in pairs. A pair is a run of Skerry and a run of one opponent, one directly after the other. The opponent is
// a peer (another implementation) or the limit (a program without any library). In every second round Skerry's run is
// the first. A machine can change its speed within minutes. The time that a cache line needs from one processor to
// another is therefore measured before and after each pair. A pair during which this time changed is dropped and
// repeated. Ratios are computed within pairs, and the report has medians over the pairs.
#pragma once

#include "contender.hpp"
#include "progress.hpp"
#include "statistics.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace skerry::bench {

inline const std::string limit_name = "limit";

struct Pair {
    std::string opponent; // empty: Skerry ran alone
    Results ours, theirs;
    double line_before = 0, line_after = 0; // ns
    bool steady = true;
};

struct Versus {
    Spread theirs; // ns
    Spread ratio;  // our time divided by theirs
};

struct Row {
    Key key;
    Spread ours, line;  // ns
    bool steady = true; // false: for at least one opponent no pair was steady
    std::map<std::string, Versus> versus;
};

struct Failed {
    std::string opponent, text;
    std::vector<std::string> names; // names of the figures that are missing for this opponent
    int pes = 0;
};

class Session {
  public:
    Session(const Options &options, const Places &places, Contender &ours, std::vector<Contender> &peers);
    void measure(const std::vector<Job> &jobs);
    std::vector<Row> rows() const; // in the catalogue's order
    const std::vector<Pair> &pairs() const {
        return kept;
    }
    int dropped() const {
        return dropped_pairs;
    }
    const std::vector<Failed> &failures() const {
        return failed;
    }

  private:
    std::vector<std::string> opponents_of(const Job &job) const;
    void try_pair(const Job &job, const std::string &opponent, bool ours_first, Progress &progress);
    void measure_pair(const Job &job, const std::string &opponent, bool ours_first);
    void report_wrong(const Contender &contender, Progress &progress);
    Row row_of(const Key &key, const std::map<std::string, std::vector<const Pair *>> &by_opponent) const;
    bool right(const std::string &opponent, const Key &key) const;
    Results run_opponent(const Job &job, const std::string &opponent);

    const Options &options;
    const Places &places;
    Contender &ours;
    std::vector<Contender> &peers;
    int processors;
    double line = 0;                                        // newest one-way time of a cache line, ns
    std::map<const Job *, Results> last;                    // our last results; they show which figures a job has
    std::set<std::pair<const Job *, std::string>> given_up; // a job, and an opponent that failed at it
    std::vector<Pair> kept;
    std::vector<Failed> failed;
    int dropped_pairs = 0;
};

} // namespace skerry::bench
