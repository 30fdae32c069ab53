// SPDX-License-Identifier: BSD-3-Clause
// Compares the disassembler, and with it the decoder, with objdump. Usage:
//     sim.riscv_objdump OBJDUMP
// OBJDUMP is the path of riscv64-unknown-elf-objdump. If it is missing, the program says so and exits with 77, which
// ctest shows as "skipped".
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "riscv/decode.hpp"
#include "riscv/disassemble.hpp"

using namespace skerry::sim::riscv;

namespace {

constexpr int exit_skipped = 77;
constexpr unsigned samples = 100; // of each operation
constexpr unsigned most_shown = 10;

// Returns true for a conversion that never rounds. objdump knows it only with the rounding mode 0.
bool is_exact(Operation operation) {
    return operation == Operation::fcvt_d_s || operation == Operation::fcvt_d_w || operation == Operation::fcvt_d_wu;
}

// Returns random instructions of each operation, with the fields zero that objdump requires to be zero.
std::vector<std::uint32_t> random_instructions() {
    std::mt19937 random(1);
    std::vector<std::uint32_t> all;
    for (std::size_t k = 1; k < all_facts.size(); k++) {
        const Facts &f = all_facts[k];
        for (unsigned n = 0; n < samples; n++) {
            std::uint32_t open = ~f.mask;
            if (f.format == Format::none) open = 0;
            if (f.format == Format::fence) open = 0x0ff00000;
            if (is_exact(static_cast<Operation>(k))) open &= ~0x7000U;
            all.push_back(f.value | (static_cast<std::uint32_t>(random()) & open));
        }
    }
    return all;
}

// Returns the text without what objdump adds to it, or writes in another way.
std::string plain(std::string text) {
    text = text.substr(0, text.find_first_of("#<"));
    std::string result;
    for (std::size_t k = 0; k < text.size(); k++) {
        if (text.compare(k, 2, "0x") == 0) k += 2;
        if (k < text.size()) result += text[k] == '\t' ? ' ' : text[k];
    }
    for (const char *order : {".aqrl", ".aq", ".rl"}) { // of an atomic operation
        const std::size_t at = result.find(order);
        if (at != std::string::npos && at < result.find(' ')) result.erase(at, std::string(order).size());
    }
    while (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

// Returns objdump's texts by address. The instructions begin at address 0.
std::map<std::uint32_t, std::string> texts_of(const std::string &objdump, const std::vector<std::uint8_t> &code) {
    const std::string path =
        fmt::format("{}/skerry-riscv-{}.bin", std::filesystem::temp_directory_path().string(), getpid());
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(code.data()), std::ssize(code));
    const std::string command = fmt::format("'{}' -D -z -b binary -m riscv:rv32 -M no-aliases '{}'", objdump, path);
    std::map<std::uint32_t, std::string> texts;
    std::FILE *pipe = popen(command.c_str(), "r");
    char line[512];
    while (pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr) {
        unsigned address = 0;
        unsigned bits = 0;
        int end = 0;
        if (std::sscanf(line, " %x: %x %n", &address, &bits, &end) != 2 || end == 0) continue;
        std::string text(line + end);
        while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
        texts[address] = text;
    }
    if (pipe != nullptr) pclose(pipe);
    std::filesystem::remove(path);
    return texts;
}

// Names of control and status registers are not compared: the simulator prints their numbers.
bool names_a_csr(Operation operation) {
    const Format format = facts_of(operation).format;
    return format == Format::csr || format == Format::csr_immediate;
}

unsigned differences = 0;
void differ(std::uint32_t bits, const std::string &here, const std::string &there) {
    if (differences++ < most_shown) fmt::print(stderr, "{:08x}: '{}', objdump '{}'\n", bits, here, there);
}

void compare_long(const std::string &objdump) {
    const std::vector<std::uint32_t> all = random_instructions();
    std::vector<std::uint8_t> code;
    for (const std::uint32_t bits : all) {
        for (unsigned k = 0; k < 4; k++) code.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
    }
    const auto texts = texts_of(objdump, code);
    for (std::size_t k = 0; k < all.size(); k++) {
        const auto address = static_cast<std::uint32_t>(4 * k);
        const Instruction i = decode(all[k]);
        if (names_a_csr(i.operation)) continue;
        const auto found = texts.find(address);
        const std::string there = found == texts.end() ? "" : plain(found->second);
        const std::string here = plain(disassemble(i, address));
        if (here != there) differ(all[k], here, there);
    }
    fmt::print("{} instructions of 4 bytes compared\n", all.size());
}

// Compares which compressed instructions exist. objdump accepts shifts by more than 31, which RV32 does not have, and
// c.addi16sp by 0, which is reserved.
void compare_short(const std::string &objdump) {
    std::vector<std::uint16_t> all;
    std::vector<std::uint8_t> code;
    for (std::uint32_t bits = 0; bits < 0x10000; bits++) {
        const bool shift = ((bits & 0xe003) == 0x0002 || (bits & 0xe803) == 0x8001) && (bits & 0x1000) != 0;
        constexpr std::uint32_t add_0_to_sp = 0x6101;
        if ((bits & 3) == 3 || shift || bits == add_0_to_sp) continue;
        all.push_back(static_cast<std::uint16_t>(bits));
        code.push_back(static_cast<std::uint8_t>(bits));
        code.push_back(static_cast<std::uint8_t>(bits >> 8));
    }
    const auto texts = texts_of(objdump, code);
    for (std::size_t k = 0; k < all.size(); k++) {
        const auto found = texts.find(static_cast<std::uint32_t>(2 * k));
        const std::string there = found == texts.end() ? "" : found->second;
        const bool exists = there.starts_with("c.") && there != "c.unimp";
        if (exists != (decode(all[k]).operation != Operation::illegal))
            differ(all[k], disassemble(decode(all[k]), 0), there);
    }
    fmt::print("{} instructions of 2 bytes compared\n", all.size());
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 2 || access(argv[1], X_OK) != 0) {
        fmt::print(stderr, "skipped: riscv64-unknown-elf-objdump is not installed (binutils-riscv64-unknown-elf)\n");
        return exit_skipped;
    }
    compare_long(argv[1]);
    compare_short(argv[1]);
    if (differences != 0) fmt::print(stderr, "{} differences\n", differences);
    return differences == 0 ? 0 : 1;
}
