// SPDX-License-Identifier: BSD-3-Clause
// Formats an instruction as text, according to the operand format of its operation and to five rules of objdump:
// * A long jump to r14 is printed as RTS.
// * SWI 0 is printed without its operand.
// * A displacement of 0 is printed only in a long load, and in a long store that subtracts it.
// * Only the addresses of long instructions have "+" or "-".
// * A special register without a name is printed as "???".
#include "epiphany/isa/disassemble.hpp"

#include <array>
#include <string_view>

#include "epiphany/isa/registers.hpp"

namespace skerry::sim {
namespace {

constexpr std::array<std::string_view, 16> suffixes = {"eq", "ne",  "gtu", "gteu", "lteu", "ltu",  "gt", "gte",
                                                       "lt", "lte", "beq", "bne",  "blt",  "blte", "",   ""};

std::string hexadecimal(std::uint32_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    do {
        text.insert(text.begin(), digits[value & 15]);
        value >>= 4;
    } while (value != 0);
    return "0x" + text;
}

std::string general(unsigned number) {
    switch (number) {
    case 11: return "fp";
    case 13: return "sp";
    case 14: return "lr";
    default: return "r" + std::to_string(number);
    }
}

std::string special(std::int32_t number) {
    const std::string_view name = name_of(static_cast<SpecialRegister>(number));
    return std::string(name.empty() ? "???" : name);
}

std::string sign(const Instruction &i) {
    if (i.length == 2) return "";
    return i.subtract ? "-" : "+";
}

std::string displacement(const Instruction &i) {
    const std::int32_t size = facts_of(i.operation).size;
    return sign(i) + hexadecimal(static_cast<std::uint32_t>((i.subtract ? -i.immediate : i.immediate) / size));
}

bool without_displacement(const Instruction &i) {
    const bool brief = i.length == 2 || (facts_of(i.operation).kind == Kind::store && !i.subtract);
    return brief && i.immediate == 0;
}

std::string operands(const Instruction &i, std::uint32_t pc) {
    const auto immediate = static_cast<std::uint32_t>(i.immediate);
    const std::string rd = general(i.rd);
    const std::string rn = general(i.rn);
    const std::string rm = general(i.rm);
    switch (facts_of(i.operation).format) {
    case Format::none: return "";
    case Format::target: return hexadecimal(pc + immediate);
    case Format::register_target: return rn;
    case Format::three_registers:
    case Format::accumulate: return rd + "," + rn + "," + rm;
    case Format::two_registers:
    case Format::conditional_move: return rd + "," + rn;
    case Format::add_immediate: return rd + "," + rn + "," + std::to_string(i.immediate);
    case Format::shift_immediate: return rd + "," + rn + "," + hexadecimal(immediate);
    case Format::move_immediate:
    case Format::move_high: return rd + "," + hexadecimal(immediate);
    case Format::displacement:
        if (without_displacement(i)) return rd + ",[" + rn + "]";
        return rd + ",[" + rn + "," + displacement(i) + "]";
    case Format::index: return rd + ",[" + rn + "," + sign(i) + rm + "]";
    case Format::postmodify_displacement: return rd + ",[" + rn + "]," + displacement(i);
    case Format::postmodify_index: return rd + ",[" + rn + "]," + sign(i) + rm;
    case Format::to_special: return special(i.immediate) + "," + rd;
    case Format::from_special: return rd + "," + special(i.immediate);
    case Format::number:
        return i.operation == Operation::software_interrupt && i.immediate == 0 ? "" : hexadecimal(immediate);
    }
    return "";
}

} // namespace

std::string disassemble(const Instruction &instruction, std::uint32_t pc) {
    const Instruction &i = instruction;
    const Facts &facts = facts_of(i.operation);
    if (i.operation == Operation::jump && i.length == 4 && i.rn == link_register) return "rts";
    std::string text(facts.mnemonic);
    const bool conditional = i.operation == Operation::branch || i.operation == Operation::move;
    if (conditional) text += suffixes[static_cast<unsigned>(i.condition)];
    const std::string rest = operands(i, pc);
    return rest.empty() ? text : text + " " + rest;
}

} // namespace skerry::sim
