// SPDX-License-Identifier: BSD-3-Clause
// Compares the measured kernels of STREAM in OpenMP (bench/chip/stream.c) with a model of the machine, as Tendulkar et
// al. (2011) did.
//
// The model adds up what one thread does for an element of 8 bytes, in cycles:
// * The loop of the kernel: one cycle for each instruction, and the cycles that a taken branch loses.
// * If the arrays are not in the thread's own memory: the copy of each operand to the thread's buffer, and of the result
//   from the buffer. A load from another memory takes the way there and back. If all threads load from one memory, they
//   wait for each other when the memory, or the link to it, serves them more slowly than that. The same holds for the
//   stores of the results.
// The model has no cost of beginning a chunk, and no threads that disturb each other while one loads and another stores.
#include "chip/chip.hpp"

#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

struct Kernel {
    const char *name;
    int operands;
    double instructions; // of a round of the loop, which computes `unrolled` elements
};
constexpr double unrolled = 4; // also elements of a round of memcpy's loop
// Loads, operations and stores of 4 elements; additions for pointers and counter; the branch.
constexpr Kernel kernels[] = {{"copy", 1, 4 + 4 + 3 + 1},
                              {"scale", 1, 4 + 4 + 4 + 3 + 1},
                              {"add", 2, 8 + 4 + 4 + 4 + 1},
                              {"triad", 2, 8 + 4 + 4 + 4 + 1}};
constexpr double copy_instructions = 4 + 4 + 3 + 1; // of a round of memcpy's loop
constexpr size_t element_bytes = 8;

struct PlaceOfArrays {
    const char *name, *text;
    int idle; // threads that do not compute
};
constexpr PlaceOfArrays places_of_arrays[] = {
    {"own", "each thread's memory", 0}, {"core", "the first core's memory", 1}, {"external", "external memory", 0}};

constexpr double allowed = 0.2;           // allowed relative difference from the model
constexpr double allowed_of_openmp = 300; // cycles of a region with four threads
constexpr int cores_of_paper = 4;

// Returns the model's cycles for an element.
double model(const ChipFigures &f, const PlaceOfArrays &place, const Kernel &kernel, int threads) {
    const double lost = f.input("core.taken_branch_cycles") - 1;
    const double loop = (kernel.instructions + lost) / unrolled;
    if (std::string_view(place.name) == "own") return loop;
    const double one_way = f.input("network.crossbar.one_way_cycles"), turn = f.input("network.crossbar.turn_cycles");
    const double copy = (copy_instructions + lost) / unrolled; // of an element between two buffers of the own memory
    double load = 1 + 2 * one_way, load_service = turn;
    double store_service = turn / unrolled; // the stores of a round arrive together, in one turn
    if (std::string_view(place.name) == "external") {
        load += f.input("link.outward_cycles") + f.input("link.memory_cycles");
        load_service = std::max(f.input("link.inward_cycles"), f.input("link.outward_cycles"));
        store_service = f.input("link.burst_cycles");
    }
    return kernel.operands * (std::max(load, threads * load_service) + copy - 1) + loop +
           std::max(copy, threads * store_service);
}

} // namespace

std::string stream_text(const ChipFigures &f, int cores) {
    std::vector<std::vector<std::string>> rows;
    double most = 0, openmp = 0;
    for (const PlaceOfArrays &place : places_of_arrays) {
        const int threads = cores - place.idle;
        for (const Kernel &kernel : kernels) {
            const std::string name = fmt::format("{}_{}", place.name, kernel.name);
            const double cycles = f.mean("stream_" + name, threads, 0), region = f.mean("region_" + name, threads, 0);
            const double modelled = model(f, place, kernel, threads);
            const double bytes = static_cast<double>(element_bytes) * (kernel.operands + 1) * threads;
            most = std::max(most, std::abs(cycles / modelled - 1));
            openmp = std::max(openmp, region);
            rows.push_back({place.text, kernel.name, std::to_string(threads), fmt::format("{:.1f}", cycles),
                            fmt::format("{:.1f}", modelled), fmt::format("{:.2f}", cycles / modelled),
                            fmt::format("{:.0f}", bytes * f.megahertz / cycles), fmt::format("{:.0f}", region)});
        }
    }
    std::string text = fmt::format(
        "STREAM in OpenMP: cycles of a thread for an element of 8 bytes, and of the region around it. The model "
        "counts "
        "the loop's instructions, loads and stores in other memories, and the turns of threads there:\n\n{}",
        markdown({"arrays in", "kernel", "threads", "cycles", "model", "ratio", "MB/s, all", "OpenMP, cycles"}, rows));
    text += fmt::format("At most {:.0f} % off the model: {} (at most {:.0f} %).\n", 100 * most,
                        most <= allowed ? "holds" : "does not hold", 100 * allowed);
    if (cores == cores_of_paper)
        text += fmt::format("OpenMP adds at most {:.0f} cycles: {} (at most {:.0f}).\n", openmp,
                            openmp <= allowed_of_openmp ? "holds" : "does not hold", allowed_of_openmp);
    return text;
}

} // namespace skerry::bench
