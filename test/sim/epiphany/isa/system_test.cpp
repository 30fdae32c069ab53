// SPDX-License-Identifier: BSD-3-Clause
// Instructions that steer the core: special registers, hardware loops, interrupts, and those that only a core model
// completes.
#include <gtest/gtest.h>

#include <cstdint>

#include "epiphany/isa/decode.hpp"
#include "epiphany/isa/semantics.hpp"
#include "machine.hpp"

using namespace skerry::sim;

TEST(System, SystemInstructions) {
    Machine m;
    m.s.status = status::active;
    EXPECT_EQ(m.run(decode(0x0392)), Outcome::done); // gid
    EXPECT_EQ(m.s.status, status::active | status::interrupts_disabled);
    EXPECT_EQ(m.run(decode(0x0192)), Outcome::interrupts); // gie
    EXPECT_EQ(m.s.status, status::active);
    EXPECT_EQ(m.run(decode(0x0182)), Outcome::wand);
    EXPECT_EQ(m.s.status, status::active | status::wand);
    EXPECT_EQ(m.run(decode(0x01b2)), Outcome::idle);
    EXPECT_EQ(m.s.status, status::wand);
    EXPECT_EQ(m.run(decode(0x01f2)), Outcome::sync);
    EXPECT_EQ(m.run(decode(0x01a2)), Outcome::done); // nop
    EXPECT_EQ(m.run(decode(0x03a2)), Outcome::done); // snop
    EXPECT_EQ(m.run(decode(0x03c2)), Outcome::multicore_breakpoint);
    EXPECT_EQ(m.run(decode(0x0fe2)), Outcome::trap);
    EXPECT_EQ(decode(0x0fe2).immediate, 3);
    EXPECT_EQ(m.s.pc, 0x112U);
    EXPECT_EQ(m.run(decode(0x01c2)), Outcome::breakpoint);
    EXPECT_EQ(m.s.pc, 0x112U);
    EXPECT_EQ(m.run(decode(0x01e2)), Outcome::exception); // swi
    EXPECT_EQ(m.s.status >> 16, 1U);
    EXPECT_EQ(m.run(decode(0x000f000f)), Outcome::exception); // unimpl
    EXPECT_EQ(m.s.status >> 16, 4U);
    EXPECT_EQ(m.run(decode(0x0000ffff)), Outcome::exception);
    EXPECT_EQ(m.s.status >> 16, 5U);
    for (const Op op :
         {Op::field_extract, Op::field_deposit, Op::feedback_shift, Op::float_reciprocal, Op::float_square_root}) {
        EXPECT_EQ(m.run(op), Outcome::exception);
        EXPECT_EQ(m.s.status >> 16, 4U);
    }
}

TEST(System, SpecialRegisters) {
    Machine m;
    m.s.status = 7;
    m.s.r[1] = 0xfffffff8;
    EXPECT_EQ(m.run(Op::move_to_special, 1, 0, 0, 1), Outcome::interrupts);
    EXPECT_EQ(m.s.status, 0xfffffU); // the lowest three stay
    m.s.r[1] = 0;
    m.run(Op::move_to_special, 1, 0, 0, 1);
    EXPECT_EQ(m.s.status, 7U);
    m.run(Op::move_to_special, 1, 0, 0, 16); // but not through the full alias
    EXPECT_EQ(m.s.status, 0U);
    EXPECT_EQ(m.run(Op::move_from_special, 5, 0, 0, 2), Outcome::done);
    EXPECT_EQ(m.s.r[5], 0x10cU); // PC is that of MOVFS itself
    m.s.r[1] = 0x280;
    m.run(Op::move_to_special, 1, 0, 0, 11);
    m.s.r[1] = 0x80;
    m.run(Op::move_to_special, 1, 0, 0, 12);
    m.run(Op::move_from_special, 5, 0, 0, 10);
    EXPECT_EQ(m.s.r[5], 0x200U);
    m.s.r[1] = 0x400;
    m.run(Op::move_to_special, 1, 0, 0, 2);
    EXPECT_EQ(m.s.pc, 0x400U);
}

TEST(System, HardwareLoop) {
    for (const std::uint32_t count : {0U, 1U, 2U, 64U}) {
        for (const std::uint32_t alias : {0U, 0x80800000U}) { // LE may be written either way
            Machine m;
            m.s.core_id = 0x808;
            m.s.loop_count = count;
            m.s.loop_start = alias | 0x100;
            m.s.loop_end = alias | 0x108;
            unsigned executed = 0;
            while ((m.s.pc & 0xfffff) <= 0x108) {
                m.run(Op::add_immediate, 0, 0, 0, 1);
                executed++;
            }
            EXPECT_EQ(executed, 3 * (count == 0 ? 1 : count));
            EXPECT_EQ(m.s.r[0], executed);
            EXPECT_EQ(m.s.loop_count, 0U);
            EXPECT_EQ(m.s.pc & 0xfffff, 0x10cU);
        }
    }
}

TEST(System, InterruptsNestByNumber) {
    Machine m;
    m.s.status = status::active;
    m.s.interrupt_latch = bit_of(Interrupt::dma0) | bit_of(Interrupt::user);
    EXPECT_EQ(next_interrupt(m.s), 6U);
    enter_interrupt(m.s, 6);
    EXPECT_EQ(m.s.pc, 24U);
    EXPECT_EQ(m.s.interrupt_return, 0x100U);
    EXPECT_EQ(m.s.interrupt_pending, bit_of(Interrupt::dma0));
    EXPECT_EQ(m.s.interrupt_latch, bit_of(Interrupt::user));
    EXPECT_EQ(m.s.status, status::active | status::interrupts_disabled | status::kernel_mode);
    EXPECT_EQ(next_interrupt(m.s), interrupt_count); // disabled
    m.run(decode(0x0192));                           // gie
    EXPECT_EQ(next_interrupt(m.s), interrupt_count); // less urgent
    m.s.interrupt_latch |= bit_of(Interrupt::timer0);
    m.s.interrupt_mask = bit_of(Interrupt::timer0);
    EXPECT_EQ(next_interrupt(m.s), interrupt_count); // masked
    m.s.interrupt_mask = 0;
    EXPECT_EQ(next_interrupt(m.s), 3U);
    const std::uint32_t first_return = m.s.interrupt_return;
    enter_interrupt(m.s, 3);
    EXPECT_EQ(m.s.interrupt_return, 26U);
    EXPECT_EQ(m.s.interrupt_pending, bit_of(Interrupt::dma0) | bit_of(Interrupt::timer0));
    EXPECT_EQ(m.run(decode(0x01d2)), Outcome::interrupts); // rti
    EXPECT_EQ(m.s.pc, 26U);
    EXPECT_EQ(m.s.interrupt_pending, bit_of(Interrupt::dma0));
    EXPECT_EQ(m.s.status, status::active);
    m.s.interrupt_return = first_return; // as a handler that lets itself be interrupted does
    m.run(decode(0x01d2));
    EXPECT_EQ(m.s.pc, 0x100U);
    EXPECT_EQ(m.s.interrupt_pending, 0U);
    EXPECT_EQ(next_interrupt(m.s), 9U);
    m.run(decode(0x01d2)); // with nothing served it is a jump
    EXPECT_EQ(m.s.pc, 0x100U);
}
