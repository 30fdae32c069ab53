// SPDX-License-Identifier: BSD-3-Clause
#include "segments.hpp"

#include "progress.hpp"
#include "report/report.hpp"

#include <fmt/format.h>
#include <sched.h>

namespace skerry::bench {

namespace {

using Row = std::vector<std::string>;

constexpr double usual_seconds = 0.01;
constexpr size_t K = 1024;

const std::vector<size_t> table1_sizes{K, 4 * K, 16 * K, 64 * K, 256 * K};
const std::vector<size_t> figure_sizes{64, K, 4 * K, 16 * K, 64 * K, 256 * K, 1024 * K};
const std::vector<size_t> table2_sizes{16, 32, 64, 128, 248};
constexpr int initiators[] = {1, 2, 4, 8, 16};

// The figures of Hascoet et al. (2017), which are printed beside ours. Table 1 has the speed of puts to the next
// cluster, with a row for 1, 4, 8 and 16 clusters. Table 2 has thousands of messages a second through a queue. Its
// first row is for 1 cluster, and its second row for 2 to 16 clusters. The columns are the sizes in table1_sizes and
// table2_sizes.
constexpr double table1_paper[4][5] = { // GB/s, incoming plus outgoing bytes
    {0.7, 2.7, 3.5, 3.8, 3.8},
    {2.7, 11.0, 14.2, 15.2, 15.4},
    {5.5, 21.8, 28.3, 30.5, 30.8},
    {10.7, 42.8, 56.3, 60.2, 60.2}};
constexpr double table2_paper[2][5] = {{675, 670, 600, 425, 350},
                                       {740, 725, 725, 575, 550}}; // 1000 messages/s; rows: 1 cluster, 2 to 16 clusters
constexpr double paper_gigahertz = 0.5, paper_bytes_a_cycle = 3.76;

struct Memory {
    const char *name, *about;
};
constexpr Memory memories[] = {{"external1", "memory that no PE owns (the paper: 1 DDR)"},
                               {"external2", "two pieces of it in turn (2 DDRs)"},
                               {"pe", "the last PE's memory (1 SMEM)"}};

// Returns the number of PEs of a job in which `count` PEs, the initiators, act. A single initiator is PE 0 of a job of
// two PEs.
int pes_of(int count) {
    return count == 1 ? 2 : count;
}

std::vector<Job> segments_jobs(double seconds) {
    std::vector<Job> jobs;
    for (const int count : initiators) {
        const std::string prefix = count == 1 ? "one_" : "";
        const int pes = pes_of(count);
        if (count != 2) jobs.push_back({"segments", {prefix + "neighbour"}, pes, table1_sizes, seconds});
        Job figures{"segments", {}, pes, figure_sizes, seconds};
        for (const Memory &memory : memories)
            for (const char *way : {"get_{}", "put_{}", "get_{}_blocking", "put_{}_blocking"})
                figures.names.push_back(prefix + fmt::format(fmt::runtime(way), memory.name));
        jobs.push_back(figures);
        Job words{"segments", {}, pes, {8}, seconds};
        for (const char *name : {"post_spread", "post_central", "fetch_spread", "fetch_central"})
            words.names.push_back(prefix + name);
        jobs.push_back(words);
        jobs.push_back({"segments", {"queues"}, count + 1, table2_sizes, seconds}); // the workers and the master
    }
    return jobs;
}

// Returns the time of one operation of one initiator (a PE that acts), in ns. This time is measured from the first
// initiator's start to the last initiator's end, and divided by the number of operations. Returns 0 if this time was
// not measured.
double time_of(const Results &results, const std::string &name, int count, size_t bytes) {
    const auto found = results.find(Key{(count == 1 ? "one_" : "") + name, pes_of(count), bytes});
    return found == results.end() ? 0 : found->second;
}

std::string number(double value) {
    if (!(value > 0)) return "-";
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string speed(const Results &results, const std::string &name, int count, size_t bytes) {
    const double time = time_of(results, name, count, bytes);
    return time > 0 ? number(static_cast<double>(bytes) * count / time) : "-";
}

std::string table1_text(const Results &results) {
    Row head{"PEs / clusters"};
    for (const size_t bytes : table1_sizes) head.push_back(format_bytes(bytes) + ": here / paper");
    std::vector<Row> rows;
    int row = 0;
    for (const int count : {1, 4, 8, 16}) {
        rows.push_back({count == 1 ? "1 (to itself)" : std::to_string(count)});
        for (size_t i = 0; i < table1_sizes.size(); ++i) {
            const double time = time_of(results, "neighbour", count, table1_sizes[i]);
            const double both = time > 0 ? 2.0 * static_cast<double>(table1_sizes[i]) * count / time : 0;
            rows.back().push_back(fmt::format("{} / {}", number(both), table1_paper[row][i]));
        }
        ++row;
    }
    return "### Table 1: puts to the next PE, GB/s of all, in plus out\n\n" + markdown(head, rows);
}

std::string figure_text(const Results &results, const Memory &memory, const char *suffix, const char *what) {
    Row head{"bytes"};
    for (const int count : initiators) head.push_back(fmt::format("{} PE{}", count, count == 1 ? "" : "s"));
    std::vector<Row> rows;
    for (const size_t bytes : figure_sizes) {
        rows.push_back({format_bytes(bytes)});
        for (const int count : initiators) {
            std::vector<std::string> cells;
            for (const char *operation : {"get", "put"}) {
                const std::string name = fmt::format("{}_{}{}", operation, memory.name, suffix);
                cells.push_back(*suffix ? number(time_of(results, name, count, bytes) / 1000)
                                        : speed(results, name, count, bytes));
            }
            rows.back().push_back(fmt::format("{} / {}", cells[0], cells[1]));
        }
    }
    return fmt::format("{}: {}, get / put\n\n", memory.about, what) + markdown(head, rows);
}

std::string fits_text(const Results &results) {
    std::vector<Row> rows{{"paper, any, no load", fmt::format("{:.0f}", 1100 / paper_gigahertz),
                           fmt::format("{:.2f}", paper_bytes_a_cycle * paper_gigahertz),
                           "2300 (get), 2200 (put): 1168 and 1095 cycles"}};
    for (const Memory &memory : memories)
        for (const char *operation : {"get", "put"}) {
            std::vector<Point> points;
            const std::string name = fmt::format("{}_{}_blocking", operation, memory.name);
            for (const size_t bytes : figure_sizes)
                if (const double time = time_of(results, name, 1, bytes); time > 0)
                    points.push_back({static_cast<double>(bytes), time});
            const Fit fit = fit_line(points);
            if (!fit.valid) continue;
            rows.push_back({fmt::format("here, {}, {}", operation, memory.name),
                            fmt::format("{:.1f} +- {:.1f}", fit.alpha, fit.alpha_deviation),
                            fmt::format("{:.1f}", 1 / fit.beta), number(points[0].nanoseconds)});
        }
    return "The time of a blocking transfer by one PE, TT(B) = a + B/b, by least squares of the relative errors:\n\n" +
           markdown({"", "a, ns", "b, GB/s", "smallest transfer, ns"}, rows);
}

std::string figures_text(const Results &results) {
    std::string text =
        "### Figure 2: throughput, asynchronous, GB/s of all initiators\n\n"
        "The paper's points: 94 % of a DDR's 8.5 GB/s from 32 KB, more than half from 4 KB; an SMEM's link has "
        "1.88; puts better than gets.\n\n";
    for (const Memory &memory : memories) text += figure_text(results, memory, "", "GB/s");
    text += "### Figure 3: latency, blocking, us\n\n";
    for (const Memory &memory : memories) text += figure_text(results, memory, "_blocking", "us");
    return text + fits_text(results);
}

std::string figure4_text(const Results &results) {
    std::vector<Row> rows;
    for (const int count : initiators) {
        rows.push_back({std::to_string(count)});
        for (const char *name : {"post_spread", "post_central", "fetch_spread", "fetch_central"}) {
            const double time = time_of(results, name, count, 8);
            rows.back().push_back(time > 0 ? fmt::format("{} ({})", number(time), number(1000 * count / time)) : "-");
        }
    }
    return "### Figure 4: atomics, ns of one (millions a second, of all)\n\nThe paper: 460 ns "
           "posted (230 "
           "cycles, 2.174 M/s), 2200 ns fetched (1109 cycles); a server does 0.951 M/s; 256 cores on one node: up to "
           "17500 ns "
           "posted. Spread: each next one at the next PE; centralised: all at the last PE.\n\n" +
           markdown({"initiators", "posted, spread", "posted, centralised", "fetched, spread", "fetched, centralised"},
                    rows);
}

std::string table2_text(const Results &results) {
    Row head{"workers / clusters"};
    for (const size_t bytes : table2_sizes) head.push_back(fmt::format("{} B: here / paper", bytes));
    std::vector<Row> rows;
    for (const int count : initiators) {
        rows.push_back({std::to_string(count)});
        for (size_t i = 0; i < table2_sizes.size(); ++i) {
            const auto found = results.find(Key{"queues", count + 1, table2_sizes[i]});
            rows.back().push_back(fmt::format("{} / {}", found == results.end() ? "-" : number(1e6 / found->second),
                                              table2_paper[count > 1][i]));
        }
    }
    return "### Table 2: a master with one message outstanding to each worker, answers through one queue, thousands a "
           "second\n\n" +
           markdown(head, rows);
}

int processors() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

} // namespace

Results measure_segments(Contender &ours, double seconds) {
    const std::vector<Job> jobs = segments_jobs(seconds > 0 ? seconds : usual_seconds);
    Progress progress(static_cast<int>(jobs.size()));
    Results results;
    for (const Job &job : jobs) {
        progress.step(fmt::format("Hascoet et al. (2017): {}{}, {} PEs", job.names[0],
                                  job.names.size() > 1 ? " ..." : "", job.pes));
        results.merge(run_job(ours, job));
    }
    return results;
}

std::string segments_text(const Results &results) {
    return fmt::format("\n## The experiments of the paper on AOS (Hascoet et al. 2017, section 6)\n\n"
                       "Paper: a Kalray MPPA at 500 MHz, clusters of 16 cores. Here: PEs, up to 17 of them, on this "
                       "machine's {} "
                       "processor{}; where PEs are more than processors they take turns on them, and times are those "
                       "of waiting for "
                       "a turn as well.\n\n",
                       processors(), processors() == 1 ? "" : "s") +
           table1_text(results) + figures_text(results) + figure4_text(results) + table2_text(results);
}

} // namespace skerry::bench
