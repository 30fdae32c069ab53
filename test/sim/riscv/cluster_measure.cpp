// SPDX-License-Identifier: BSD-3-Clause
// Prints how many instructions a second are simulated on 16 clusters of 17 cores: with all cores busy, and with one or two
// busy cores, where the others must cost nothing. It is no test.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "chip/machine_file.hpp"
#include "machine.hpp"

using namespace skerry::sim;

namespace {

Machine sixteen_clusters() {
    Machine m;
    const std::string error =
        parse_machine("name = \"clusters\"\nbased_on = \"mppa-cluster\"\n[chip]\nrows = 16\n", "", m);
    if (!error.empty()) std::printf("%s\n", error.c_str());
    return m;
}

// Runs a loop of loads, stores and arithmetic on these cores. No other core runs.
void measure(const char *name, const std::vector<std::uint32_t> &busy, std::uint32_t rounds) {
    Bench s(sixteen_clusters());
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
    const auto begin = std::chrono::steady_clock::now();
    for (const std::uint32_t k : busy) {
        while (s.at(k).active()) s.chip.run();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%-4s %6.1f million instructions/s\n", name,
                static_cast<double>(s.chip.instructions()) / took.count() / 1e6);
}

} // namespace

int main() {
    std::vector<std::uint32_t> all(sixteen_clusters().cores());
    std::iota(all.begin(), all.end(), 0);
    measure("all", all, 20'000);
    measure("one", {0}, 3'000'000);
    measure("two", {0, 17}, 1'000'000);
    return 0;
}
