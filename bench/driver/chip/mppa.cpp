// SPDX-License-Identifier: BSD-3-Clause
// Measures the experiments of Hascoet et al. (2017) on a simulated machine of clusters with a data network (`skerry bench
// --machine mppa`), and prints the paper's figures beside ours.
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

constexpr double build_timeout = 120; // seconds
constexpr double run_timeout = 600;
constexpr int clusters = 16;
constexpr int other_clusters = clusters - 1; // the initiators, if the memory is that of the last cluster
constexpr int cores = 16;                    // of a cluster
constexpr int io_nodes = 2;
constexpr int units_of_io_node = 4; // each has a link of its own
constexpr size_t K = 1024;

struct Program {
    const char *name;
    enum { openshmem, openmp, alone } kind; // `alone`: without the library, also on cores of the I/O nodes
    bool is_quick;                          // part of a quick run (--quick)
};
constexpr Program programs[] = {
    {"mppa_hardware", Program::openshmem, true}, {"mppa_data", Program::openshmem, false},
    {"mppa_ddr", Program::alone, false},         {"mppa_words", Program::openmp, false},
    {"mppa_queue", Program::openshmem, true},    {"mppa_segments", Program::openshmem, false}};

// The paper's figures.
constexpr std::array<size_t, 5> table1_sizes{K, 4 * K, 16 * K, 64 * K, 256 * K};
constexpr std::array<int, 4> table1_clusters{1, 4, 8, 16};
constexpr double table1_paper[4][5] = {{0.7, 2.7, 3.5, 3.8, 3.8}, // GB/s, in plus out, of all clusters
                                       {2.7, 11.0, 14.2, 15.2, 15.4},
                                       {5.5, 21.8, 28.3, 30.5, 30.8},
                                       {10.7, 42.8, 56.3, 60.2, 60.2}};
constexpr std::array<size_t, 5> table2_sizes{16, 32, 64, 128, 248};
constexpr double table2_paper[2][5] = {{675, 670, 600, 425, 350}, // 1000 messages/s; rows: 1 cluster, 2 to 16 clusters
                                       {740, 725, 725, 575, 550}};
constexpr double paper_peak = 60.2;    // GB/s, of 16 clusters
constexpr double bytes_a_cycle = 3.76; // of a link, from packets of 32 + 2 flits
constexpr double paper_get = 1168, paper_put = 1095, paper_post = 230, paper_server = 526, paper_fetch = 1109;
constexpr double paper_microseconds_of_256 = 17.5;
constexpr std::array memory_clusters{1, 2, 4, 8, other_clusters};
constexpr std::array atomic_clusters{1, 2, 4, 8, 16};

double gigabytes(const ChipFigures &f, double bytes, double cycles) {
    return bytes / cycles * f.megahertz / 1000;
}

// Returns the GB/s that all clusters send and receive in an experiment of table 1.
double in_and_out(const ChipFigures &f, const std::string &name, int count, size_t bytes) {
    return gigabytes(f, 2.0 * count * static_cast<double>(bytes), f.slowest(name, count, bytes));
}

