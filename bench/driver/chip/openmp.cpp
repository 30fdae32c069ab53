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
                                    {"critical_increment", "`critical`, an increment", {}},
                                    {"lock", "a lock in place of `critical`", {}},
                                    {"lock_set", "`omp_set_lock`, a free lock", {0, 0, 0, 73}},
                                    {"lock_unset", "`omp_unset_lock`", {0, 0, 0, 20}},
                                    {"by_hand", "the same by TESTSET, by hand", {}},
                                    {"critical_home", "`critical`, the first core alone", {}},
                                    {"by_hand_home", "the same by TESTSET, by hand", {}},
                                    {"atomic", "`atomic`", {94, 116, 128, 134}},
                                    {"reduction", "`parallel` with a `reduction`", {}},
                                    {"single", "`single`", {}},
                                    {"task_spawn", "a task is made", {0, 0, 0, 35}},
                                    {"task", "a task is made and ends", {}}};

// The variants that the paper Tendulkar et al. (2011) measured. chip/variants.c implements them by hand, with the
// hardware's counters, queues, messages and mutexes. Some inputs of the simulated machine are fitted to times of the paper:
// of barriers by a counter and by a mutex, of taking a lock, and of sending a message to a queue. Only the rows of the
// barriers are therefore inputs. All other rows are predictions.
struct Variant {
    const char *name, *text;
    bool is_input;
    std::array<double, paper_cores> paper;
};
constexpr Variant variants[] = {{"barrier_mutex", "barrier, mutex", true, {108, 201, 337, 539}},
                                {"for_mutex", "for, mutex", false, {127, 220, 359, 561}},
                                {"critical_mutex", "critical, mutex", false, {180, 66, 76, 91}},
                                {"atomic_mutex", "atomic, mutex", false, {180, 200, 304, 447}},
                                {"barrier_counter", "barrier, counter", true, {79, 87, 94, 100}},
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

// The constructs that chip/by_hand.c implements without the runtime, as fast as we could, and what they may cost more with
// the runtime.
struct ByHand {
    const char *construct, *name, *text;
};
constexpr ByHand by_hand[] = {{"barrier", "hand_barrier", "barrier"},
                              {"parallel", "hand_parallel", "parallel"},
                              {"reduction", "hand_reduction", "parallel with a reduction"}};
constexpr double bar_by_hand = 1.15;
constexpr int least_cores_of_bar = 16;

std::vector<int> counts_for(int cores, const std::vector<int> &wanted) {
    std::vector<int> counts;
    for (const int count : wanted)
        if (count <= cores) counts.push_back(count);
    return counts;
}

std::string build(const Options &options, const Places &places, const TemporaryFolder &folder, const std::string &name,
                  const char *level, const char *option = nullptr) {
    const std::string program = (folder.path() / (name + (option == nullptr ? "" : option) + ".elf")).string();
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
        if (std::isnan(f.mean(construct.name, counts.front(), 0))) continue;
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

// A statement of the paper's text on two variants with the same number of cores: the first one takes more cycles than the
// second one, at least `factor` times as many.
struct Finding {
    const char *text, *slow, *fast;
    double factor;
    int cores;
};
constexpr Finding findings[] = {
    {"a barrier by a counter is at least 2 times as fast as by a mutex (the paper: 5.4)", "barrier_mutex",
     "barrier_counter", 2, 4},
    {"a loop with a counter is at least 2 times as fast as with a mutex (the paper: 2 to 5)", "for_mutex",
     "for_counter", 2, 4},
    {"descriptors by stores to a scratchpad are faster than by a queue", "parallel_q_ctr", "parallel_scr_ctr", 1, 4},
    {"the end of a region by a counter is faster than by flags in a scratchpad", "parallel_scr_scr", "parallel_scr_ctr",
     1, 4},
    {"a critical section by a queue is faster than by a mutex", "critical_mutex", "critical_queue", 1, 4},
    {"an atomic update by a queue is faster than by a mutex", "atomic_mutex", "atomic_queue", 1, 4},
    {"a reduction by a scratchpad is faster than by a queue (the paper: up to 2 times)", "reduction_queue",
     "reduction_scratch", 1, 4},
    {"a task through a queue of several readers is faster than through queues of one reader (the paper: 25 %)",
     "task_single", "task_multiple", 1, 4},
    {"a task through a queue is at least 2 times as fast as through a locked scratchpad", "task_locked", "task_single",
     2, 4}};
constexpr double near_paper = 0.2; // relative difference up to which a prediction counts as right

// Says which of the paper's findings hold, and how many predictions are near the paper's figures for 4 cores.
std::string findings_text(const ChipFigures &f) {
    std::vector<std::vector<std::string>> rows;
    for (const Finding &finding : findings) {
        const double slow = f.mean(finding.slow, finding.cores, 0), fast = f.mean(finding.fast, finding.cores, 0);
        rows.push_back({finding.text, fmt::format("{:.2f}", slow / fast),
                        slow >= finding.factor * fast && slow > fast ? "holds" : "does not hold"});
    }
    int predicted = 0, right = 0;
    for (const Variant &variant : variants) {
        if (variant.is_input) continue;
        predicted++;
        right += std::abs(f.mean(variant.name, variants_cores, 0) / variant.paper.back() - 1) <= near_paper ? 1 : 0;
    }
    return fmt::format(
        "Of {} predictions for {} cores, {} are at most {:.0f} % off; docs/design/openmp-chip.md explains the "
        "others. What the paper's text says, for {} cores:\n\n{}",
        predicted, variants_cores, right, 100 * near_paper, variants_cores,
        markdown({"finding", "ratio", "here it"}, rows));
}

std::string by_hand_table(const ChipFigures &f, const std::vector<int> &counts) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> above;
    for (const ByHand &row : by_hand) {
        for (const int count : counts) {
            if (count == 1) continue;
            const double omp = f.mean(row.construct, count, 0), hand = f.mean(row.name, count, 0);
            rows.push_back({row.text, std::to_string(count), cycles_text(omp), cycles_text(hand),
                            fmt::format("{:.2f}", omp / hand)});
            if (count >= least_cores_of_bar && omp > bar_by_hand * hand)
                above.push_back(fmt::format("{} with {} cores", row.text, count));
        }
    }
    return markdown({"construct", "cores", "OpenMP", "by hand", "ratio"}, rows) +
           fmt::format("\nWith {} cores and more, OpenMP takes at most {} times the cycles: {}\n", least_cores_of_bar,
                       bar_by_hand,
                       above.empty() ? "holds" : fmt::format("does not hold for {}", fmt::join(above, ", ")));
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
    const int measured = static_cast<int>(counts.size()) + 1;
    // Without hardware events the barrier of a program with tasks is possibly slower: tasks are in a program of their own.
    const auto part_options =
        has_events ? std::vector<const char *>{nullptr} : std::vector<const char *>{"-DWITHOUT_TASKS", "-DONLY_TASKS"};
    Progress progress(2 * measured + (has_events ? variants_cores + 1 : 0) +
                      (has_copies ? static_cast<int>(counts_of_sort.size()) + 3 : 0));
    // All parts are built before the first run, because a run takes minutes on a large machine and a part may not fit its memory.
    std::vector<std::string> parts;
    for (const char *part : part_options) {
        progress.step("openmp.c");
        parts.push_back(build(options, places, folder, "openmp", "-Os", part));
    }
    for (const std::string &program : parts) {
        for (const int count : counts) {
            progress.step(fmt::format("openmp on {} cores", count));
            run(options, places, program, count, figures);
        }
    }
    if (has_events) {
        progress.step("variants.c");
        const std::string by_hand = build(options, places, folder, "variants", "-O2");
        for (int count = 1; count <= variants_cores; count++) {
            progress.step(fmt::format("variants on {} cores", count));
            run(options, places, by_hand, count, figures);
        }
        progress.step("by_hand.c");
        const std::string constructs_by_hand = build(options, places, folder, "by_hand", "-O2");
        for (const int count : counts) {
            progress.step(fmt::format("by hand on {} cores", count));
            run(options, places, constructs_by_hand, count, figures);
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
        report += fmt::format(
            "\nThe paper's variants, by hand for counters, queues and messages, without the runtime:\n\n{}\n{}\n",
            variants_table(figures), findings_text(figures));
        report += fmt::format("The runtime beside code by hand that does the same on any number of cores:\n\n{}\n",
                              by_hand_table(figures, counts));
    }
    if (has_copies) {
        report += stream_text(figures, std::min(counts.back(), stream_cores));
        report += bitonic_text(figures, counts_of_sort);
    }
    return report;
}

} // namespace skerry::bench
