// SPDX-License-Identifier: BSD-3-Clause
// The way off the chip and back: eLink, bridge and external memory as one server. Transactions go out one after the
// other, in the order in which they left the mesh, at a given pace, and meet the memory then; replies come in some time
// later, at a pace of their own. What finds no place stays in the mesh, whose arbiters decide who is next.
#pragma once
#include <cstdint>
#include <deque>

#include "link/configuration.hpp"
#include "noc/network.hpp"

namespace skerry::sim {

// What stands behind the link.
class FarMemory {
  public:
    virtual ~FarMemory() = default;
    // One access, in the order of the link; what a read finds.
    virtual std::uint64_t access(std::uint64_t cycle, const Transaction &transaction) = 0;
};

struct LinkStatistics {
    std::uint64_t writes = 0;
    std::uint64_t bursts = 0; // writes at the pace of a burst
    std::uint64_t reads = 0;
    std::uint64_t refused = 0;      // offers for which there was no place
    std::uint64_t outward_busy = 0; // cycles
    std::uint64_t inward_busy = 0;
};

class Link final : public Sink {
  public:
    Link(const LinkConfiguration &configuration, Network &network, Port edge, FarMemory &memory)
        : configuration_(configuration), network_(network), edge_(edge), memory_(memory) {
    }

    bool accept(std::uint64_t cycle, const Transaction &transaction) override;
    // The next cycle in which anything happens here, or never. Cycles between may be left out.
    std::uint64_t next_at() const {
        return next_at_;
    }
    void step(std::uint64_t cycle);

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
    std::deque<Transaction> outward_; // the first one is under way
    std::deque<Reply> inward_;
    std::uint64_t out_at_ = never;  // when the first of outward_ is out
    std::uint64_t inward_free_ = 0; // from when on a reply may come in
    std::uint64_t next_at_ = never;
    unsigned writes_ = 0; // in outward_
    unsigned reads_ = 0;  // not yet answered
    Transaction last_;    // that went out
    LinkStatistics statistics_;
};

} // namespace skerry::sim
