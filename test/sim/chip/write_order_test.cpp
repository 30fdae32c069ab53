// SPDX-License-Identifier: BSD-3-Clause
// Counts of the writes that a read must not pass: they have 16 bits, and pass the last number many times in a run.
#include <gtest/gtest.h>

#include "chip/write_order.hpp"

using namespace skerry::sim;

namespace {

constexpr unsigned nodes = 4, source = 1, place = 3;
constexpr unsigned before_wrap = 65536 - 3;

// As if so many writes had been sent and had arrived.
WriteOrder after(unsigned writes) {
    WriteOrder order(nodes);
    for (unsigned i = 0; i < writes; i++) {
        order.sent(source, place);
        order.arrived(source, place);
    }
    return order;
}

TEST(WriteOrder, AReadWaitsForTheWritesBeforeItAcrossTheLastNumber) {
    for (unsigned under_way = 0; under_way < 8; under_way++) {
        WriteOrder order = after(before_wrap);
        for (unsigned i = 0; i < under_way; i++) order.sent(source, place);
        const auto mark = order.mark(source, place);
        for (unsigned i = 0; i < under_way; i++) {
            EXPECT_FALSE(order.reached(source, place, mark)) << i << " of " << under_way << " have arrived";
            order.arrived(source, place);
        }
        EXPECT_TRUE(order.reached(source, place, mark)) << under_way;
    }
}

TEST(WriteOrder, AReadDoesNotWaitForLaterWritesAcrossTheLastNumber) {
    WriteOrder order = after(before_wrap);
    const auto mark = order.mark(source, place);
    for (unsigned i = 0; i < 8; i++) {
        order.sent(source, place);
        EXPECT_TRUE(order.reached(source, place, mark)) << i;
        order.arrived(source, place);
        EXPECT_TRUE(order.reached(source, place, mark)) << i;
    }
}

TEST(WriteOrder, OtherSourcesAndPlacesCountForThemselves) {
    WriteOrder order = after(before_wrap);
    order.sent(source, nodes); // the link
    order.sent(0, place);
    EXPECT_TRUE(order.reached(source, place, order.mark(source, place)));
    EXPECT_FALSE(order.reached(source, nodes, order.mark(source, nodes)));
    EXPECT_FALSE(order.reached(0, place, order.mark(0, place)));
}

} // namespace
