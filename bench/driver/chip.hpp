// SPDX-License-Identifier: BSD-3-Clause
// `skerry bench --machine`: one report about a simulated chip, beside the papers' figures. Cycles there are the same in
// every run, so nothing is repeated and nothing has quartiles.
#pragma once

#include "options.hpp"
#include "statistics.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skerry::bench {

// A line of the machine's description: what goes into the simulation.
struct ChipInput {
    std::string name, value, note;
};

// Cycles of one figure, of all PEs that took part.
struct ChipCycles {
    std::vector<double> of_pes;
    double mean() const;
    double least() const;
    double most() const;
};

struct ChipKey {
    std::string name;
    int pes = 0;
    size_t bytes = 0; // or calls, where a figure is of several
    auto operator<=>(const ChipKey &) const = default;
};

struct ChipFigures {
    std::string machine;
    // What is compared with the papers, which measured this machine: everything, one chapter, or nothing.
    enum class Compared { nothing, everything, calls, segments, s2 } compared = Compared::everything;
    double megahertz = 0;
    std::vector<ChipInput> inputs;
    std::map<ChipKey, ChipCycles> cycles;

    const ChipCycles *find(const std::string &name, int pes, size_t bytes) const;
    std::vector<size_t> sizes(const std::string &name, int pes) const;
    double input(const std::string &name) const; // 0 where the description has none
    double nanoseconds(double of_cycles) const {
        return of_cycles * 1000 / megahertz;
    }
    // Of the slowest PE, or of their mean. NaN: not measured.
    double slowest(const std::string &name, int pes, size_t bytes) const;
    double mean(const std::string &name, int pes, size_t bytes) const;
    // alpha + beta * L through the means, in ns, from so many bytes on.
    Fit fit(const std::string &name, int pes, size_t from_bytes) const;
};

// One of S2's twenty cells.
struct ChipCell {
    std::string what, name; // the figure's name
    int pes = 1;
    double paper = 0;                                             // MB/s
    std::string kind;                                             // fitted, options chosen, predicted or input
    double at_2k = 0, asymptote = 0, low = 0, high = 0, best = 0; // MB/s; low, high: of the other ways to compile
    double ratio() const {
        return at_2k / paper;
    }
};
std::vector<ChipCell> chip_cells(const ChipFigures &figures);

// A row of what must hold.
struct ChipBar {
    std::string what, must, measured;
    bool holds = false;
};
std::vector<ChipBar> chip_bars(const ChipFigures &figures); // those of what was measured

// All PEs' calls on one, with rings of so many: GB/s of all together, and what became of the calls, which are not the one's own.
struct ChipCrowd {
    size_t depth = 0;
    double gigabytes = 0, served = 0, run_by_caller = 0, interrupting = 0;
};
// `order`: "" or "newest_". Of dot products of so many floats.
std::vector<ChipCrowd> chip_crowd(const ChipFigures &figures, const std::string &order, size_t floats);
constexpr size_t chip_crowd_floats[] = {16, 64, 256, 1024};
// GB/s of each PE where all call the next PE at once.
double chip_symmetric(const ChipFigures &figures, size_t bytes);

// Those that the report and the JSON tell the line through.
struct ChipFit {
    std::string name;
    int pes;
    Fit fit;
};
std::vector<ChipFit> chip_fits(const ChipFigures &figures);

inline bool has_s2(ChipFigures::Compared compared) {
    return compared == ChipFigures::Compared::everything || compared == ChipFigures::Compared::s2;
}
ChipFigures::Compared chip_comparison(const Options &options); // known before it is measured
ChipFigures measure_chip(const Options &options);
std::string chip_text(const ChipFigures &figures);
std::string chip_segments_text(const ChipFigures &figures);
std::string chip_json(const ChipFigures &figures);

} // namespace skerry::bench
