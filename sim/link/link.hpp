// SPDX-License-Identifier: BSD-3-Clause
// Simulates the path between the chip and the external memory. The parts of this path (eLink, bridge and external
// memory) are simulated as one unit.
// * Transactions leave the chip at a configured interval, in the order in which they left the mesh (the on-chip
//   network). Then they access the memory.
// * The reply to a read returns after a configured latency. The interval between two replies is configured too.
// * A transaction for which the link has no place stays in the mesh. The arbiters of the mesh decide which transaction
//   is offered to the link next.
#pragma once
#include <cstdint>
#include <deque>

#include "link/configuration.hpp"
#include "noc/network.hpp"

namespace skerry::sim {

// The interface through which the link accesses the external memory.
class FarMemory {
  public:
    virtual ~FarMemory() = default;
    // Performs one access. The link calls this function in the order in which the transactions left the on-chip
    // network. Returns the value that a read finds; the link ignores the result of a write.
    virtual std::uint64_t access(std::uint64_t cycle, const Transaction &transaction) = 0;
};

struct LinkStatistics {
    std::uint64_t writes = 0;
    std::uint64_t bursts = 0; // number of writes that continued a burst
    std::uint64_t reads = 0;
    std::uint64_t refused = 0;      // number of offers that found no place
    std::uint64_t outward_busy = 0; // cycles in which the outward direction was in use
    std::uint64_t inward_busy = 0;  // cycles in which the inward direction was in use
};

class Link final : public Sink {
  public:
    Link(const LinkConfiguration &configuration, Network &network, Port edge, FarMemory &memory)
        : configuration_(configuration), network_(network), edge_(edge), memory_(memory) {
    }

    bool accept(std::uint64_t cycle, const Transaction &transaction) override;
    // Returns the next cycle in which the link acts, or never. step() need not be called for earlier cycles.
    std::uint64_t next_at() const {
        return next_at_;
    }
    void step(std::uint64_t cycle);
    bool holds_write() const {
        return writes_ != 0;
    }

    const LinkStatistics &statistics() const {
        return statistics_;
    }

  private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    struct Reply {
        std::uint64_t ready;
        Transaction transaction;
    };
    bool continues_burst(const Transaction &write) const;
    void begin_next(std::uint64_t cycle);
    void finish_outward(std::uint64_t cycle);
    void bring_in(std::uint64_t cycle);
    void schedule();

    LinkConfiguration configuration_;
    Network &network_;
    Port edge_;
    FarMemory &memory_;
    std::deque<Transaction> outward_; // transactions to send; the first one is under way
    std::deque<Reply> inward_;
    std::uint64_t out_at_ = never;  // cycle in which the first of outward_ will have left
    std::uint64_t inward_free_ = 0; // first cycle in which the next reply can enter the chip
    std::uint64_t next_at_ = never;
    unsigned writes_ = 0; // number of writes in outward_
    unsigned reads_ = 0;  // number of read requests not yet answered
    Transaction last_;    // the transaction that was sent last
    LinkStatistics statistics_;
};

} // namespace skerry::sim
