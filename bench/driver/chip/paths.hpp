// SPDX-License-Identifier: BSD-3-Clause
// Computes from our figures the graphs of the paper Coduin 2016, and the values that the paper's text reads off its
// graphs.
#pragma once

#include "chip/chip.hpp"

#include <string>
#include <vector>

namespace skerry::bench {

struct PathCurve {
    const char *label, *name; // name: the figure's name
    bool busy;                // true: all cores at once; false: each core in turn
    double paper;             // MB/s in the table of the paper Coduin 2016
};

struct PathGraph {
    const char *title;
    bool cycles; // the vertical axis has cycles if true, MB/s if false
    std::vector<PathCurve> curves;
};

// Returns the five graphs of the paper Coduin 2016, in the order of its text.
const std::vector<PathGraph> &path_graphs();

// path_sizes returns the sizes of a curve that lie within the paper's graphs. path_cycles returns the cycles of each
// core at a size, or nullptr if this size was not measured. path_megabytes converts cycles to MB/s.
std::vector<size_t> path_sizes(const ChipFigures &figures, const PathCurve &curve);
const ChipCycles *path_cycles(const ChipFigures &figures, const PathCurve &curve, size_t bytes);
double path_megabytes(const ChipFigures &figures, size_t bytes, double cycles);

// Returns the knee of each core: the size in bytes from which the core's writes to external memory without burst are
// slower. Leaves out a core without a knee.
std::vector<double> path_knees(const ChipFigures &figures);

// Compares DMA with copying by the core. `faster_from` is the size from which DMA is faster than the core.
// `during_start` is the number of bytes that the core copies in the time that DMA needs for its first 8 bytes. A member
// is NaN if there is no such size within the graphs.
struct PathBreakEven {
    const char *what, *core, *dma; // `core` and `dma` are names of figures
    bool busy;
    double paper;                     // bytes; 0: the paper Coduin 2016 does not give this size
    double start;                     // cycles that DMA needs for 8 bytes
    double during_start, faster_from; // bytes
};
std::vector<PathBreakEven> path_break_evens(const ChipFigures &figures);

// A statement of the paper Coduin 2016 about its graphs, and our value.
struct PathStatement {
    std::string what, paper, here, kind; // `kind`: "fitted", "options chosen" or "predicted"
    double ratio = 0;                    // our value divided by the paper's; 0: at least one of them is not a number
};
std::vector<PathStatement> path_statements(const ChipFigures &figures);

std::string chip_paths_text(const ChipFigures &figures);
// Draws the graphs of the paper Coduin 2016 as SVG. Throws Failure if the file cannot be written.
void write_chip_plot(const ChipFigures &figures, const std::string &file);

} // namespace skerry::bench
