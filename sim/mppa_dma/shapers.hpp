// SPDX-License-Identifier: BSD-3-Clause
// Models the 8 packet shapers of a node, and the packets that wait for them. Each core and each micro-core (a sender) has
// a place for one packet. In each cycle at most one packet goes to the network: of those whose shaper may send, the one
// that was ready first. So the packets of a sender keep their order, no sender waits for ever, and a shaper with a limit
// does not delay the others.
//
// A limit is a token bucket. A bucket has up to `burst` flits and gets `rate` flits in 1024 cycles. A packet takes all its
// flits when it is sent.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "dnoc/packet.hpp"
#include "mppa_dma/fault.hpp"
#include "mppa_dma/registers.hpp"

namespace skerry::sim {

class Shapers {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    // `senders` is at most 64.
    Shapers(unsigned node, unsigned senders, dnoc::PacketPort &network);

    std::uint32_t read(std::uint32_t shaper, std::uint32_t word) const;
    MppaFault write(std::uint32_t shaper, std::uint32_t word, std::uint32_t value, std::uint64_t now);
    // Returns the most bytes of a packet's payload.
    std::uint32_t payload(std::uint32_t shaper) const {
        return shapers_[shaper].payload * dnoc::flit_bytes;
    }

    bool is_free(unsigned sender) const {
        return (used_ >> sender & 1) == 0;
    }
    // Gives a sender's packet to a shaper. It can enter the network from cycle `at` on. The sender's place must be free.
    void put(unsigned sender, std::uint32_t shaper, const dnoc::Packet &packet, std::uint64_t at);
    // Sends at most one packet. Returns a fault if a packet can never be sent.
    MppaFault run(std::uint64_t now);
    // Returns the next cycle after `now` in which run() must be called, or never.
    std::uint64_t ready_at(std::uint64_t now);
    bool busy() const {
        return used_ != 0;
    }
    std::uint64_t packets() const {
        return packets_;
    }
    std::uint64_t bytes() const {
        return bytes_;
    }

  private:
    struct Shaper {
        std::uint32_t rate = 0;
        std::uint32_t burst = mppa::most_payload_flits + dnoc::header_flits;
        std::uint32_t payload = mppa::payload_flits;
        std::uint32_t sent = 0;
        std::uint64_t tokens = 0; // in the bucket at cycle `at`, in 1/1024 flits
        std::uint64_t at = 0;
    };
    struct Place {
        std::uint32_t shaper = 0;
        std::uint64_t at = 0;
        std::uint64_t number = 0; // order of put(), among packets of the same cycle
        dnoc::Packet packet;
    };

    static std::uint64_t cost(const dnoc::Packet &packet) {
        return std::uint64_t{packet.flits()} * mppa::rate_cycles;
    }
    static void refill(Shaper &shaper, std::uint64_t now);
    std::uint64_t may_send_at(const Place &place, std::uint64_t now);

    unsigned node_;
    dnoc::PacketPort &network_;
    std::array<Shaper, mppa::shapers> shapers_;
    std::vector<Place> places_; // by sender
    std::uint64_t used_ = 0;    // set of the senders whose places are in use: a bit for each
    std::uint64_t next_number_ = 0;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace skerry::sim
