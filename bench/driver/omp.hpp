// SPDX-License-Identifier: BSD-3-Clause
// skerry bench omp: the OpenMP library beside those of GCC and LLVM, and beside bare threads. All contenders run one
// short program in turn, with the raw one-way time of a line before and behind; rounds during which that moved, or
// somebody else used the processors, are dropped and repeated. Ratios are taken within rounds, medians over them.
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
    std::vector<int> threads;          // empty: 1, 2 and 4, on two processors
    std::vector<std::string> only;     // programs or figures; empty: all
    std::vector<std::string> peers;    // names, or NAME=FOLDER; empty: the usual ones
    std::vector<std::string> variants; // of our own library: NAME=VALUE with commas between several
    std::string library;               // the folder of what is measured; empty: this installation's
    int pairs = 9;                     // rounds
    double seconds = 0;                // of one figure in one run; 0: as long as needed
    int load = 0, copies = 1;          // busy loops beside each run; how often each program runs at the same time
    bool json = false, quick = false, limits = true, s4 = false;
};
OmpOptions parse_omp_options(int count, char **words);
void choose_omp_s4(OmpOptions &options); // what is needed for Tendulkar et al.'s (2011) table

// -- What can be measured and what must hold --------------------------------------------------------------------------

struct OmpProgram {
    std::string name;
    std::vector<std::string> figures;
};
const std::vector<OmpProgram> &omp_programs();

struct OmpLimit {
    std::string program, name; // empty: there is none
    long parameter = 0;
};
OmpLimit omp_limit_of(const std::string &figure, int threads, long parameter);

// With so many threads on two processors. A condition of 0 is not asked for.
struct OmpBar {
    std::string_view figure;
    int threads = 2;
    double by_peer = 0;                    // at most so many times the better peer's time
    bool no_slower = false;                // than the better peer, within the spread of the rounds
    double by_limit = 0, beyond_limit = 0; // at most so many times the limit, plus so many ns
    bool any = false;                      // one of both is enough
    double by_alone = 0;                   // at most so many times our own time with one thread
};
const OmpBar *omp_bar_of(const std::string &figure, int threads);

// -- Who is measured ---------------------------------------------------------------------------------------------------

struct OmpContender {
    std::string name;
    std::filesystem::path programs;
    std::string library_folder; // empty: where the system has it
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

struct OmpFigure { // of one run, ns
    double median = 0, mean = 0, deviation = 0;
};

struct OmpJob {
    OmpProgram program; // its figures: those that are asked for
    int threads = 0;
};

std::string omp_variant_name(std::string variant); // of the contender with this in its environment

// The first is ours. What was left out is told in `notes`.
std::vector<OmpContender> omp_contenders(const OmpOptions &options, const Places &places,
                                         const std::vector<OmpJob> &jobs, const std::filesystem::path &folder,
                                         Words &notes);
std::map<OmpKey, OmpFigure> run_omp(OmpContender &contender, const OmpJob &job, const OmpOptions &options,
                                    bool crowded);
bool is_loaded(const OmpOptions &options);

// -- What was measured -------------------------------------------------------------------------------------------------

struct OmpRound {
    const OmpJob *job = nullptr;
    double line_before = 0, line_after = 0; // ns
    double others = 0;                      // their share of the processors
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
std::string omp_s4_text(const OmpSession &session);
std::string omp_json(const OmpSession &session);

int bench_omp(int count, char **words);

} // namespace skerry::bench
