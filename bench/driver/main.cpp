// SPDX-License-Identifier: BSD-3-Clause
// Implements skerry bench: chooses the programs, and builds them for the peers (other OpenSHMEM implementations).
// Measures Skerry and an opponent in pairs of runs (session.hpp), and prints the report.
#include "chip/paths.hpp"
#include "message.hpp"
#include "network.hpp"
#include "openmp/openmp.hpp"
#include "report/plot.hpp"
#include "segments.hpp"
#include "report/table.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sched.h>
#include <set>

namespace {

using namespace skerry::bench;

const std::vector<size_t> segments_run_sizes{8, 1024, 4096, 65536, 1048576}; // bytes; default with --segments
constexpr double seconds_of_one = 0.1, seconds_of_a_size = 0.03;

// Returns the jobs (runs of measuring programs) for the chosen benchmarks. Benchmarks of one program that are not
// measured at several sizes share one job. A benchmark that is measured at several sizes has a job of its own.
std::vector<Job> chosen_jobs(const Options &options) {
    std::vector<Job> jobs;
    for (const Benchmark &benchmark : benchmarks()) {
        const std::string name(benchmark.name), program(benchmark.program);
        if (!options.benchmarks.empty() &&
            std::find(options.benchmarks.begin(), options.benchmarks.end(), name) == options.benchmarks.end())
            continue;
        if (benchmark.sized) {
            jobs.push_back({program, {name}, options.pes, {}, seconds_of_a_size});
            for (const size_t size : options.sizes)
                if (size % benchmark.unit == 0) jobs.back().sizes.push_back(size);
            if (!options.sizes.empty() && jobs.back().sizes.empty()) jobs.pop_back();
            continue;
        }
        const auto same = std::find_if(jobs.begin(), jobs.end(), [&](const Job &job) {
            return job.program == program && !find_benchmark(job.names[0])->sized;
        });
        if (same == jobs.end()) jobs.push_back({program, {name}, options.pes, {8}, seconds_of_one});
        else same->names.push_back(name);
    }
    return jobs;
}

std::vector<Job> jobs_of(const Options &options) {
    std::vector<Job> jobs = options.table ? table_jobs() : options.quick ? quick_jobs() : chosen_jobs(options);
    for (Job &job : jobs)
        if (options.seconds > 0) job.seconds = options.seconds;
    if (jobs.empty())
        throw Failure(exit_usage, "--sizes: none of the chosen benchmarks can be measured at one of these sizes");
    return jobs;
}

std::vector<Contender> build_peers(const Options &options, const std::vector<Job> &jobs, const Places &places,
                                   const TemporaryFolder &folder) {
    std::set<std::string> programs;
    for (const Job &job : jobs) programs.insert(job.program);
    Progress progress(static_cast<int>(programs.size() * options.peers.size()));
    std::vector<Contender> peers;
    for (const Peer &peer : options.peers) {
        peers.push_back({peer.name, peer.launcher, folder.path() / peer.name, "", {}});
        for (const std::string &program : programs) {
            progress.step(fmt::format("compiling {} for {}", program, peer.name));
            build_program(peer, program, places, peers.back().programs);
        }
    }
    return peers;
}

// Restricts this program to two processors, because the required figures of the table (--table) are for two processors.
// All programs that this program starts inherit the restriction.
void keep_two_processors() {
    cpu_set_t allowed, two;
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2)
        throw Failure(exit_failed, "--table: needs two processors");
    for (size_t processor = 0; processor < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++processor)
        if (CPU_ISSET(processor, &allowed)) CPU_SET(processor, &two);
    sched_setaffinity(0, sizeof two, &two);
}

std::string text_of(const Report &report) {
    const Options &options = report.options;
    if (options.json) return json_report(report);
    int missed = 0;
    std::string text = options.table   ? text_header(report) + "\n" + markdown_table(report, missed)
                       : options.quick ? quick_table(report)
                                       : text_header(report) + "\n" + text_table(report) + text_fits(report);
    if (!report.segments.empty()) text += segments_text(report.segments);
    if (options.pairs) text += text_pairs(report);
    return text;
}

