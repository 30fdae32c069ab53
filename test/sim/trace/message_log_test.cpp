// SPDX-License-Identifier: BSD-3-Clause
// The messages of a log: which parts belong together, and that a full log still has every part.
#include <gtest/gtest.h>

#include <map>

#include "trace/message_log.hpp"

using namespace skerry::sim;

namespace {

TEST(MessageLog, PartsThatAreCloseAreOneMessage) {
    MessageLog log(100, 10);
    for (const std::uint64_t cycle : {0, 5, 15, 26}) log.sent(cycle, 1, 0, 2, 8);
    log.sent(16, 1, 0, 3, 8);
    ASSERT_EQ(log.messages().size(), 3u);
    EXPECT_EQ(log.messages()[0].bytes, 24u);
    EXPECT_EQ(log.messages()[0].end, 15u);
    EXPECT_EQ(log.messages()[1].begin, 26u);
    EXPECT_EQ(log.messages()[2].to, 3u);
}

TEST(MessageLog, PartsOfAJobAreOneMessage) {
    MessageLog log(100, 10);
    log.sent(0, 1, 0, 2, 8, 7);
    log.sent(500, 1, 0, 2, 8, 7);
    log.sent(501, 1, 0, 2, 8, 8);
    log.sent(502, 1, 0, 2, 8);
    ASSERT_EQ(log.messages().size(), 3u);
    EXPECT_EQ(log.messages()[0].parts, 2u);
    EXPECT_EQ(log.messages()[1].job, 8u);
}

TEST(MessageLog, PartsArriveInTheirOrder) {
    MessageLog log(100, 10);
    log.sent(0, 1, 0, 2, 8);
    log.sent(3, 1, 0, 2, 8);
    log.sent(100, 1, 0, 2, 8);
    for (const std::uint64_t cycle : {200, 201, 300}) log.landed(cycle, 1, 0, 2);
    EXPECT_EQ(log.messages()[0].landed_begin, 200u);
    EXPECT_EQ(log.messages()[0].landed_end, 201u);
    EXPECT_EQ(log.messages()[1].landed_begin, 300u);
}

TEST(MessageLog, AFullLogHasEveryPart) {
    MessageLog log(64, 1);
    std::map<std::uint32_t, std::uint64_t> bytes;
    for (std::uint64_t k = 0; k < 10'000; k++) {
        const auto to = static_cast<std::uint32_t>(k % 5);
        log.sent(100 * k, 9, 0, to, k, static_cast<std::uint32_t>(k % 3 == 0 ? k : 0));
        if (k > 40) log.landed(100 * k, 9, 0, to);
        bytes[to] += k;
    }
    EXPECT_LT(log.messages().size(), 64u);
    std::uint64_t parts = 0;
    for (const MessageLog::Message &m : log.messages()) {
        bytes[m.to] -= m.bytes;
        parts += m.parts;
        EXPECT_LE(m.landed, m.parts);
    }
    EXPECT_EQ(parts, 10'000u);
    for (const auto &[to, left] : bytes) EXPECT_EQ(left, 0u) << to;
}

TEST(MessageLog, MessagesOfARowDoNotOverlap) {
    MessageLog log(100, 10);
    log.sent(0, 1, 0, 2, 8, 1);
    log.sent(5, 1, 1, 2, 8, 1);
    log.sent(50, 1, 0, 2, 8, 1);
    log.sent(51, 1, 1, 2, 8, 2);
    log.sent(60, 1, 1, 2, 8, 3);
    EXPECT_EQ(log.rows(false), (std::vector<std::uint32_t>{0, 1, 0, 0}));
}

} // namespace
