// SPDX-License-Identifier: BSD-3-Clause
#include "riscv/disassemble.hpp"

#include <array>

#include <fmt/format.h>

namespace skerry::sim::riscv {
namespace {

constexpr std::array<std::string_view, 32> integer_names = {
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
constexpr std::array<std::string_view, 32> float_names = {
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

// Returns the text of a set of accesses that a fence orders, for example "rw" for reads and writes.
std::string fence_set(std::uint32_t bits) {
    std::string text;
    constexpr std::string_view letters = "wroi";
    for (unsigned k = 4; k-- > 0;) {
        if ((bits >> k & 1) != 0) text += letters[k];
    }
    return text.empty() ? "unknown" : text;
}

// Returns the text of the rounding mode, which is the last operand. Some conversions to double precision are always
// exact; they have no rounding mode in the text.
std::string rounding_suffix(const Instruction &i) {
    const bool exact =
        i.operation == Operation::fcvt_d_s || i.operation == Operation::fcvt_d_w || i.operation == Operation::fcvt_d_wu;
    if (exact && i.rounding == 0) return {};
    constexpr std::array<std::string_view, 8> names = {",rne", ",rtz",     ",rdn",     ",rup",
                                                       ",rmm", ",unknown", ",unknown", ""};
    return std::string(names[i.rounding]);
}

std::string operands(const Instruction &i, std::uint32_t pc) {
    const std::string_view rd = integer_names[i.rd & 31];
    const std::string_view rs1 = integer_names[i.rs1];
    const std::string_view rs2 = integer_names[i.rs2];
    const std::string_view fd = float_names[i.rd & 31];
    const std::string_view fs1 = float_names[i.rs1];
    const std::string_view fs2 = float_names[i.rs2];
    const auto bits = static_cast<std::uint32_t>(i.immediate);
    const std::string mode = rounding_suffix(i);
    switch (facts_of(i.operation).format) {
    case Format::none: return {};
    case Format::fence: return fmt::format("{},{}", fence_set(bits >> 4), fence_set(bits));
    case Format::upper: return fmt::format("{},{:#x}", rd, bits >> 12);
    case Format::jump: return fmt::format("{},{:x}", rd, pc + bits);
    case Format::jump_register:
    case Format::load: return fmt::format("{},{}({})", rd, i.immediate, rs1);
    case Format::branch: return fmt::format("{},{},{:x}", rs1, rs2, pc + bits);
    case Format::store: return fmt::format("{},{}({})", rs2, i.immediate, rs1);
    case Format::immediate: return fmt::format("{},{},{}", rd, rs1, i.immediate);
    case Format::shift: return fmt::format("{},{},{:#x}", rd, rs1, bits);
    case Format::registers: return fmt::format("{},{},{}", rd, rs1, rs2);
    case Format::csr: return fmt::format("{},{:#x},{}", rd, bits, rs1);
    case Format::csr_immediate: return fmt::format("{},{:#x},{}", rd, bits, i.rs1);
    case Format::load_reserved: return fmt::format("{},({})", rd, rs1);
    case Format::atomic: return fmt::format("{},{},({})", rd, rs2, rs1);
    case Format::float_load: return fmt::format("{},{}({})", fd, i.immediate, rs1);
    case Format::float_store: return fmt::format("{},{}({})", fs2, i.immediate, rs1);
    case Format::float_registers: return fmt::format("{},{},{}{}", fd, fs1, fs2, mode);
    case Format::float_plain: return fmt::format("{},{},{}", fd, fs1, fs2);
    case Format::float_fused: return fmt::format("{},{},{},{}{}", fd, fs1, fs2, float_names[i.rs3], mode);
    case Format::float_unary: return fmt::format("{},{}{}", fd, fs1, mode);
    case Format::float_compare: return fmt::format("{},{},{}", rd, fs1, fs2);
    case Format::float_to_integer: return fmt::format("{},{}{}", rd, fs1, mode);
    case Format::float_move_out: return fmt::format("{},{}", rd, fs1);
    case Format::float_from_integer: return fmt::format("{},{}{}", fd, rs1, mode);
    case Format::float_move_in: return fmt::format("{},{}", fd, rs1);
    }
    return {};
}

} // namespace

std::string disassemble(const Instruction &i, std::uint32_t pc) {
    const std::string text = operands(i, pc);
    return std::string(facts_of(i.operation).mnemonic) + (text.empty() ? "" : " ") + text;
}

std::string_view integer_name(unsigned number) {
    return integer_names[number];
}
std::string_view float_name(unsigned number) {
    return float_names[number];
}

} // namespace skerry::sim::riscv
