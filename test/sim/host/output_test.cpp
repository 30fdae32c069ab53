// SPDX-License-Identifier: BSD-3-Clause
// What cores print and ask of the host.
#include <map>

#include <gtest/gtest.h>

#include "host/semihost.hpp"

using namespace skerry::sim;

namespace {

void print(LineOutput &output, std::uint32_t core, std::string_view text) {
    EXPECT_TRUE(output.write(core, 1, {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}));
}

template <class Function> std::string printed(Function &&f) {
    testing::internal::CaptureStdout();
    f();
    return testing::internal::GetCapturedStdout();
}

TEST(Lines, OfTwoCoresAreNotMixed) {
    EXPECT_EQ(printed([] {
                  LineOutput output(2);
                  print(output, 0, "on");
                  print(output, 1, "two\nth");
                  print(output, 0, "e\n");
                  print(output, 1, "ree");
                  output.flush();
              }),
              "two\none\nthree");
}

TEST(Lines, AreLabelledEach) {
    EXPECT_EQ(printed([] {
                  LineOutput output(2);
                  output.label({"(0,0) ", "(0,1) "});
                  print(output, 0, "one\n\ntwo\nth");
                  print(output, 1, "four\n");
                  print(output, 0, "ree\n");
              }),
              "(0,0) one\n(0,0) \n(0,0) two\n(0,1) four\n(0,0) three\n");
}

// One that is printed in pieces has one label.
TEST(Lines, MayBeLong) {
    const std::string half(5000, 'x');
    EXPECT_EQ(printed([&] {
                  LineOutput output(1);
                  output.label({"# "});
                  print(output, 0, half);
                  print(output, 0, half);
                  print(output, 0, "\nend\n");
              }),
              "# " + half + half + "\n# end\n");
}

TEST(Lines, AreAnnounced) {
    int calls = 0;
    EXPECT_EQ(printed([&] {
                  LineOutput output(1);
                  output.before([&] { calls++; });
                  print(output, 0, "not yet");
                  EXPECT_EQ(calls, 0);
                  print(output, 0, "\n");
              }),
              "not yet\n");
    EXPECT_EQ(calls, 1);
}

class Plain final : public TargetMemory {
  public:
    bool read(std::uint32_t address, std::span<std::uint8_t> to) override {
        for (std::uint8_t &byte : to) byte = bytes[address++];
        return true;
    }
    bool write(std::uint32_t address, std::span<const std::uint8_t> from) override {
        for (const std::uint8_t byte : from) bytes[address++] = byte;
        return true;
    }
    std::string text(std::uint32_t address) {
        std::string result;
        while (bytes[address] != 0) result += static_cast<char>(bytes[address++]);
        return result;
    }
    std::uint32_t word(std::uint32_t address) {
        return bytes[address] | bytes[address + 1] << 8 | bytes[address + 2] << 16 |
               static_cast<std::uint32_t>(bytes[address + 3]) << 24;
    }
    std::map<std::uint32_t, std::uint8_t> bytes;
};

TEST(Host, PlacesAnEnvironmentWhereTheLibraryLooks) {
    ElfImage image;
    image.symbols = {{0x500, 4, "_environ"}, {0x1000, 0, "___heap_end", true}};
    Plain memory;
    EXPECT_EQ(place_environment(image, {"A=1", "BC=2"}, memory), "");
    EXPECT_EQ(memory.word(0x500), 0x1000u);
    EXPECT_EQ(memory.text(memory.word(0x1000)), "A=1");
    EXPECT_EQ(memory.text(memory.word(0x1004)), "BC=2");
    EXPECT_EQ(memory.word(0x1008), 0u);
    image.symbols.pop_back();
    EXPECT_NE(place_environment(image, {"A=1"}, memory), "");
}

} // namespace
