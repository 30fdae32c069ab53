// SPDX-License-Identifier: BSD-3-Clause
// Makes sure that a read does not overtake an earlier write: "read packets cannot overtake write packets" (Coduin
// 2016). Read requests and writes travel on different meshes (networks) of the chip. A request could arrive before an
// earlier write if the write mesh is full. The source does not say how the chip prevents this.
//
// How this simulator prevents it:
// * A request carries the number of writes that its core and its DMA have sent to the same destination before.
// * The request waits at the destination until this number of writes has arrived.
// * Counting is enough, because writes from one source to one destination stay in order.
// * If a machine has reads_wait_for_writes = false, its reads do not wait.
//
// Counts have 16 bits, so they become 0 again after less than a millisecond of simulated time. This does no harm,
// because only the difference of two counts is used. The difference is at most the number of writes that the network
// holds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace skerry::sim {

class WriteOrder {
  public:
    // Writes are counted for each pair of a source (a node) and a destination. The destinations are the nodes and the
    // link to external memory, which has the last number.
    explicit WriteOrder(unsigned nodes) : places_(nodes + 1), pairs_(std::size_t{nodes} * places_) {
    }
    void sent(unsigned source, unsigned place) {
        at(source, place).sent++;
    }
    void arrived(unsigned source, unsigned place) {
        at(source, place).arrived++;
    }
    // Returns the mark that a request sent now must carry: the number of writes that this source has sent to this place
    // so far.
    std::uint16_t mark(unsigned source, unsigned place) const {
        return at(source, place).sent;
    }
    // Returns true if all writes that were sent before the request with this mark have arrived.
    bool reached(unsigned source, unsigned place, std::uint16_t mark) const {
        const auto ahead = static_cast<std::uint16_t>(at(source, place).arrived - mark);
        return ahead < half; // correct, because the network holds far fewer writes than `half`
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
