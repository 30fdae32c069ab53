// SPDX-License-Identifier: BSD-3-Clause
// S2's graphs and what its text reads off them, from the figures alone.
#pragma once

#include "chip.hpp"

#include <string>
#include <vector>

namespace skerry::bench {

struct S2Curve {
    const char *label, *name; // of the figure
    bool busy;                // all cores at once; or each in turn
    double paper;             // MB/s: the cell of S2's table
};

struct S2Graph {
    const char *title;
    bool cycles; // or MB/s
    std::vector<S2Curve> curves;
};

// S2's five graphs, in the order of its text.
const std::vector<S2Graph> &s2_graphs();

// Sizes of a curve within S2's graphs, and cycles of each core.
std::vector<size_t> s2_sizes(const ChipFigures &figures, const S2Curve &curve);
const ChipCycles *s2_cycles(const ChipFigures &figures, const S2Curve &curve, size_t bytes);
double s2_megabytes(const ChipFigures &figures, size_t bytes, double cycles);

// The knee of each core's writes to external memory without burst, in bytes.
std::vector<double> s2_knees(const ChipFigures &figures);

// From which size on DMA is faster than the core, and what the core moves while DMA starts. NaN: none within the graphs.
struct S2BreakEven {
    const char *what, *core, *dma; // the figures' names
    bool busy;
    double paper; // bytes; 0: S2 has none
    double start; // cycles of 8 bytes by DMA
    double during_start, faster_from;
};
std::vector<S2BreakEven> s2_break_evens(const ChipFigures &figures);

// What S2's text says of its graphs.
struct S2Statement {
    std::string what, paper, here, kind; // fitted, options chosen or predicted
    double ratio = 0;                    // here by S2's; 0: not a number
};
std::vector<S2Statement> s2_statements(const ChipFigures &figures);

std::string chip_s2_text(const ChipFigures &figures);
// Draws S2's graphs. Throws Failure when the file cannot be written.
void write_chip_plot(const ChipFigures &figures, const std::string &file);

} // namespace skerry::bench
