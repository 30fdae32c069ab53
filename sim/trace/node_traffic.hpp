// SPDX-License-Identifier: BSD-3-Clause
// Records the traffic between the nodes of an MPPA: transfers (the packets of one job of a micro-core, or packets that a
// core sends shortly one after the other), words of the control network, the load of each link and the bytes of each DDR
// memory over time. An observer; it records nothing on other machines.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "chip/chip.hpp"
#include "trace/message_log.hpp"
#include "trace/timeline.hpp"

namespace skerry::sim {

class NodeTraffic final : public Observer {
  public:
    explicit NodeTraffic(const Chip &chip);

    bool before(std::uint32_t, Core &, std::uint64_t) override {
        return true;
    }
    void sent(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void landed(std::uint64_t, std::uint32_t, const Transaction &) override {
    }
    void packet(std::uint64_t cycle, const PacketEvent &event) override;
    void link(const LinkUse &use) override;
    void ddr(std::uint64_t cycle, std::uint32_t io_node, PacketWay way, std::uint32_t bytes) override;

    // The transfers of the data network, or the words of the control network. The number of a message's sender has the
    // sender in its node and the tag or mailbox at the destination.
    const MessageLog &log(NodeNetwork network) const {
        return logs_[static_cast<unsigned>(network)];
    }
    static std::uint32_t sender_of(std::uint16_t number) {
        return number >> tag_bits;
    }
    static std::uint32_t tag_of(std::uint16_t number) {
        return number & ((1U << tag_bits) - 1);
    }
    // Returns "core 3" or "micro-core 2".
    std::string sender_name(std::uint16_t number) const;
    // Returns true if a node has sent or received something.
    bool is_used(std::uint32_t node) const;

    struct Sum {
        std::uint64_t packets = 0;
        std::uint64_t bytes = 0;
    };
    // What each pair of nodes has sent, by sender and receiver.
    using Matrix = std::map<std::pair<std::uint32_t, std::uint32_t>, Sum>;
    const Matrix &matrix(NodeNetwork network) const {
        return matrices_[static_cast<unsigned>(network)];
    }

    // The load of links over time: flits, and cycles in which a packet held the link and no flit crossed it. Links of the
    // data network come first.
    const TrafficTimeline &links() const {
        return links_;
    }
    std::uint32_t links_of_network() const;
    static std::uint32_t link_of(std::uint32_t node, dnoc::Direction output) {
        return node * dnoc::directions + static_cast<std::uint32_t>(output);
    }
    // The bytes of each DDR memory over time: read by DMA units, and written.
    const TrafficTimeline &ddr() const {
        return ddr_;
    }

  private:
    static constexpr unsigned tag_bits = 8;

    const Chip &chip_;
    std::array<MessageLog, node_networks> logs_;
    std::array<Matrix, node_networks> matrices_;
    TrafficTimeline links_;
    TrafficTimeline ddr_;
};

} // namespace skerry::sim
