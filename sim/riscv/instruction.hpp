// SPDX-License-Identifier: BSD-3-Clause
// Defines a decoded RISC-V instruction, and the properties that all instructions of one operation have. One list of
// operations contains all these properties: the encoding, the format of the operands and the unit. Decoding, execution,
// disassembly and timing use this list. Source: The RISC-V Instruction Set Manual, volume I (20191213), chapter
// "RV32/64G Instruction Set Listings".
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace skerry::sim::riscv {

// Extensions of the base instruction set RV32I. The description of a machine says which of them its cores have.
enum class Extension : std::uint8_t { base, multiply, atomic, single_float, double_float, csr };

// The format of the operands in assembly. The format also determines which registers an instruction reads and writes.
enum class Format : std::uint8_t {
    none,
    fence,              // fence iorw,iorw
    upper,              // lui rd,imm
    jump,               // jal rd,target
    jump_register,      // jalr rd,imm(rs1)
    branch,             // beq rs1,rs2,target
    load,               // lw rd,imm(rs1)
    store,              // sw rs2,imm(rs1)
    immediate,          // addi rd,rs1,imm
    shift,              // slli rd,rs1,shamt
    registers,          // add rd,rs1,rs2
    csr,                // csrrw rd,csr,rs1
    csr_immediate,      // csrrwi rd,csr,imm
    load_reserved,      // lr.w rd,(rs1)
    atomic,             // amoadd.w rd,rs2,(rs1)
    float_load,         // flw fd,imm(rs1)
    float_store,        // fsw fs2,imm(rs1)
    float_registers,    // fadd.s fd,fs1,fs2: with a rounding mode
    float_plain,        // fsgnj.s fd,fs1,fs2: without a rounding mode
    float_fused,        // fmadd.s fd,fs1,fs2,fs3
    float_unary,        // fsqrt.s fd,fs1: with a rounding mode
    float_compare,      // feq.s rd,fs1,fs2
    float_to_integer,   // fcvt.w.s rd,fs1: with a rounding mode
    float_move_out,     // fmv.x.w rd,fs1: without a rounding mode
    float_from_integer, // fcvt.s.w fd,rs1: with a rounding mode
    float_move_in,      // fmv.w.x fd,rs1: without a rounding mode
};

// The unit that executes an operation. The unit determines the latency (latency_of in configuration.hpp).
enum class Unit : std::uint8_t {
    integer,
    multiply,
    divide,
    load,
    store,
    atomic,
    jump, // branches too
    system,
    floating,
    float_divide,      // also square roots
    float_divide_long, // of double precision
};

// The list of operations. Each row is X(operation, mnemonic, extension, format, unit, value, mask). `mask` selects bits
// of an instruction. The instruction is of this operation if the selected bits are equal to the same bits of `value`.
#define SKERRY_RISCV_BASE(X)                                                                                           \
    X(lui, "lui", base, upper, integer, 0x00000037, 0x0000007f)                                                        \
    X(auipc, "auipc", base, upper, integer, 0x00000017, 0x0000007f)                                                    \
    X(jal, "jal", base, jump, jump, 0x0000006f, 0x0000007f)                                                            \
    X(jalr, "jalr", base, jump_register, jump, 0x00000067, 0x0000707f)                                                 \
    X(beq, "beq", base, branch, jump, 0x00000063, 0x0000707f)                                                          \
    X(bne, "bne", base, branch, jump, 0x00001063, 0x0000707f)                                                          \
    X(blt, "blt", base, branch, jump, 0x00004063, 0x0000707f)                                                          \
    X(bge, "bge", base, branch, jump, 0x00005063, 0x0000707f)                                                          \
    X(bltu, "bltu", base, branch, jump, 0x00006063, 0x0000707f)                                                        \
    X(bgeu, "bgeu", base, branch, jump, 0x00007063, 0x0000707f)                                                        \
    X(lb, "lb", base, load, load, 0x00000003, 0x0000707f)                                                              \
    X(lh, "lh", base, load, load, 0x00001003, 0x0000707f)                                                              \
    X(lw, "lw", base, load, load, 0x00002003, 0x0000707f)                                                              \
    X(lbu, "lbu", base, load, load, 0x00004003, 0x0000707f)                                                            \
    X(lhu, "lhu", base, load, load, 0x00005003, 0x0000707f)                                                            \
    X(sb, "sb", base, store, store, 0x00000023, 0x0000707f)                                                            \
    X(sh, "sh", base, store, store, 0x00001023, 0x0000707f)                                                            \
    X(sw, "sw", base, store, store, 0x00002023, 0x0000707f)                                                            \
    X(addi, "addi", base, immediate, integer, 0x00000013, 0x0000707f)                                                  \
    X(slti, "slti", base, immediate, integer, 0x00002013, 0x0000707f)                                                  \
    X(sltiu, "sltiu", base, immediate, integer, 0x00003013, 0x0000707f)                                                \
    X(xori, "xori", base, immediate, integer, 0x00004013, 0x0000707f)                                                  \
    X(ori, "ori", base, immediate, integer, 0x00006013, 0x0000707f)                                                    \
    X(andi, "andi", base, immediate, integer, 0x00007013, 0x0000707f)                                                  \
    X(slli, "slli", base, shift, integer, 0x00001013, 0xfe00707f)                                                      \
    X(srli, "srli", base, shift, integer, 0x00005013, 0xfe00707f)                                                      \
    X(srai, "srai", base, shift, integer, 0x40005013, 0xfe00707f)                                                      \
    X(add, "add", base, registers, integer, 0x00000033, 0xfe00707f)                                                    \
    X(sub, "sub", base, registers, integer, 0x40000033, 0xfe00707f)                                                    \
    X(sll, "sll", base, registers, integer, 0x00001033, 0xfe00707f)                                                    \
    X(slt, "slt", base, registers, integer, 0x00002033, 0xfe00707f)                                                    \
    X(sltu, "sltu", base, registers, integer, 0x00003033, 0xfe00707f)                                                  \
    X(bit_xor, "xor", base, registers, integer, 0x00004033, 0xfe00707f)                                                \
    X(srl, "srl", base, registers, integer, 0x00005033, 0xfe00707f)                                                    \
    X(sra, "sra", base, registers, integer, 0x40005033, 0xfe00707f)                                                    \
    X(bit_or, "or", base, registers, integer, 0x00006033, 0xfe00707f)                                                  \
    X(bit_and, "and", base, registers, integer, 0x00007033, 0xfe00707f)                                                \
    X(fence, "fence", base, fence, system, 0x0000000f, 0x0000707f)                                                     \
    X(fence_i, "fence.i", base, none, system, 0x0000100f, 0x0000707f)                                                  \
    X(ecall, "ecall", base, none, system, 0x00000073, 0xffffffff)                                                      \
    X(ebreak, "ebreak", base, none, system, 0x00100073, 0xffffffff)                                                    \
    X(mret, "mret", base, none, jump, 0x30200073, 0xffffffff)                                                          \
    X(wfi, "wfi", base, none, system, 0x10500073, 0xffffffff)                                                          \
    X(csrrw, "csrrw", csr, csr, system, 0x00001073, 0x0000707f)                                                        \
    X(csrrs, "csrrs", csr, csr, system, 0x00002073, 0x0000707f)                                                        \
    X(csrrc, "csrrc", csr, csr, system, 0x00003073, 0x0000707f)                                                        \
    X(csrrwi, "csrrwi", csr, csr_immediate, system, 0x00005073, 0x0000707f)                                            \
    X(csrrsi, "csrrsi", csr, csr_immediate, system, 0x00006073, 0x0000707f)                                            \
    X(csrrci, "csrrci", csr, csr_immediate, system, 0x00007073, 0x0000707f)                                            \
    X(mul, "mul", multiply, registers, multiply, 0x02000033, 0xfe00707f)                                               \
    X(mulh, "mulh", multiply, registers, multiply, 0x02001033, 0xfe00707f)                                             \
    X(mulhsu, "mulhsu", multiply, registers, multiply, 0x02002033, 0xfe00707f)                                         \
    X(mulhu, "mulhu", multiply, registers, multiply, 0x02003033, 0xfe00707f)                                           \
    X(div, "div", multiply, registers, divide, 0x02004033, 0xfe00707f)                                                 \
    X(divu, "divu", multiply, registers, divide, 0x02005033, 0xfe00707f)                                               \
    X(rem, "rem", multiply, registers, divide, 0x02006033, 0xfe00707f)                                                 \
    X(remu, "remu", multiply, registers, divide, 0x02007033, 0xfe00707f)                                               \
    X(lr_w, "lr.w", atomic, load_reserved, atomic, 0x1000202f, 0xf9f0707f)                                             \
    X(sc_w, "sc.w", atomic, atomic, atomic, 0x1800202f, 0xf800707f)                                                    \
    X(amoswap_w, "amoswap.w", atomic, atomic, atomic, 0x0800202f, 0xf800707f)                                          \
    X(amoadd_w, "amoadd.w", atomic, atomic, atomic, 0x0000202f, 0xf800707f)                                            \
    X(amoxor_w, "amoxor.w", atomic, atomic, atomic, 0x2000202f, 0xf800707f)                                            \
    X(amoand_w, "amoand.w", atomic, atomic, atomic, 0x6000202f, 0xf800707f)                                            \
    X(amoor_w, "amoor.w", atomic, atomic, atomic, 0x4000202f, 0xf800707f)                                              \
    X(amomin_w, "amomin.w", atomic, atomic, atomic, 0x8000202f, 0xf800707f)                                            \
    X(amomax_w, "amomax.w", atomic, atomic, atomic, 0xa000202f, 0xf800707f)                                            \
    X(amominu_w, "amominu.w", atomic, atomic, atomic, 0xc000202f, 0xf800707f)                                          \
    X(amomaxu_w, "amomaxu.w", atomic, atomic, atomic, 0xe000202f, 0xf800707f)

// The operations that exist for both precisions: `p` is s (single) or d (double), and `fmt` has the bits of the
// instruction that select the precision.
#define SKERRY_RISCV_FLOAT(X, p, text, extension, fmt, divide)                                                         \
    X(fmadd_##p, "fmadd." text, extension, float_fused, floating, 0x00000043 | (fmt), 0x0600007f)                      \
    X(fmsub_##p, "fmsub." text, extension, float_fused, floating, 0x00000047 | (fmt), 0x0600007f)                      \
    X(fnmsub_##p, "fnmsub." text, extension, float_fused, floating, 0x0000004b | (fmt), 0x0600007f)                    \
    X(fnmadd_##p, "fnmadd." text, extension, float_fused, floating, 0x0000004f | (fmt), 0x0600007f)                    \
    X(fadd_##p, "fadd." text, extension, float_registers, floating, 0x00000053 | (fmt), 0xfe00007f)                    \
    X(fsub_##p, "fsub." text, extension, float_registers, floating, 0x08000053 | (fmt), 0xfe00007f)                    \
    X(fmul_##p, "fmul." text, extension, float_registers, floating, 0x10000053 | (fmt), 0xfe00007f)                    \
    X(fdiv_##p, "fdiv." text, extension, float_registers, divide, 0x18000053 | (fmt), 0xfe00007f)                      \
    X(fsqrt_##p, "fsqrt." text, extension, float_unary, divide, 0x58000053 | (fmt), 0xfff0007f)                        \
    X(fsgnj_##p, "fsgnj." text, extension, float_plain, floating, 0x20000053 | (fmt), 0xfe00707f)                      \
    X(fsgnjn_##p, "fsgnjn." text, extension, float_plain, floating, 0x20001053 | (fmt), 0xfe00707f)                    \
    X(fsgnjx_##p, "fsgnjx." text, extension, float_plain, floating, 0x20002053 | (fmt), 0xfe00707f)                    \
    X(fmin_##p, "fmin." text, extension, float_plain, floating, 0x28000053 | (fmt), 0xfe00707f)                        \
    X(fmax_##p, "fmax." text, extension, float_plain, floating, 0x28001053 | (fmt), 0xfe00707f)                        \
    X(fcvt_w_##p, "fcvt.w." text, extension, float_to_integer, floating, 0xc0000053 | (fmt), 0xfff0007f)               \
    X(fcvt_wu_##p, "fcvt.wu." text, extension, float_to_integer, floating, 0xc0100053 | (fmt), 0xfff0007f)             \
    X(feq_##p, "feq." text, extension, float_compare, floating, 0xa0002053 | (fmt), 0xfe00707f)                        \
    X(flt_##p, "flt." text, extension, float_compare, floating, 0xa0001053 | (fmt), 0xfe00707f)                        \
    X(fle_##p, "fle." text, extension, float_compare, floating, 0xa0000053 | (fmt), 0xfe00707f)                        \
    X(fclass_##p, "fclass." text, extension, float_move_out, floating, 0xe0001053 | (fmt), 0xfff0707f)                 \
    X(fcvt_##p##_w, "fcvt." text ".w", extension, float_from_integer, floating, 0xd0000053 | (fmt), 0xfff0007f)        \
    X(fcvt_##p##_wu, "fcvt." text ".wu", extension, float_from_integer, floating, 0xd0100053 | (fmt), 0xfff0007f)

#define SKERRY_RISCV_OPERATIONS(X)                                                                                     \
    SKERRY_RISCV_BASE(X)                                                                                               \
    X(flw, "flw", single_float, float_load, load, 0x00002007, 0x0000707f)                                              \
    X(fsw, "fsw", single_float, float_store, store, 0x00002027, 0x0000707f)                                            \
    X(fld, "fld", double_float, float_load, load, 0x00003007, 0x0000707f)                                              \
    X(fsd, "fsd", double_float, float_store, store, 0x00003027, 0x0000707f)                                            \
    SKERRY_RISCV_FLOAT(X, s, "s", single_float, 0x00000000, float_divide)                                              \
    SKERRY_RISCV_FLOAT(X, d, "d", double_float, 0x02000000, float_divide_long)                                         \
    X(fmv_x_w, "fmv.x.w", single_float, float_move_out, floating, 0xe0000053, 0xfff0707f)                              \
    X(fmv_w_x, "fmv.w.x", single_float, float_move_in, floating, 0xf0000053, 0xfff0707f)                               \
    X(fcvt_s_d, "fcvt.s.d", double_float, float_unary, floating, 0x40100053, 0xfff0007f)                               \
    X(fcvt_d_s, "fcvt.d.s", double_float, float_unary, floating, 0x42000053, 0xfff0007f)

enum class Operation : std::uint8_t {
    illegal,
#define SKERRY_ENUMERATOR(name, ...) name,
    SKERRY_RISCV_OPERATIONS(SKERRY_ENUMERATOR)
#undef SKERRY_ENUMERATOR
};

// Numbers of registers. The floating-point registers follow the integer registers. A mask of 64 bits has one bit for
// each register.
constexpr unsigned first_float = 32;
constexpr unsigned return_register = 1;
constexpr unsigned stack_register = 2;
constexpr unsigned frame_register = 8;
constexpr unsigned stack_pointer = 2;
constexpr unsigned argument_register = 10; // a0, the first of the arguments and the result
constexpr unsigned call_register = 17;     // a7, the number of a request to the host

// A decoded instruction. Fields that the operation does not use are zero.
struct Instruction {
    Operation operation = Operation::illegal;
    std::uint8_t length = 2; // bytes, 2 or 4
    // rd, rs1, rs2 and rs3 are numbers of registers, 0 to 31. The format says whether an operand is an integer
    // register or a floating-point register.
    std::uint8_t rd = 0;
    std::uint8_t rs1 = 0;
    std::uint8_t rs2 = 0;
    std::uint8_t rs3 = 0;
    std::uint8_t rounding = 0; // the field rm; in an atomic operation, bit 0 is rl and bit 1 is aq
    // The immediate operand. Its meaning depends on the operation:
    // * branch or jump: the distance in bytes from this instruction to the target;
    // * CSR instruction: the number of the register;
    // * LUI and AUIPC: the value with its low twelve bits zero.
    std::int32_t immediate = 0;

    bool operator==(const Instruction &) const = default;
};
static_assert(sizeof(Instruction) == 12);

struct Facts {
    std::string_view name;
    std::string_view mnemonic;
    Extension extension;
    Format format;
    Unit unit;
    std::uint32_t value;
    std::uint32_t mask;
};

inline constexpr auto all_facts =
    std::to_array<Facts>({{"illegal", "*unknown*", Extension::base, Format::none, Unit::system, 0, 0xffffffff},
#define SKERRY_FACTS(name, mnemonic, extension, format, unit, value, mask)                                             \
    {#name, mnemonic, Extension::extension, Format::format, Unit::unit, value, mask},
                          SKERRY_RISCV_OPERATIONS(SKERRY_FACTS)
#undef SKERRY_FACTS
    });

constexpr const Facts &facts_of(Operation operation) {
    return all_facts[static_cast<unsigned>(operation)];
}

// The kinds of register operands that an instruction of a format has. rd, rs1 and rs2 are true if the operand is an
// integer register. fd, fs1, fs2 and fs3 are true if it is a floating-point register.
struct Operands {
    bool rd = false, rs1 = false, rs2 = false;              // integer registers
    bool fd = false, fs1 = false, fs2 = false, fs3 = false; // float registers
    bool rounds = false;                                    // the field rm is a rounding mode
};

constexpr Operands operands_of(Format format) {
    switch (format) {
    case Format::none:
    case Format::fence: return {};
    case Format::upper:
    case Format::jump:
    case Format::csr_immediate: return {.rd = true};
    case Format::jump_register:
    case Format::load:
    case Format::immediate:
    case Format::shift:
    case Format::csr:
    case Format::load_reserved: return {.rd = true, .rs1 = true};
    case Format::branch:
    case Format::store: return {.rs1 = true, .rs2 = true};
    case Format::registers:
    case Format::atomic: return {.rd = true, .rs1 = true, .rs2 = true};
    case Format::float_load: return {.rs1 = true, .fd = true};
    case Format::float_store: return {.rs1 = true, .fs2 = true};
    case Format::float_registers: return {.fd = true, .fs1 = true, .fs2 = true, .rounds = true};
    case Format::float_plain: return {.fd = true, .fs1 = true, .fs2 = true};
    case Format::float_fused: return {.fd = true, .fs1 = true, .fs2 = true, .fs3 = true, .rounds = true};
    case Format::float_unary: return {.fd = true, .fs1 = true, .rounds = true};
    case Format::float_compare: return {.rd = true, .fs1 = true, .fs2 = true};
    case Format::float_to_integer: return {.rd = true, .fs1 = true, .rounds = true};
    case Format::float_move_out: return {.rd = true, .fs1 = true};
    case Format::float_from_integer: return {.rs1 = true, .fd = true, .rounds = true};
    case Format::float_move_in: return {.rs1 = true, .fd = true};
    }
    return {};
}

// registers_read and registers_written return masks with one bit for each register: bits 0 to 31 for the integer
// registers without x0, bits 32 to 63 for the float registers.
constexpr std::uint64_t registers_read(const Instruction &i) {
    const Operands o = operands_of(facts_of(i.operation).format);
    const std::uint64_t integers = (o.rs1 ? 1ULL << i.rs1 : 0) | (o.rs2 ? 1ULL << i.rs2 : 0);
    const std::uint64_t floats =
        (o.fs1 ? 1ULL << i.rs1 : 0) | (o.fs2 ? 1ULL << i.rs2 : 0) | (o.fs3 ? 1ULL << i.rs3 : 0);
    return (integers & ~1ULL) | floats << first_float;
}

constexpr std::uint64_t registers_written(const Instruction &i) {
    const Operands o = operands_of(facts_of(i.operation).format);
    return ((o.rd ? 1ULL << i.rd : 0) & ~1ULL) | (o.fd ? 1ULL << (first_float + i.rd) : 0);
}

// Returns the bytes of memory that an operation accesses, or 0.
constexpr unsigned size_of(Operation operation) {
    switch (operation) {
    case Operation::lb:
    case Operation::lbu:
    case Operation::sb: return 1;
    case Operation::lh:
    case Operation::lhu:
    case Operation::sh: return 2;
    case Operation::fld:
    case Operation::fsd: return 8;
    default:
        const Unit unit = facts_of(operation).unit;
        return unit == Unit::load || unit == Unit::store || unit == Unit::atomic ? 4 : 0;
    }
}

} // namespace skerry::sim::riscv
