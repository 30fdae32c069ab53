// SPDX-License-Identifier: BSD-3-Clause
// Defines a transaction on the network: one access of up to eight bytes with its address and data. A hop (the way from
// one router to the next) moves a transaction as a whole. Therefore a transaction is always complete in one router.
#pragma once
#include <cstdint>

namespace skerry::sim {

// The three meshes (Coduin 2016; emesh_if of the OH hardware library has the same three, in the same order). In each
// cycle the network offers a receiver first an on-chip write, then a read request, then a transaction of the off-chip
// mesh. The order matters if the receiver accepts only one transaction a cycle.
enum class Mesh : std::uint8_t { on_chip_write, read_request, off_chip_write };
constexpr unsigned mesh_count = 3;

struct Transaction {
    // `message` is a message of an event unit (a core's counters and queues). Such a message is a request whose
    // contents stay at its sender (events/message.hpp).
    enum class Kind : std::uint8_t { write, read_request, read_reply, atomic_request, message };

    std::uint64_t data = 0;
    std::uint32_t address = 0;        // global: row in bits 31-26, column in bits 25-20
    std::uint32_t return_address = 0; // of a request: address to which the reply is written
    std::uint16_t source = 0;         // index of the sender's core, or a number that the caller chooses for a link
    std::uint16_t group = 0;          // not 0: a multicast to the nodes of this group; the address does not route it
    Kind kind = Kind::write;
    std::uint8_t size = 8; // bytes: 1, 2, 4 or 8
    std::uint16_t tag = 0; // chosen by the caller; a reply has the tag of its request
    bool operator==(const Transaction &) const = default;
};
static_assert(sizeof(Transaction) == 24);

constexpr unsigned row_of(std::uint32_t address) {
    return address >> 26;
}
constexpr unsigned column_of(std::uint32_t address) {
    return address >> 20 & 63;
}
constexpr std::uint32_t global_address(unsigned row, unsigned column, std::uint32_t offset) {
    return row << 26 | column << 20 | offset;
}

// A receiver of transactions from the network: a core's node, a link off the chip, or the receiver of transactions to
// destinations that do not exist.
class Sink {
  public:
    virtual ~Sink() = default;
    // Takes a transaction. Returns false if this receiver is busy in this cycle. The transaction then stays in its
    // buffer, blocks the transactions behind it, and is offered again. accept() is allowed to offer transactions to the
    // network.
    virtual bool accept(std::uint64_t cycle, const Transaction &transaction) = 0;
};

} // namespace skerry::sim
