// SPDX-License-Identifier: BSD-3-Clause
// What travels on the network: one access of up to eight bytes, complete with address and data, so that every hop is
// one transfer and no transaction is ever in two places.
#pragma once
#include <cstdint>

namespace skerry::sim {

// The three networks (S2; the OH library's emesh_if has the same three). The order is that library's: a receiver that
// takes one transaction a cycle is offered writes first, then read requests, then what came over the off-chip mesh.
enum class Mesh : std::uint8_t { on_chip_write, read_request, off_chip_write };
constexpr unsigned mesh_count = 3;

struct Transaction {
    enum class Kind : std::uint8_t { write, read_request, read_reply, testset_request };

    std::uint64_t data = 0;
    std::uint32_t address = 0;        // global: row in bits 31-26, column in bits 25-20
    std::uint32_t return_address = 0; // requests: where the reply is written
    std::uint16_t source = 0;         // linear core index, or the caller's number for a link
    std::uint16_t group = 0;          // other than 0: a multicast to the nodes of this group, whatever the address
    Kind kind = Kind::write;
    std::uint8_t size = 8; // bytes: 1, 2, 4 or 8
    std::uint16_t tag = 0; // the caller's; a reply carries what its request had
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

// Whoever takes transactions off the network: a core's node, a link, or the place for what nobody claims.
class Sink {
  public:
    virtual ~Sink() = default;
    // False: busy in this cycle; the transaction stays where it is, holds up what is behind it, and is offered again.
    // May itself offer transactions to the network.
    virtual bool accept(std::uint64_t cycle, const Transaction &transaction) = 0;
};

} // namespace skerry::sim
