// SPDX-License-Identifier: BSD-3-Clause
// Random messages to random counters, queues and memory, with small queues and few slots, against a ledger of what was
// sent: every item is read once, every addition counts once, every notification arrives once, and every request of a
// queue with several readers gets one item.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "wire.hpp"

using namespace skerry::sim;

namespace {

using Kind = Message::Kind;

constexpr std::uint32_t command_line = 0; // and 1
constexpr std::uint32_t counter_line = 2;
constexpr std::uint32_t zeros_line = 3;  // a counter of the notifications from all counters
constexpr std::uint32_t answer_line = 4; // memory for the answer to a request
constexpr std::uint32_t single_line = 8;
constexpr std::uint32_t multiple_line = 16;

class Ledger {
  public:
    explicit Ledger(unsigned seed) : engine_(seed), units_(1 + random_() % 8), wire_(units_ + 1, configuration()) {
        full_percent_ = random_() % 60;
        wire_.is_full = [this] { return random_() % 100 < full_percent_; };
        for (std::uint32_t k = 0; k <= units_; k++) wire_.store(k, tag_at(command_line), tag(LineKind::command));
        for (std::uint32_t k = 0; k < units_; k++) {
            wire_.store(k, tag_at(counter_line), tag(LineKind::counter));
            wire_.store(k, tag_at(zeros_line), tag(LineKind::counter));
            wire_.store(k, tag_at(single_line), tag(LineKind::single_reader, 1 + random_() % 4));
            wire_.store(k, tag_at(multiple_line), tag(LineKind::multiple_reader, 1 + random_() % 4));
            period_ = 1 + random_() % 3;
            wire_.store(k, line_at(counter_line, 1), 0U - period_);
            wire_.store(k, line_at(counter_line, 7), 0U - period_);
            wire_.store(k, line_at(counter_line, 2), 1);
            periods_.push_back(period_);
            for (std::uint32_t n = 0; n < 4; n++) {
                wire_.store(k, line_at(counter_line, 3 + n), Wire::global((k + n) % units_, line_at(zeros_line)));
            }
        }
        added_.resize(units_);
        asked_.resize(units_ + 1);
        asked_of_.resize(units_ + 1);
    }

    void run() {
        for (unsigned cycle = 0; cycle < 4000; cycle++) {
            for (std::uint32_t k = 0; k < units_; k++) act(k, random_() % 100 < 30);
            wire_.step();
        }
        // Enough items for all requests, then all queues are emptied.
        for (unsigned cycle = 0; cycle < 400'000 && !is_over(); cycle++) {
            for (std::uint32_t k = 0; k < units_; k++) read_single(k);
            finish();
            wire_.step();
        }
        check();
    }
    std::uint64_t sent() const {
        return sent_;
    }
    std::uint64_t refusals() const {
        return wire_.refusals;
    }

  private:
    unsigned random_() {
        return static_cast<unsigned>(engine_());
    }
    EventConfiguration configuration() {
        EventConfiguration c = event_lines(32);
        c.initiate = 1 + random_() % 10;
        c.enqueue = 1 + random_() % 20;
        c.retry = 1 + random_() % 80;
        c.commands = 2 + random_() % 7;
        c.responses = 1 + random_() % 8;
        return c;
    }

    void act(std::uint32_t k, bool sends) {
        read_single(k);
        if (!sends) return;
        const std::uint32_t to = random_() % units_;
        switch (random_() % 5) {
        case 0: send(k, Kind::write, to, counter_line, 1); break;
        case 1: send(k, Kind::enqueue, to, single_line, next_item_); break;
        case 2: send(k, Kind::enqueue, to, multiple_line, next_item_); break;
        case 3: ask(k, to); break;
        default: // a store of another core, which needs no message
            wire_.store(to, line_at(counter_line), 1, false);
            added_[to]++;
            break;
        }
    }

    bool send(std::uint32_t k, Kind kind, std::uint32_t to, std::uint32_t line, std::uint32_t word) {
        if (wire_.command(k, command_line, kind, Wire::global(to, line_at(line)), word) != Access::done) return false;
        sent_++;
        if (kind == Kind::write) added_[to]++;
        else if (kind == Kind::enqueue) unread_[next_item_++] = {to, line};
        return true;
    }

