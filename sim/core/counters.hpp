// SPDX-License-Identifier: BSD-3-Clause
// Counts how a core has spent its cycles. Each cycle is counted once: as a cycle in which one or two instructions
// issued, as a cycle of a wait with one cause, or as an idle cycle. Therefore the sum of the counters is the number of
// cycles that the core has run.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace skerry::sim {

enum class Stall : std::uint8_t {
    registers,    // an operand was not ready yet
    branch,       // the pipeline refilled after a taken branch
    local_fetch,  // the bank of the next instruction was busy, or the instruction spans two fetches
    local_data,   // the bank of a load or store was busy
    remote_fetch, // an instruction came from outside this core's memory
    remote_load,  // the answer to a load or TESTSET was on its way
    network,      // the network had no place for an access, or a device could not accept a write
    interrupt,    // the core entered an interrupt handler
    system,       // the host handled a trap
};
constexpr unsigned stall_count = 9;
constexpr std::array<std::string_view, stall_count> stall_names = {"registers",  "branch",       "local fetch",
                                                                   "local data", "remote fetch", "remote load",
                                                                   "network",    "interrupt",    "system"};

struct Counters {
    std::uint64_t integer_side = 0; // number of instructions issued that are not the FPU's
    std::uint64_t floating = 0;     // number of the FPU's instructions issued
    std::uint64_t dual = 0;         // cycles in which two instructions issued
    std::uint64_t idle = 0;
    std::array<std::uint64_t, stall_count> stalls{};

    std::uint64_t &operator[](Stall cause) {
        return stalls[static_cast<unsigned>(cause)];
    }
    std::uint64_t operator[](Stall cause) const {
        return stalls[static_cast<unsigned>(cause)];
    }
    std::uint64_t instructions() const {
        return integer_side + floating;
    }
    std::uint64_t issue_cycles() const {
        return integer_side + floating - dual;
    }
    std::uint64_t cycles() const {
        std::uint64_t sum = issue_cycles() + idle;
        for (const std::uint64_t stall : stalls) sum += stall;
        return sum;
    }
};

} // namespace skerry::sim
