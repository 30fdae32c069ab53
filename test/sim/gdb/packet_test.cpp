// SPDX-License-Identifier: BSD-3-Clause
// Frames: whatever comes in, in whatever pieces.
#include <gtest/gtest.h>

#include <random>

#include "gdb/packet.hpp"

using namespace skerry::sim::gdb;

namespace {

using Kind = Received::Kind;

TEST(Packet, ComesInPieces) {
    PacketReader reader;
    const std::string text = "+" + frame("qSupported") + "\3" + frame("g") + "-";
    std::vector<Received> all;
    for (const char c : text) {
        reader.feed({&c, 1});
        while (const auto one = reader.next()) all.push_back(*one);
    }
    ASSERT_EQ(all.size(), 5u);
    EXPECT_EQ(all[0].kind, Kind::acknowledged);
    EXPECT_EQ(all[1].payload, "qSupported");
    EXPECT_EQ(all[2].kind, Kind::interrupt);
    EXPECT_EQ(all[3].payload, "g");
    EXPECT_EQ(all[4].kind, Kind::again);
}

TEST(Packet, EscapesReturnAsTheyWere) {
    std::string payload;
    for (int k = 0; k < 256; k++) payload += static_cast<char>(k);
    PacketReader reader;
    reader.feed(frame(payload));
    const auto received = reader.next();
    ASSERT_TRUE(received);
    EXPECT_EQ(received->kind, Kind::packet);
    EXPECT_EQ(received->payload, payload);
}

TEST(Packet, WrongSumsAreSeen) {
    PacketReader reader;
    reader.feed("$g#00$g#zz$g#67");
    EXPECT_EQ(reader.next()->kind, Kind::damaged);
    EXPECT_EQ(reader.next()->kind, Kind::damaged);
    EXPECT_EQ(reader.next()->kind, Kind::packet);
    EXPECT_FALSE(reader.next());
}

TEST(Packet, OneWithoutEndIsGivenUp) {
    PacketReader reader;
    reader.feed("$" + std::string(10 * largest_packet, 'a'));
    EXPECT_EQ(reader.next()->kind, Kind::damaged);
    reader.feed(frame("g"));
    EXPECT_EQ(reader.next()->payload, "g");
}

TEST(Packet, AnythingCanComeIn) {
    std::mt19937 random(1);
    PacketReader reader;
    for (int k = 0; k < 20'000; k++) {
        std::string bytes;
        for (auto n = random() % 40; n > 0; n--) bytes += "$#}*+-\3gG0aZ,:;"[random() % 15];
        reader.feed(bytes);
        while (reader.next()) {
        }
    }
}

TEST(Hex, NumbersAndBytes) {
    EXPECT_EQ(hex_number("ff"), 255u);
    EXPECT_FALSE(hex_number(""));
    EXPECT_FALSE(hex_number("12g"));
    EXPECT_FALSE(hex_number("123456789"));
    EXPECT_EQ(from_hex("6768"), "gh");
    EXPECT_FALSE(from_hex("676"));
    EXPECT_EQ(to_hex("gh"), "6768");
}

} // namespace
