// SPDX-License-Identifier: BSD-3-Clause
// Writes the graphs of S2 (measuring the Parallella, 2014) as tables, and the values that S2's text reads off its
// graphs.
#include "chip_s2.hpp"

#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

using Row = std::vector<std::string>;

// Returns "LEAST to MOST", or one number if LEAST and MOST are printed alike.
std::string range(double least, double most, int digits) {
    const std::string low = fmt::format("{:.{}f}", least, digits), high = fmt::format("{:.{}f}", most, digits);
    return low == high ? low : low + " to " + high;
}

// Returns a table with the cycles or the MB/s of all cores at each size.
std::string graph_text(const ChipFigures &f, const S2Graph &graph) {
    Row head{"bytes"};
    for (const S2Curve &curve : graph.curves)
        head.push_back(graph.cycles ? curve.label : fmt::format("{} (S2: {:g})", curve.label, curve.paper));
    std::vector<Row> rows;
    for (const size_t bytes : s2_sizes(f, graph.curves[0])) {
        rows.push_back({std::to_string(bytes)});
        for (const S2Curve &curve : graph.curves) {
            const ChipCycles *cycles = s2_cycles(f, curve, bytes);
            if (cycles == nullptr) rows.back().emplace_back();
            else if (graph.cycles) rows.back().push_back(range(cycles->least(), cycles->most(), 0));
            else
                rows.back().push_back(
                    range(s2_megabytes(f, bytes, cycles->most()), s2_megabytes(f, bytes, cycles->least()), 1));
        }
    }
    return fmt::format("### Graph {}, {}\n\n", graph.title, graph.cycles ? "" : "MB/s") + markdown(head, rows);
}

std::string statements_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const S2Statement &one : s2_statements(f))
        rows.push_back(
            {one.what, one.paper, one.here, one.ratio > 0 ? fmt::format("{:.2f}", one.ratio) : "", one.kind});
    return markdown({"what", "S2", "here", "ratio", ""}, rows);
}

std::string break_evens_text(const ChipFigures &f) {
    std::vector<Row> rows;
    for (const S2BreakEven &one : s2_break_evens(f)) {
        const auto bytes = [](double value, const char *none) {
            return std::isnan(value) ? std::string(none) : fmt::format("{:.0f}", value);
        };
        rows.push_back({one.what, fmt::format("{:.0f}", one.start), bytes(one.during_start, "less than 8"),
                        bytes(one.faster_from, "none up to 2048"),
                        one.paper > 0 ? fmt::format("{:.0f}", one.paper) : ""});
    }
    return "Break-evens, from the curves' means: what DMA takes for 8 bytes, the bytes that the core moves meanwhile, "
           "and the size "
           "from which on DMA takes no longer.\n\n" +
           markdown({"what", "DMA's 8 bytes, cycles", "core meanwhile, bytes", "DMA faster from, bytes", "S2, bytes"},
                    rows);
}

std::string knees_text(const ChipFigures &f) {
    const std::vector<double> knees = s2_knees(f);
    if (knees.size() != 16) return "";
    std::vector<Row> rows;
    for (size_t pe = 0; pe < knees.size(); ++pe) {
        if (pe % 4 == 0) rows.push_back({fmt::format("row {}", pe / 4)});
        rows.back().push_back(fmt::format("{:.0f}", knees[pe]));
    }
    return "Bytes that leave each core fast when it writes to external memory without burst (S2: around 70, all cores "
           "merged): the knee of two lines through its cycles up to 512 bytes.\n\n" +
           markdown({"", "column 0", "1", "2", "3"}, rows);
}

} // namespace

std::string chip_s2_text(const ChipFigures &f) {
    std::string text = "## S2's graphs\n\nBy S2's methods, as in the cells above; `--plot FILE` draws them. Of 16 "
                       "cores the least and the "
                       "most. What S2's text says of its graphs:\n\n" +
                       statements_text(f) + break_evens_text(f) + knees_text(f);
    for (const S2Graph &graph : s2_graphs()) text += graph_text(f, graph);
    return text;
}

} // namespace skerry::bench
