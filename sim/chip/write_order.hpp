// SPDX-License-Identifier: BSD-3-Clause
// Reads do not pass writes: "read packets cannot overtake write packets" (S2). Requests and writes travel on different
// meshes, so nothing in these gives that order when the write mesh is full. How the chip does it is not in S2; here a
// request says how many writes its core and its DMA had sent to the same place before, and waits there for the last of
// them. Writes from one source to one place stay in order, so counting is enough. Counts have 16 bits and wrap round in
// less than a millisecond of simulated time; only their difference is looked at, which is what the network holds. A
// machine's reads_wait_for_writes switches this off.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skerry::sim {

class WriteOrder {
  public:
    // Places are the nodes and, behind them, the link.
    explicit WriteOrder(unsigned nodes) : places_(nodes + 1), pairs_(std::size_t{nodes} * places_) {
    }
    void sent(unsigned source, unsigned place) {
        at(source, place).sent++;
    }
    void arrived(unsigned source, unsigned place) {
        at(source, place).arrived++;
    }
    // What a request of now must carry, and whether the writes before it have arrived.
    std::uint16_t mark(unsigned source, unsigned place) const {
        return at(source, place).sent;
    }
    bool reached(unsigned source, unsigned place, std::uint16_t mark) const {
        const auto ahead = static_cast<std::uint16_t>(at(source, place).arrived - mark);
        return ahead < half; // the network holds far fewer than half
    }

  private:
    static constexpr std::uint16_t half = 0x8000;
    struct Pair {
        std::uint16_t sent = 0;
        std::uint16_t arrived = 0;
    };
    Pair &at(unsigned source, unsigned place) {
        return pairs_[std::size_t{source} * places_ + place];
    }
    const Pair &at(unsigned source, unsigned place) const {
        return pairs_[std::size_t{source} * places_ + place];
    }

    std::size_t places_;
    std::vector<Pair> pairs_;
};

} // namespace skerry::sim
