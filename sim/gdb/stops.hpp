// SPDX-License-Identifier: BSD-3-Clause
// Where a run shall be looked at: breakpoints, watchpoints, single steps. Nothing is written into the program: before
// each instruction its address is looked up, and where a load or store will go is computed from its registers.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "chip/chip.hpp"

namespace skerry::sim {

enum class StopReason : std::uint8_t { breakpoint, step, write, read, access };

struct Hit {
    std::uint32_t core;
    StopReason reason;
    std::uint32_t address; // of the instruction, or of what was watched
};

// Addresses below 1 MB mean that place in every core.
class Stops final : public Observer {
  public:
    // `on_hit` says whether the run goes on.
    Stops(Chip &chip, std::function<bool(const Hit &)> on_hit);

    // Each may be there several times.
    void add_breakpoint(std::uint32_t address);
    void remove_breakpoint(std::uint32_t address);
    void add_watchpoint(StopReason kind, std::uint32_t address, std::uint32_t size);
    void remove_watchpoint(StopReason kind, std::uint32_t address, std::uint32_t size);
    void clear();
    // Each of these cores stops behind its next instruction. The others go on: there is one time for all of them.
    void step(const std::vector<std::uint32_t> &cores);
    // To be called before a run goes on, when any of this has changed in between.
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
        bool operator==(const Watchpoint &) const = default;
    };
    struct Touch { // what an instruction will do if it is executed
        std::uint32_t address;
        std::uint32_t size;
        bool reads;
        bool writes;
    };
    struct Followed {
        std::uint64_t instructions = ~std::uint64_t{0}; // when it was looked at last
        std::uint32_t pc = 0;
        std::vector<Touch> touches; // of the one or two instructions that come next
    };
    std::optional<Hit> watched(std::uint32_t index, const Followed &f, std::uint64_t executed) const;
    void foresee(std::uint32_t index, Core &core);
    std::optional<Touch> touch_of(const Core &core, const Instruction &i) const;
    std::optional<Instruction> instruction_at(const Core &core, std::uint32_t pc);

    Chip &chip_;
    std::function<bool(const Hit &)> on_hit_;
    std::map<std::uint32_t, unsigned> breakpoints_; // how often
    std::vector<Watchpoint> watchpoints_;
    std::vector<Followed> cores_;
    bool stopping_ = false;
    std::unordered_map<std::uint32_t, std::uint64_t> steps_; // core: its instructions before
};

} // namespace skerry::sim