std::string number(double value, int digits) {
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

std::string table1(const ChipFigures &f, const std::string &name) {
    std::vector<std::string> head{"clusters"};
    for (const size_t bytes : table1_sizes) head.push_back(format_bytes(bytes) + ": here / paper");
    std::vector<std::vector<std::string>> rows;
    for (size_t row = 0; row < table1_clusters.size(); row++) {
        const int count = table1_clusters[row];
        if (f.sizes(name, count).empty()) continue;
        rows.push_back({count == 1 ? "1 (to itself)" : std::to_string(count)});
        for (size_t i = 0; i < table1_sizes.size(); i++) {
            rows.back().push_back(
                fmt::format("{} / {}", number(in_and_out(f, name, count, table1_sizes[i]), 1), table1_paper[row][i]));
        }
    }
    return markdown(head, rows);
}

// A memory that clusters use in figures 2 and 3.
struct Memory {
    const char *what, *get, *put;
    std::array<int, 5> clusters;
    int links; // by which the memory can be reached
};
constexpr Memory one_cluster{"one cluster's memory (1 SMEM)", "get", "put", memory_clusters, 1};
constexpr Memory one_ddr{"one DDR", "get_ddr", "put_ddr", atomic_clusters, units_of_io_node};
constexpr Memory two_ddrs{"both DDRs in turn", "get_two_ddrs", "put_two_ddrs", atomic_clusters,
                          io_nodes *units_of_io_node};

// Returns the share of the links' peak with which several clusters use a memory.
double efficiency(const ChipFigures &f, const Memory &memory, const std::string &name, int count, size_t bytes) {
    const int links = std::min(count, memory.links);
    return count * static_cast<double>(bytes) / f.slowest(name, count, bytes) / (links * bytes_a_cycle);
}

std::vector<std::string> head_of(const Memory &memory) {
    std::vector<std::string> head{"bytes"};
    for (const int count : memory.clusters) head.push_back(fmt::format("{} cluster{}", count, count == 1 ? "" : "s"));
    return head;
}

std::string figure2(const ChipFigures &f, const Memory &memory) {
    std::vector<std::vector<std::string>> rows;
    for (const size_t bytes : f.sizes(memory.put, 1)) {
        rows.push_back({format_bytes(bytes)});
        for (const int count : memory.clusters) {
            const auto cell = [&](const char *name) {
                const double all = count * static_cast<double>(bytes);
                return fmt::format("{} ({} %)", number(gigabytes(f, all, f.slowest(name, count, bytes)), 2),
                                   number(100 * efficiency(f, memory, name, count, bytes), 0));
            };
            rows.back().push_back(fmt::format("{} / {}", cell(memory.get), cell(memory.put)));
        }
    }
    return fmt::format("{}:\n\n{}\n", memory.what, markdown(head_of(memory), rows));
}

std::string figure3(const ChipFigures &f, const Memory &memory) {
    std::vector<std::vector<std::string>> rows;
    const std::string get = std::string(memory.get) + "_blocking", put = std::string(memory.put) + "_blocking";
    for (const size_t bytes : f.sizes(put, 1)) {
        rows.push_back({format_bytes(bytes)});
        for (const int count : memory.clusters) {
            const auto cell = [&](const std::string &name) {
                const double cycles = f.slowest(name, count, bytes);
                return fmt::format("{} ({})", number(cycles / f.megahertz, 2), number(cycles, 0));
            };
            rows.back().push_back(fmt::format("{} / {}", cell(get), cell(put)));
        }
    }
    return fmt::format("{}:\n\n{}\n", memory.what, markdown(head_of(memory), rows));
}

std::string figure4(const ChipFigures &f) {
    std::vector<std::vector<std::string>> rows;
    for (const int count : atomic_clusters) {
        for (const int threads : {1, cores}) {
            rows.push_back({fmt::format("{} x {}", count, threads)});
            for (const char *name : {"post_spread", "post_central", "fetch_spread", "fetch_central"}) {
                rows.back().push_back(number(f.slowest(fmt::format("{}_{}", name, threads), count, 4), 0));
            }
        }
    }
    return markdown({"clusters x cores", "posted, spread", "posted, central", "fetched, spread", "fetched, central"},
                    rows);
}

double thousands_a_second(const ChipFigures &f, const std::string &name, int workers, size_t bytes) {
    return 1000 * f.megahertz / f.slowest(name, workers, bytes);
}

std::string table2(const ChipFigures &f, const std::string &name) {
    std::vector<std::string> head{"workers / clusters"};
    for (const size_t bytes : table2_sizes) head.push_back(fmt::format("{} B: here / paper", bytes));
    std::vector<std::vector<std::string>> rows;
    for (const int count : memory_clusters) {
        rows.push_back({std::to_string(count)});
        for (size_t i = 0; i < table2_sizes.size(); i++) {
            rows.back().push_back(fmt::format("{} / {}", number(thousands_a_second(f, name, count, table2_sizes[i]), 0),
                                              table2_paper[count > 1][i]));
        }
    }
    return markdown(head, rows);
}

// Returns the bytes a cycle by which large transfers take longer than smaller ones.
double slope(const ChipFigures &f, const std::string &name, size_t small, size_t large) {
    return static_cast<double>(large - small) / (f.slowest(name, 1, large) - f.slowest(name, 1, small));
}

std::vector<ChipBar> bars(const ChipFigures &f) {
    std::vector<ChipBar> all;
    const auto add = [&](const char *what, const std::string &must, const std::string &measured, bool holds) {
        all.push_back({what, must, measured, holds});
    };
    const auto at_most = [&](const char *what, double most, double cycles) {
        add(what, fmt::format("<= {:.0f} cycles", most), number(cycles, 0), cycles <= most);
    };
    at_most("smallest get", 550, f.slowest("get_blocking", 1, 8));
    at_most("smallest put, complete", 550, f.slowest("put_blocking", 1, 8));
    for (const auto &[what, name, small, large] : {std::tuple{"slope of the hardware", "hardware", 64 * K, 256 * K},
                                                   std::tuple{"slope of a put", "put_blocking", 16 * K, 64 * K},
                                                   std::tuple{"slope of a get", "get_blocking", 16 * K, 64 * K}}) {
        const double rate = slope(f, name, small, large);
        add(what, "3.76 bytes a cycle within 1 %", number(rate, 3), std::abs(rate / bytes_a_cycle - 1) <= 0.01);
    }
    const double one = in_and_out(f, "hardware", 1, K), four = in_and_out(f, "neighbour", 4, K) / 4;
    add("1 KB, one cluster to itself, hardware", ">= 1.4 GB/s in + out", number(one, 2), one >= 1.4);
    add("1 KB, each of 4 clusters", ">= 1.4 GB/s in + out", number(four, 2), four >= 1.4);
    const double most = in_and_out(f, "neighbour", 16, 256 * K);
    add("256 KB, 16 clusters", "60.2 GB/s within 2 %", number(most, 1), std::abs(most / paper_peak - 1) <= 0.02);
    for (const Memory *memory : {&one_cluster, &one_ddr, &two_ddrs}) {
        for (const auto &[bytes, least] : {std::pair{2 * K, 70.0}, std::pair{8 * K, 94.0}}) {
            for (const char *name : {memory->get, memory->put}) {
                double worst = 100;
                for (const int count : memory->clusters) {
                    worst = std::min(worst, 100 * efficiency(f, *memory, name, count, bytes));
                }
                add(fmt::format("{}s of {} at {}", name == memory->get ? "get" : "put", format_bytes(bytes),
                                memory->what)
                        .c_str(),
                    fmt::format(">= {:.0f} % of the links", least), fmt::format("{:.0f} %", worst), worst >= least);
            }
        }
    }
    at_most("posted atomic", 100, f.slowest("post_spread_1", 1, 4));
    at_most("server, for each atomic", 260, f.slowest("post_central_16", 16, 4) / (other_clusters * cores));
    at_most("fetch-add", 550, f.slowest("fetch_spread_1", 1, 4));
    at_most("posted, 256 cores at one cluster, for each cluster", paper_microseconds_of_256 * f.megahertz,
            f.slowest("post_central_16", 16, 4) / cores);
    for (const auto &[what, name] :
         {std::pair{"queue, 16 bytes, hardware", "queue"}, std::pair{"queue of segments, 16 bytes", "segment_queue"}}) {
        const double messages = thousands_a_second(f, name, other_clusters, 16);
        add(what, ">= 1100 thousand messages a second", number(messages, 0), messages >= 1100);
    }
    return all;
}

std::string bars_text(const ChipFigures &f) {
    std::vector<std::vector<std::string>> rows;
    for (const ChipBar &bar : bars(f)) {
        rows.push_back({bar.what, bar.must, bar.measured, bar.holds ? "holds" : "does not hold"});
    }
    return markdown({"what", "must be", "here", "it"}, rows);
}

std::string single_text(const ChipFigures &f) {
    const auto row = [&](const char *what, double here, double paper, const char *kind) {
        return std::vector<std::string>{what, number(here, 0), number(paper, 0), number(here / paper, 2), kind};
    };
    return markdown({"cycles", "here", "paper", "ratio", "the paper's figure is"},
                    {row("8 bytes by a micro-core to itself (paper: any node)", f.slowest("hardware", 1, 8), 100,
                         "an input; here with the core's stores and polls"),
                     row("smallest get", f.slowest("get_blocking", 1, 8), paper_get, "predicted"),
                     row("smallest put, complete", f.slowest("put_blocking", 1, 8), paper_put, "predicted"),
                     row("posted atomic, initiator", f.slowest("post_spread_1", 1, 4), paper_post, "predicted"),
                     row("posted atomic, server", f.slowest("post_central_16", 16, 4) / (other_clusters * cores),
                         paper_server, "predicted"),
                     row("fetch-add", f.slowest("fetch_spread_1", 1, 4), paper_fetch, "predicted")});
}

std::string head_text(const ChipFigures &f) {
    return fmt::format(
        "The experiments of Hascoet et al. (2017) on {}, simulated at {:.0f} MHz; cycles are the same in every run. "
        "The "
        "paper's cores issue up to 5 instructions a cycle, ours one. Of the paper's figures, the 100 cycles of "
        "hardware "
        "and the 3.76 bytes a cycle of a link are inputs of this machine; all others are predictions.\n\n",
        f.machine, f.megahertz);
}

// Returns the part of the report on the DMA unit without the library's protocols.
std::string hardware_text(const ChipFigures &f) {
    return "### Table 1: puts to neighbours over links of their own, GB/s of all clusters, in plus out\n\nBy "
           "micro-cores alone:\n\n" +
           table1(f, "hardware");
}

std::string queues_text(const ChipFigures &f) {
    return "\n### Table 2: a master with one message outstanding to each worker, all answers through one queue; "
           "thousands of messages a second\n\nBy the DMA unit's registers: a queue is an Rx tag with a ring of "
           "slots.\n\n" +
           table2(f, "queue");
}

// Streams are no experiment of the paper, so their table has its figures only as a scale.
std::string segment_queues_text(const ChipFigures &f) {
    return "\nBy queues of segments (aos_enqueue, aos_dequeue):\n\n" + table2(f, "segment_queue") +
           "\nBy queues of segments, with streams from all workers and no answers (the paper's figures are with "
           "answers):\n\n" +
           table2(f, "segment_stream");
}

std::string as_text(const ChipFigures &f) {
    return head_text(f) + "### Single operations\n\n" + single_text(f) + "\n" + hardware_text(f) +
           "\nBy OpenSHMEM, puts that do not block, complete after one quiet:\n\n" + table1(f, "neighbour") +
           "\n### Figure 2: 1 to 16 clusters at a memory, asynchronous get / put, GB/s of all (share of the links'; a "
           "link "
           "has 1.88)\n\nThe paper's points: half from 4 KB, more than 70 % from 8 KB, 94 % of a link's 2 GB/s at 32 "
           "KB; "
           "puts better than gets; two DDRs up to 15 GB/s. DDR: by the DMA units' registers, with a server for each "
           "unit "
           "of an I/O node.\n\n" +
           figure2(f, one_cluster) + figure2(f, one_ddr) + figure2(f, two_ddrs) +
           "### Figure 3: blocking get / put, us (cycles)\n\nThe paper: 1100 + B / 3.76 cycles without load.\n\n" +
           figure3(f, one_cluster) + figure3(f, one_ddr) +
           "### Figure 4: cycles of an atomic addition, as its initiator sees it\n\nThe paper: 230 posted, 1109 "
           "fetched; posted by 256 cores at one cluster up to 8750 (17.5 us), which we take for the time between two "
           "of "
           "one cluster's 16 cores: 16 times the paper's 526 cycles of a server.\n\n" +
           figure4(f) + queues_text(f) + segment_queues_text(f) + "\n### What must hold\n\n" + bars_text(f);
}

// A quick run does not measure what the conditions are about.
std::string as_json(const ChipFigures &f, bool is_quick) {
    std::vector<std::string> results, conditions;
    for (const auto &[key, cycles] : f.cycles) {
        results.push_back(fmt::format(R"({{"name": {}, "clusters": {}, "bytes": {}, "cycles": {}}})",
                                      json_string(key.name), key.pes, key.bytes, cycles.most()));
    }
    for (const ChipBar &bar : is_quick ? std::vector<ChipBar>{} : bars(f)) {
        conditions.push_back(fmt::format(R"({{"what": {}, "must": {}, "measured": {}, "holds": {}}})",
                                         json_string(bar.what), json_string(bar.must), json_string(bar.measured),
                                         bar.holds));
    }
    return fmt::format("{{\"machine\": {}, \"results\": [\n{}],\n\"bars\": [\n{}]}}\n", json_string(f.machine),
                       fmt::join(results, ",\n"), fmt::join(conditions, ",\n"));
}

// Returns the output of a command without the newline behind it.
std::string output_of(const char *name, const std::vector<std::string> &command) {
    const Outcome outcome = run_command(command, {}, build_timeout);
    if (outcome.code != 0) throw Failure(exit_failed, fmt::format("{}: {}", name, describe_failure(outcome)));
    return outcome.output.substr(0, outcome.output.find_last_not_of("\r\n") + 1);
}

std::string build(const Program &program, const Options &options, const Places &places, const TemporaryFolder &folder) {
    const std::string oshcc = (places.launcher.parent_path() / "oshcc").string();
    const std::string source = (places.sources / "chip" / program.name).string();
    const std::string made = (folder.path() / (std::string(program.name) + ".elf")).string();
    std::vector<std::string> command{oshcc, "--machine", options.machine};
    if (program.kind == Program::alone) {
        const std::string compiler = output_of(program.name, {oshcc, "--machine", options.machine, "-showme:command"});
        command = {compiler, "-ffreestanding", "-nostdlib", "-Wl,--no-warn-rwx-segments", "-T", source + ".ld"};
    } else if (program.kind == Program::openmp) {
        command.emplace_back("-fopenmp");
    }
    command.insert(command.end(), {"-std=gnu11", "-O2", source + ".c", "-o", made});
    output_of(program.name, command);
    return made;
}

// Returns the command that runs a program: on all clusters, or on the first core of each cluster and the first four of each
// I/O node.
std::vector<std::string> run_of(const Program &program, const std::string &made, const Options &options,
                                const ChipFigures &described, const Places &places) {
    if (program.kind != Program::alone) {
        return {places.launcher.string(), "--machine", options.machine, "--quiet", "-n",
                std::to_string(clusters), made};
    }
    const int columns = static_cast<int>(described.input("chip.columns"));
    const int of_cluster = static_cast<int>(described.input("cluster.cores"));
    std::vector<std::string> places_of_cores;
    const auto add = [&](int core) { places_of_cores.push_back(fmt::format("{},{}", core / columns, core % columns)); };
    for (int cluster = 0; cluster < clusters; cluster++) add(cluster * of_cluster);
    for (int io = 0; io < io_nodes; io++) {
        for (int unit = 0; unit < units_of_io_node; unit++) add((clusters + io) * of_cluster + unit);
    }
    return {(places.launcher.parent_path() / "skerry-sim").string(), "--machine", options.machine, "--quiet", "--cores",
            fmt::format("{}", fmt::join(places_of_cores, "/")),      made};
}

} // namespace

bool is_mppa(const ChipFigures &described) {
    return described.input("data_network.rows") > 0;
}

std::string mppa_report(const Options &options, ChipFigures figures, const Places &places) {
    const TemporaryFolder folder;
    Progress progress(static_cast<int>(std::size(programs)));
    for (const Program &chosen : programs) {
        if (options.quick && !chosen.is_quick) continue;
        const std::string name = chosen.name;
        progress.step(name);
        const std::string program = build(chosen, options, places, folder);
        const Outcome outcome = run_command(run_of(chosen, program, options, figures, places), {}, run_timeout);
        if (outcome.code != 0) throw Failure(exit_failed, fmt::format("{}: {}", name, describe_failure(outcome)));
        read_chip_rows(outcome.output, "", figures);
    }
    if (options.json) return as_json(figures, options.quick);
    return options.quick ? head_text(figures) + hardware_text(figures) + queues_text(figures) : as_text(figures);
}

} // namespace skerry::bench
