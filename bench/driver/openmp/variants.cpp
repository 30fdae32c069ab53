// SPDX-License-Identifier: BSD-3-Clause
// Prints table 1 and figure 2 of Tendulkar et al. (2011), measured with variants of our own library. A variant is one
// way to implement a construct. Each entry of `columns` is one variant and the figure that measures it. The library of
// variants, a second build of our library, chooses the variants at run time. The default variants are measured in this
// library too, so each variant pays the same for this choice.
#include "message.hpp"
#include "openmp/openmp.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

struct Column {
    const char *construct, *way; // names from the paper
    const char *figure;
    const char *variant; // environment variables; empty: none
};

constexpr Column columns[] = {
    {"parallel", "q-ctr", "parallel", "SKERRY_OMP_PARALLEL=queue"},
    {"parallel", "scr-ctr", "parallel", ""},
    {"parallel", "q-scr", "parallel", "SKERRY_OMP_PARALLEL=queue,SKERRY_OMP_JOIN=flags"},
    {"parallel", "scr-scr", "parallel", "SKERRY_OMP_JOIN=flags"},
    {"for", "mtx", "for", "SKERRY_OMP_BARRIER=mutex"},
    {"for", "ctr", "for", "SKERRY_OMP_BARRIER=counter"},
    {"for", "pair", "for", ""},
    {"barrier", "mtx", "barrier", "SKERRY_OMP_BARRIER=mutex"},
    {"barrier", "ctr", "barrier", "SKERRY_OMP_BARRIER=counter"},
    {"barrier", "pair", "barrier", ""},
    {"critical", "mtx", "critical", ""},
    {"critical", "q", "critical", "SKERRY_OMP_LOCK=queue"},
    {"atomic", "mtx", "atomic_call", ""},
    {"atomic", "q", "atomic_call", "SKERRY_OMP_LOCK=queue"},
    {"reduction", "q", "reduction_queue", ""},
    {"reduction", "scr", "reduction_places", ""},
    {"task", "srq", "task_spawn", "SKERRY_OMP_TASKS=srq"},
    {"task", "mrq", "task_spawn", "SKERRY_OMP_TASKS=mrq"},
    {"task", "locks", "task_spawn", "SKERRY_OMP_TASKS=locks"},
    {"task", "deque", "task_spawn", ""},
    {"taskwait", "srq", "task_wait", "SKERRY_OMP_TASKS=srq"},
    {"taskwait", "mrq", "task_wait", "SKERRY_OMP_TASKS=mrq"},
    {"taskwait", "locks", "task_wait", "SKERRY_OMP_TASKS=locks"},
    {"taskwait", "deque", "task_wait", ""},
};

// Returns the spread of the column's figure over the steady rounds, in which the machine kept its speed. If no round is
// steady, returns the spread over all rounds.
Spread spread_of_column(const OmpSession &session, const Column &column, int threads) {
    std::vector<double> steady, all;
    const std::string contender = *column.variant ? omp_variant_name(column.variant) : session.contenders.front().name;
    for (const OmpRound &round : session.rounds) {
        const auto run = round.of.find(contender);
        if (run == round.of.end()) continue;
        for (const auto &[key, figure] : run->second)
            if (key.figure == column.figure && key.threads == threads) {
                all.push_back(figure.median);
                if (round.steady) steady.push_back(figure.median);
            }
    }
    return spread_of(steady.empty() ? all : steady);
}

} // namespace

void choose_omp_by_variant(OmpOptions &options) {
    options.peers = {"none"};
    options.limits = false;
    if (options.threads.empty()) options.threads = {1, 2, 3, 4};
    for (const Column &column : columns) {
        const auto add = [](Words &words, const std::string &word) {
            if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
        };
        add(options.only, column.figure);
        add(options.variants, column.variant);
    }
}

std::string omp_by_variant_text(const OmpSession &session) {
    std::vector<std::string> head{"construct", "way"};
    for (const int threads : session.options.threads)
        head.push_back(fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"));
    std::vector<std::vector<std::string>> rows;
    bool any_below_zero = false;
    for (const Column &column : columns) {
        std::vector<std::string> row{column.construct, column.way};
        for (const int threads : session.options.threads) {
            const Spread spread = spread_of_column(session, column, threads);
            row.push_back(spread.count == 0 ? "-" : format_time(spread.median));
            any_below_zero = any_below_zero || (spread.count > 0 && spread.median < 0);
        }
        rows.push_back(row);
    }
    std::string text = fmt::format("Tendulkar et al.'s (2011) table 1 and figure 2 (a task spawned, and waited for, of "
                                   "64 empty ones) by variants "
                                   "of {}; {} rounds each.\n\n",
                                   session.contenders.front().implementation, session.options.pairs) +
                       markdown(head, rows);
    if (any_below_zero)
        text += "\nA time below 0: other programs disturbed the measurement of the work alone, which is subtracted. "
                "More rounds (--pairs) are needed.\n";
    return text;
}

} // namespace skerry::bench
