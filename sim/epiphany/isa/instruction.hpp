// SPDX-License-Identifier: BSD-3-Clause
// Defines a decoded instruction, and the properties that all instructions of one operation have: the format of the
// operands, the unit that executes the operation, and the registers and flags that it reads or writes. One list of
// operations contains all these properties. Decoding, execution, disassembly and timing use this list, and do not use
// each other. Source of the mnemonics: binutils cpu/epiphany.cpu.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace skerry::sim {

// The conditions, in the order of their encoding (bits 7 to 4 of a branch or conditional move).
enum class Condition : std::uint8_t {
    equal,
    not_equal,
    higher,         // unsigned >
    higher_or_same, // unsigned >=
    lower_or_same,  // unsigned <=
    lower,          // unsigned <
    greater,
    greater_or_equal,
    less,
    less_or_equal,
    float_equal,
    float_not_equal,
    float_less,
    float_less_or_equal,
    always,
    link, // BL: always, and r14 receives the return address
};

// The format of the operands in assembly. The format also determines which registers an instruction reads and writes.
enum class Format : std::uint8_t {
    none,
    target,                  // b target
    register_target,         // jr rn
    three_registers,         // add rd,rn,rm
    accumulate,              // fmadd rd,rn,rm: rd is read too
    two_registers,           // fix rd,rn
    conditional_move,        // moveq rd,rn
    add_immediate,           // add rd,rn,-1
    shift_immediate,         // lsl rd,rn,0x3
    move_immediate,          // mov rd,0x5
    move_high,               // movt rd,0x5: the low half of rd is unchanged
    displacement,            // ldr rd,[rn,+0x1]
    index,                   // ldr rd,[rn,+rm]
    postmodify_displacement, // ldr rd,[rn],+0x1
    postmodify_index,        // ldr rd,[rn],+rm
    to_special,              // movts config,rd
    from_special,            // movfs rd,config
    number,                  // trap 0x3
};

// The kind of unit that executes an operation. CONFIG can select integer arithmetic on the floating-point unit. Some of
// the `floating` operations are then `integer_on_float` (see kind_of).
enum class Kind : std::uint8_t { integer, floating, integer_on_float, load, store, branch, jump, system };

enum class Flags : std::uint8_t { none, integer, floating };

