// SPDX-License-Identifier: BSD-3-Clause
// How fast instructions run without any timing: loops of the kind that programs spend their time in, decoded once and
// then executed from an array beside memory, as a core model does. The floor that a whole simulator is measured
// against.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "epiphany/isa/decode.hpp"
#include "epiphany/isa/semantics.hpp"
#include "plain_bus.hpp"

using namespace skerry::sim;

namespace {

// Half words as they stand in memory, from address 0x100 on. Each loop counts r0 down and ends behind its last
// instruction.
constexpr std::uint16_t integers[] = {
    0x299a,         // add r1,r2,r3
    0x460a,         // eor r2,r1,r4
    0x8476,         // lsl r4,r1,0x3
    0x6d7a,         // orr r3,r3,r2
    0xb34a,         // lsr r5,r4,r6
    0x00b3, 0xfa10, // sub r0,r0,1; bne
};
constexpr std::uint16_t floats[] = {
    0x12bf, 0x4907, // fmadd r16,r20,r21
    0x333f, 0x4907, // fmadd r17,r20,r22
    0x53bf, 0x4907, // fmadd r18,r20,r23
    0x703f, 0x4987, // fmadd r19,r20,r24
    0x208f, 0x6907, // fadd r25,r16,r17
    0x00b3, 0xf510, // sub r0,r0,1; bne
};
constexpr std::uint16_t copies[] = {
    0x056c, 0x4200, // ldrd r16,[r1],+0x2
    0x44ec, 0x4000, // ldrd r18,[r1,+0x1]
    0x097c, 0x4200, // strd r16,[r2],+0x2
    0x48fc, 0x4100, // strd r18,[r2,-0x1]
    0x00b3, 0xf710, // sub r0,r0,1; bne
};
constexpr std::uint16_t products[] = {
    0x04ec, 0x4200, // ldrd r16,[r1],+0x1
    0x48ec, 0x4200, // ldrd r18,[r2],+0x1
    0x813f, 0x4907, // fmadd r20,r16,r18
    0xa5bf, 0x4907, // fmadd r21,r17,r19
    0x00b3, 0xf710, // sub r0,r0,1; bne
};

struct Core {
    State s;
    PlainBus bus;
    std::vector<Instruction> decoded = std::vector<Instruction>(0x8000); // one for every half word
    std::uint32_t end;

    explicit Core(std::span<const std::uint16_t> code) : end(0x100 + 2 * static_cast<std::uint32_t>(code.size())) {
        for (std::size_t k = 0; k < code.size(); k++) {
            const std::uint32_t second = k + 1 < code.size() ? code[k + 1] : 0;
            decoded[0x80 + k] = decode(code[k] | second << 16);
        }
        for (std::uint32_t k = 16; k < 32; k++) s.r[k] = 0x3f800000 + k;
        for (std::uint32_t k = 0; k < 0x10000; k++) bus.memory[k] = k % 4 == 3 ? 0x3f : static_cast<std::uint8_t>(k);
        s.r[2] = 0x8000;
    }
};

std::uint64_t run(Core &core, std::uint32_t rounds) {
    std::uint64_t executed = 0;
    core.s.pc = 0x100;
    core.s.r[0] = rounds;
    while (core.s.pc != core.end) {
        const Instruction &i = core.decoded[core.s.pc / 2 & 0x7fff];
        const Outcome outcome = execute(core.s, i, core.bus);
        if (outcome > Outcome::jumped) break;
        executed++;
    }
    return executed;
}

double millions_a_second(std::span<const std::uint16_t> code) {
    Core core(code);
    double best = 0;
    for (unsigned k = 0; k < 7; k++) {
        const auto begin = std::chrono::steady_clock::now();
        const std::uint64_t executed = run(core, 2'000'000);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        best = std::max(best, static_cast<double>(executed) / took.count() / 1e6);
    }
    return best;
}

void measure(const char *name, std::span<const std::uint16_t> code) {
    std::printf("%-10s %5.0f\n", name, millions_a_second(code));
    std::fflush(stdout);
}

} // namespace

int main() {
    std::printf("million instructions a second\n");
    measure("integer", integers);
    measure("fmadd", floats);
    measure("copy", copies);
    measure("dot", products);
    return 0;
}
