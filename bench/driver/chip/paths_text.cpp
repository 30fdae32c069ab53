// SPDX-License-Identifier: BSD-3-Clause
// Writes the graphs of the paper Coduin 2016 as tables, and the values that the paper's text reads off its graphs.
#include "chip/paths.hpp"

#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

using Row = std::vector<std::string>;

// Returns "LEAST to MOST", or one number if the two numbers have the same digits when printed.
std::string range(double least, double most, int digits) {
    const std::string low = fmt::format("{:.{}f}", least, digits), high = fmt::format("{:.{}f}", most, digits);
    return low == high ? low : low + " to " + high;
}

// Returns a table with the cycles or the MB/s of all cores at each size.
std::string graph_text(const ChipFigures &f, const PathGraph &graph) {
    Row head{"bytes"};
    for (const PathCurve &curve : graph.curves)
        head.push_back(graph.cycles ? curve.label : fmt::format("{} (Coduin: {:g})", curve.label, curve.paper));
    std::vector<Row> rows;
    for (const size_t bytes : path_sizes(f, graph.curves[0])) {
        rows.push_back({std::to_string(bytes)});
        for (const PathCurve &curve : graph.curves) {
            const ChipCycles *cycles = path_cycles(f, curve, bytes);
            if (cycles == nullptr) rows.back().emplace_back();
            else if (graph.cycles) rows.back().push_back(range(cycles->least(), cycles->most(), 0));
            else
                rows.back().push_back(
                    range(path_megabytes(f, bytes, cycles->most()), path_megabytes(f, bytes, cycles->least()), 1));
        }
    }
    return fmt::format("### Graph {}{}\n\n", graph.title, graph.cycles ? "" : ", MB/s") + markdown(head, rows);
}

std::string statements_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const PathStatement &one : path_statements(f))
        rows.push_back(
            {one.what, one.paper, one.here, one.ratio > 0 ? fmt::format("{:.2f}", one.ratio) : "", one.kind});
    return markdown({"what", "Coduin", "here", "ratio", ""}, rows);
}

std::string break_evens_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const PathBreakEven &one : path_break_evens(f)) {
        const auto bytes = [](double value, const char *none) {
            return std::isnan(value) ? std::string(none) : fmt::format("{:.0f}", value);
        };
        rows.push_back({one.what, fmt::format("{:.0f}", one.start), bytes(one.during_start, "less than 8"),
                        bytes(one.faster_from, "none up to 2048"),
                        one.paper > 0 ? fmt::format("{:.0f}", one.paper) : ""});
    }
    return "Break-evens, from the curves' means: the cycles that DMA needs for 8 bytes, the bytes that the core moves "
           "in "
           "this time, and the size from which DMA is as fast as the core.\n\n" +
           markdown(
               {"what", "DMA's 8 bytes, cycles", "core meanwhile, bytes", "DMA faster from, bytes", "Coduin, bytes"},
               rows);
}

std::string knees_text(const ChipFigures &f) {
    const std::vector<double> knees = path_knees(f);
    if (knees.size() != 16) return "";
    std::vector<Row> rows;
    for (size_t pe = 0; pe < knees.size(); ++pe) {
        if (pe % 4 == 0) rows.push_back({fmt::format("row {}", pe / 4)});
        rows.back().push_back(fmt::format("{:.0f}", knees[pe]));
    }
    return "Bytes that leave each core fast when it writes to external memory without burst mode (Coduin: around 70, "
           "all cores "
           "together): where two lines through its cycles up to 512 bytes meet.\n\n" +
           markdown({"", "column 0", "1", "2", "3"}, rows);
}

} // namespace

std::string chip_paths_text(const ChipFigures &f) {
    std::string text = "## Coduin's graphs\n\nMeasured as Coduin did, like the cells above. `--plot FILE` draws the "
                       "graphs. A value such as \"8.5 to 8.8\" has the smallest and the largest value of the 16 "
                       "cores.\n\nWhat Coduin's text says about the graphs:\n\n" +
                       statements_text(f) + break_evens_text(f) + knees_text(f);
    for (const PathGraph &graph : path_graphs()) text += graph_text(f, graph);
    return text;
}

} // namespace skerry::bench
