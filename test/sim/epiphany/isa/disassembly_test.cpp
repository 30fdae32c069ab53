// SPDX-License-Identifier: BSD-3-Clause
// Decoding and text against what binutils said once (record.py): every form line by line, all short instructions and a
// quarter of a million long words by hash.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

#include "epiphany/isa/decode.hpp"
#include "epiphany/isa/disassemble.hpp"

namespace sim = skerry::sim;

TEST(Disassembly, EveryFormIsWhatObjdumpPrints) {
    std::ifstream file(SKERRY_TEST_FOLDER "/encodings.txt");
    std::string line;
    unsigned lines = 0;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::uint32_t address = 0;
        std::string code;
        std::string text;
        words >> std::hex >> address >> code >> std::ws;
        std::getline(words, text);
        const sim::Instruction decoded = sim::decode(static_cast<std::uint32_t>(std::stoul(code, nullptr, 16)));
        EXPECT_EQ(decoded.length * 2U, code.size()) << line;
        EXPECT_EQ(sim::disassemble(decoded, address), text) << code;
        lines++;
    }
    EXPECT_GT(lines, 4000U);
}

namespace {

// As in record.py.
std::uint32_t mixed(std::uint32_t k) {
    k += 0x9e3779b9;
    k = (k ^ k >> 16) * 0x85ebca6b;
    k = (k ^ k >> 13) * 0xc2b2ae35;
    return k ^ k >> 16;
}

std::uint32_t long_word(std::uint32_t k) {
    constexpr std::array<std::uint32_t, 8> families = {0x8, 0x9, 0xb, 0xc, 0xd, 0xf, 0xf, 0xf};
    constexpr std::array<std::uint32_t, 8> upper = {0x0, 0x2, 0x6, 0x7, 0xa, 0xe, 0x2, 0x7};
    std::uint32_t word = (mixed(k) & ~0xfU) | families[k & 7];
    if (k & 8) {
        word = (word & ~0x030f0000U) | upper[k >> 4 & 7] << 16;
        word &= k & 0x80 ? ~0x00f00000U : k & 0x100 ? ~0x00400000U : ~0x00c00000U;
    }
    return word;
}

// Instructions that the simulator has and binutils does not: their bits, as in the table of
// sim/epiphany/isa/decode.cpp. The records say "*unknown*" for them. The test fails if objdump knows one of these words.
struct Bits {
    std::uint32_t value;
    std::uint32_t mask;
};
constexpr std::array<Bits, 0> unknown_to_objdump = {{
    // {0x004a005f, 0x007f007f},
}};

bool is_unknown_to_objdump(std::uint32_t word) {
    return std::any_of(unknown_to_objdump.begin(), unknown_to_objdump.end(),
                       [&](const Bits &row) { return (word & row.mask) == row.value; });
}

std::string text_in_record(std::uint32_t word, std::uint32_t address) {
    return is_unknown_to_objdump(word) ? "*unknown*" : sim::disassemble(sim::decode(word), address);
}

std::uint32_t hash_of_block(bool is_long, std::uint32_t block) {
    std::uint32_t hash = 0x811c9dc5;
    for (std::uint32_t k = 256 * block; k < 256 * block + 256; k++) {
        const std::uint32_t word = is_long ? long_word(k) : k | 0x01a20000;
        if ((word & 0x7f) == 0x77) continue; // objdump forgets the operands of the short FABS
        for (const char c : text_in_record(word, 4 * k) + "\n") {
            hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x01000193;
        }
    }
    return hash;
}

} // namespace

TEST(Disassembly, AllShortAndManyLongWordsAgreeWithObjdump) {
    std::ifstream file(SKERRY_TEST_FOLDER "/disassembly.txt");
    std::string name;
    std::uint32_t block = 0;
    std::string expected;
    unsigned blocks = 0;
    while (file >> name >> block >> expected) {
        std::ostringstream hash;
        hash << std::hex << std::setw(8) << std::setfill('0') << hash_of_block(name == "long", block);
        EXPECT_EQ(hash.str(), expected) << name << " words from " << 256 * block;
        blocks++;
    }
    EXPECT_EQ(blocks, 256U + 1024U);
}

TEST(Disassembly, ShortFabsNamesItsRegisters) {
    EXPECT_EQ(sim::disassemble(sim::decode(0x0477), 0), "fabs r0,r1");
}

TEST(Decode, EveryWordIsWithinBounds) {
    for (std::uint32_t k = 0; k < 1U << 22; k++) {
        const std::uint32_t word = k < 1U << 16 ? k : mixed(k);
        const sim::Instruction i = sim::decode(word);
        ASSERT_LT(static_cast<unsigned>(i.operation), sim::operation_count);
        ASSERT_LT(i.rd | i.rn | i.rm, 64);
        ASSERT_LT(static_cast<unsigned>(i.condition), 16U);
        ASSERT_EQ(i.length, sim::length_of(static_cast<std::uint16_t>(word)));
        ASSERT_GE(i.immediate, -0x1000000);
        ASSERT_LE(i.immediate, 0x1000000);
        if (i.length == 2) {
            ASSERT_EQ(i, sim::decode(word & 0xffff));
        }
    }
}

TEST(Decode, ImmediatesAreBytesWithTheirSign) {
    EXPECT_EQ(sim::decode(0x02e0).immediate, 4);           // b .+4
    EXPECT_EQ(sim::decode(0xfff800f8).immediate, -0x1000); // bl .-0x1000
    EXPECT_EQ(sim::decode(0x0300064c).immediate, -16);     // ldr r0,[r1],-4
    EXPECT_TRUE(sim::decode(0x0300064c).subtract);
    EXPECT_EQ(sim::decode(0x0080041b).immediate, -1024); // add r0,r1,-1024
    EXPECT_EQ(sim::decode(0x4032851f).immediate, 193);   // movfs r20,coreid
    EXPECT_EQ(sim::decode(0x8fe4).immediate, 56);        // ldrd r4,[r3,7]
}
