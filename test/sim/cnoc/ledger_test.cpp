// SPDX-License-Identifier: BSD-3-Clause
// Random words of all nodes to all nodes, against a ledger: each comes once, and those of one sender in order. And rounds of
// barriers of all nodes, with random delays: no node sees the end of a round before all have begun it, and each round ends
// once.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

#include "rounds.hpp"
#include "units.hpp"

namespace skerry::sim {
namespace {

TEST(ControlLedger, EachWordComesOnceAndInOrder) {
    for (unsigned seed = 0; seed < rounds(30); seed++) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        ControlNetwork n;
        const unsigned nodes = n.network.torus().configuration().nodes();
        // Mailbox k of a node takes the words of node k. Sender 0 of a node goes to a node of its choice.
        std::vector<unsigned> target(nodes);
        std::map<std::pair<unsigned, unsigned>, std::deque<std::uint64_t>> under_way; // by sender and receiver
        std::size_t sent = 0;
        std::size_t came = 0;
        for (unsigned node = 0; node < nodes; node++) {
            for (unsigned k = 0; k < nodes; k++) {
                n.set_mailbox(node, k, cnoc::mailbox_mode, cnoc::mode_word);
                n.set_mailbox(node, k, cnoc::mailbox_notify, 1);
            }
            n.ports[node].on_notify = [&, node](std::uint64_t) {
                for (unsigned k = 0; k < nodes; k++) {
                    if (n.mailbox(node, k, cnoc::mailbox_take) == 0) continue;
                    auto &words = under_way[{k, node}];
                    ASSERT_FALSE(words.empty());
                    EXPECT_EQ(n.mailbox(node, k, cnoc::mailbox_value, 8), words.front());
                    words.pop_front();
                    came++;
                }
            };
        }
        for (unsigned cycle = 0; cycle < 2000; cycle++) {
            n.now = cycle;
            for (unsigned node = 0; node < nodes && cycle < 1000; node++) {
                if (random() % 20 != 0) continue;
                target[node] = static_cast<unsigned>(random() % nodes);
                n.aim(node, 0, target[node], node);
                const std::uint64_t word = random() | std::uint64_t{random()} << 32;
                if (n.set_sender(node, 0, cnoc::sender_low, word, 8) != Access::done) continue;
                under_way[{node, target[node]}].push_back(word);
                sent++;
            }
            if (n.network.next_at() <= cycle) n.network.step(cycle);
        }
        n.run();
        EXPECT_TRUE(n.network.idle());
        EXPECT_EQ(came, sent);
        EXPECT_GT(sent, 500U);
        if (HasFailure()) return;
    }
}

TEST(ControlLedger, ABarrierOfAllNodesEndsOnceARound) {
    for (unsigned seed = 0; seed < rounds(30); seed++) {
        std::mt19937 random(seed);
        ControlNetwork n;
        constexpr unsigned nodes = 16;
        constexpr unsigned rounds_of_each = 20;
        // Node 0 collects the bits in mailbox 0, and sends a word to mailbox 1 of each node at the end of a round.
        n.set_mailbox(0, 0, cnoc::mailbox_mask, 0xffff);
        n.set_mailbox(0, 0, cnoc::mailbox_mode, cnoc::mode_barrier);
        std::vector<unsigned> begun(nodes);
        std::vector<unsigned> ended(nodes);
        std::vector<std::uint64_t> begins_at(nodes);
        unsigned to_release = nodes;
        for (unsigned node = 0; node < nodes; node++) {
            n.set_mailbox(node, 1, cnoc::mailbox_mode, cnoc::mode_word);
            n.aim(node, 0, 0, 0);
            n.aim(0, 1 + node, node, 1);
            begins_at[node] = random() % 100;
        }
        for (std::uint64_t cycle = 0; cycle < 100'000; cycle++) {
            n.now = cycle;
            for (unsigned node = 0; node < nodes; node++) {
                if (begun[node] == ended[node] && begun[node] < rounds_of_each && cycle >= begins_at[node] &&
                    n.set_sender(node, 0, cnoc::sender_low, std::uint64_t{1} << node, 8) == Access::done) {
                    begun[node]++;
                }
                if (n.mailbox(node, 1, cnoc::mailbox_take) == 0) continue;
                ended[node]++;
                for (const unsigned other : begun) ASSERT_GE(other, ended[node]);
                begins_at[node] = cycle + random() % 100;
            }
            if (to_release == nodes && n.mailbox(0, 0, cnoc::mailbox_take) == 1) to_release = 0;
            while (to_release < nodes && n.set_sender(0, 1 + to_release, cnoc::sender_word, 1) == Access::done) {
                to_release++;
            }
            if (n.network.next_at() <= cycle) n.network.step(cycle);
        }
        for (const unsigned count : ended) EXPECT_EQ(count, rounds_of_each);
    }
}

} // namespace
} // namespace skerry::sim
