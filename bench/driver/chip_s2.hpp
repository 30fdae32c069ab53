// SPDX-License-Identifier: BSD-3-Clause
// Computes the graphs of S2 (measuring the Parallella, 2014) from our figures, and the values that S2's text reads off
// its graphs.
#pragma once

#include "chip.hpp"

#include <string>
#include <vector>

namespace skerry::bench {

struct S2Curve {
    const char *label, *name; // name: the figure's name
    bool busy;                // true: all cores at once; false: each core in turn
    double paper;             // MB/s in the cell of S2's table
};

struct S2Graph {
    const char *title;
    bool cycles; // the vertical axis has cycles if true, MB/s if false
    std::vector<S2Curve> curves;
};

// Returns S2's five graphs, in the order of its text.
const std::vector<S2Graph> &s2_graphs();

// s2_sizes returns the sizes of a curve that lie within S2's graphs. s2_cycles returns the cycles of each core at a
// size, or nullptr. s2_megabytes converts cycles to MB/s.
std::vector<size_t> s2_sizes(const ChipFigures &figures, const S2Curve &curve);
const ChipCycles *s2_cycles(const ChipFigures &figures, const S2Curve &curve, size_t bytes);
double s2_megabytes(const ChipFigures &figures, size_t bytes, double cycles);

// Returns, for each core, the size in bytes at which its writes to external memory without burst become slower (the
// knee).
std::vector<double> s2_knees(const ChipFigures &figures);

// The size in bytes from which DMA is faster than the core, and the bytes that the core moves while DMA starts. A value
// is NaN if there is no such size within the graphs.
struct S2BreakEven {
    const char *what, *core, *dma; // the figures' names
    bool busy;
    double paper;                     // bytes; 0: S2 does not give this size
    double start;                     // cycles that DMA needs for 8 bytes
    double during_start, faster_from; // bytes
};
std::vector<S2BreakEven> s2_break_evens(const ChipFigures &figures);

// A statement of S2's text about its graphs, and our value.
struct S2Statement {
    std::string what, paper, here, kind; // fitted, options chosen or predicted
    double ratio = 0;                    // our value divided by S2's; 0: the values are not numbers
};
std::vector<S2Statement> s2_statements(const ChipFigures &figures);

std::string chip_s2_text(const ChipFigures &figures);
// Draws S2's graphs as SVG. Throws Failure if the file cannot be written.
void write_chip_plot(const ChipFigures &figures, const std::string &file);

} // namespace skerry::bench
