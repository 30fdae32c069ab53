// SPDX-License-Identifier: BSD-3-Clause
// Has a race detector for each memory that cores share. On a machine with clusters this is one for each program that runs
// on a cluster: the cores of different clusters share no memory, so only the cores of one cluster race. A cluster whose
// program ends and on which another one starts gets a new detector.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "chip/observer.hpp"
#include "race/race_detector.hpp"

namespace skerry::sim {

class RaceDetectors final : public Observer {
  public:
    // Returns an empty string if this program can be checked on this machine. If not, returns the reason.
    static std::string refusal(const Machine &machine, const ElfImage &image);

    // refusal() must have returned an empty string. `image` is the job's first program.
    RaceDetectors(Chip &chip, const ElfImage &image);

    bool before(std::uint32_t index, Core &core, std::uint64_t cycle) override {
        return current_[cluster_of(index)]->detector.before(index, core, cycle);
    }
    void sent(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void landed(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void program_starts(std::uint32_t index, Core &core, std::uint64_t cycle, const StartedProgram &program) override;
    void written(std::uint32_t cluster, std::uint32_t address, std::uint32_t bytes) override {
        current_[cluster]->detector.written(address, bytes);
    }

    // A detector, and the program that it has checked.
    struct One {
        RaceDetector detector;
        const ElfImage &image;
        std::string program; // name; empty: the job's first program
    };
    const std::vector<std::unique_ptr<One>> &all() const {
        return all_;
    }
    // Returns true if one of them has found a race.
    bool any() const;

  private:
    std::uint32_t cluster_of(std::uint32_t index) const {
        return chip_.machine().cluster_of(index);
    }
    void add(std::uint32_t cluster, const ElfImage &image, const std::string &program);

    Chip &chip_;
    std::vector<std::unique_ptr<One>> all_; // in the order of their begin
    std::vector<One *> current_;            // by cluster
};

} // namespace skerry::sim
