// SPDX-License-Identifier: BSD-3-Clause
// Compares the measured kernels of STREAM in OpenMP (bench/chip/stream.c) with a model of the machine, as Tendulkar et
// al. (2011) did.
//
// The model computes how long one of several equal threads takes, in cycles:
// * The loop of the kernel takes one cycle for each instruction, and the cycles that a taken branch loses. If the network
//   moves words meanwhile, each of them delays the core by a cycle with the probability that the core loads or stores in this
//   cycle, because all buffers are in one bank of the memory.
// * A copy of a chunk takes the time to start it and the way of its words, and then one cycle for each word of each thread,
//   because all threads move words of the same memory. The last words of a put are acknowledged.
// * A thread that moves and computes in turn waits for each copy. A thread with several buffers begins the next chunk's
//   copies before it computes with a chunk; the network moves its chunks one after the other.
// * The instructions that begin and await the copies of a chunk take a number of cycles that depends on the method. These
//   numbers were measured on a machine whose network takes no time.
// * Arrays in external memory: the link moves the requests and words of all threads one after the other. This takes longer
//   than all else.
#include "chip/chip.hpp"

#include "report/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace skerry::bench {

namespace {

struct Kernel {
    const char *name;
    int operands;
    double instructions; // of a round of the loop, which computes `unrolled` elements
};
constexpr double unrolled = 4;
// Loads, operations and stores of 4 elements; additions for pointers and counter; the branch.
constexpr Kernel kernels[] = {{"copy", 1, 4 + 4 + 3 + 1},
                              {"scale", 1, 4 + 4 + 4 + 3 + 1},
                              {"add", 2, 8 + 4 + 4 + 4 + 1},
                              {"triad", 2, 8 + 4 + 4 + 4 + 1}};
constexpr double element_bytes = 8;

// How a thread moves arrays of another memory (bench/chip/stream.c). The cycles are those of the instructions besides the
// kernel, for each array and chunk, and for each array at the begin.
struct Method {
    const char *name, *text;
    double elements; // of a chunk
    bool overlaps;   // the network moves other chunks while the thread computes
    double chunk_cycles, begin_cycles;
};
constexpr Method methods[] = {{"single", "skerry_omp.h, in turn", 112, false, 70, 0},
                              {"hand", "by hand, in turn", 112, false, 12, 0},
                              {"chunks", "skerry_omp.h, chunks", 56, true, 150, 200},
                              {"triple", "by hand, three buffers", 36, true, 25, 0}};

constexpr double elements_of_core = 720; // of each array in the first core's memory, for all threads together

constexpr double allowed = 0.2;           // allowed relative difference from the model
constexpr double allowed_of_openmp = 300; // cycles of a region with four threads
constexpr int cores_of_paper = 4;

double loop_of(const ChipFigures &f, const Kernel &kernel) {
    return (kernel.instructions + f.input("core.taken_branch_cycles") - 1) / unrolled;
}

// Returns the model's cycles of a thread for an element of arrays in the first core's memory.
double model_of_core(const ChipFigures &f, const Kernel &kernel, const Method &method, int threads) {
    const double start = f.input("events.initiate_cycles"), one_way = f.input("network.crossbar.one_way_cycles");
    const double software = method.chunk_cycles * (kernel.operands + 1), elements = elements_of_core / threads;
    const double words = kernel.operands + 1; // that are loaded or stored, and moved, for an element
    double loop = loop_of(f, kernel);
    if (method.overlaps) loop += words * std::min(1.0, words / loop);
    const auto get = [&](double count) { return start + 2 * one_way + threads * kernel.operands * count; };
    // Times at which the operands of a chunk have arrived, the thread has computed it, and its results have arrived.
    double arrived = method.begin_cycles * (kernel.operands + 1) + get(std::min(elements, method.elements));
    double computed = 0, put = 0;
    for (double first = 0; first < elements; first += method.elements) {
        const double count = std::min(method.elements, elements - first);
        const double next = std::min(method.elements, elements - first - count);
        if (!method.overlaps && first > 0) arrived = put + f.input("rdma.acknowledge_cycles") + get(count);
        const double begun = std::max(computed + software, arrived);
        computed = begun + loop * count + (method.overlaps ? 0 : software);
        arrived = std::max(arrived + threads * kernel.operands * next, begun + get(next));
        put = std::max(put, computed + start + one_way) + threads * count;
    }
    return (put + f.input("rdma.acknowledge_cycles")) / elements;
}

// Returns the same of arrays in external memory.
double model_of_external(const ChipFigures &f, const Kernel &kernel, int threads) {
    const double outward = (kernel.operands + 1) * f.input("link.outward_cycles");
    return threads * std::max(outward, kernel.operands * f.input("link.inward_cycles"));
}

struct Measured {
    std::string place, name, method; // `place` and `method` as texts
    const Kernel *kernel;
    int threads;
    double modelled;
};

std::vector<Measured> rows_of(const ChipFigures &f, int cores) {
    std::vector<Measured> rows;
    for (const Kernel &k : kernels)
        rows.push_back({"each thread's memory", fmt::format("own_{}", k.name), "not moved", &k, cores, loop_of(f, k)});
    for (const Method &m : methods)
        for (const Kernel &k : kernels)
            rows.push_back({"the first core's memory", fmt::format("core_{}_{}", m.name, k.name), m.text, &k, cores - 1,
                            model_of_core(f, k, m, cores - 1)});
    for (const Method &m : methods)
        for (const Kernel &k : kernels)
            if (m.overlaps)
                rows.push_back({"external memory", fmt::format("external_{}_{}", m.name, k.name), m.text, &k, cores,
                                model_of_external(f, k, cores)});
    return rows;
}

// Returns true if each kernel over the first core's memory is faster with the method `fast` than with `slow`.
bool is_faster(const ChipFigures &f, std::string_view fast, std::string_view slow, int threads) {
    return std::ranges::all_of(kernels, [&](const Kernel &k) {
        return f.mean(fmt::format("stream_core_{}_{}", fast, k.name), threads, 0) <
               f.mean(fmt::format("stream_core_{}_{}", slow, k.name), threads, 0);
    });
}

std::string verdict(bool holds) {
    return holds ? "holds" : "does not hold";
}

} // namespace

