// SPDX-License-Identifier: BSD-3-Clause
// Records how cores end, and decides when and with which exit code a run is over.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "chip/address_map.hpp"

namespace skerry::sim {

// `nodes`: a mistake with the networks between clusters, which MppaNodes::failure() describes.
enum class EndKind : std::uint8_t { exited, stopped, deadlock, polling, max_cycles, interrupted, observer, nodes };

struct Ending {
    EndKind kind = EndKind::exited;
    int status = 0;         // exit code of the run, as Exits::over() determines it
    std::uint32_t core = 0; // index of the core that stopped or failed, or at which an observer ended the run
};

class Exits {
  public:
    explicit Exits(std::uint32_t cores) : statuses_(cores) {
    }
    // If `yes`, the run ends as soon as one core has an exit code other than 0. This is the rule for OpenSHMEM jobs, in
    // which each core is a PE.
    void end_all_with_one(bool yes) {
        one_ends_all_ = yes;
    }
    void start(std::uint32_t cores) {
        started_ = cores;
    }
    // Forgets the core that has stopped without an exit, so that the other cores can run on. Called when a run
    // continues. The end of the previous run has reported this core.
    void resume() {
        broken_ = no_core;
    }
    // Records the exit code of a core. Must be followed by a call of stopped(), which counts the core as ended.
    void exited(std::uint32_t index, int status);
    void stopped(std::uint32_t index, const Stop &stop);

    // Returns how the run has ended, or nothing if the run is not over. `job_status` is the exit code of the core that
    // has ended the whole job, or empty if no core has done so.
    std::optional<Ending> over(const std::optional<int> &job_status) const {
        const bool continues = broken_ == no_core && !job_status && failed_ == no_core && exited_ < started_;
        return continues ? std::nullopt : std::optional(ending(job_status));
    }
    // Returns the index of the core that ended the run by an exit code other than 0. Returns no_core if no core did.
    std::uint32_t failed() const {
        return failed_;
    }

  private:
    Ending ending(const std::optional<int> &job_status) const;

    std::uint32_t started_ = 0;
    std::uint32_t exited_ = 0;
    std::uint32_t broken_ = no_core; // index of a core that stopped without an exit
    std::uint32_t failed_ = no_core;
    bool one_ends_all_ = false;
    std::vector<int> statuses_;
};

} // namespace skerry::sim
