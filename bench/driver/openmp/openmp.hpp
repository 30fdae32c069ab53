// SPDX-License-Identifier: BSD-3-Clause
// Declares the parts of skerry bench omp, which compares our OpenMP library with those of GCC and LLVM. It also
// compares with bare threads (threads without any OpenMP library). In a round all contenders run one short program, one
// after the other. The time that a cache line needs from one processor to another is measured before and after the
// round. If this time changed, or if other programs used the processors, the round is dropped and repeated. Ratios are
// computed within a round, and the report has medians over the rounds.
#pragma once

#include "command.hpp"
#include "contender.hpp"
#include "statistics.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skerry::bench {

struct OmpOptions {
    std::vector<int> threads;          // numbers of threads; empty: 1, 2 and 4, on two processors
    std::vector<std::string> only;     // programs or figures; empty: all
    std::vector<std::string> peers;    // names, or NAME=FOLDER; empty: libgomp and libomp
    std::vector<std::string> variants; // variants of our library, each NAME=VALUE[,NAME=VALUE...]
    std::string library;               // folder of the measured default library; empty: that of this installation
    int pairs = 9;                     // number of rounds
    double seconds = 0;                // time of one figure in one run; 0: default
    int load = 0, copies = 1;          // number of busy loops beside each run; number of copies that run at a time
    bool json = false, quick = false, limits = true, by_variant = false;
};
OmpOptions parse_omp_options(int count, char **words);
void choose_omp_by_variant(OmpOptions &options); // sets the options for the table of Tendulkar et al. (2011)

// -- Figures, limits and required ratios -------------------------------------------------------------------------------

struct OmpProgram {
    std::string name;
    std::vector<std::string> figures;
};
const std::vector<OmpProgram> &omp_programs();

struct OmpLimit {
    std::string program, name; // empty: there is no limit
    long parameter = 0;
};
OmpLimit omp_limit_of(const std::string &figure, int threads, long parameter);

// The conditions that a figure must meet with `threads` threads on two processors. A condition with the value 0 is not
// required.
struct OmpBar {
    std::string_view figure;
    int threads = 2;
    double by_peer = 0;     // our time is at most this factor times that of the better peer
    bool no_slower = false; // our time is not above the better peer's, except within the spread of the rounds
    double by_limit = 0, beyond_limit = 0; // our time is at most by_limit times the limit, plus beyond_limit ns
    bool any = false;                      // one of the conditions is enough
    double by_alone = 0;                   // our time is at most this factor times our time with one thread
};
const OmpBar *omp_bar_of(const std::string &figure, int threads);

// -- Contenders --------------------------------------------------------------------------------------------------------

struct OmpContender {
    std::string name;
    std::filesystem::path programs;
    std::string library_folder; // empty: the library of the system
    Words environment;
    bool is_peer = true;
    std::string implementation = {}; // the library's path; known after the first run
};

struct OmpKey {
    std::string program, figure;
    int threads = 0;
    long parameter = 0;
    auto operator<=>(const OmpKey &) const = default;
};

struct OmpFigure { // ns, from one run
    double median = 0, mean = 0, deviation = 0;
};

struct OmpJob {
    OmpProgram program; // with the requested figures only
    int threads = 0;
};

// Returns the name of the contender for a variant of our library. `variant` is a list of environment variables and
// their values. The name is this list without the prefix SKERRY_OMP_ of each variable.
std::string omp_variant_name(std::string variant);

// Returns the contenders (the compared libraries); the first one is our library. Adds a line to `notes` for each
// library that is not measured.
std::vector<OmpContender> omp_contenders(const OmpOptions &options, const Places &places,
                                         const std::vector<OmpJob> &jobs, const std::filesystem::path &folder,
                                         Words &notes);
std::map<OmpKey, OmpFigure> run_omp(OmpContender &contender, const OmpJob &job, const OmpOptions &options,
                                    bool oversubscribed);
bool is_loaded(const OmpOptions &options);

// -- Results -----------------------------------------------------------------------------------------------------------

struct OmpRound {
    const OmpJob *job = nullptr;
    double line_before = 0, line_after = 0; // ns
    double others = 0;                      // share of the processors' time that other programs used
    bool steady = true;
    std::map<std::string, std::map<OmpKey, OmpFigure>> of; // by contender
    LimitFigures limits;
};

struct OmpSession {
    OmpOptions options;
    std::vector<OmpContender> contenders;
    std::vector<OmpRound> rounds;
    Words notes;
    int dropped = 0, processors = 1, failures = 0;
};

std::string omp_text(const OmpSession &session);
std::string omp_by_variant_text(const OmpSession &session);
std::string omp_json(const OmpSession &session);

int bench_omp(int count, char **words);

} // namespace skerry::bench
