// SPDX-License-Identifier: BSD-3-Clause
// Where the special registers stand: addresses as the e-lib headers give them, names as the assembler has them.
#include <gtest/gtest.h>

#include "epiphany/isa/registers.hpp"
#include "epiphany/isa/state.hpp"

using namespace skerry::sim;
using Special = SpecialRegister;

TEST(Registers, Addresses) {
    EXPECT_EQ(address_of(Special::config), 0xf0400U);
    EXPECT_EQ(address_of(Special::debug_status), 0xf040cU);
    EXPECT_EQ(address_of(Special::loop_count), 0xf0414U);
    EXPECT_EQ(address_of(Special::interrupt_latch_set), 0xf042cU);
    EXPECT_EQ(address_of(Special::timer1), 0xf043cU);
    EXPECT_EQ(address_of(Special::full_status), 0xf0440U);
    EXPECT_EQ(address_of(Special::debug_command), 0xf0448U);
    EXPECT_EQ(address_of(Special::dma0_config), 0xf0500U);
    EXPECT_EQ(address_of(Special::dma1_status), 0xf053cU);
    EXPECT_EQ(address_of(Special::memory_status), 0xf0604U);
    EXPECT_EQ(address_of(Special::memory_protect), 0xf0608U);
    EXPECT_EQ(address_of(Special::mesh_config), 0xf0700U);
    EXPECT_EQ(address_of(Special::core_id), 0xf0704U);
    EXPECT_EQ(address_of(Special::software_reset), 0xf070cU);
    for (unsigned number = 0; number < 256; number++) {
        const auto which = static_cast<Special>(number);
        EXPECT_EQ(special_register_at(address_of(which)), which);
    }
}

TEST(Registers, NamesAndGroups) {
    EXPECT_EQ(name_of(Special::core_id), "coreid");
    EXPECT_EQ(name_of(Special::dma1_destination), "dma1dstaddr");
    EXPECT_EQ(name_of(static_cast<Special>(255)), "");
    EXPECT_EQ(group_of(Special::interrupt_mask), SpecialGroup::core);
    EXPECT_EQ(group_of(Special::dma0_auto1), SpecialGroup::dma);
    EXPECT_EQ(group_of(Special::memory_reserve), SpecialGroup::memory);
    EXPECT_EQ(group_of(Special::mesh_multicast), SpecialGroup::mesh);
}

TEST(Registers, WhatIsWrittenIsRead) {
    for (const Special which : {Special::config, Special::loop_count, Special::loop_start, Special::loop_end,
                                Special::pc, Special::interrupt_return, Special::interrupt_mask,
                                Special::interrupt_latch, Special::interrupt_pending, Special::debug_status}) {
        State s;
        write_special(s, which, 0x12345678);
        EXPECT_EQ(read_special(s, which), 0x12345678U) << name_of(which);
    }
    State s;
    s.core_id = 0x808;
    write_special(s, Special::core_id, 1);
    EXPECT_EQ(read_special(s, Special::core_id), 0x808U);
    write_special(s, Special::debug_command, 1);
    EXPECT_EQ(read_special(s, Special::debug_status), 1U);
    write_special(s, Special::timer0, 9); // a device's
    EXPECT_EQ(read_special(s, Special::timer0), 0U);
    EXPECT_EQ(global_address(s, 0x1000), 0x80801000U);
    EXPECT_EQ(global_address(s, 0x80901000), 0x80901000U);
}
