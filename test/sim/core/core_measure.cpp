// SPDX-License-Identifier: BSD-3-Clause
// Prints how many instructions a second are simulated with all timing: one core, and sixteen that run at once. The
// argument divides the number of rounds, for a run under valgrind --tool=cachegrind: the instructions of the host vary
// less than the time.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "fixture.hpp"

using namespace skerry::sim;

namespace {

// SUB and BNE at the end count r0 down; the loops are those of test/sim/epiphany/isa/isa_measure.cpp.
struct Loop {
    const char *name;
    std::vector<std::uint16_t> code;
};
const Loop loops[] = {
    {"integer", {0x299a, 0x460a, 0x8476, 0x6d7a, 0xb34a, 0x00b3, 0xfa10, 0x01c2}},
    {"fmadd", {0x12bf, 0x4907, 0x333f, 0x4907, 0x53bf, 0x4907, 0x703f, 0x4987, 0x208f, 0x6907, 0x00b3, 0xf510, 0x01c2}},
    {"dot", {0x04ec, 0x4000, 0x813f, 0x4907, 0x496c, 0x4000, 0xa5bf, 0x4907, 0x00b3, 0xf710, 0x01c2}},
};

void measure(const Loop &loop, std::uint32_t cores, std::uint32_t rounds) {
    Chip chip(*find_machine("epiphany-iii"));
    for (std::uint32_t k = 0; k < cores; k++) {
        for (std::size_t at = 0; at < loop.code.size(); at++) {
            chip.core(k).memory.write(code_base + 2 * static_cast<std::uint32_t>(at), loop.code[at]);
        }
        auto &r = epiphany(chip, k).state.r;
        for (std::uint32_t n = 16; n < 32; n++) r[n] = 0x3f800000 + n;
        r[0] = rounds;
        r[1] = r[2] = data_base;
        r[8] = data_base;
    }
    chip.start(cores, code_base);
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t k = 0; k < cores; k++) {
        while (chip.core(k).active()) chip.run();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::uint64_t instructions = 0;
    for (std::uint32_t k = 0; k < cores; k++) instructions += chip.core(k).counters.instructions();
    const Counters &c = chip.core(0).counters;
    std::printf("%-8s %5u %10.1f %8.2f\n", loop.name, cores, static_cast<double>(instructions) / took.count() / 1e6,
                static_cast<double>(c.instructions()) / static_cast<double>(c.cycles()));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
    const std::uint32_t divisor = argc > 1 ? static_cast<std::uint32_t>(std::max(std::atoi(argv[1]), 1)) : 1;
    std::printf("loop     cores  million/s  a cycle\n");
    for (const Loop &loop : loops) measure(loop, 1, 3'000'000 / divisor);
    for (const Loop &loop : loops) measure(loop, 16, 200'000 / divisor);
    return 0;
}
