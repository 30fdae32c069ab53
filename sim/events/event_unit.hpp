// SPDX-License-Identifier: BSD-3-Clause
// Models the event unit of one core: counters, queues and command buffers in the core's network interface, as Tendulkar
// et al. (2011) describe them. The unit has lines of 32 bytes in the core's range of 1 MB of addresses. Each line has a
// tag, which determines the effect of a store or a message to the line. docs/design/events.md explains the words of
// each kind of line.
//
// Why no message is lost, and why a full queue does not block the network:
// * All state has a fixed size. A message waits in a slot of its sender until the receiver has taken it.
// * A receiver without a place refuses the message. The sender sends the message again later.
// * The messages that the unit itself sends (notifications and answers to dequeues) have slots of their own. Commands
//   whose receiver is full do not block them.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "events/configuration.hpp"
#include "events/message.hpp"
#include "memory/access.hpp"
#include "rdma/copy.hpp"

namespace skerry::sim {

// The interface through which a unit uses the chip around it.
class EventPort {
  public:
    virtual ~EventPort() = default;
    // Sends the message in a slot (a buffer of the unit) into the network. Returns false if the network has no place in
    // this cycle.
    virtual bool send(const Message &message, unsigned slot, std::uint64_t now) = 0;
    // Returns true if there is memory or an event line at all addresses of a message.
    virtual bool reachable(const Message &message) const = 0;
    // Begins a copy, whose first word moves in cycle `at`. Returns Access::again if the copy unit has no place for it, and
    // Access::fault if the core has no copy unit, or if there is no memory at one of the addresses.
    virtual Access copy(const Copy &copy, std::uint64_t at, std::uint64_t now) = 0;
    // started() is called when a command of the core has been started. changed() is called when EventUnit::ready_at has
    // possibly become smaller.
    virtual void started(const Message &message, std::uint64_t now) = 0;
    virtual void changed(std::uint64_t now) = 0;
};

// The kind of a line (32 bytes of the unit). A program sets the kind by a store to the line's tag word. Bits 0 to 7 of
// the tag word are the kind. For a queue, bits 8 to 19 are the number of its items.
enum class LineKind : std::uint8_t {
    plain,           // memory
    command,         // starts messages; their words are in the next line
    counter,         // a store adds
    single_reader,   // a queue that its own core reads
    multiple_reader, // a queue that answers requests of all cores
    item,            // part of a queue: set by the unit for the lines behind the queue's line
};

class EventUnit {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    EventUnit(const EventConfiguration &configuration, EventPort &port);

    // Returns true if an access of this size is possible at this offset of the core's range of 1 MB. There must be a
    // line or a tag.
    bool has(std::uint32_t offset, unsigned size) const;
    // Reads one or two words. Must be called only if has() is true for the same offset and size.
    std::uint64_t load(std::uint32_t offset, unsigned size) const;
    // Writes one or two words. Must be called only if has() is true for the same offset and size. `own` is true if the
    // unit's own core executes the store. Returns Access::fault if the line does not accept this store. Returns
    // Access::again if the unit cannot start a command in this cycle.
    Access store(std::uint32_t offset, unsigned size, std::uint64_t value, bool own, std::uint64_t now);

    // Executes a message that has arrived for one of this unit's lines. Returns the answer for the sender.
    Delivery deliver(const Message &message, std::uint64_t now);
    // Handles the receiver's answer to the message in a slot.
    void answered(unsigned slot, Delivery delivery, std::uint64_t now);
    const Message &message(unsigned slot) const {
        return slots_[slot].message;
    }
    // Returns true if this slot is for messages of the core's commands, false if it is for messages of the unit itself.
    bool is_command(unsigned slot) const {
        return slot < configuration_.commands;
    }

    // Adds the bytes that a copy of this core has moved to the copy's counter. Returns false if the counter's line has
    // become a line of another kind.
    bool copied(const Copy &copy, std::uint32_t bytes, std::uint64_t now);
    // Handles the end of a copy of this core.
    void copy_finished(const Copy &copy);

    // Returns the next cycle in which the unit has something to send, or never. run() must be called in this cycle.
    std::uint64_t ready_at() const {
        return ready_at_;
    }
    void run(std::uint64_t now);
    // Returns true if a message of this unit waits to be sent or answered.
    bool busy() const {
        return slots_used_ != 0 || due_count_ != 0;
    }

  private:
    using Words = std::array<std::uint32_t, events::line_words>;
    static constexpr unsigned notifications = 4; // of a counter

    struct Line {
        LineKind kind = LineKind::plain;
        Words words{};
        std::uint8_t item_bytes = 0;                             // of a queue's item: its size
        std::array<std::uint32_t, notifications> notify_count{}; // of a counter: notifications that were not sent yet
        bool is_due = false;                                     // true if due_ has this line
    };
    struct Slot {
        enum class State : std::uint8_t { free, waiting, sent };
        Message message;
        State state = State::free;
        std::uint32_t line = 0;    // of a command: its line
        std::uint64_t send_at = 0; // if waiting
        std::uint64_t number = 0;  // messages are sent in the order of their commands
    };

    std::uint32_t capacity(const Line &queue) const;
    Access set_tag(std::uint32_t index, std::uint32_t tag);
    Access store_word(std::uint32_t index, std::uint32_t word, std::uint32_t value, bool own, std::uint64_t now);
    Access start(std::uint32_t index, std::uint32_t go, std::uint64_t now);
    Access start_copy(std::uint32_t index, std::uint32_t go, std::uint64_t now);
    bool is_counter(std::uint32_t offset) const;
    void add(std::uint32_t index, std::uint32_t value, std::uint64_t now);
    bool notify(std::uint32_t index, std::uint64_t now);
    Line &item_line(std::uint32_t queue, std::uint32_t position);
    void push(std::uint32_t queue, const Message &message);
    void pop(std::uint32_t queue);
    Delivery enqueue(std::uint32_t queue, const Message &message, std::uint64_t now);
    Delivery dequeue(std::uint32_t queue, const Message &message, std::uint64_t now);
    Slot *free_slot(bool command);
    bool takes_last_slot(Message::Kind kind) const;
    void fill(Slot &slot, const Message &message, std::uint64_t send_at);
    void find_ready(std::uint64_t now);

    EventConfiguration configuration_;
    EventPort &port_;
    std::vector<Line> lines_;
    std::vector<Slot> slots_; // first those of commands, then those of the unit's own messages
    std::uint32_t slots_used_ = 0;
    std::uint64_t next_number_ = 0;
    std::uint64_t starter_free_at_ = 0; // cycle from which the unit can start the next command
    std::vector<std::uint32_t> due_;    // a ring of the counters that have notifications to send
    std::uint32_t due_first_ = 0;
    std::uint32_t due_count_ = 0;
    std::uint64_t ready_at_ = never;
};

} // namespace skerry::sim
