// SPDX-License-Identifier: BSD-3-Clause
// Mailboxes and senders: what a store, a load and a word that arrives do, and the mistakes that they find.
#include <gtest/gtest.h>

#include "units.hpp"

namespace skerry::sim {
namespace {

constexpr std::uint64_t wide = 0x123456789abcdef0;

TEST(Mailbox, AWordArrivesAndNotifiesItsCores) {
    ControlNetwork n;
    n.set_mailbox(5, 7, cnoc::mailbox_mode, cnoc::mode_word);
    n.set_mailbox(5, 7, cnoc::mailbox_notify, 0x10001);
    n.aim(0, 3, 5, 7);
    EXPECT_EQ(n.set_sender(0, 3, cnoc::sender_low, wide, 8), Access::done);
    n.run();
    EXPECT_EQ(n.mailbox(5, 7, cnoc::mailbox_value, 8), wide);
    EXPECT_EQ(n.mailbox(5, 7, cnoc::mailbox_value + 4), wide >> 32);
    EXPECT_EQ(n.mailbox(5, 7, cnoc::mailbox_count), 1U);
    EXPECT_EQ(n.ports[5].notified, std::vector<std::uint32_t>{0x10001});
    // Four links, 3 cycles each behind the first one, and 4 flits: header and word.
    EXPECT_EQ(n.now, 1U + 3 * 3 + 4);
}

TEST(Mailbox, HalvesOfTwoCoresDoNotMix) {
    ControlNetwork n;
    n.set_mailbox(1, 0, cnoc::mailbox_mode, cnoc::mode_word);
    n.aim(0, 0, 1, 0);
    n.set_sender(0, 0, cnoc::sender_low, 0x11111111, 4, 3);
    n.set_sender(0, 0, cnoc::sender_low, 0x22222222, 4, 4);
    n.set_sender(0, 0, cnoc::sender_high, 0x33333333, 4, 3);
    n.run();
    EXPECT_EQ(n.mailbox(1, 0, cnoc::mailbox_value, 8), 0x3333333311111111U);
    n.set_sender(0, 0, cnoc::sender_word, 0x44444444, 4, 4);
    n.run();
    EXPECT_EQ(n.mailbox(1, 0, cnoc::mailbox_value, 8), 0x44444444U);
    EXPECT_EQ(n.mailbox(1, 0, cnoc::mailbox_take), 2U);
    EXPECT_EQ(n.mailbox(1, 0, cnoc::mailbox_take), 0U);
}

TEST(Mailbox, ABarrierEndsWhenAllBitsHaveCome) {
    ControlNetwork n;
    n.set_mailbox(2, 9, cnoc::mailbox_mask, 0x8000000000000003, 8);
    n.set_mailbox(2, 9, cnoc::mailbox_mode, cnoc::mode_barrier);
    n.set_mailbox(2, 9, cnoc::mailbox_notify, 4);
    n.aim(2, 0, 2, 9); // to the own node
    const auto send = [&](std::uint64_t bits) {
        n.set_sender(2, 0, cnoc::sender_low, bits, 8);
        n.run();
    };
    send(1);
    send(0x8000000000000000);
    send(4); // not in the mask
    EXPECT_EQ(n.mailbox(2, 9, cnoc::mailbox_count), 0U);
    EXPECT_TRUE(n.ports[2].notified.empty());
    send(2);
    EXPECT_EQ(n.mailbox(2, 9, cnoc::mailbox_count), 1U);
    EXPECT_EQ(n.mailbox(2, 9, cnoc::mailbox_value, 8), 4U);
    EXPECT_EQ(n.ports[2].notified, std::vector<std::uint32_t>{4});
    send(0x8000000000000003);
    EXPECT_EQ(n.mailbox(2, 9, cnoc::mailbox_take), 2U);
}

TEST(Mailbox, AStoreWaitsWhileTheNetworkHasNoPlace) {
    ControlNetwork n;
    n.set_mailbox(1, 0, cnoc::mailbox_mode, cnoc::mode_word);
    n.aim(0, 0, 1, 0);
    unsigned sent = 0;
    while (n.set_sender(0, 0, cnoc::sender_word, sent) == Access::done) sent++;
    EXPECT_EQ(sent, n.network.torus().configuration().send_packets);
    n.run();
    EXPECT_EQ(n.set_sender(0, 0, cnoc::sender_word, sent), Access::done);
    n.run();
    EXPECT_EQ(n.mailbox(1, 0, cnoc::mailbox_count), sent + 1);
    EXPECT_EQ(n.units[0]->counters().sent, sent + 1);
    EXPECT_EQ(n.units[1]->counters().received, sent + 1);
    EXPECT_TRUE(n.ports[0].faults.empty() && n.ports[1].faults.empty());
}

TEST(Mailbox, OneCollectsBitsFromTheStartOn) {
    ControlNetwork n;
    for (const unsigned from : {3U, 1U}) {
        n.aim(from, 0, 2, cnoc::start_mailbox);
        n.set_sender(from, 0, cnoc::sender_word, 1U << from);
        n.run();
    }
    EXPECT_EQ(n.mailbox(2, cnoc::start_mailbox, cnoc::mailbox_value, 8), 0b1010U);
    EXPECT_TRUE(n.ports[2].faults.empty() && n.ports[2].notified.empty());
}

TEST(Mailbox, SendersCanBeRead) {
    ControlNetwork n;
    n.aim(0, 31, 5, 127);
    std::uint64_t value = 0;
    EXPECT_EQ(n.units[0]->load_sender(0, 31 * cnoc::sender_bytes + cnoc::sender_target, 4, value, 0), Access::done);
    EXPECT_EQ(value, 127 | cnoc::sender_valid);
    EXPECT_EQ(n.units[0]->load_sender(0, 31 * cnoc::sender_bytes + cnoc::sender_route, 4, value, 0), Access::done);
    EXPECT_EQ(n.network.torus().destination(0, static_cast<dnoc::Route>(value)), 5U);
}

TEST(Mailbox, Mistakes) {
    ControlNetwork n;
    const auto fault = [&](unsigned node) { return n.ports[node].faults.empty() ? "" : n.ports[node].faults.back(); };
    n.aim(0, 0, 1, 6);
    n.set_sender(0, 0, cnoc::sender_word, 1);
    n.run();
    EXPECT_EQ(fault(1), "node 1: a word from node 0 has come to mailbox 6, which nobody owns");
    EXPECT_EQ(n.set_sender(0, 1, cnoc::sender_word, 1), Access::fault);
    EXPECT_EQ(fault(0), "node 0: a word is sent by sender 1 of the control network, which has no target");
    EXPECT_EQ(n.set_sender(5, 1, cnoc::sender_route, 05), Access::fault);
    EXPECT_EQ(fault(5), "node 5: the route 05 of sender 1 of the control network leads to no node");
    EXPECT_EQ(n.set_sender(0, 1, cnoc::sender_target, 128 | cnoc::sender_valid), Access::fault);
    EXPECT_EQ(fault(0), "node 0: sender 1 of the control network cannot send to mailbox 128: a node has 128");
    EXPECT_EQ(n.set_mailbox(0, 1, cnoc::mailbox_mode, 3), Access::fault);
    EXPECT_EQ(fault(0), "node 0: 3 is no mode of mailbox 1: 0 is closed, 1 a word, 2 a barrier");
    const std::size_t before = n.ports[0].faults.size();
    EXPECT_EQ(n.set_mailbox(0, 128, 0, 3), Access::fault);
    EXPECT_EQ(n.set_mailbox(0, 1, 2, 3, 2), Access::fault);
    EXPECT_EQ(n.set_mailbox(0, 1, cnoc::mailbox_take + 4, 3), Access::fault);
    EXPECT_EQ(n.set_sender(0, 32, 0, 3), Access::fault);
    EXPECT_EQ(n.set_sender(0, 0, cnoc::sender_route, 3, 8), Access::fault);
    EXPECT_EQ(n.set_sender(0, 0, 20, 3), Access::fault);
    std::uint64_t value = 0;
    EXPECT_EQ(n.units[0]->load_sender(0, cnoc::sender_high, 4, value, 0), Access::fault);
    EXPECT_EQ(n.units[0]->load_mailbox(cnoc::mailbox_take + 4, 4, value, 0), Access::fault);
    EXPECT_EQ(n.ports[0].faults.size(), before + 8);
    EXPECT_EQ(fault(0),
              "node 0: access of 4 bytes at offset 0x20 of the control network's registers, where no register is");
}

} // namespace
} // namespace skerry::sim
