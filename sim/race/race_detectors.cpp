// SPDX-License-Identifier: BSD-3-Clause
#include "race/race_detectors.hpp"

#include <algorithm>

namespace skerry::sim {

std::string RaceDetectors::refusal(const Machine &machine, const ElfImage &image) {
    if (machine.kind != CoreKind::riscv) return machine.name + ": only machines with RISC-V cores can check for races";
    if (!RaceDetector::knows_code(image))
        return "the program was not linked by oshcc -fopenmp for this machine, so its own code is not known";
    return {};
}

RaceDetectors::RaceDetectors(Chip &chip, const ElfImage &image) : chip_(chip), current_(chip.machine().clusters()) {
    for (std::uint32_t cluster = 0; cluster < current_.size(); cluster++) add(cluster, image, {});
}

void RaceDetectors::add(std::uint32_t cluster, const ElfImage &image, const std::string &program) {
    const Machine &m = chip_.machine();
    const std::uint32_t cores = m.cluster.cores == 0 ? m.cores() : m.cluster.cores;
    all_.push_back(std::unique_ptr<One>(new One{RaceDetector(chip_, image, cluster * cores, cores), image, program}));
    current_[cluster] = all_.back().get();
}

// Called for each core of the PE. The simulator starts only programs that were linked for this machine.
void RaceDetectors::program_starts(std::uint32_t index, Core &, std::uint64_t, const StartedProgram &program) {
    const std::uint32_t cluster = cluster_of(index);
    if (index == cluster * chip_.machine().cluster.cores) add(cluster, *program.image, program.name);
}

bool RaceDetectors::any() const {
    return std::ranges::any_of(all_, [](const auto &one) { return !one->detector.races().empty(); });
}

} // namespace skerry::sim
