// SPDX-License-Identifier: BSD-3-Clause
// Models the DMA unit of a node of the MPPA (Hascoet et al. 2017): its registers, the packets that cores and micro-cores
// send, and the packets that arrive.
//
// Why the networks cannot wait for each other: the unit writes an arriving packet to memory whatever its senders do, and
// memory is only busy for a time. So it refuses a packet only for a time.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "dnoc/packet.hpp"
#include "memory/access.hpp"
#include "mppa_dma/configuration.hpp"
#include "mppa_dma/micro_core.hpp"
#include "mppa_dma/port.hpp"
#include "mppa_dma/registers.hpp"
#include "mppa_dma/rx_tags.hpp"
#include "mppa_dma/shapers.hpp"

namespace skerry::sim {

// The place of a unit in the chip.
struct MppaNode {
    std::uint32_t number = 0;
    std::uint32_t nodes = 1;    // of the chip
    std::uint32_t clusters = 1; // of these nodes
    std::uint32_t cores = 1;    // that can send packets, at most mppa::most_cores
};

class MppaDma final : public dnoc::PacketSink, private MicroPort {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    MppaDma(const MppaNode &node, const MppaDmaConfiguration &configuration, MppaDmaPort &port,
            dnoc::PacketPort &network);
    MppaDma(const MppaDma &) = delete;
    MppaDma &operator=(const MppaDma &) = delete;

    // Access a register, for core `core` of the cluster. `offset` is relative to mppa::registers_base and a multiple of
    // `size`. They return Access::fault, after a call of MppaDmaPort::fault, if the access is a mistake. store() returns
    // Access::again if the core's last packet, or the jobs of the micro-core, leave no room; the core must try again.
    Access load(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now);
    Access store(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now);

    // Takes a packet that has arrived (dnoc/packet.hpp).
    bool accept(std::uint64_t cycle, const dnoc::Packet &packet) override;

    // Returns the next cycle in which the unit acts, or never. run() must be called in this cycle.
    std::uint64_t ready_at() const {
        return ready_at_;
    }
    void run(std::uint64_t now);
    // Returns true if the unit has a job, or a packet that was not sent or not written yet.
    bool busy() const;

    struct Counters {
        std::uint64_t packets_sent = 0;
        std::uint64_t bytes_sent = 0; // of their payloads
        std::uint64_t packets_received = 0;
        std::uint64_t bytes_received = 0;
        std::uint64_t jobs = 0; // of micro-cores, ended
    };
    Counters counters() const;

  private:
    static constexpr std::size_t receive_buffers = 2; // packets that have arrived and are not written yet

    struct Header {
        dnoc::Route route = 0;
        std::uint32_t target = 0;
    };
    static std::uint32_t shaper_of(const Header &header) {
        return header.target >> mppa::header_shaper_shift & (mppa::shapers - 1);
    }
    struct CoreState { // what a core has at the same addresses as the other cores
        std::array<std::uint8_t, mppa::push_bytes> bytes{};
        std::uint32_t offset = 0;
        MicroParameters parameters{};
    };
    struct Arrived {
        dnoc::Packet packet;
        RxTags::Place place;
        std::uint32_t written = 0; // bytes
        std::uint64_t at = 0;
    };

    bool send(unsigned micro_core, std::uint32_t header, dnoc::Packet &packet, std::uint64_t at) override;
    bool has_sent(unsigned micro_core) const override {
        return shapers_.is_free(node_.cores + micro_core);
    }
    std::uint32_t payload(std::uint32_t header) const override;
    void count(std::uint32_t tag, std::uint64_t now) override;
    void count_items(std::uint32_t tag, std::uint32_t bytes, bool end, std::uint64_t now);

    Access push(std::uint32_t core, std::uint32_t header, std::uint32_t position, unsigned size, std::uint64_t value,
                bool end, std::uint64_t now);
    Access send_from_core(std::uint32_t core, std::uint32_t header, std::uint32_t bytes, bool end, std::uint64_t now);
    Access start(std::uint32_t core, std::uint32_t micro_core, std::uint32_t value, std::uint64_t now);
    void put(unsigned sender, std::uint32_t header, dnoc::Packet &packet, std::uint64_t at);
    Access store_word(std::uint32_t core, std::uint32_t offset, std::uint32_t value, std::uint64_t now);
    bool load_word(std::uint32_t core, std::uint32_t offset, std::uint32_t &value);
    MppaFault check(std::uint32_t header) const;
    Access fail(MppaFault fault, std::uint64_t now);
    void write_arrived(std::uint64_t now);
    void changed(std::uint64_t now);
    void find_ready(std::uint64_t now);

    MppaNode node_;
    MppaDmaConfiguration configuration_;
    MppaDmaPort &port_;
    dnoc::PacketPort &network_;
    std::array<Header, mppa::headers> headers_;
    std::vector<CoreState> cores_;
    RxTags tags_;
    Shapers shapers_; // senders: the cores, and behind them the micro-cores
    MicroProgram program_{};
    std::vector<MicroCore> micro_cores_;
    std::uint32_t busy_micro_cores_ = 0; // set of those that have jobs: a bit for each
    std::deque<Arrived> arrived_;
    std::uint64_t packets_received_ = 0;
    std::uint64_t bytes_received_ = 0;
    bool has_failed_ = false;
    std::uint64_t ready_at_ = never;
};

} // namespace skerry::sim
