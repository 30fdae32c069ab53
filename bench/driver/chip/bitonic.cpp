// SPDX-License-Identifier: BSD-3-Clause
// Prints the speed-ups of bitonic sort in OpenMP (bench/chip/bitonic.c), as figure 4 of Tendulkar et al. (2011) does.
#include "chip/chip.hpp"

#include "report/report.hpp"

#include <fmt/format.h>

namespace skerry::bench {

namespace {

constexpr unsigned least = 128, most = 4096; // integers
constexpr unsigned least_that_must = 512;    // from here on, more cores must be faster

std::string name_of(unsigned count) {
    return fmt::format("bitonic_{}", count);
}

} // namespace

std::string bitonic_text(const ChipFigures &f, const std::vector<int> &cores) {
    std::vector<std::string> head{"integers", "alone, cycles"};
    for (const int n : cores) head.push_back(fmt::format("{} core{}", n, n == 1 ? "" : "s"));
    std::vector<std::vector<std::string>> rows;
    bool speeds_up = true;
    for (unsigned count = least; count <= most; count *= 2) {
        const double alone = f.mean(fmt::format("bitonic_alone_{}", count), 1, 0);
        rows.push_back({std::to_string(count), fmt::format("{:.0f}", alone)});
        double before = 0;
        for (const int n : cores) {
            const double speedup = alone / f.mean(name_of(count), n, 0);
            rows.back().push_back(fmt::format("{:.2f}", speedup));
            if (count >= least_that_must && !(speedup > before)) speeds_up = false;
            before = speedup;
        }
    }
    return fmt::format("\nBitonic sort in OpenMP: the cycles of one core without OpenMP, and the speed-ups. The "
                       "paper's figure 4 has curves "
                       "without numbers for 2 and 4 cores; its text says that the speed-up is \"satisfactory (though "
                       "not perfect)\" and "
                       "\"saturates relatively fast\" with the number of integers:\n\n{}Faster with more cores at "
                       "every size from {} on: "
                       "{}.\n",
                       markdown(head, rows), least_that_must, speeds_up ? "holds" : "does not hold");
}

} // namespace skerry::bench
