// SPDX-License-Identifier: BSD-3-Clause
// Implements breakpoints, watchpoints and single steps without a change of the program. Before each instruction of a
// core the class Stops compares the instruction's address with the breakpoints. If there are watchpoints, the class
// computes the address of each load or store from the core's registers.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "chip/chip.hpp"

namespace skerry::sim {

enum class StopReason : std::uint8_t { breakpoint, step, write, read, access };

// A breakpoint, watchpoint or step that stops the run.
struct Hit {
    std::uint32_t core;
    StopReason reason;
    std::uint32_t address; // address of the instruction (breakpoint, step) or of the watchpoint
};

// The breakpoints, watchpoints and steps of a run. An address below 1 MB is an offset in a core's memory; its
// breakpoint or watchpoint applies to every core.
class Stops final : public Observer {
  public:
    static constexpr std::uint32_t every_group = 0;

    // `on_hit` is called for each hit and returns true if the run continues.
    Stops(Chip &chip, std::function<bool(const Hit &)> on_hit);

    // Sets the number (1, 2, ...) of each core's group. Cores of different groups can execute different programs.
    void set_groups(std::vector<std::uint32_t> groups) {
        groups_ = std::move(groups);
    }
    std::uint32_t group_of(std::uint32_t index) const {
        return groups_.empty() ? every_group : groups_[index];
    }
    // A breakpoint or watchpoint can be added several times. A breakpoint or watchpoint stays until it was removed the
    // same number of times.
    // In a run with groups of cores it applies to one group, or to every_group.
    void add_breakpoint(std::uint32_t address, std::uint32_t group = every_group);
    void remove_breakpoint(std::uint32_t address, std::uint32_t group = every_group);
    void add_watchpoint(StopReason kind, std::uint32_t address, std::uint32_t size, std::uint32_t group = every_group);
    void remove_watchpoint(StopReason kind, std::uint32_t address, std::uint32_t size,
                           std::uint32_t group = every_group);
    void clear();
    void clear_group(std::uint32_t group); // removes the breakpoints and watchpoints of one group
    // Makes each of these cores stop after its next instruction. The other cores run in the same cycles, because all
    // cores share one clock.
    void step(const std::vector<std::uint32_t> &cores);
    // Prepares the next run. Must be called before a run continues after a breakpoint or watchpoint was added or
    // removed, and after a call of step().
    void resume();

    bool before(std::uint32_t index, Core &core, std::uint64_t cycle) override;
    void sent(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void landed(std::uint64_t, std::uint32_t, const Transaction &) override {
    }

  private:
    struct Watchpoint {
        StopReason kind;
        std::uint32_t address;
        std::uint32_t size;
        std::uint32_t group;
        bool operator==(const Watchpoint &) const = default;
    };
    struct Followed {
        std::uint64_t instructions = ~std::uint64_t{0}; // instructions that the core had executed at the last call
        std::uint32_t pc = 0;
        std::vector<Touch> touches; // accesses of the next two instructions, which can issue in the same cycle
    };
    std::optional<Hit> watched(std::uint32_t index, const Followed &f, std::uint64_t executed) const;
    void foresee(std::uint32_t index, Core &core);
    static Touch touch_of(const Core &core, std::uint32_t bits);
    std::optional<std::uint32_t> instruction_at(const Core &core, std::uint32_t pc);

    bool has_breakpoint(std::uint32_t index, std::uint32_t address) const;

    Chip &chip_;
    std::function<bool(const Hit &)> on_hit_;
    // By address and group: how often the breakpoint was added and not removed.
    std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> breakpoints_;
    std::vector<Watchpoint> watchpoints_;
    std::vector<Followed> cores_;
    std::vector<std::uint32_t> groups_; // by core; empty if there are no groups
    bool stopping_ = false;
    std::unordered_map<std::uint32_t, std::uint64_t> steps_; // by core: instructions executed before the step
};

// Returns a group for each PE: by core, the number of its PE plus 1. A core that belongs to no PE is in group 1.
std::vector<std::uint32_t> groups_of_pes(const Chip &chip);

} // namespace skerry::sim
