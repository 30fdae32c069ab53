// SPDX-License-Identifier: BSD-3-Clause
// Event units that are connected by a wire of fixed latency, without cores and network. The wire can refuse messages.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "events/event_unit.hpp"

namespace skerry::sim {

constexpr std::uint32_t line_at(std::uint32_t line, std::uint32_t word = 0) {
    return events::lines_base + line * events::line_bytes + 4 * word;
}
constexpr std::uint32_t tag_at(std::uint32_t line) {
    return events::tags_base + 4 * line;
}
constexpr std::uint32_t tag(LineKind kind, std::uint32_t items = 0) {
    return static_cast<std::uint32_t>(kind) | items << 8;
}

class Wire {
  public:
    static constexpr std::uint64_t latency = 30;

    struct Arrival { // a message that was taken, and the unit that sent it
        std::uint32_t from, to;
        std::uint64_t cycle;
        Message message;
    };

    Wire(std::uint32_t count, const EventConfiguration &configuration) {
        for (std::uint32_t k = 0; k < count; k++) units_.push_back(std::make_unique<Node>(*this, configuration, k));
    }
    EventUnit &unit(std::uint32_t k) {
        return units_[k]->unit;
    }
    // The address of a word of unit k.
    static std::uint32_t global(std::uint32_t k, std::uint32_t offset) {
        return (k + 1) << 20 | offset;
    }
    Access store(std::uint32_t k, std::uint32_t offset, std::uint32_t value, bool own = true) {
        return unit(k).store(offset, 4, value, own, now);
    }
    std::uint32_t load(std::uint32_t k, std::uint32_t offset) {
        return static_cast<std::uint32_t>(unit(k).load(offset, 4));
    }
    // Fills the command line `line` of unit k and starts a message of the word in the line behind it.
    Access command(std::uint32_t k, std::uint32_t line, Message::Kind kind, std::uint32_t address, std::uint32_t word,
                   std::uint32_t return_address = 0, std::uint32_t bytes = 4) {
        store(k, line_at(line, 0), address);
        store(k, line_at(line, 1), return_address);
        store(k, line_at(line + 1), word);
        return store(k, line_at(line, 2), bytes | static_cast<std::uint32_t>(kind) << 8);
    }
    // One cycle: units send, then messages and answers arrive.
    void step() {
        for (auto &node : units_) {
            if (node->unit.ready_at() <= now) node->unit.run(now);
        }
        for (std::size_t count = under_way_.size(); count > 0; count--) {
            const Travelling t = under_way_.front();
            under_way_.pop_front();
            if (t.at > now) under_way_.push_back(t);
            else if (t.is_answer) unit(t.from).answered(t.slot, t.delivery, now);
            else arrive(t);
        }
        now++;
    }
    bool idle() const {
        for (const auto &node : units_) {
            if (node->unit.busy()) return false;
        }
        return under_way_.empty();
    }
    // Steps until nothing is under way. Returns false if this takes more than `most` cycles.
    bool drain(std::uint64_t most = 100'000) {
        for (; !idle() && most > 0; most--) step();
        return idle();
    }

    std::uint64_t now = 100;
    std::vector<Arrival> arrivals;
    std::uint64_t refusals = 0;
    std::function<bool()> is_full;                      // if set: returns true if the wire accepts no message now
    std::uint32_t posted = 0;                           // commands that were started
    std::vector<std::pair<Copy, std::uint64_t>> copies; // that were to begin, with their first cycles
    Access copy_access = Access::done;                  // the answer to further copies

  private:
    struct Travelling {
        std::uint64_t at;
        std::uint32_t from, to;
        unsigned slot;
        bool is_answer;
        Delivery delivery;
    };
    struct Node final : EventPort {
        Node(Wire &owner, const EventConfiguration &configuration, std::uint32_t number)
            : wire(owner), index(number), unit(configuration, *this) {
        }
        bool send(const Message &message, unsigned slot, std::uint64_t cycle) override {
            if (wire.is_full && wire.is_full()) return false;
            const std::uint32_t to = (message.address >> 20) - 1;
            wire.under_way_.push_back({cycle + latency, index, to, slot, false, Delivery::taken});
            return true;
        }
        bool reachable(const Message &message) const override {
            return (message.address >> 20) - 1 < wire.units_.size();
        }
        Access copy(const Copy &copy, std::uint64_t at, std::uint64_t) override {
            wire.copies.push_back({copy, at});
            return wire.copy_access;
        }
        void started(const Message &, std::uint64_t) override {
            wire.posted++;
        }
        void changed(std::uint64_t) override {
        }
        Wire &wire;
        std::uint32_t index;
        EventUnit unit;
    };

    void arrive(Travelling t) {
        const Message message = unit(t.from).message(t.slot);
        t.delivery = unit(t.to).deliver(message, now);
        if (t.delivery == Delivery::taken) arrivals.push_back({t.from, t.to, now, message});
        refusals += t.delivery == Delivery::refused;
        t.is_answer = true;
        t.at = now + latency;
        under_way_.push_back(t);
    }

    std::vector<std::unique_ptr<Node>> units_;
    std::deque<Travelling> under_way_;
};

inline EventConfiguration event_lines(std::uint32_t lines) {
    EventConfiguration configuration;
    configuration.lines = lines;
    return configuration;
}

} // namespace skerry::sim
