// SPDX-License-Identifier: BSD-3-Clause
// Lists the special registers of a core: their addresses in the memory map, their numbers in the instructions MOVTS and
// MOVFS, and their bits. All registers except the 64 general registers are special registers. The part of the memory
// map for them begins at 0xF0400. The register with the number group * 64 + index is the word with this number there.
// Sources:
// * binutils cpu/epiphany.cpu: groups, indices, bits;
// * the e-lib headers: addresses, DMA and timer fields;
// * Adapteva's functional simulator: interrupt numbers, exception causes of Epiphany-III, event sources.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "memory/access.hpp"

namespace skerry::sim {

// The special registers, by group. Each row is X(number of the register in its group, name in C++, name in assembly).
#define SKERRY_CORE_REGISTERS(X)                                                                                       \
    X(0, config, "config")                                                                                             \
    X(1, status, "status")                                                                                             \
    X(2, pc, "pc")                                                                                                     \
    X(3, debug_status, "debug")                                                                                        \
    X(4, fetch_buffer, "iab")                                                                                          \
    X(5, loop_count, "lc")                                                                                             \
    X(6, loop_start, "ls")                                                                                             \
    X(7, loop_end, "le")                                                                                               \
    X(8, interrupt_return, "iret")                                                                                     \
    X(9, interrupt_mask, "imask")                                                                                      \
    X(10, interrupt_latch, "ilat")                                                                                     \
    X(11, interrupt_latch_set, "ilatst")                                                                               \
    X(12, interrupt_latch_clear, "ilatcl")                                                                             \
    X(13, interrupt_pending, "ipend")                                                                                  \
    X(14, timer0, "ctimer0")                                                                                           \
    X(15, timer1, "ctimer1")                                                                                           \
    X(16, full_status, "hstatus")                                                                                      \
    X(18, debug_command, "")
#define SKERRY_DMA_REGISTERS(X)                                                                                        \
    X(0, dma0_config, "dma0config")                                                                                    \
    X(1, dma0_stride, "dma0stride")                                                                                    \
    X(2, dma0_count, "dma0count")                                                                                      \
    X(3, dma0_source, "dma0srcaddr")                                                                                   \
    X(4, dma0_destination, "dma0dstaddr")                                                                              \
    X(5, dma0_auto0, "dma0auto0")                                                                                      \
    X(6, dma0_auto1, "dma0auto1")                                                                                      \
    X(7, dma0_status, "dma0status")                                                                                    \
    X(8, dma1_config, "dma1config")                                                                                    \
    X(9, dma1_stride, "dma1stride")                                                                                    \
    X(10, dma1_count, "dma1count")                                                                                     \
    X(11, dma1_source, "dma1srcaddr")                                                                                  \
    X(12, dma1_destination, "dma1dstaddr")                                                                             \
    X(13, dma1_auto0, "dma1auto0")                                                                                     \
    X(14, dma1_auto1, "dma1auto1")                                                                                     \
    X(15, dma1_status, "dma1status")
#define SKERRY_MEMORY_REGISTERS(X)                                                                                     \
    X(0, memory_config, "memconfig")                                                                                   \
    X(1, memory_status, "memstatus")                                                                                   \
    X(2, memory_protect, "memprotect")                                                                                 \
    X(3, memory_reserve, "memreserve")
#define SKERRY_MESH_REGISTERS(X)                                                                                       \
    X(0, mesh_config, "meshconfig")                                                                                    \
    X(1, core_id, "coreid")                                                                                            \
    X(2, mesh_multicast, "meshmulticast")                                                                              \
    X(3, software_reset, "swreset")                                                                                    \
    X(4, mesh_route_write, "")                                                                                         \
    X(5, mesh_route_off_chip, "")                                                                                      \
    X(6, mesh_route_read, "")

enum class SpecialGroup : std::uint8_t { core, dma, memory, mesh };

// The number of a special register in the encoding of MOVTS and MOVFS. The upper two bits are the group, and the lower
// six bits are the index in the group. A program can use any of the 256 numbers. Registers without a name read as zero.
enum class SpecialRegister : std::uint8_t {
#define SKERRY_ENUMERATOR(index, name, text) name = index,
    SKERRY_CORE_REGISTERS(SKERRY_ENUMERATOR)
#undef SKERRY_ENUMERATOR
#define SKERRY_ENUMERATOR(index, name, text) name = 64 + index,
        SKERRY_DMA_REGISTERS(SKERRY_ENUMERATOR)
#undef SKERRY_ENUMERATOR
#define SKERRY_ENUMERATOR(index, name, text) name = 128 + index,
            SKERRY_MEMORY_REGISTERS(SKERRY_ENUMERATOR)
#undef SKERRY_ENUMERATOR
#define SKERRY_ENUMERATOR(index, name, text) name = 192 + index,
                SKERRY_MESH_REGISTERS(SKERRY_ENUMERATOR)
#undef SKERRY_ENUMERATOR
};

constexpr SpecialGroup group_of(SpecialRegister which) {
    return static_cast<SpecialGroup>(static_cast<unsigned>(which) / 64);
}

// Returns the name in assembly, or an empty string if binutils has none.
constexpr std::string_view name_of(SpecialRegister which) {
    constexpr auto names = [] {
        std::array<std::string_view, 256> table{};
#define SKERRY_NAME(index, name, text) table[static_cast<unsigned>(SpecialRegister::name)] = text;
        SKERRY_CORE_REGISTERS(SKERRY_NAME)
        SKERRY_DMA_REGISTERS(SKERRY_NAME)
        SKERRY_MEMORY_REGISTERS(SKERRY_NAME)
        SKERRY_MESH_REGISTERS(SKERRY_NAME)
#undef SKERRY_NAME
        return table;
    }();
    return names[static_cast<unsigned>(which)];
}

// The offsets of the registers in the range of 1 MB of addresses that belongs to a core.
constexpr std::uint32_t general_registers_base = 0xf0000;
constexpr std::uint32_t general_registers_size = 64 * 4;
constexpr std::uint32_t special_registers_base = 0xf0400;
constexpr std::uint32_t special_registers_size = 256 * 4;

constexpr std::uint32_t address_of(SpecialRegister which) {
    return special_registers_base + 4 * static_cast<std::uint32_t>(which);
}

// Returns the register at an address within a core, which must be in [special_registers_base, special_registers_base +
// special_registers_size).
constexpr SpecialRegister special_register_at(std::uint32_t offset) {
    return static_cast<SpecialRegister>((offset - special_registers_base) / 4);
}

namespace status {
constexpr std::uint32_t active = 1U << 0;              // clear while the core waits in IDLE
constexpr std::uint32_t interrupts_disabled = 1U << 1; // GID
constexpr std::uint32_t kernel_mode = 1U << 2;
constexpr std::uint32_t wand = 1U << 3;                    // set by WAND, cleared when all cores have set it
constexpr std::uint32_t zero = 1U << 4;                    // AZ
constexpr std::uint32_t negative = 1U << 5;                // AN
constexpr std::uint32_t carry = 1U << 6;                   // AC
constexpr std::uint32_t overflow = 1U << 7;                // AV
constexpr std::uint32_t float_zero = 1U << 8;              // BZ
constexpr std::uint32_t float_negative = 1U << 9;          // BN
constexpr std::uint32_t float_overflow = 1U << 10;         // BV
constexpr std::uint32_t float_carry = 1U << 11;            // BC, which no instruction writes
constexpr std::uint32_t overflow_sticky = 1U << 12;        // AVS
constexpr std::uint32_t float_invalid_sticky = 1U << 13;   // BIS
constexpr std::uint32_t float_overflow_sticky = 1U << 14;  // BVS
constexpr std::uint32_t float_underflow_sticky = 1U << 15; // BUS
constexpr std::uint32_t cause_shift = 16;
constexpr std::uint32_t cause = 0xfU << cause_shift;
constexpr std::uint32_t kept_by_movts = 0x7; // the lowest three bits, which only a write to full_status changes
constexpr std::uint32_t implemented = 0xfffff;
} // namespace status

namespace config {
constexpr std::uint32_t truncate = 1U << 0; // rounds toward zero, not to nearest even
constexpr std::uint32_t invalid_exception = 1U << 1;
constexpr std::uint32_t overflow_exception = 1U << 2;
constexpr std::uint32_t underflow_exception = 1U << 3;
constexpr std::uint32_t timer0_shift = 4; // four bits: the EventSource that timer 0 counts
constexpr std::uint32_t timer1_shift = 8;
constexpr std::uint32_t multicast_mode = 3U << 12;  // the mode of routing: both bits set for multicast
constexpr std::uint32_t arithmetic_mode_shift = 17; // three bits: 0 floating point, 4 signed integer
constexpr std::uint32_t integer_mode = 4U << arithmetic_mode_shift;
constexpr std::uint32_t clock_gate = 1U << 22;
constexpr std::uint32_t multicore_breakpoint = 1U << 23;
constexpr std::uint32_t dma_pause = 1U << 24; // pauses both DMA channels (source: e-hal)
} // namespace config

// The interrupts. Interrupt n is bit n of the registers ILAT (latched interrupts), IMASK (masked interrupts) and IPEND
// (interrupts whose handlers run). The handler of interrupt n begins at address 4n of the core.
enum class Interrupt : std::uint8_t {
    sync,
    exception,
    memory_fault,
    timer0,
    timer1,
    message,
    dma0,
    dma1,
    wand,
    user,
};
constexpr unsigned interrupt_count = 10;

constexpr std::uint32_t bit_of(Interrupt which) {
    return 1U << static_cast<unsigned>(which);
}

// The cause of a software exception, which the core writes to bits 16 to 19 of STATUS. These are the numbers of
// Epiphany-III; Epiphany-IV has other numbers.
enum class Cause : std::uint8_t {
    none = 0,
    software_interrupt = 1,
    unaligned = 2,
    floating_point = 3,
    unimplemented = 4,
    illegal = 5,
};

// The event that a timer counts, as CONFIG encodes it.
enum class EventSource : std::uint8_t {
    off = 0,
    clock = 1,
    idle = 2,
    integer_instruction = 4,
    float_instruction = 5,
    dual_issue = 6,
    e1_stall = 7,
    register_stall = 8,
    local_fetch_stall = 10,
    local_load_stall = 11,
    remote_fetch_stall = 12,
    remote_load_stall = 13,
    mesh_traffic0 = 14,
    mesh_traffic1 = 15,
};

namespace dma_config {
constexpr std::uint32_t enable = 1U << 0;
constexpr std::uint32_t master = 1U << 1;
constexpr std::uint32_t chain = 1U << 2;
constexpr std::uint32_t startup = 1U << 3;
constexpr std::uint32_t interrupt_enable = 1U << 4;
constexpr std::uint32_t data_size_shift = 5; // two bits: log2 of 1, 2, 4, 8 bytes
constexpr std::uint32_t message = 1U << 10;
constexpr std::uint32_t shift_source_inner = 1U << 12;
constexpr std::uint32_t shift_destination_inner = 1U << 13;
constexpr std::uint32_t shift_source_outer = 1U << 14;
constexpr std::uint32_t shift_destination_outer = 1U << 15;
constexpr std::uint32_t next_descriptor_shift = 16;
} // namespace dma_config

namespace dma_status {
constexpr std::uint32_t state = 0xf; // 0 if the channel is idle
constexpr std::uint32_t descriptor_shift = 16;
} // namespace dma_status

namespace debug_status {
constexpr std::uint32_t halted = 1U << 0;
} // namespace debug_status

namespace debug_command {
constexpr std::uint32_t halt = 1U << 0;
} // namespace debug_command

} // namespace skerry::sim
