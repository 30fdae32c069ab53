// SPDX-License-Identifier: BSD-3-Clause
// Makes the report of `skerry bench --machine` about a simulated chip, with the papers' figures beside ours. Simulated
// cycles are equal in every run. No run is therefore repeated, and no figure has quartiles.
#pragma once

#include "contender.hpp"
#include "options.hpp"
#include "statistics.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skerry::bench {

// Holds one line of the machine's description, the file that contains the inputs of the simulation.
struct ChipInput {
    std::string name, value, note;
};

// The cycles of one figure: a number for each PE that took part.
struct ChipCycles {
    std::vector<double> of_pes;
    double mean() const;
    double least() const;
    double most() const;
};

struct ChipKey {
    std::string name;
    int pes = 0;
    size_t bytes = 0; // size of an operation in bytes; for a figure of several calls the number of calls
    auto operator<=>(const ChipKey &) const = default;
};

struct ChipFigures {
    std::string machine;
    // Says which part of the report is compared with the papers. The value is `nothing` if the papers did not measure
    // this machine, or in a quick run (--quick). It is also `nothing` if the chosen benchmarks are neither all
    // benchmarks nor one part.
    enum class Compared { nothing, everything, calls, segments, paths } compared = Compared::everything;
    double megahertz = 0;
    std::vector<ChipInput> inputs;
    std::map<ChipKey, ChipCycles> cycles;

    const ChipCycles *find(const std::string &name, int pes, size_t bytes) const;
    std::vector<size_t> sizes(const std::string &name, int pes) const;
    double input(const std::string &name) const; // 0 if the description does not have the name
    double nanoseconds(double of_cycles) const {
        return of_cycles * 1000 / megahertz;
    }
    // slowest returns the cycles of the slowest PE. mean returns the mean cycles of the PEs. Both return NaN if the
    // figure was not measured.
    double slowest(const std::string &name, int pes, size_t bytes) const;
    double mean(const std::string &name, int pes, size_t bytes) const;
    // Fits the line alpha + beta * L, in ns, to the mean times of all sizes L of at least `from_bytes`.
    Fit fit(const std::string &name, int pes, size_t from_bytes) const;
};

// A cell of the table in the paper Coduin 2016.
struct ChipCell {
    std::string what, name; // `name`: the figure's name
    int pes = 1;
    double paper = 0;                                             // MB/s
    std::string kind;                                             // "fitted", "options chosen", "predicted" or "input"
    double at_2k = 0, asymptote = 0, low = 0, high = 0, best = 0; // MB/s; low, high: range over the compiler options
    double ratio() const {
        return at_2k / paper;
    }
};
std::vector<ChipCell> chip_cells(const ChipFigures &figures);

// A condition that must hold, and the measured value.
struct ChipBar {
    std::string what, must, measured;
    bool holds = false;
};
std::vector<ChipBar> chip_bars(const ChipFigures &figures); // the conditions on the compared part

// Figures of a measurement in which all PEs call a function on PE 0. PE 0's queue of calls holds up to `depth` calls.
// `gigabytes` is the GB/s of all PEs together. The other members are about the calls of the other PEs: `served` is the
// share that PE 0 ran, and `run_by_caller` the share that the callers ran. `interrupting` is the number of interrupts.
struct ManyToOne {
    size_t depth = 0;
    double gigabytes = 0, served = 0, run_by_caller = 0, interrupting = 0;
};
// Returns the figures for calls of dot products of `floats` floats. `order` is "" (the oldest call runs first) or
// "newest_" (the newest call runs first).
std::vector<ManyToOne> many_to_one(const ChipFigures &figures, const std::string &order, size_t floats);
constexpr size_t many_to_one_floats[] = {16, 64, 256, 1024};
// Returns the GB/s of each PE, measured while each PE calls its right neighbour, all PEs at the same time.
double chip_symmetric(const ChipFigures &figures, size_t bytes);

// A line that was fitted to measured times. The report and the JSON contain it.
struct ChipFit {
    std::string name;
    int pes;
    Fit fit;
};
std::vector<ChipFit> chip_fits(const ChipFigures &figures);

inline bool has_paths(ChipFigures::Compared compared) {
    return compared == ChipFigures::Compared::everything || compared == ChipFigures::Compared::paths;
}
ChipFigures::Compared chip_comparison(const Options &options); // can be called before the measurement
ChipFigures measure_chip(const Options &options);
// These functions do parts of measure_chip. describe_chip returns the machine's properties without figures.
// read_chip_rows adds the figures in the lines that a program of bench/chip printed.
ChipFigures describe_chip(const Options &options, const Places &places);
void read_chip_rows(const std::string &output, const std::string &prefix, ChipFigures &figures);
// Measures OpenMP's constructs. Returns the report, or JSON if the options say so.
std::string openmp_report(const Options &options);
// Returns the table of STREAM's kernels on so many cores, beside a model.
std::string stream_text(const ChipFigures &figures, int cores);
// Returns the table of bitonic sort, for these numbers of cores (bitonic.cpp).
std::string bitonic_text(const ChipFigures &figures, const std::vector<int> &cores);
// Returns true if a machine is one of clusters with a data network (an MPPA), whose report is another one.
bool is_mppa(const ChipFigures &described);
// Measures such a machine. Returns the report, or JSON if the options say so (mppa.cpp).
std::string mppa_report(const Options &options, ChipFigures described, const Places &places);
std::string chip_text(const ChipFigures &figures);
std::string chip_segments_text(const ChipFigures &figures);

// Returns the share of a transfer of aos.h that is hidden behind a computation, by the figures `name`, name_alone and
// name_both (bench/chip/aos_begun.c).
double hidden_share(const ChipFigures &figures, const std::string &name, size_t bytes);
std::string chip_json(const ChipFigures &figures);

} // namespace skerry::bench
