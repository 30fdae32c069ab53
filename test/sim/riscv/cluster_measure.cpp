// SPDX-License-Identifier: BSD-3-Clause
// Prints how many instructions a second are simulated on the machine mppa, 16 clusters of 17 cores with networks between
// them: with all cores busy, and with one or two busy cores, where the others must cost nothing; each without packets, and
// while each cluster sends to its neighbour without a pause. The time is the processor's, so other programs that run at the
// same time change it little. It is no test.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "chip/machine_file.hpp"
#include "machine.hpp"
#include "mppa_dma/programs.hpp"

using namespace skerry::sim;

namespace {

constexpr std::uint32_t clusters = 16;
constexpr std::uint32_t cluster_cores = 17;

// Sends half of each cluster's memory to the other half of the next cluster's, eight times.
void send_everywhere(Chip &chip) {
    constexpr std::uint32_t bytes = 0x80000;
    const dnoc::Torus torus(chip.machine().data_network);
    for (std::uint32_t node = 0; node < clusters; node++) {
        MppaDma &dma = chip.nodes().dma(node);
        const auto set = [&](std::uint32_t offset, std::uint64_t value, unsigned size = 4) {
            dma.store(0, offset, size, value, 0);
        };
        set(mppa::tags_base + mppa::tag_address, shared_base + 0x100000);
        set(mppa::tags_base + mppa::tag_size, bytes);
        set(mppa::headers_base + mppa::header_route, *torus.route(node, node / 4 * 4 + (node + 1) % 4));
        set(mppa::headers_base + mppa::header_target, mppa::header_valid);
        for (std::uint32_t k = 0; k < programs::linear.size(); k++) {
            set(mppa::program_base + 8 * k, mppa::encode(programs::linear[k]), 8);
        }
        set(mppa::parameters_base, shared_base + 0x80000);
        set(mppa::parameters_base + 4, bytes / 8);
        for (std::uint32_t k = 0; k < 8; k++) set(mppa::micro_start, 0);
    }
}

// Runs a loop of loads, stores and arithmetic on these cores, and packets if `sends`. No other core runs.
void measure(const char *name, const std::vector<std::uint32_t> &busy, std::uint32_t rounds, bool sends) {
    Bench s(find_machine("mppa").value());
    if (sends) send_everywhere(s.chip);
    for (const std::uint32_t k : busy) {
        const Place place = s.at(k).shared_place(shared_base);
        std::uint32_t to = place.offset;
        for (const std::uint32_t bits :
             {lw(5, 8), addi(5, 5, 1), mul(7, 5, 6), sw(5, 8), add(7, 7, 5), addi(6, 6, -1), bne(6, 0, -24), ebreak}) {
            place.memory->write(std::exchange(to, to + 4), bits);
        }
        s.at(k).state.x[6] = rounds;
        s.at(k).state.x[8] = words + 8 * (k % s.chip.machine().cluster.cores);
    }
    s.chip.place(busy);
    s.chip.start(static_cast<std::uint32_t>(busy.size()), shared_base);
    const std::clock_t begin = std::clock();
    for (const std::uint32_t k : busy) {
        while (s.at(k).active()) s.chip.run();
    }
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::uint64_t packets = 0;
    for (std::uint32_t node = 0; node < clusters; node++) packets += s.chip.nodes().dma(node).counters().packets_sent;
    std::printf("%-4s %6.1f million instructions/s, %5.2f million cycles/s, %4.1f packets of 100 cycles\n", name,
                static_cast<double>(s.chip.instructions()) / took / 1e6, static_cast<double>(s.chip.now()) / took / 1e6,
                100 * static_cast<double>(packets) / static_cast<double>(s.chip.now()));
}

} // namespace

int main() {
    std::vector<std::uint32_t> all(clusters * cluster_cores);
    std::iota(all.begin(), all.end(), 0);
    for (const bool sends : {false, true}) {
        measure("all", all, 20'000, sends);
        measure("one", {0}, sends ? 100'000 : 3'000'000, sends);
        measure("two", {0, cluster_cores}, sends ? 100'000 : 1'000'000, sends);
    }
    return 0;
}
