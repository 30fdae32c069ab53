// SPDX-License-Identifier: BSD-3-Clause
// Intervals and functions: nothing is lost when intervals become one, and every address has its function.
#include <gtest/gtest.h>

#include <random>

#include "trace/functions.hpp"
#include "trace/timeline.hpp"

using namespace skerry::sim;

namespace {

std::uint64_t total(const Timeline &t, std::uint32_t core, unsigned track) {
    std::uint64_t sum = 0;
    for (const Timeline::Count &c : t.of(core)) sum += c[track];
    return sum;
}

TEST(Timeline, KeepsAllOfALongRun) {
    Timeline t(2, 16, 8);
    std::mt19937 random(1);
    std::uint64_t cycle = 0;
    std::uint64_t added = 0;
    for (int k = 0; k < 5000; k++) {
        const std::uint64_t cycles = random() % 100;
        t.spread(1, cycle, 3, cycles);
        cycle += cycles;
        added += cycles;
    }
    EXPECT_EQ(total(t, 1, 3), added);
    EXPECT_EQ(total(t, 0, 3), 0u);
    EXPECT_LE(t.size(), 8u);
    EXPECT_GE(t.interval() * t.size(), cycle);
    for (std::uint32_t k = 0; k + 1 < t.size(); k++) EXPECT_EQ(t.of(1)[k][3], t.interval()) << k;
}

TEST(Functions, EveryAddressHasOne) {
    ElfImage image;
    image.segments.push_back({0x100, 0x200, true, {}});
    image.symbols = {{0x100, 0, "start"},
                     {0x110, 0x20, "_main"},
                     {0x118, 0, "label_inside"},
                     {0x140, 0x10, "_far"},
                     {0x400, 4, "_data"}};
    const Functions functions(image);
    EXPECT_EQ(functions[functions.find(0x104).function].name, "start");
    EXPECT_EQ(functions[functions.find(0x11a).function].name, "main");
    EXPECT_EQ(functions.find(0x130).function, 0u);
    EXPECT_EQ(functions[functions.find(0x14e).function].name, "far");
    for (std::uint32_t address = 0; address < 0x500; address++) {
        const Functions::Range range = functions.find(address);
        EXPECT_TRUE(range.holds(address)) << address;
        EXPECT_EQ(functions.find(range.begin).function, range.function) << address;
        EXPECT_EQ(functions.find(range.last).function, range.function) << address;
    }
    EXPECT_TRUE(functions.find(0xffffffff).holds(0xffffffff));
}

TEST(Functions, AProgramWithoutSymbols) {
    const Functions functions{ElfImage{}};
    EXPECT_EQ(functions.find(0x1234).function, 0u);
    EXPECT_TRUE(functions.find(0x1234).holds(0));
}

} // namespace
