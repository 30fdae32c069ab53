// SPDX-License-Identifier: BSD-3-Clause
// What a program must not do, and what is said of it.
#include <gtest/gtest.h>

#include "../core/fixture.hpp"
#include "chip/describe.hpp"

using namespace skerry::sim;

namespace {

// A sequence as a program of its own: its code is protected, its data is not.
ElfImage image_of(std::string_view name) {
    const std::vector<std::uint16_t> halves = sequence(name);
    ElfImage image;
    image.entry = code_base;
    Segment segment{code_base, 0x400, true, {}, false};
    for (const std::uint16_t half : halves) {
        segment.bytes.push_back(static_cast<std::uint8_t>(half));
        segment.bytes.push_back(static_cast<std::uint8_t>(half >> 8));
    }
    image.segments = {segment, {data_base, 0x100, false, {}, true}};
    image.code = {{code_base, 0x400}};
    image.symbols = {{code_base, 0x400, "_run"}, {data_base, 0x100, "_data"}};
    return image;
}

struct Program {
    Machine machine;
    Chip chip;
    ElfImage image;

    Program(std::string_view name, const Machine &m) : machine(m), chip(m), image(image_of(name)) {
    }
    explicit Program(std::string_view name) : Program(name, find_machine("epiphany-iii").value()) {
    }
    // The first line of the report. `stack`: the stack pointer with which the program begins.
    std::string run(std::uint32_t r41, bool may_write_code = false, std::uint32_t stack = 0) {
        EXPECT_EQ(chip.load(image, 1, may_write_code), "");
        epiphany(chip, 0).state.r[stack_register] = stack;
        epiphany(chip, 0).state.r[40] = data_base;
        epiphany(chip, 0).state.r[41] = r41;
        chip.start(1, image.entry);
        const Ending ending = chip.run(100'000);
        EXPECT_EQ(ending.kind, EndKind::stopped);
        whole = describe(chip, ending, image);
        return whole.substr(0, whole.find('\n'));
    }
    std::string whole;
};

std::string error(std::string_view name, std::uint32_t r41, bool may_write_code = false) {
    return Program(name).run(r41, may_write_code);
}

TEST(Errors, SayCoreCyclePlaceAndRegisters) {
    Program p("load_far");
    EXPECT_EQ(p.run(0x2002), "core (32,8) 0x808: unaligned access");
    EXPECT_NE(p.whole.find("\n  cycle "), std::string::npos);
    EXPECT_NE(p.whole.find("pc 0x00000100 <run>: ldr r1,[r41,+0x0]\n"), std::string::npos) << p.whole;
    EXPECT_NE(p.whole.find("r41 00002002"), std::string::npos);
}

TEST(Errors, AccessesWhereNothingIs) {
    EXPECT_EQ(error("load_far", 0x8000),
              "core (32,8) 0x808: load of 4 bytes at 0x00008000, beyond the end of a core's memory at 0x8000");
    EXPECT_EQ(error("store_far", 0x80908000),
              "core (32,8) 0x808: store of 4 bytes at 0x80908000, beyond the end of a core's memory at 0x8000");
    EXPECT_EQ(error("load_far", 0x00200000), "core (32,8) 0x808: load of 4 bytes at 0x00200000, where no memory is");
    EXPECT_EQ(error("testset_far", 0x00200000),
              "core (32,8) 0x808: store of 4 bytes at 0x00200000, where no memory is");
    EXPECT_EQ(error("jump_far", 0x00200000), "core (32,8) 0x808: jump to 0x00200000, where no memory is");
    EXPECT_EQ(error("jump_far", 0x2001), "core (32,8) 0x808: jump to the odd address 0x2001");
}

TEST(Errors, AbsentCores) {
    Machine machine = find_machine("epiphany-iii").value();
    machine.absent = {{0, 1}};
    for (const std::string_view name : {"load_far", "store_far", "testset_far"}) {
        const std::string said = Program(name, machine).run(0x80902000);
        EXPECT_TRUE(said.ends_with("of 4 bytes at 0x80902000, in core (32,9), which is absent")) << said;
    }
    EXPECT_EQ(Program("jump_far", machine).run(0x80902000),
              "core (32,8) 0x808: jump to 0x80902000, in core (32,9), which is absent");
}

// Beside the cores of the row that external memory has too.
TEST(Errors, NoMemoryStandsBesideTheMesh) {
    for (const std::string name : {"epiphany-iii", "epiphany-iv", "epiphany-1024"}) {
        const Machine machine = find_machine(name).value();
        const std::uint32_t first = machine.core_id(0) << 20;
        for (const std::uint32_t address : {first - core_space, first + machine.columns * core_space}) {
            const std::string said = Program("store_far", machine).run(address + 0x100);
            EXPECT_TRUE(said.ends_with(", where no memory is")) << name << ": " << said;
        }
    }
}

TEST(Errors, IllegalInstruction) {
    EXPECT_NE(error("illegal", 0).find("instruction"), std::string::npos) << error("illegal", 0);
}

TEST(Errors, CodeIsNotWritten) {
    const std::string own =
        "core (32,8) 0x808: store of 4 bytes at 0x00000180 <run+0x80>, which is code and must not be "
        "written";
    EXPECT_EQ(error("store_far", 0x180), own);
    EXPECT_EQ(error("testset_far", 0x180), own);
    EXPECT_EQ(error("store_far", 0x80800180),
              "core (32,8) 0x808: store of 4 bytes at 0x80800180, which is code and must not be written");
    EXPECT_EQ(error("store_far", 0x180, true), "core (32,8) 0x808: breakpoint");
    EXPECT_EQ(error("store_far", data_base), "core (32,8) 0x808: breakpoint");
    EXPECT_EQ(error("store_far", 0x24), "core (32,8) 0x808: breakpoint"); // a vector
    EXPECT_EQ(error("load_far", 0x180), "core (32,8) 0x808: breakpoint");
}

// Where they are linked, as oshcc does it.
TEST(Errors, VectorsAreNotWritten) {
    const auto run = [](std::string_view name, std::uint32_t address, bool may_write_code = false) {
        Program p(name);
        p.image.code.push_back({0, 0x28});
        p.image.symbols.push_back({data_base + 0x80, 0x40, "_skerry_job"});
        return p.run(address, may_write_code);
    };
    const std::string why = "which is in the table of interrupt vectors (a null pointer?) and must not be written";
    EXPECT_EQ(run("store_far", 0), "core (32,8) 0x808: store of 4 bytes at 0x00000000, " + why);
    EXPECT_EQ(run("store_far", 0x80800024), "core (32,8) 0x808: store of 4 bytes at 0x80800024, " + why);
    EXPECT_EQ(run("load_far", 0), "core (32,8) 0x808: breakpoint");
    EXPECT_EQ(run("store_far", 0, true), "core (32,8) 0x808: breakpoint");
    EXPECT_EQ(run("store_far", 0x28), "core (32,8) 0x808: breakpoint");
}

// Data may stand in the same 64 bytes.
TEST(Errors, CodeIsProtectedToTheByte) {
    const auto write = [](std::uint32_t address) {
        Program p("store_far");
        p.image.code = {{code_base - 24, 24}, {code_base, 0x3e4}};
        return p.run(address);
    };
    EXPECT_NE(write(code_base - 24).find("which is code"), std::string::npos);
    EXPECT_NE(write(code_base + 0x3e0).find("which is code"), std::string::npos);
    EXPECT_EQ(write(code_base - 28), "core (32,8) 0x808: breakpoint");
    EXPECT_EQ(write(code_base + 0x3e4), "core (32,8) 0x808: breakpoint");
}

TEST(Errors, CodeOfAnotherCoreIsNotWritten) {
    Program p("store_far");
    EXPECT_EQ(p.chip.load(p.image, 2), "");
    EXPECT_EQ(p.run(0x80900180),
              "core (32,8) 0x808: store of 4 bytes at 0x80900180, which is code and must not be written");
}

TEST(Errors, TheStackHasALimit) {
    Program p("recurses");
    p.image.symbols.push_back({0x4000, 0, "___stack_limit", true});
    EXPECT_EQ(p.run(0), "core (32,8) 0x808: stack overflow: the stack pointer is 0x3ff0, 16 bytes below __stack_limit");
    Program unset("late_stack");
    unset.image.symbols.push_back({0x4000, 0, "___stack_limit", true});
    EXPECT_EQ(unset.run(0), "core (32,8) 0x808: breakpoint");
}

// A variable that is larger than the memory below the stack pointer: the stack pointer is then an address of code, of nothing
// or of another core's memory.
TEST(Errors, AFrameCanBeLargerThanTheStack) {
    const auto run = [](const char *name, std::uint32_t address, std::uint32_t stack, bool has_limit = true) {
        Program p(name);
        if (has_limit) p.image.symbols.push_back({0x4000, 0, "___stack_limit", true});
        return p.run(address, false, stack);
    };
    const std::string outside =
        "core (32,8) 0x808: stack overflow: the stack pointer is 0x807fe368, outside the core's "
        "memory, in which a function's variables and private copies must fit";
    EXPECT_EQ(run("store_far", 0x807fe368, 0x807fe368), outside);
    EXPECT_EQ(run("load_far", 0x807fe370, 0x807fe368), outside);
    EXPECT_EQ(run("store_far", 0x80800180, 0x80800180),
              "core (32,8) 0x808: stack overflow: the stack pointer is 0x180, 16000 bytes below __stack_limit");
    EXPECT_EQ(
        run("late_stack", 0, 0x80906000),
        "core (32,8) 0x808: stack overflow: the stack pointer is 0x80906000, outside the core's memory, in which a "
        "function's variables and private copies must fit");
    // Another mistake, and a program without a limit.
    EXPECT_EQ(run("store_far", 0x00200000, 0x80807000),
              "core (32,8) 0x808: store of 4 bytes at 0x00200000, where no memory is");
    EXPECT_EQ(run("late_stack", 0, 0x80807000), "core (32,8) 0x808: breakpoint");
    EXPECT_EQ(run("store_far", 0x807fe368, 0x807fe368, false),
              "core (32,8) 0x808: store of 4 bytes at 0x807fe368, where no memory is");
    EXPECT_EQ(run("late_stack", 0, 0x80906000, false), "core (32,8) 0x808: breakpoint");
}

TEST(Errors, ABreakpointOfAllCoresStopsAll) {
    Bench b("breaks_all");
    b.put("counts", code_base, 1);
    b.begin(2);
    b.ending = b.chip.run(1000);
    EXPECT_EQ(b.ending.kind, EndKind::stopped);
    EXPECT_EQ(b.ending.core, 0u);
    EXPECT_FALSE(b.chip.core(1).active());
    EXPECT_EQ(b.chip.core(1).stop.kind, StopKind::breakpoint);
    const std::string said = describe(b.chip, b.ending, {});
    EXPECT_NE(said.find("breakpoint of all cores"), std::string::npos) << said;
}

} // namespace