    // At most one request of each unit is under way or waits.
    void ask(std::uint32_t k, std::uint32_t to) {
        if (asked_[k]) return;
        const std::uint32_t queue = Wire::global(to, line_at(multiple_line));
        const std::uint32_t answer = Wire::global(k, line_at(answer_line));
        wire_.store(k, line_at(answer_line), 0);
        if (wire_.command(k, command_line, Kind::dequeue, queue, 0, answer) != Access::done) return;
        sent_++;
        asked_[k] = true;
        asked_of_[k] = to;
    }

    void strike(std::uint32_t item, std::uint32_t unit, std::uint32_t line) {
        const auto found = unread_.find(item);
        ASSERT_NE(found, unread_.end()) << "item " << item << " was read twice, or never sent";
        ASSERT_EQ(found->second, std::pair(unit, line));
        unread_.erase(found);
    }

    void read_answer(std::uint32_t k) {
        const std::uint32_t item = wire_.load(k, line_at(answer_line));
        if (!asked_[k] || item == 0) return;
        asked_[k] = false;
        strike(item, asked_of_[k], multiple_line);
    }

    void read_single(std::uint32_t k) {
        read_answer(k);
        if (wire_.load(k, line_at(single_line)) == 0 || random_() % 3 == 0) return;
        strike(wire_.load(k, wire_.load(k, line_at(single_line, 1))), k, single_line);
        wire_.store(k, line_at(single_line), 0);
    }

    // The last unit ends what is left: it takes items that nobody asks for, and enqueues items for requests that wait. It does
    // not take part before, because the others can have all slots filled with messages that full queues refuse.
    void finish() {
        read_answer(units_);
        if (wire_.now % 256 != 0) return; // until then its last message has arrived
        for (std::uint32_t to = 0; to < units_; to++) {
            if (wire_.load(to, line_at(multiple_line)) != 0 && !asked_[units_]) return ask(units_, to);
            if (wire_.load(to, line_at(multiple_line, 2)) != 0) {
                send(units_, Kind::enqueue, to, multiple_line, next_item_);
                return;
            }
        }
    }

    bool is_over() const {
        return wire_.idle() && unread_.empty() && std::ranges::none_of(asked_, [](bool a) { return a; });
    }

    void check() {
        ASSERT_TRUE(is_over()) << unread_.size() << " items were not read";
        std::vector<std::uint32_t> zeros(units_);
        for (std::uint32_t k = 0; k < units_; k++) {
            EXPECT_EQ(wire_.load(k, line_at(counter_line)), added_[k] % periods_[k] - periods_[k]);
            for (std::uint32_t n = 0; n < 4; n++) zeros[(k + n) % units_] += added_[k] / periods_[k];
        }
        for (std::uint32_t k = 0; k < units_; k++) EXPECT_EQ(wire_.load(k, line_at(zeros_line)), zeros[k]) << k;
    }

    std::mt19937 engine_;
    std::uint32_t units_;
    Wire wire_;
    unsigned full_percent_ = 0;
    std::uint32_t period_ = 1;
    std::uint32_t next_item_ = 1;
    std::uint64_t sent_ = 0;
    std::vector<std::uint32_t> periods_, added_;
    std::vector<bool> asked_; // by unit
    std::vector<std::uint32_t> asked_of_;
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> unread_; // by item: the unit and line it went to
};

TEST(EventLedger, EveryMessageIsDeliveredOnce) {
    std::uint64_t sent = 0, refusals = 0;
    for (unsigned seed = 0; seed < 100; seed++) {
        SCOPED_TRACE(seed);
        Ledger ledger(seed);
        ledger.run();
        if (HasFailure()) return;
        sent += ledger.sent();
        refusals += ledger.refusals();
    }
    EXPECT_GT(sent, 20'000u);
    EXPECT_GT(refusals, 1000u);
}

} // namespace
