// SPDX-License-Identifier: BSD-3-Clause
// Random programs, run side by side by execute() and by the plain reference, compared after every instruction. A
// program is memory full of random instructions, itself reachable by its own stores and jumps; registers begin with
// numbers that matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <random>
#include <sstream>
#include <string>

#include "epiphany/isa/decode.hpp"
#include "epiphany/isa/disassemble.hpp"
#include "epiphany/isa/semantics.hpp"
#include "plain_bus.hpp"
#include "reference_interpreter.hpp"

namespace sim = skerry::sim;

namespace {

// 32 bits on every host, unlike what std::mt19937 returns.
struct Random {
    std::mt19937 engine;
    explicit Random(std::uint32_t seed) : engine(seed) {
    }
    std::uint32_t operator()() {
        return static_cast<std::uint32_t>(engine());
    }
};

std::uint32_t interesting(Random &random) {
    constexpr std::array<std::uint32_t, 20> numbers = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                                       0xff800000, 0x7fc00001, 0xff812345, 0x00800000, 0x807fffff,
                                                       0x00ffffff, 0x7f7fffff, 0xff7fffff, 0x34000000, 0x4b7fffff,
                                                       0x4f000000, 0xcf000000, 0x3f000000, 0x7fffffff, 0xffffffff};
    switch (random() % 6) {
    case 0: return numbers[random() % numbers.size()];
    case 1: return random();
    case 2: return random() % 0x2000 * 8;                          // an aligned address
    case 3: return (random() & 0x80ffffff) | 0x3f000000;           // near one
    case 4: return (random() & 0x807fffff) | (random() % 8) << 23; // near the smallest
    default: return random() % 64;
    }
}

// A random word in which the bits that must be zero often are. Mostly legal.
std::uint32_t random_word(Random &random) {
    std::uint32_t word = random();
    if (random() % 2) word &= ~0x03f00000U;
    constexpr std::array<std::uint32_t, 6> upper = {0x0, 0x2, 0x6, 0x7, 0xa, 0xe};
    if (random() % 2) word = (word & ~0x000f0000U) | upper[random() % 6] << 16;
    return word;
}

// An instruction of a random row of the table of encodings, with random operands: so also of an operation whose
// encoding has so many fixed bits that a random word hardly ever is one.
std::uint32_t instruction_of_a_row(Random &random) {
    const auto rows = sim::encodings();
    const sim::Encoding &row = rows[random() % rows.size()];
    return row.value | (random() & ~row.mask);
}

std::uint32_t instruction(Random &random) {
    for (;;) {
        const std::uint32_t word = random() % 8 == 0 ? instruction_of_a_row(random) : random_word(random);
        const sim::Instruction i = sim::decode(word);
        if (i.operation == sim::Operation::illegal && random() % 16) continue;
        const bool far = sim::facts_of(i.operation).kind == sim::Kind::jump;
        if (far && random() % 8) continue;
        return word;
    }
}

void fill(std::vector<std::uint8_t> &memory, Random &random) {
    for (std::size_t at = 0; at + 4 <= memory.size();) {
        const std::uint32_t word = instruction(random);
        std::memcpy(&memory[at], &word, 4);
        at += sim::decode(word).length;
    }
}

void begin(reference::Interpreter &plain, sim::State &s, Random &random) {
    for (unsigned k = 0; k < 64; k++) s.r[k] = plain.r[k] = interesting(random);
    constexpr std::array<std::uint32_t, 5> configs = {0, 1, 0x80000, 0xe, 0x80001};
    s.pc = plain.pc = random() % 0x8000 * 2;
    s.config = plain.config = configs[random() % 5];
    s.core_id = plain.coreid = 0x808;
    s.loop_count = plain.lc = random() % 4;
    s.loop_start = plain.ls = (s.pc + random() % 4 * 2) & 0xffff;
    s.loop_end = plain.le = (s.pc + random() % 32 * 2) & 0xffff;
    if (random() % 2) s.loop_end = plain.le |= 0x80800000;
    s.interrupt_mask = plain.imask = random();
    s.interrupt_latch = plain.ilat = random() % 2 ? random() & 0x3ff : 0;
    s.interrupt_return = plain.iret = random() & 0xfffe;
    s.status = random() & 0xffff;
    plain.set_status(s.status, true);
}

