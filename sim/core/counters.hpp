// SPDX-License-Identifier: BSD-3-Clause
// Where a core's cycles went. Each cycle is counted once: an instruction issued (perhaps two), the core waited for
// one cause, or it was idle; so the causes add up to the cycles the core has run.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace skerry::sim {

enum class Stall : std::uint8_t {
    registers,    // a result that is not there yet
    branch,       // refilling behind a taken branch
    local_fetch,  // the bank of the next instruction was taken, or it spans two fetches
    local_data,   // the bank of a load or store was taken
    remote_fetch, // an instruction from outside this core's memory
    remote_load,  // the answer to a load or TESTSET
    network,      // the network did not take a request
    interrupt,    // entering a handler
    system,       // the host serves a trap
};
constexpr unsigned stall_count = 9;
constexpr std::array<std::string_view, stall_count> stall_names = {"registers",  "branch",       "local fetch",
                                                                   "local data", "remote fetch", "remote load",
                                                                   "network",    "interrupt",    "system"};

struct Counters {
    std::uint64_t integer_side = 0; // instructions issued other than floating ones
    std::uint64_t floating = 0;
    std::uint64_t dual = 0; // cycles with two
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
