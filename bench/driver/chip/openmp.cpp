// SPDX-License-Identifier: BSD-3-Clause
// Measures OpenMP's constructs on a simulated machine of RISC-V cores (`skerry bench --machine sarc-4 openmp`). Prints
// the measured cycles beside the cycles that Tendulkar et al. (2011) report. The paper measured several variants of a
// construct, some with counters and queues in hardware. The table below has the variant that took the fewest cycles.
#include "chip/chip.hpp"

#include "message.hpp"
#include "progress.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"

#include <algorithm>
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

// The variants that the paper Tendulkar et al. (2011) measured. chip/variants.c implements them by hand, with the
// hardware's counters, queues and messages. Three inputs of the simulated machine are fitted to times of the paper: of
// a barrier, of taking a lock, and of sending a message to a queue. Only the row of the barrier is therefore an input.
// All other rows are predictions.
struct Variant {
    const char *name, *text;
    bool is_input;
    std::array<double, paper_cores> paper;
};
constexpr Variant variants[] = {{"barrier_counter", "barrier, counter", true, {79, 87, 94, 100}},
                                {"for_counter", "for, counter", false, {102, 110, 119, 126}},
                                {"parallel_q_ctr", "parallel, queue and counter", false, {0, 195, 231, 269}},
                                {"parallel_scr_ctr", "parallel, scratchpad and counter", false, {0, 109, 137, 148}},
                                {"parallel_q_scr", "parallel, queue and scratchpad", false, {0, 199, 233, 266}},
                                {"parallel_scr_scr", "parallel, scratchpad and scratchpad", false, {0, 113, 140, 162}},
                                {"critical_queue", "critical, queue", false, {93, 67, 65, 65}},
                                {"atomic_queue", "atomic, queue", false, {94, 116, 128, 134}},
                                {"reduction_queue", "reduction, queue", false, {125, 308, 355, 426}},
                                {"reduction_scratch", "reduction, scratchpad", false, {50, 152, 178, 210}},
                                {"task_single", "a task, queue of one reader", false, {0, 0, 0, 45}},
                                {"task_multiple", "a task, queue of several readers", false, {0, 0, 0, 35}},
                                {"task_locked", "a task, locked scratchpad", false, {0, 0, 0, 118}}};
constexpr int variants_cores = 4; // chip/variants.c is for at most so many
constexpr int stream_cores = 16;  // chip/stream.c and chip/bitonic.c too
// Option for the linker that gives chip/bitonic.c stacks of 20 KB.
constexpr const char *large_stacks = "-Wl,--defsym=__skerry_stack_bytes=0x5000";

std::vector<int> counts_for(int cores, const std::vector<int> &wanted) {
    std::vector<int> counts;
    for (const int count : wanted)
        if (count <= cores) counts.push_back(count);
    return counts;
}

std::string build(const Options &options, const Places &places, const TemporaryFolder &folder, const std::string &name,
                  const char *level, const char *option = nullptr) {
    const std::string program = (folder.path() / (name + ".elf")).string();
    std::vector<std::string> command{(places.launcher.parent_path() / "oshcc").string(),
                                     "--machine",
                                     options.machine,
                                     "-fopenmp",
                                     "-std=gnu11",
                                     level,
                                     (places.sources / "chip" / (name + ".c")).string(),
                                     "-o",
                                     program};
    if (option != nullptr) command.emplace_back(option);
    const Outcome outcome = run_command(command, {}, build_timeout);
    if (outcome.code != 0) throw Failure(exit_failed, fmt::format("openmp: {}", describe_failure(outcome)));
    return program;
}

void run(const Options &options, const Places &places, const std::string &program, int cores, ChipFigures &figures) {
    const Outcome outcome = run_command(
        {places.launcher.string(), "--machine", options.machine, "--quiet", "-n", std::to_string(cores), program}, {},
        run_timeout);
    if (outcome.code != 0) throw Failure(exit_failed, fmt::format("openmp: {}", describe_failure(outcome)));
    read_chip_rows(outcome.output, "", figures);
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

std::string variants_table(const ChipFigures &f) {
    std::vector<std::string> head{"cycles"};
    for (size_t count = 1; count <= paper_cores; count++)
        head.push_back(fmt::format("{} core{}", count, count == 1 ? "" : "s"));
    for (size_t count = 1; count <= paper_cores; count++) head.push_back(fmt::format("paper, {}", count));
    head.insert(head.end(), {"ratio, 4", "the paper's figure is"});
    std::vector<std::vector<std::string>> rows;
    for (const Variant &variant : variants) {
        rows.push_back({variant.text});
        for (int count = 1; count <= variants_cores; count++)
            rows.back().push_back(cycles_text(f.mean(variant.name, count, 0)));
        for (const double paper : variant.paper) rows.back().push_back(cycles_text(paper));
        rows.back().push_back(fmt::format("{:.2f}", f.mean(variant.name, variants_cores, 0) / variant.paper.back()));
        rows.back().emplace_back(variant.is_input ? "an input" : "predicted");
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
    const int cores = static_cast<int>(figures.input("chip.rows") * figures.input("chip.columns"));
    const auto counts = counts_for(cores, {1, 2, 3, 4, 16, 64}),
               counts_of_sort = counts_for(cores, {1, 2, 4, stream_cores});
    const bool has_events = figures.input("events.lines") > 0, has_copies = figures.input("rdma.copies_under_way") > 0;
    const TemporaryFolder folder;
    Progress progress(static_cast<int>(counts.size()) + 1 + (has_events ? variants_cores + 1 : 0) +
                      (has_copies ? static_cast<int>(counts_of_sort.size()) + 3 : 0));
    progress.step("openmp.c");
    const std::string program = build(options, places, folder, "openmp", "-Os");
    for (const int count : counts) {
        progress.step(fmt::format("openmp on {} cores", count));
        run(options, places, program, count, figures);
    }
    if (has_events) {
        progress.step("variants.c");
        const std::string by_hand = build(options, places, folder, "variants", "-O2");
        for (int count = 1; count <= variants_cores; count++) {
            progress.step(fmt::format("variants on {} cores", count));
            run(options, places, by_hand, count, figures);
        }
    }
    if (has_copies) {
        progress.step("stream.c");
        const std::string stream = build(options, places, folder, "stream", "-Os");
        progress.step("stream");
        run(options, places, stream, std::min(counts.back(), stream_cores), figures);
        progress.step("bitonic.c");
        const std::string sort = build(options, places, folder, "bitonic", "-Os", large_stacks);
        for (const int count : counts_of_sort) {
            progress.step(fmt::format("bitonic sort on {} cores", count));
            run(options, places, sort, count, figures);
        }
    }
    if (options.json) return as_json(figures);
    std::string report =
        fmt::format("OpenMP on {}, simulated; cycles are the same in every run. The paper is Tendulkar et al. (2011), "
                    "whose machine has counters and queues in hardware; its barrier is an input of the machines "
                    "sarc.\n\n{}",
                    figures.machine, table(figures, counts));
    if (has_events) {
        report +=
            fmt::format("\nThe paper's variants, by hand for counters, queues and messages, without the runtime:\n\n{}",
                        variants_table(figures));
    }
    if (has_copies) {
        report += stream_text(figures, std::min(counts.back(), stream_cores));
        report += bitonic_text(figures, counts_of_sort);
    }
    return report;
}

} // namespace skerry::bench
