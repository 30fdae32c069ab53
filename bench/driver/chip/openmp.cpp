// SPDX-License-Identifier: BSD-3-Clause
// Measures OpenMP's constructs on a simulated machine of RISC-V cores (`skerry bench --machine sarc-4 openmp`), and
// prints the cycles beside those of Tendulkar et al. (2011). The paper measured several variants of a construct, some
// with counters and queues in hardware. The table below has the variant that took the fewest cycles.
#include "chip/chip.hpp"

#include "message.hpp"
#include "progress.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

constexpr double build_timeout = 60; // seconds
constexpr double run_timeout = 200;
constexpr size_t paper_cores = 4;

struct Construct {
    const char *name, *text;
    std::array<double, paper_cores> paper; // cycles with 1, 2, 3 and 4 cores; 0: not measured
};
constexpr Construct constructs[] = {{"parallel", "`parallel`", {0, 109, 137, 148}},
                                    {"for", "`for`, static", {102, 110, 119, 126}},
                                    {"barrier", "`barrier`", {79, 87, 94, 100}},
                                    {"critical", "`critical`", {93, 67, 65, 65}},
                                    {"atomic", "`atomic`", {94, 116, 128, 134}},
                                    {"reduction", "`parallel` with a `reduction`", {}},
                                    {"single", "`single`", {}},
                                    {"task_spawn", "a task is made", {0, 0, 0, 35}},
                                    {"task", "a task is made and ends", {}}};

std::vector<int> counts_for(int cores) {
    std::vector<int> counts;
    for (const int count : {1, 2, 3, 4, 16, 64})
        if (count <= cores) counts.push_back(count);
    return counts;
}

std::string build(const Options &options, const Places &places, const TemporaryFolder &folder) {
    const std::string program = (folder.path() / "openmp.elf").string();
    const Outcome outcome =
        run_command({(places.launcher.parent_path() / "oshcc").string(), "--machine", options.machine, "-fopenmp",
                     "-std=gnu11", "-Os", (places.sources / "chip/openmp.c").string(), "-o", program},
                    {}, build_timeout);
    if (outcome.code != 0) throw Failure(exit_failed, fmt::format("openmp: {}", describe_failure(outcome)));
    return program;
}

std::string cycles_text(double cycles) {
    return std::isnan(cycles) || cycles == 0 ? "" : fmt::format("{:.0f}", cycles);
}

std::string table(const ChipFigures &f, const std::vector<int> &counts) {
    std::vector<std::string> head{"cycles"};
    for (const int count : counts) head.push_back(fmt::format("{} core{}", count, count == 1 ? "" : "s"));
    for (size_t count = 1; count <= paper_cores; count++) head.push_back(fmt::format("paper, {}", count));
    std::vector<std::vector<std::string>> rows;
    for (const Construct &construct : constructs) {
        rows.push_back({construct.text});
        for (const int count : counts) rows.back().push_back(cycles_text(f.mean(construct.name, count, 0)));
        for (const double paper : construct.paper) rows.back().push_back(cycles_text(paper));
    }
    return markdown(head, rows);
}

std::string as_json(const ChipFigures &f) {
    std::vector<std::string> results;
    for (const auto &[key, cycles] : f.cycles)
        results.push_back(
            fmt::format(R"({{"name": {}, "cores": {}, "cycles": {}}})", json_string(key.name), key.pes, cycles.mean()));
    return fmt::format("{{\"machine\": {}, \"results\": [\n{}]}}\n", json_string(f.machine), fmt::join(results, ",\n"));
}

} // namespace

std::string openmp_report(const Options &options) {
    const Places places = find_places();
    ChipFigures figures = describe_chip(options, places);
    const auto counts = counts_for(static_cast<int>(figures.input("chip.rows") * figures.input("chip.columns")));
    const TemporaryFolder folder;
    Progress progress(static_cast<int>(counts.size()) + 1);
    progress.step("openmp.c");
    const std::string program = build(options, places, folder);
    for (const int count : counts) {
        progress.step(fmt::format("openmp on {} cores", count));
        const Outcome outcome = run_command(
            {places.launcher.string(), "--machine", options.machine, "--quiet", "-n", std::to_string(count), program},
            {}, run_timeout);
        if (outcome.code != 0) throw Failure(exit_failed, fmt::format("openmp: {}", describe_failure(outcome)));
        read_chip_rows(outcome.output, "", figures);
    }
    if (options.json) return as_json(figures);
    return fmt::format(
        "OpenMP on {}, simulated; cycles are the same in every run. The paper is Tendulkar et al. (2011), whose "
        "machine has counters and queues in hardware; its barrier is an input of the machines sarc.\n\n{}",
        figures.machine, table(figures, counts));
}

} // namespace skerry::bench