// The list of operations. Each row is X(operation, mnemonic, format, kind, flags written, bytes of memory accessed).
// SKERRY_ACCESSES expands to four rows: a load or store in its four addressing modes.
#define SKERRY_ACCESSES(X, name, mnemonic, kind, size)                                                                 \
    X(name##_displacement, mnemonic, displacement, kind, none, size)                                                   \
    X(name##_index, mnemonic, index, kind, none, size)                                                                 \
    X(name##_postmodify_displacement, mnemonic, postmodify_displacement, kind, none, size)                             \
    X(name##_postmodify_index, mnemonic, postmodify_index, kind, none, size)

#define SKERRY_OPERATIONS(X)                                                                                           \
    X(illegal, "*unknown*", none, system, none, 0)                                                                     \
    X(branch, "b", target, branch, none, 0)                                                                            \
    X(branch_link, "bl", target, branch, none, 0)                                                                      \
    X(jump, "jr", register_target, jump, none, 0)                                                                      \
    X(jump_link, "jalr", register_target, jump, none, 0)                                                               \
    X(add, "add", three_registers, integer, integer, 0)                                                                \
    X(subtract, "sub", three_registers, integer, integer, 0)                                                           \
    X(bit_and, "and", three_registers, integer, integer, 0)                                                            \
    X(bit_or, "orr", three_registers, integer, integer, 0)                                                             \
    X(exclusive_or, "eor", three_registers, integer, integer, 0)                                                       \
    X(shift_left, "lsl", three_registers, integer, integer, 0)                                                         \
    X(shift_right, "lsr", three_registers, integer, integer, 0)                                                        \
    X(shift_right_signed, "asr", three_registers, integer, integer, 0)                                                 \
    X(add_immediate, "add", add_immediate, integer, integer, 0)                                                        \
    X(subtract_immediate, "sub", add_immediate, integer, integer, 0)                                                   \
    X(shift_left_immediate, "lsl", shift_immediate, integer, integer, 0)                                               \
    X(shift_right_immediate, "lsr", shift_immediate, integer, integer, 0)                                              \
    X(shift_right_signed_immediate, "asr", shift_immediate, integer, integer, 0)                                       \
    X(bit_reverse, "bitr", two_registers, integer, integer, 0)                                                         \
    X(move, "mov", conditional_move, integer, none, 0)                                                                 \
    X(move_immediate, "mov", move_immediate, integer, none, 0)                                                         \
    X(move_high, "movt", move_high, integer, none, 0)                                                                  \
    X(float_add, "fadd", three_registers, floating, floating, 0)                                                       \
    X(float_subtract, "fsub", three_registers, floating, floating, 0)                                                  \
    X(float_multiply, "fmul", three_registers, floating, floating, 0)                                                  \
    X(float_multiply_add, "fmadd", accumulate, floating, floating, 0)                                                  \
    X(float_multiply_subtract, "fmsub", accumulate, floating, floating, 0)                                             \
    X(float_from_integer, "float", two_registers, floating, floating, 0)                                               \
    X(float_to_integer, "fix", two_registers, floating, floating, 0)                                                   \
    X(float_absolute, "fabs", two_registers, floating, floating, 0)                                                    \
    SKERRY_ACCESSES(X, load_byte, "ldrb", load, 1)                                                                     \
    SKERRY_ACCESSES(X, load_half, "ldrh", load, 2)                                                                     \
    SKERRY_ACCESSES(X, load_word, "ldr", load, 4)                                                                      \
    SKERRY_ACCESSES(X, load_double, "ldrd", load, 8)                                                                   \
    SKERRY_ACCESSES(X, store_byte, "strb", store, 1)                                                                   \
    SKERRY_ACCESSES(X, store_half, "strh", store, 2)                                                                   \
    SKERRY_ACCESSES(X, store_word, "str", store, 4)                                                                    \
    SKERRY_ACCESSES(X, store_double, "strd", store, 8)                                                                 \
    X(testset_byte, "testsetb", index, load, none, 1)                                                                  \
    X(testset_half, "testseth", index, load, none, 2)                                                                  \
    X(testset_word, "testset", index, load, none, 4)                                                                   \
    X(move_to_special, "movts", to_special, system, none, 0)                                                           \
    X(move_from_special, "movfs", from_special, system, none, 0)                                                       \
    X(no_operation, "nop", none, system, none, 0)                                                                      \
    X(no_operation_single, "snop", none, system, none, 0)                                                              \
    X(idle, "idle", none, system, none, 0)                                                                             \
    X(breakpoint, "bkpt", none, system, none, 0)                                                                       \
    X(multicore_breakpoint, "mbkpt", none, system, none, 0)                                                            \
    X(return_from_interrupt, "rti", none, jump, none, 0)                                                               \
    X(wand, "wand", none, system, none, 0)                                                                             \
    X(sync, "sync", none, system, none, 0)                                                                             \
    X(interrupts_enable, "gie", none, system, none, 0)                                                                 \
    X(interrupts_disable, "gid", none, system, none, 0)                                                                \
    X(software_interrupt, "swi", number, system, none, 0)                                                              \
    X(trap, "trap", number, system, none, 0)                                                                           \
    X(unimplemented, "unimpl", none, system, none, 0)                                                                  \
    /* The assembler accepts these five; no Epiphany-III executes them. */                                             \
    X(field_extract, "fext", three_registers, system, none, 0)                                                         \
    X(field_deposit, "fdep", three_registers, system, none, 0)                                                         \
    X(feedback_shift, "lfsr", three_registers, system, none, 0)                                                        \
    X(float_reciprocal, "frecip", two_registers, system, none, 0)                                                      \
    X(float_square_root, "fsqrt", two_registers, system, none, 0)

enum class Operation : std::uint8_t {
#define SKERRY_ENUMERATOR(name, mnemonic, format, kind, flags, size) name,
    SKERRY_OPERATIONS(SKERRY_ENUMERATOR)
#undef SKERRY_ENUMERATOR
};

#define SKERRY_COUNT(...) +1
constexpr unsigned operation_count = 0 SKERRY_OPERATIONS(SKERRY_COUNT);
#undef SKERRY_COUNT

// A decoded instruction. A Memory keeps it beside the bytes from which it was decoded. Fields that the operation does
// not use are zero.
struct Instruction {
    Operation operation = Operation::illegal;
    std::uint8_t length = 2; // bytes, 2 or 4; an illegal instruction has the length of its family (decode.hpp)
    std::uint8_t rd = 0;     // rd, rn and rm: numbers of general registers, 0 to 63
    std::uint8_t rn = 0;
    std::uint8_t rm = 0;
    Condition condition = Condition::always; // condition of a branch or a conditional move
    bool subtract = false;                   // rm or the displacement has a minus sign in assembly
    // The immediate operand. Its meaning depends on the operation:
    // * branch: the distance in bytes from this instruction to the target;
    // * load or store: the displacement in bytes, with its sign;
    // * MOVTS and MOVFS: the SpecialRegister;
    // * TRAP and SWI: the number of the trap or of the software interrupt;
    // * other instructions: the immediate value, sign-extended if the assembler accepts a sign.
    std::int32_t immediate = 0;

    bool operator==(const Instruction &) const = default;
};
static_assert(sizeof(Instruction) == 12);

struct Facts {
    std::string_view name;
    std::string_view mnemonic;
    Format format;
    Kind kind;
    Flags writes_flags;
    std::uint8_t size; // bytes that the operation loads or stores; 0 if it accesses no memory
    bool reads_rd;
    bool reads_rn;
    bool reads_rm;
    bool writes_rd;
    bool writes_rn; // the instruction post-modifies its base register
    bool pair;      // a double word: the operand is in the registers rd and rd + 1
};

constexpr Facts make_facts(std::string_view name, std::string_view mnemonic, Format format, Kind kind, Flags flags,
                           std::uint8_t size) {
    Facts facts{name, mnemonic, format, kind, flags, size, false, false, false, false, false, size == 8};
    const bool testset = mnemonic.starts_with("testset");
    switch (format) {
    case Format::none:
    case Format::target:
    case Format::number: break;
    case Format::register_target: facts.reads_rn = true; break;
    case Format::three_registers: facts.reads_rn = facts.reads_rm = facts.writes_rd = true; break;
    case Format::accumulate: facts.reads_rd = facts.reads_rn = facts.reads_rm = facts.writes_rd = true; break;
    case Format::two_registers:
    case Format::conditional_move:
    case Format::add_immediate:
    case Format::shift_immediate: facts.reads_rn = facts.writes_rd = true; break;
    case Format::move_immediate:
    case Format::from_special: facts.writes_rd = true; break;
    case Format::move_high: facts.reads_rd = facts.writes_rd = true; break;
    case Format::to_special: facts.reads_rd = true; break;
    case Format::displacement:
    case Format::index:
    case Format::postmodify_displacement:
    case Format::postmodify_index:
        facts.reads_rd = kind == Kind::store || testset;
        facts.writes_rd = kind == Kind::load;
        facts.reads_rn = true;
        facts.reads_rm = format == Format::index || format == Format::postmodify_index;
        facts.writes_rn = format == Format::postmodify_displacement || format == Format::postmodify_index;
        break;
    }
    return facts;
}

inline constexpr std::array<Facts, operation_count> all_facts = {{
#define SKERRY_FACTS(name, mnemonic, format, kind, flags, size)                                                        \
    make_facts(#name, mnemonic, Format::format, Kind::kind, Flags::flags, size),
    SKERRY_OPERATIONS(SKERRY_FACTS)
#undef SKERRY_FACTS
}};

constexpr const Facts &facts_of(Operation operation) {
    return all_facts[static_cast<unsigned>(operation)];
}

// Returns the kind of unit that executes an operation. `integer_mode` is true if CONFIG selects integer arithmetic on
// the FPU.
constexpr Kind kind_of(Operation operation, bool integer_mode) {
    const Kind kind = facts_of(operation).kind;
    const bool follows_mode =
        operation >= Operation::float_add && operation <= Operation::float_multiply_subtract && integer_mode;
    return follows_mode ? Kind::integer_on_float : kind;
}

constexpr unsigned link_register = 14;

constexpr bool links(Operation operation) {
    return operation == Operation::branch_link || operation == Operation::jump_link;
}

// registers_read and registers_written return the general registers that an instruction reads or writes, as a mask with
// one bit for each register.
// * A load of a double word writes rd and rd + 1.
// * BL and JALR write r14.
// * A conditional move always counts as a write of rd. The flags that decide whether it moves are not known when it is
//   decoded.
constexpr std::uint64_t registers_read(const Instruction &i) {
    const Facts &facts = facts_of(i.operation);
    const std::uint64_t rd = facts.pair ? 3 : 1;
    return (facts.reads_rd ? rd << i.rd : 0) | (facts.reads_rn ? std::uint64_t{1} << i.rn : 0) |
           (facts.reads_rm ? std::uint64_t{1} << i.rm : 0);
}

constexpr std::uint64_t registers_written(const Instruction &i) {
    const Facts &facts = facts_of(i.operation);
    const std::uint64_t rd = facts.pair ? 3 : 1;
    return (facts.writes_rd ? rd << i.rd : 0) | (facts.writes_rn ? std::uint64_t{1} << i.rn : 0) |
           (links(i.operation) ? std::uint64_t{1} << link_register : 0);
}

// Returns the group of flags on which a conditional branch or move depends.
constexpr Flags flags_read(const Instruction &i) {
    const Format format = facts_of(i.operation).format;
    if (format != Format::target && format != Format::conditional_move) return Flags::none;
    if (i.condition >= Condition::always) return Flags::none;
    return i.condition >= Condition::float_equal ? Flags::floating : Flags::integer;
}

} // namespace skerry::sim