sim::State state_of(const reference::Interpreter &plain) {
    sim::State s;
    std::copy(std::begin(plain.r), std::end(plain.r), s.r.begin());
    s.pc = plain.pc;
    s.status = plain.status();
    s.config = plain.config;
    s.loop_count = plain.lc;
    s.loop_start = plain.ls;
    s.loop_end = plain.le;
    s.interrupt_return = plain.iret;
    s.interrupt_mask = plain.imask;
    s.interrupt_latch = plain.ilat;
    s.interrupt_pending = plain.ipend;
    s.debug_status = plain.debug;
    s.core_id = plain.coreid;
    return s;
}

std::string difference(const sim::State &ours, const sim::State &theirs) {
    std::ostringstream text;
    text << std::hex;
    const auto compare = [&text](const std::string &name, std::uint32_t mine, std::uint32_t other) {
        if (mine != other) text << name << " is " << mine << ", the reference has " << other << '\n';
    };
    for (unsigned k = 0; k < 64; k++) compare("r" + std::to_string(k), ours.r[k], theirs.r[k]);
    for (unsigned k = 0; k < 256; k++) {
        const auto which = static_cast<sim::SpecialRegister>(k);
        compare(std::string(sim::name_of(which)), sim::read_special(ours, which), sim::read_special(theirs, which));
    }
    return text.str();
}

// Runs one program of up to `steps` instructions; false when the two disagreed.
bool agree(std::uint32_t seed, unsigned steps) {
    Random random(seed);
    reference::Interpreter plain;
    PlainBus bus;
    sim::State s;
    fill(bus.memory, random);
    plain.memory = bus.memory;
    begin(plain, s, random);
    for (unsigned step = 0; step < steps; step++) {
        const unsigned number = sim::next_interrupt(s);
        if (number != sim::interrupt_count) sim::enter_interrupt(s, number);
        plain.interrupt();
        std::uint32_t word = 0;
        for (unsigned k = 0; k < 4; k++) word |= std::uint32_t{*bus.at(s.pc + k)} << (8 * k);
        const sim::Instruction i = sim::decode(word);
        const std::uint32_t pc = s.pc;
        const sim::Outcome outcome = sim::execute(s, i, bus);
        plain.step();
        const sim::State expected = state_of(plain);
        if (s != expected) {
            ADD_FAILURE() << "seed " << seed << ", step " << step << ": " << sim::disassemble(i, pc) << '\n'
                          << difference(s, expected);
            return false;
        }
        if (outcome == sim::Outcome::breakpoint || random() % 256 == 0) { // go on elsewhere, with fresh numbers
            s.pc = plain.pc = random() & 0xfffe;
            for (unsigned k = 0; k < 64; k += 1 + random() % 4) s.r[k] = plain.r[k] = interesting(random);
        }
    }
    EXPECT_EQ(bus.memory, plain.memory) << "seed " << seed;
    return bus.memory == plain.memory;
}

} // namespace

TEST(Random, ProgramsDoWhatTheReferenceDoes) {
    const char *const wanted = std::getenv("SKERRY_TEST_PROGRAMS");
    const unsigned programs = wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : 150;
    for (std::uint32_t seed = 1; seed <= programs; seed++) {
        if (!agree(seed, 2000)) return;
    }
}

TEST(Random, EveryOperationOccurs) {
    Random random(1);
    std::vector<std::uint8_t> memory(1 << 20);
    fill(memory, random);
    std::array<unsigned, sim::operation_count> seen{};
    for (std::size_t at = 0; at + 4 <= memory.size();) {
        std::uint32_t word = 0;
        std::memcpy(&word, &memory[at], 4);
        const sim::Instruction i = sim::decode(word);
        seen[static_cast<unsigned>(i.operation)]++;
        at += i.length;
    }
    for (unsigned k = 0; k < sim::operation_count; k++) {
        EXPECT_GT(seen[k], 0U) << sim::facts_of(static_cast<sim::Operation>(k)).name;
    }
}
