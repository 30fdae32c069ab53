// SPDX-License-Identifier: BSD-3-Clause
// Models a node's part of the MPPA's control network (Hascoet et al. 2017): 128 mailboxes for words of 64 bits, and senders.
// The words travel as packets of a network of their own (dnoc/packet_network.hpp), so they never wait for data.
//
// A mailbox takes a word whatever the cores do. So no word waits for ever, and the network cannot deadlock with the
// routes that dnoc::Torus chooses.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cnoc/registers.hpp"
#include "dnoc/packet.hpp"
#include "memory/access.hpp"

namespace skerry::sim {

// A mistake of a program, which ends the run with one line.
struct ControlFault {
    enum class Kind : std::uint8_t {
        no_register,   // index: offset of the access, value: its bytes
        sender_unused, // index: the sender
        no_route,      // index: the sender, value: the route
        closed,        // index: the mailbox, from: the sender's node
        mode,          // index: the mailbox, value
        mailbox,       // index: the sender, value
    };
    Kind kind = Kind::no_register;
    std::uint32_t node = 0; // in which the unit is
    std::uint32_t from = 0;
    std::uint32_t index = 0;
    std::uint32_t value = 0;
};

// Returns the fault as one line, without a newline.
std::string text_of(const ControlFault &fault);

// The interface through which a unit uses its node.
class ControlPort {
  public:
    virtual ~ControlPort() = default;
    // Notifies the cores of the cluster whose bits are set.
    virtual void notify(std::uint32_t cores, std::uint64_t now) = 0;
    // Ends the run because of a program's mistake.
    virtual void fault(const ControlFault &fault, std::uint64_t now) = 0;
};

class ControlUnit final : public dnoc::PacketSink {
  public:
    // `cores` is the number of cores that can access the unit.
    ControlUnit(std::uint32_t node, std::uint32_t cores, ControlPort &port, dnoc::PacketPort &network);

    // Access registers for core `core` of the node. `offset` is relative to the first mailbox or sender. They return
    // Access::fault, after a call of ControlPort::fault, if the access is a mistake. store_sender() returns Access::again
    // while the network has no place.
    Access load_mailbox(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now);
    Access store_mailbox(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now);
    Access load_sender(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t &value,
                       std::uint64_t now);
    Access store_sender(std::uint32_t core, std::uint32_t offset, unsigned size, std::uint64_t value,
                        std::uint64_t now);

    // Takes a word that has arrived.
    bool accept(std::uint64_t cycle, const dnoc::Packet &packet) override;

    struct Counters {
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        std::uint64_t events = 0;
    };
    const Counters &counters() const {
        return counters_;
    }

  private:
    struct Mailbox {
        std::uint64_t value = 0;
        std::uint64_t mask = 0;
        std::uint32_t mode = cnoc::mode_closed;
        std::uint32_t notify = 0;
        std::uint32_t count = 0;
    };
    struct Sender {
        dnoc::Route route = 0;
        std::uint32_t target = 0;
    };

    std::uint32_t read_mailbox(const Mailbox &box, std::uint32_t word) const;
    bool write_mailbox(std::uint32_t index, std::uint32_t word, std::uint32_t value, std::uint64_t now);
    Access send(std::uint32_t sender, std::uint64_t word, std::uint64_t now);
    void take(std::uint32_t index, std::uint64_t word, std::uint64_t now);
    void count(Mailbox &box, std::uint64_t now);
    Access fail(ControlFault fault, std::uint64_t now);

    std::uint32_t node_;
    ControlPort &port_;
    dnoc::PacketPort &network_;
    std::array<Mailbox, cnoc::mailboxes> mailboxes_;
    std::array<Sender, cnoc::senders> senders_;
    std::vector<std::array<std::uint32_t, cnoc::senders>> low_; // by core: the lower halves
    Counters counters_;
};

} // namespace skerry::sim
