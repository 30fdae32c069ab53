// SPDX-License-Identifier: BSD-3-Clause
// Computes the graphs of Coduin (2016) from our figures, and the values that Coduin's text reads off its graphs.
#pragma once

#include "chip.hpp"

#include <string>
#include <vector>

namespace skerry::bench {

struct PathCurve {
    const char *label, *name; // name: the figure's name
    bool busy;                // true: all cores at once; false: each core in turn
    double paper;             // MB/s in the cell of Coduin's table
};

struct PathGraph {
    const char *title;
    bool cycles; // the vertical axis has cycles if true, MB/s if false
    std::vector<PathCurve> curves;
};

// Returns Coduin's five graphs, in the order of its text.
const std::vector<PathGraph> &path_graphs();

// path_sizes returns the sizes of a curve that lie within Coduin's graphs. path_cycles returns the cycles of each core
// at a size, or nullptr. path_megabytes converts cycles to MB/s.
std::vector<size_t> path_sizes(const ChipFigures &figures, const PathCurve &curve);
const ChipCycles *path_cycles(const ChipFigures &figures, const PathCurve &curve, size_t bytes);
double path_megabytes(const ChipFigures &figures, size_t bytes, double cycles);

// Returns, for each core, the size in bytes at which its writes to external memory without burst become slower (the
// knee).
std::vector<double> path_knees(const ChipFigures &figures);

// The size in bytes from which DMA is faster than the core, and the bytes that the core moves while DMA starts. A value
// is NaN if there is no such size within the graphs.
struct PathBreakEven {
    const char *what, *core, *dma; // the figures' names
    bool busy;
    double paper;                     // bytes; 0: Coduin does not give this size
    double start;                     // cycles that DMA needs for 8 bytes
    double during_start, faster_from; // bytes
};
std::vector<PathBreakEven> path_break_evens(const ChipFigures &figures);

// A statement of Coduin's text about its graphs, and our value.
struct PathStatement {
    std::string what, paper, here, kind; // fitted, options chosen or predicted
    double ratio = 0;                    // our value divided by Coduin's; 0: the values are not numbers
};
std::vector<PathStatement> path_statements(const ChipFigures &figures);

std::string chip_paths_text(const ChipFigures &figures);
// Draws Coduin's graphs as SVG. Throws Failure if the file cannot be written.
void write_chip_plot(const ChipFigures &figures, const std::string &file);

} // namespace skerry::bench
