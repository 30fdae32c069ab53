// SPDX-License-Identifier: BSD-3-Clause
// Computes the curves of the five graphs of the paper Coduin 2016 from our figures. The horizontal axis of each graph
// is the size in bytes, linear, up to about 2 KB. Nonbusy: one core copies. Busy: all cores copy. The vertical axes and
// the curves are:
//     1  "External memory speed graph", nonbusy: MB/s. A core's reads and writes (with or without burst), DMA.
//     2  "External memory clockcycles graph", nonbusy: cycles. The three kinds of writes of graph 1.
//     3  "External memory speed graph", busy: MB/s. Reads, a point for each core.
//     4  "E-core memory write speed graph": MB/s. A core's writes, DMA writes.
//     5  "E-core memory clockcycles graph": cycles. The same curves as graph 4.
// Graphs 1, 2, 4 and 5 merge the measurements of all 16 cores, each made while the other cores wait. The paper says so
// about graphs 1 and 2 only, but gives the same explanation for graphs 4 and 5.
#include "chip/paths.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skerry::bench {

namespace {

constexpr int all = 16;
constexpr size_t graph_bytes_max = 2048;
// Largest size in bytes that the search for a knee uses. A knee is the size from which writes are slower. The search
// fits one line to the times below the knee and one to the times above it. The search needs enough sizes for both
// lines.
constexpr size_t knee_bytes_max = 512;

double mean_of(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Returns the times of a curve in ns, for sizes up to `to_bytes`: the times of core `core`. If `core` is negative,
// returns the means of all cores.
std::vector<Point> points_of(const ChipFigures &f, const PathCurve &curve, size_t to_bytes, int core = -1) {
    std::vector<Point> points;
    for (const size_t bytes : path_sizes(f, curve)) {
        const ChipCycles *cycles = path_cycles(f, curve, bytes);
        const double value = core < 0 ? cycles->mean() : cycles->of_pes.at(static_cast<size_t>(core));
        if (bytes <= to_bytes) points.push_back({static_cast<double>(bytes), f.nanoseconds(value)});
    }
    return points;
}

std::vector<Point> points_of(const ChipFigures &f, const char *name, bool busy) {
    return points_of(f, PathCurve{"", name, busy, 0}, graph_bytes_max);
}

double cycles_of(const ChipFigures &f, double nanoseconds) {
    return nanoseconds * f.megahertz / 1000;
}

// Returns the size in bytes at which the speed is highest.
double peak(const std::vector<Point> &points) {
    const auto slower = [](const Point &a, const Point &b) {
        return a.bytes / a.nanoseconds < b.bytes / b.nanoseconds;
    };
    return std::max_element(points.begin(), points.end(), slower)->bytes;
}

std::string size_or(double bytes, const std::string &otherwise) {
    return std::isnan(bytes) ? otherwise : fmt::format("{:.0f} bytes", bytes);
}

void add_start(const ChipFigures &f, const char *what, const char *name, std::vector<PathStatement> &statements) {
    const std::vector<Point> points = points_of(f, name, false);
    std::vector<Point> line;
    for (const Point &point : points)
        if (point.bytes >= 64) line.push_back(point);
    const double start = cycles_of(f, points.front().nanoseconds);
    statements.push_back({fmt::format("start of a DMA transfer, {}", what), "slightly less than 500 cycles",
                          fmt::format("{:.0f} cycles for 8 bytes; {:.0f} by the line through 64 bytes and more", start,
                                      cycles_of(f, fit_line(line).alpha)),
                          "options chosen", start / 500});
}

void add_knee(const ChipFigures &f, std::vector<PathStatement> &statements) {
    constexpr double paper = 70;
    const std::vector<double> knees = path_knees(f);
    if (knees.empty()) {
        statements.push_back(
            {"external writes without burst: the slope changes", "around 70 bytes", "nowhere", "fitted"});
        return;
    }
    const double mean = mean_of(knees);
    const auto [least, most] = std::minmax_element(knees.begin(), knees.end());
    statements.push_back(
        {"external writes without burst: the slope changes", "around 70 bytes",
         fmt::format("{:.0f} bytes, the mean of all cores; {:.0f} beside the link to {:.0f} in the far corner", mean,
                     *least, *most),
         "fitted", mean / paper});
    const std::vector<Point> points = points_of(f, "turns_noburst_outside_write", false);
    const double top = peak(points);
    statements.push_back({"the same: peak of the speed", "70 bytes", fmt::format("{:.0f} bytes, mean speed", top),
                          "predicted", top / paper});
}

// Adds a statement about jumps: the paper Coduin 2016 reports that the time jumps at some sizes. Computes the cost of
// each step from one size to the next, from 128 bytes on, in cycles per double word. A jump is a step that costs more
// than the other steps.
void add_jumps(const ChipFigures &f, std::vector<PathStatement> &statements) {
    const PathCurve curve{"", "turns_outside_write", false, 0};
    double least = std::nan(""), most = std::nan("");
    for (int core = 0; core < all; ++core) {
        const std::vector<Point> points = points_of(f, curve, graph_bytes_max, core);
        for (size_t i = 1; i < points.size(); ++i) {
            if (points[i - 1].bytes < 128) continue;
            const double step = cycles_of(f, points[i].nanoseconds - points[i - 1].nanoseconds) * 8 /
                                (points[i].bytes - points[i - 1].bytes);
            least = std::fmin(least, step);
            most = std::fmax(most, step);
        }
    }
    statements.push_back({"external writes with burst: jumps at specific positions", "yes",
                          most > 1.5 * least
                              ? fmt::format("yes: {:.1f} to {:.1f} cycles a double word", least, most)
                              : fmt::format("no: {:.1f} to {:.1f} cycles a double word beyond 128 bytes", least, most),
                          "predicted"});
}

void add_reads(const ChipFigures &f, std::vector<PathStatement> &statements) {
    const std::vector<Point> points = points_of(f, "turns_outside_read", false);
    const Point &first = points.front(), &last = points.back();
    statements.push_back(
        {"external reads by a core gain nothing by size", "yes",
         fmt::format("{:.2f} MB/s at {:.0f} bytes, {:.2f} at {:.0f}", 1000 * first.bytes / first.nanoseconds,
                     first.bytes, 1000 * last.bytes / last.nanoseconds, last.bytes),
         "fitted"});
    statements.push_back({"the longest of them", "150,000 cycles",
                          fmt::format("{:.0f} cycles", cycles_of(f, last.nanoseconds)), "fitted",
                          cycles_of(f, last.nanoseconds) / 150000});
    const ChipCycles *busy = f.find("outside_read", all, graph_bytes_max);
    if (busy == nullptr) return;
    const double factor = all * cycles_of(f, last.nanoseconds) / busy->most();
    statements.push_back({"external reads by all cores, their total by one core's", "almost 16 (14.9)",
                          fmt::format("{:.1f}", factor), "predicted", factor / (all * 8.3 / 8.9)});
}

// Adds a statement about the core beside the link (the connection of the chip to external memory): its share of the
// speed of external memory. The paper Coduin 2016 assumes that the link is in a corner, where the core beside the link
// has three inputs. In the simulated chip the link is in the middle of an edge, where this core has four inputs.
void add_shares(const ChipFigures &f, std::vector<PathStatement> &statements) {
    const ChipCycles *cycles = f.find("dma_outside_read", all, graph_bytes_max);
    if (cycles == nullptr) return;
    const double share = cycles->most() / cycles->least() / all;
    statements.push_back({"busy external reads by DMA: the share of the core beside the link",
                          "a third, if that is in a corner",
                          fmt::format("{:.0f} % of what all have together", 100 * share), "predicted"});
}

void add_break_evens(const ChipFigures &f, std::vector<PathStatement> &statements) {
    for (const PathBreakEven &one : path_break_evens(f)) {
        if (one.paper == 0) continue;
        statements.push_back({fmt::format("{}: the core moves while DMA starts", one.what),
                              fmt::format("about {:.0f} bytes", one.paper),
                              size_or(one.during_start, "more than in the graph"), "options chosen",
                              std::isnan(one.during_start) ? 0 : one.during_start / one.paper});
        statements.push_back({fmt::format("{}: DMA is faster from", one.what),
                              fmt::format("about {:.0f} bytes", one.paper),
                              size_or(one.faster_from, "no size on: the core is as fast or faster up to 2 KB"),
                              "options chosen", std::isnan(one.faster_from) ? 0 : one.faster_from / one.paper});
    }
}

} // namespace

const std::vector<PathGraph> &path_graphs() {
    static const PathCurve core_reads{"core reads", "turns_outside_read", false, 8.9},
        burst{"core writes, burst", "turns_outside_write", false, 270},
        no_burst{"core writes, no burst", "turns_noburst_outside_write", false, 226},
        dma_reads{"DMA reads", "turns_dma_outside_read", false, 80},
        dma_writes{"DMA writes", "turns_dma_outside_write", false, 230},
        busy_core_reads{"core reads", "outside_read", true, 8.3},
        busy_dma_reads{"DMA reads", "dma_outside_read", true, 11},
        to_core{"core writes", "turns_core_write", false, 441},
        dma_to_core{"DMA writes", "turns_dma_core_write", false, 1000};
    static const std::vector<PathGraph> graphs = {
        {"1. External memory, one core at a time: speed", false, {core_reads, burst, no_burst, dma_reads, dma_writes}},
        {"2. Writes to external memory, one core at a time: cycles", true, {burst, no_burst, dma_writes}},
        {"3. Reads from external memory, all cores at once: speed", false, {busy_core_reads, busy_dma_reads}},
        {"4. Writes to the next core's memory, one at a time: speed", false, {to_core, dma_to_core}},
        {"5. Writes to the next core's memory, one at a time: cycles", true, {to_core, dma_to_core}},
    };
    return graphs;
}

std::vector<size_t> path_sizes(const ChipFigures &f, const PathCurve &curve) {
    std::vector<size_t> sizes = f.sizes(curve.name, curve.busy ? all : 1);
    std::erase_if(sizes, [](size_t bytes) { return bytes > graph_bytes_max; });
    return sizes;
}

const ChipCycles *path_cycles(const ChipFigures &f, const PathCurve &curve, size_t bytes) {
    return f.find(curve.name, curve.busy ? all : 1, bytes);
}

double path_megabytes(const ChipFigures &f, size_t bytes, double cycles) {
    return 1000 * static_cast<double>(bytes) / f.nanoseconds(cycles);
}

std::vector<double> path_knees(const ChipFigures &f) {
    const PathCurve curve{"", "turns_noburst_outside_write", false, 0};
    std::vector<double> knees;
    for (int core = 0; core < all; ++core) {
        const Knee knee = find_knee(points_of(f, curve, knee_bytes_max, core));
        if (knee.valid) knees.push_back(knee.bytes);
    }
    return knees;
}

std::vector<PathBreakEven> path_break_evens(const ChipFigures &f) {
    // The size 150 in these rows is the size that the paper Coduin 2016 reads off its graph 2. The size 300 is the size
    // that it reads off its graph 5. The other rows are in no graph of the paper, so their size is 0.
    std::vector<PathBreakEven> rows = {
        {"external writes, no burst", "turns_noburst_outside_write", "turns_dma_outside_write", false, 150, 0, 0, 0},
        {"external writes, burst", "turns_outside_write", "turns_dma_outside_write", false, 150, 0, 0, 0},
        {"writes to a core", "turns_core_write", "turns_dma_core_write", false, 300, 0, 0, 0},
        {"external reads", "turns_outside_read", "turns_dma_outside_read", false, 0, 0, 0, 0},
        {"reads from a core", "turns_core_read", "turns_dma_core_read", false, 0, 0, 0, 0},
        {"external writes, all at once", "outside_write", "dma_outside_write", true, 0, 0, 0, 0},
        {"writes to a core, all at once", "core_write", "dma_core_write", true, 0, 0, 0, 0},
        {"external reads, all at once", "outside_read", "dma_outside_read", true, 0, 0, 0, 0},
        {"reads from a core, all at once", "core_read", "dma_core_read", true, 0, 0, 0, 0},
    };
    for (PathBreakEven &row : rows) {
        const std::vector<Point> core = points_of(f, row.core, row.busy), dma = points_of(f, row.dma, row.busy);
        const double start = dma.empty() ? std::nan("") : dma.front().nanoseconds;
        row.start = cycles_of(f, start);
        row.during_start = bytes_within(core, start);
        row.faster_from = break_even(dma, core);
    }
    return rows;
}

std::vector<PathStatement> path_statements(const ChipFigures &f) {
    std::vector<PathStatement> statements;
    if (f.sizes("turns_outside_read", 1).empty()) return statements;
    add_start(f, "external writes", "turns_dma_outside_write", statements);
    add_start(f, "writes to a core", "turns_dma_core_write", statements);
    add_knee(f, statements);
    add_jumps(f, statements);
    add_reads(f, statements);
    add_break_evens(f, statements);
    add_shares(f, statements);
    return statements;
}

} // namespace skerry::bench
