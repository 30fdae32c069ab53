// SPDX-License-Identifier: BSD-3-Clause
// What stores and messages to each kind of line do, and when messages leave.
#include <gtest/gtest.h>

#include "wire.hpp"

using namespace skerry::sim;

namespace {

using Kind = Message::Kind;

TEST(EventLine, APlainLineIsMemory) {
    Wire w(1, event_lines(16));
    EXPECT_EQ(w.store(0, line_at(3, 5), 77), Access::done);
    EXPECT_EQ(w.load(0, line_at(3, 5)), 77u);
    EXPECT_EQ(w.unit(0).store(line_at(3, 2), 8, 0x1'0000'0002, false, 0), Access::done);
    EXPECT_EQ(w.load(0, line_at(3, 3)), 1u);
    EXPECT_EQ(w.unit(0).load(line_at(3, 2), 8), 0x1'0000'0002u);
    EXPECT_TRUE(w.unit(0).has(line_at(15, 7), 4));
    EXPECT_FALSE(w.unit(0).has(line_at(16), 4));
    EXPECT_FALSE(w.unit(0).has(line_at(3) + 2, 4));
    EXPECT_FALSE(w.unit(0).has(line_at(3), 2));
    EXPECT_TRUE(w.unit(0).has(tag_at(15), 4));
    EXPECT_FALSE(w.unit(0).has(tag_at(16), 4));
}

TEST(EventLine, TagsThatDoNotFitAreRefused) {
    Wire w(1, event_lines(8));
    EXPECT_EQ(w.store(0, tag_at(7), tag(LineKind::command)), Access::fault); // its words would be behind the last line
    EXPECT_EQ(w.store(0, tag_at(0), tag(LineKind::single_reader, 8)), Access::fault);
    EXPECT_EQ(w.store(0, tag_at(0), tag(LineKind::single_reader)), Access::fault);
    EXPECT_EQ(w.store(0, tag_at(0), tag(LineKind::item)), Access::fault);
    EXPECT_EQ(w.store(0, tag_at(0), tag(LineKind::single_reader, 3)), Access::done);
    EXPECT_EQ(w.load(0, tag_at(0)), tag(LineKind::single_reader, 3));
    EXPECT_EQ(w.store(0, tag_at(2), tag(LineKind::counter)), Access::fault); // belongs to the queue
    EXPECT_EQ(w.store(0, tag_at(4), tag(LineKind::counter)), Access::done);
    EXPECT_EQ(w.store(0, tag_at(3), tag(LineKind::counter)), Access::fault);
    EXPECT_EQ(w.store(0, tag_at(0), tag(LineKind::plain)), Access::done);
    EXPECT_EQ(w.store(0, tag_at(3), tag(LineKind::command)), Access::fault); // line 4 is a counter
    EXPECT_EQ(w.store(0, tag_at(2), tag(LineKind::command)), Access::done);
}

TEST(EventLine, ACounterAddsAndNotifiesAtZero) {
    Wire w(3, event_lines(16));
    w.store(0, tag_at(2), tag(LineKind::counter));
    w.store(0, line_at(2, 1), static_cast<std::uint32_t>(-2)); // next value
    w.store(0, line_at(2, 2), 0x55);
    for (std::uint32_t k = 0; k < 4; k++) w.store(0, line_at(2, 3 + k), Wire::global(k % 3, line_at(4 + k)));
    w.store(0, line_at(2, 7), static_cast<std::uint32_t>(-3));
    w.store(0, line_at(2), 1, false);
    w.store(0, line_at(2), 1);
    EXPECT_EQ(w.load(0, line_at(2)), static_cast<std::uint32_t>(-1));
    EXPECT_TRUE(w.drain());
    EXPECT_TRUE(w.arrivals.empty());
    const std::uint64_t at = w.now;
    w.store(0, line_at(2), 1, false);
    EXPECT_EQ(w.load(0, line_at(2)), static_cast<std::uint32_t>(-2));
    ASSERT_TRUE(w.drain());
    ASSERT_EQ(w.arrivals.size(), 4u);
    for (std::uint32_t k = 0; k < 4; k++) {
        EXPECT_EQ(w.load(k % 3, line_at(4 + k)), 0x55u);
        EXPECT_EQ(w.arrivals[k].cycle, at + 1 + k + Wire::latency); // one leaves in each cycle
    }
    EXPECT_EQ(w.posted, 0u);
}

TEST(EventLine, ACounterThatNotifiesACounterIsATree) {
    Wire w(2, event_lines(16));
    for (std::uint32_t k = 0; k < 2; k++) {
        w.store(k, tag_at(0), tag(LineKind::counter));
        w.store(k, line_at(0, 1), static_cast<std::uint32_t>(-2));
        w.store(k, line_at(0, 7), static_cast<std::uint32_t>(-2));
        w.store(k, line_at(0, 2), 1);
    }
    w.store(1, line_at(0, 3), Wire::global(0, line_at(0)));
    w.store(0, line_at(0, 3), Wire::global(1, line_at(9)));
    for (std::uint32_t round = 1; round <= 3; round++) {
        w.store(1, line_at(9), 0);
        w.store(1, line_at(0), 1);
        w.store(0, line_at(0), 1);
        w.store(1, line_at(0), 1);
        ASSERT_TRUE(w.drain());
        EXPECT_EQ(w.load(1, line_at(9)), 1u) << round;
        EXPECT_EQ(w.load(0, line_at(0)), static_cast<std::uint32_t>(-2));
    }
}

// More zeros than the unit has slots for notifications: none is lost.
TEST(EventLine, NotificationsThatFindNoSlotAreSentLater) {
    EventConfiguration configuration = event_lines(16);
    configuration.responses = 1;
    Wire w(2, configuration);
    w.store(1, tag_at(5), tag(LineKind::counter));
    for (const std::uint32_t line : {0U, 1U}) {
        w.store(0, tag_at(line), tag(LineKind::counter));
        w.store(0, line_at(line, 1), static_cast<std::uint32_t>(-1));
        w.store(0, line_at(line, 7), static_cast<std::uint32_t>(-1));
        w.store(0, line_at(line, 2), 1 + 9 * line);
        for (std::uint32_t k = 0; k < 3; k++) w.store(0, line_at(line, 3 + k), Wire::global(1, line_at(5)));
    }
    for (std::uint32_t k = 0; k < 7; k++) {
        w.store(0, line_at(0), 1);
        w.store(0, line_at(1), 1);
    }
    ASSERT_TRUE(w.drain());
    EXPECT_EQ(w.load(1, line_at(5)), 7u * 3 * (1 + 10));
}

TEST(EventLine, ACommandStartsAMessageAndTheNextWaits) {
    Wire w(2, event_lines(16));
    w.store(0, tag_at(0), tag(LineKind::command));
    const std::uint64_t at = w.now;
    for (std::uint32_t k = 0; k < 8; k++) w.store(0, line_at(1, k), 100 + k);
    ASSERT_EQ(w.command(0, 0, Kind::write, Wire::global(1, line_at(3)), 100, 0, 32), Access::done);
    EXPECT_EQ(w.load(0, line_at(0, 3)), 1u);
    w.store(0, line_at(1), 7); // the words of the message were copied
    EXPECT_EQ(w.store(0, line_at(0, 2), 4), Access::again);
    while (w.store(0, line_at(0, 2), 4) == Access::again) w.step();
    EXPECT_EQ(w.now, at + 10);
    ASSERT_TRUE(w.drain());
    ASSERT_EQ(w.arrivals.size(), 2u);
    EXPECT_EQ(w.arrivals[0].cycle, at + 10 + Wire::latency);
    EXPECT_EQ(w.arrivals[1].cycle, at + 20 + Wire::latency);
    EXPECT_EQ(w.load(1, line_at(3)), 7u);
    EXPECT_EQ(w.load(1, line_at(3, 7)), 107u);
    EXPECT_EQ(w.load(0, line_at(0, 3)), 0u);
}

TEST(EventLine, MistakesOfACommandAreFaults) {
    Wire w(2, event_lines(16));
    w.store(0, tag_at(0), tag(LineKind::command));
    const std::uint32_t there = Wire::global(1, line_at(3));
    for (const std::uint32_t bytes : {0U, 3U, 36U}) {
        EXPECT_EQ(w.command(0, 0, Kind::write, there, 1, 0, bytes), Access::fault) << bytes;
    }
    EXPECT_EQ(w.command(0, 0, static_cast<Kind>(3), there, 1), Access::fault);
    EXPECT_EQ(w.command(0, 0, Kind::write, there + 1, 1), Access::fault);
    EXPECT_EQ(w.command(0, 0, Kind::write, Wire::global(2, line_at(3)), 1), Access::fault);
    EXPECT_EQ(w.store(0, line_at(0, 3), 1), Access::fault);
    EXPECT_EQ(w.store(0, line_at(0, 0), 1, false), Access::fault); // of another core
    EXPECT_EQ(w.command(0, 0, Kind::write, there, 1), Access::done);
    EXPECT_EQ(w.store(0, tag_at(0), tag(LineKind::plain)), Access::fault); // a message is under way
    ASSERT_TRUE(w.drain());
    EXPECT_EQ(w.store(0, tag_at(0), tag(LineKind::plain)), Access::done);
}

TEST(EventLine, ASingleReaderQueueIsInOrderAndRefusesWhenFull) {
    Wire w(2, event_lines(16));
    w.store(0, tag_at(0), tag(LineKind::command));
    w.store(1, tag_at(4), tag(LineKind::single_reader, 3));
    EXPECT_EQ(w.store(1, line_at(4), 0), Access::fault); // empty
    EXPECT_EQ(w.store(1, line_at(5), 9), Access::fault); // an item
    EXPECT_EQ(w.store(1, line_at(4), 9, false), Access::fault);
    const std::uint64_t at = w.now;
    for (std::uint32_t k = 1; k <= 4; k++) {
        while (w.command(0, 0, Kind::enqueue, Wire::global(1, line_at(4)), k, 0, 8) == Access::again) w.step();
    }
    for (unsigned k = 0; k < 200; k++) w.step();
    EXPECT_EQ(w.load(1, line_at(4)), 3u);
    EXPECT_EQ(w.arrivals[0].cycle, at + 20 + Wire::latency);
    EXPECT_EQ(w.arrivals[2].cycle, at + 60 + Wire::latency);
    EXPECT_GT(w.refusals, 1u);
    EXPECT_FALSE(w.idle());
    for (std::uint32_t k = 1; k <= 4; k++) {
        for (unsigned steps = 0; w.load(1, line_at(4)) == 0 && steps < 1000; steps++) w.step();
        EXPECT_EQ(w.load(1, w.load(1, line_at(4, 1))), k);
        EXPECT_EQ(w.store(1, line_at(4), 0), Access::done);
    }
    EXPECT_TRUE(w.drain());
    EXPECT_EQ(w.load(1, line_at(4)), 0u);
}

TEST(EventLine, AMultipleReaderQueueMatchesRequestsInOrder) {
    Wire w(4, event_lines(16));
    w.store(3, tag_at(4), tag(LineKind::multiple_reader, 5));
    for (std::uint32_t k = 0; k < 4; k++) w.store(k, tag_at(0), tag(LineKind::command));
    const std::uint32_t queue = Wire::global(3, line_at(4));
    for (std::uint32_t k = 0; k < 3; k++) {
        EXPECT_EQ(w.command(k, 0, Kind::dequeue, queue, 0, Wire::global(k, line_at(9))), Access::done);
        w.step();
    }
    ASSERT_TRUE(w.drain()); // the requests wait in the queue, which costs nothing
    EXPECT_EQ(w.load(3, line_at(4, 2)), 3u);
    EXPECT_EQ(w.unit(3).ready_at(), EventUnit::never);
    for (std::uint32_t k = 0; k < 5; k++) {
        while (w.command(3, 0, Kind::enqueue, queue, 50 + k) == Access::again) w.step();
    }
    ASSERT_TRUE(w.drain());
    for (std::uint32_t k = 0; k < 3; k++) EXPECT_EQ(w.load(k, line_at(9)), 50 + k);
    EXPECT_EQ(w.load(3, line_at(4)), 2u);
    for (const std::uint32_t expected : {53U, 54U}) {
        EXPECT_EQ(w.command(2, 0, Kind::dequeue, queue, 0, Wire::global(2, line_at(9))), Access::done);
        ASSERT_TRUE(w.drain());
        EXPECT_EQ(w.load(2, line_at(9)), expected);
    }
}

TEST(EventLine, MessagesOfTheWrongKindAreReported) {
    Wire w(1, event_lines(16));
    w.store(0, tag_at(0), tag(LineKind::single_reader, 1));
    w.store(0, tag_at(4), tag(LineKind::multiple_reader, 1));
    w.store(0, tag_at(8), tag(LineKind::counter));
    const auto deliver = [&](Kind kind, std::uint32_t offset, std::uint8_t bytes = 4) {
        Message message;
        message.kind = kind;
        message.address = Wire::global(0, offset);
        message.bytes = bytes;
        return w.unit(0).deliver(message, w.now);
    };
    EXPECT_EQ(deliver(Kind::write, line_at(0)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::write, line_at(4)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::write, line_at(5)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::write, line_at(8, 1)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::write, line_at(9, 1), 32), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::write, tag_at(3)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::enqueue, line_at(8)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::enqueue, line_at(4, 1)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::dequeue, line_at(0)), Delivery::wrong);
    EXPECT_EQ(deliver(Kind::enqueue, line_at(0)), Delivery::taken);
    EXPECT_EQ(deliver(Kind::enqueue, line_at(0)), Delivery::refused);
    EXPECT_EQ(deliver(Kind::enqueue, line_at(4)), Delivery::taken);
    EXPECT_EQ(deliver(Kind::enqueue, line_at(4)), Delivery::refused);
}

} // namespace
