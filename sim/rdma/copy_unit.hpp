// SPDX-License-Identifier: BSD-3-Clause
// Models the copy unit of one core, a part of the core's network interface (RDMA, Tendulkar et al. 2011). A copy moves
// words from the core's own memory to another memory (put), from another memory to the own one (get), or within the own
// memory, while the core computes.
//
// * The unit begins the words of its copies in order: at most one word of 4 or 8 bytes a cycle. It reads a word of the own
//   memory and writes it, or sends a read request into the network. Several requests can be under way.
// * The words of one copy arrive in order, because they take the same way. So a copy is described by two positions: the
//   bytes that were begun, and the bytes that have arrived.
// * When the last byte of a line of the destination has arrived, the line is acknowledged: the number of its bytes is added
//   to the copy's counter. In the own memory this happens at once. From another memory, the acknowledgement has a way back.
// * All state has a fixed size. A copy for which there is no place is refused, and the core tries again.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "rdma/configuration.hpp"
#include "rdma/copy.hpp"

namespace skerry::sim {

// The interface through which a unit uses the chip around it.
class CopyPort {
  public:
    virtual ~CopyPort() = default;
    // Returns true if an address is in the own core's memory.
    virtual bool is_own(std::uint32_t address) const = 0;
    // read_own and write_own access the own memory. They return false if the memory is busy in this cycle.
    virtual bool read_own(std::uint32_t address, unsigned size, std::uint64_t &value, std::uint64_t now) = 0;
    virtual bool write_own(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) = 0;
    // send_write and send_read send a word, or a request for a word, to another memory. They return false if the network
    // has no place in this cycle. `number` is the number of the copy. The chip passes it to CopyUnit::landed when the word
    // has arrived, or to CopyUnit::reply when the answer has arrived.
    virtual bool send_write(std::uint32_t address, unsigned size, std::uint64_t value, unsigned number,
                            std::uint64_t now) = 0;
    virtual bool send_read(std::uint32_t address, unsigned size, unsigned number, std::uint64_t now) = 0;
    // acknowledged() is called for each line that has arrived, and finished() behind the last line of a copy. changed() is
    // called when CopyUnit::ready_at has possibly become smaller.
    virtual void acknowledged(const Copy &copy, std::uint32_t bytes, std::uint64_t now) = 0;
    virtual void finished(const Copy &copy) = 0;
    virtual void changed(std::uint64_t now) = 0;
};

class CopyUnit {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    CopyUnit(const CopyConfiguration &configuration, CopyPort &port);

    // Begins a copy, whose first word moves in cycle `at`. Returns false if there is no place for it. All bytes of source
    // and destination must exist, and at least one of both must be in the own memory.
    bool begin(const Copy &copy, std::uint64_t at, std::uint64_t now);
    // Handles the answer to a read request. Returns false if the own memory is busy in this cycle. The caller must then call
    // this function again in a later cycle.
    bool reply(unsigned number, std::uint64_t value, std::uint64_t now);
    // Handles the arrival of a word in another memory.
    void landed(unsigned number, std::uint64_t now);

    // Returns the next cycle in which the unit acts, or never. run() must be called in this cycle.
    std::uint64_t ready_at() const {
        return ready_at_;
    }
    void run(std::uint64_t now);
    // Returns true if a copy is not complete.
    bool busy() const {
        return used_ != 0;
    }
    // Returns the number of bytes that have been copied since the unit was made.
    std::uint64_t bytes() const {
        return bytes_;
    }

  private:
    struct Slot {
        Copy copy;
        bool is_used = false;
        std::uint64_t begins_at = 0;
        std::uint32_t begun = 0;        // bytes that were read, or requested
        std::uint32_t arrived = 0;      // bytes that are in the destination
        std::uint32_t acknowledged = 0; // bytes that are in the destination, and whose lines are complete
        std::uint32_t counted = 0;      // bytes that were added to the counter
        bool is_held = false;           // `word` was read from the own memory, and was not written yet
        std::uint64_t word = 0;
    };
    struct Acknowledgement { // on its way
        std::uint64_t at = 0;
        std::uint32_t bytes = 0;
        unsigned number = 0;
    };

    static unsigned size_at(const Copy &copy, std::uint32_t position);
    bool move(Slot &slot, unsigned number, std::uint64_t now);
    void arrive(unsigned number, std::uint64_t delay, std::uint64_t now);
    void count(unsigned number, std::uint32_t bytes, std::uint64_t now);
    void find_ready(std::uint64_t now);

    CopyConfiguration configuration_;
    CopyPort &port_;
    std::vector<Slot> slots_;
    std::vector<unsigned> order_; // numbers of the copies that have words to begin, oldest first
    std::vector<Acknowledgement> under_way_;
    unsigned used_ = 0;
    unsigned reads_ = 0; // requests that were not answered yet
    std::uint64_t bytes_ = 0;
    std::uint64_t ready_at_ = never;
};

} // namespace skerry::sim