void print(const std::string &text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Failure(exit_failed, "cannot write to standard output");
}

// Ends the program with an error if the plot cannot be written. Called before the measurement, which takes minutes, so
// the user learns of the error early.
void check_plot(const Options &options) {
    if (!options.plot.empty() && !std::ofstream(options.plot, std::ios::app))
        throw Failure(exit_failed, fmt::format("--plot {}: cannot write the file", options.plot));
}

int bench_chip(const Options &options) {
    if (!options.plot.empty() && !has_paths(chip_comparison(options)))
        throw Failure(exit_usage, "--plot: with --machine it draws the graphs of the benchmark paths, for epiphany-iii "
                                  "only: give --machine epiphany-iii, and no other benchmark name than paths");
    check_plot(options);
    catch_interrupts();
    if (options.benchmarks == std::vector<std::string>{"openmp"}) {
        print(openmp_report(options));
        return 0;
    }
    const Places places = find_places();
    if (ChipFigures described = describe_chip(options, places); is_mppa(described) && options.benchmarks.empty()) {
        print(mppa_report(options, std::move(described), places));
        return 0;
    }
    const ChipFigures figures = measure_chip(options);
    print(options.json ? chip_json(figures) : chip_text(figures));
    if (!options.plot.empty()) write_chip_plot(figures, options.plot);
    return 0;
}

// Returns false if the user interrupted the measurement. In this case the session has the pairs (runs of Skerry and of
// an opponent) that were measured before the interrupt.
bool measure_until_interrupted(Session &session, const std::vector<Job> &jobs) {
    try {
        session.measure(jobs);
    } catch (const Failure &failure) {
        if (failure.code != exit_interrupted || session.pairs().empty()) throw;
        return false;
    }
    return true;
}

int bench(int count, char **words) {
    if (count > 1 && std::string_view(words[1]) == "omp") return bench_omp(count - 1, words + 1);
    if (count > 1 && std::string_view(words[1]) == "network") return bench_network(count - 1, words + 1);
    const Options parsed = parse_options(count, words);
    Options options = parsed;
    if (!options.machine.empty()) return bench_chip(options);
    if (options.quick) options.repeat = std::min(options.repeat, 3);
    if (options.segments) options.repeat = std::min(options.repeat, 3);
    if (options.segments && options.sizes.empty()) options.sizes = segments_run_sizes;
    if (options.table) keep_two_processors();
    check_plot(options);
    catch_interrupts();
    const Places places = find_places();
    const std::vector<Job> jobs = jobs_of(options);
    std::optional<TemporaryFolder> folder;
    if (!options.peers.empty()) folder.emplace();
    std::vector<Contender> peers;
    if (folder) peers = build_peers(options, jobs, places, *folder);
    Contender ours{"skerry", {places.launcher.string()}, places.programs, "", {}};
    Session session(options, places, ours, peers);
    const bool is_whole = measure_until_interrupted(session, jobs);
    const Results segments = options.segments && is_whole ? measure_segments(ours, options.seconds) : Results{};
    const Report report{options, session, ours, peers, session.rows(), segments};
    print(text_of(report));
    if (!options.plot.empty()) write_plot(report, options.plot);
    if (!is_whole)
        throw Failure(exit_interrupted,
                      "interrupted: the report has only the measurements that were complete before the interruption");
    return session.failures().empty() ? 0 : exit_failed;
}

} // namespace

int main(int count, char **words) {
    try {
        return bench(count, words);
    } catch (const skerry::bench::Failure &failure) {
        fmt::print(stderr, "skerry bench: {}\n", failure.what());
        return failure.code;
    } catch (const std::exception &error) {
        fmt::print(stderr, "skerry bench: {}\n", error.what());
        return skerry::bench::exit_failed;
    }
}