std::string stream_text(const ChipFigures &f, int cores) {
    std::vector<std::vector<std::string>> table;
    double most = 0, openmp = 0;
    for (const Measured &row : rows_of(f, cores)) {
        const double cycles = f.mean("stream_" + row.name, row.threads, 0);
        const double region = f.mean("region_" + row.name, row.threads, 0);
        const double bytes = element_bytes * (row.kernel->operands + 1) * row.threads;
        most = std::max(most, std::abs(cycles / row.modelled - 1));
        openmp = std::max(openmp, region);
        table.push_back({row.place, row.kernel->name, row.method, std::to_string(row.threads),
                         fmt::format("{:.1f}", cycles), fmt::format("{:.1f}", row.modelled),
                         fmt::format("{:.2f}", cycles / row.modelled),
                         fmt::format("{:.0f}", bytes * f.megahertz / cycles), fmt::format("{:.0f}", region)});
    }
    std::string text = fmt::format(
        "STREAM in OpenMP: cycles of a thread for an element of 8 bytes, and of the region around it. The paper's "
        "figure 3 has bandwidths of 3 cores over the memory of an idle core, as curves:\n\n{}",
        markdown(
            {"arrays in", "kernel", "moved by", "threads", "cycles", "model", "ratio", "MB/s, all", "OpenMP, cycles"},
            table));
    text += fmt::format("At most {:.0f} % off the model: {} (the paper: 5 to 20 %).\n", 100 * most,
                        verdict(most <= allowed));
    text += fmt::format("Three buffers are faster than to move and compute in turn: {}.\n",
                        verdict(is_faster(f, "triple", "hand", cores - 1)));
    if (cores == cores_of_paper)
        text += fmt::format("OpenMP adds at most {:.0f} cycles: {} (the paper: about {:.0f}).\n", openmp,
                            verdict(openmp <= allowed_of_openmp), allowed_of_openmp);
    return text;
}

} // namespace skerry::bench
