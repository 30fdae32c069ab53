// SPDX-License-Identifier: BSD-3-Clause
// Defines the properties of an instruction set that the simulator's tools need: the format of program files, the text
// of instructions, and the registers that a debugger shows. The folder of each kind of core has one InstructionSet.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skerry::sim {

// The properties of program files (ELF) for one kind of processor.
struct ProgramFormat {
    std::uint16_t elf_machine;
    std::string_view chip; // for error messages, with its article: "an Epiphany chip"
    bool underscores;      // the C compiler puts an underscore before each name
};

// A register, as the target description for gdb describes it.
struct RegisterInfo {
    std::string name;
    std::string_view type;
    std::string_view group;
    unsigned bits = 32;
};

// A group of registers, which gdb calls a feature. The registers of a core are numbered from 0: first the registers of
// the first feature, then those of the next feature.
struct RegisterFeature {
    std::string_view name;
    std::vector<RegisterInfo> registers;
};

struct DebugRegisters {
    std::string_view architecture; // gdb's name of the processor
    std::vector<RegisterFeature> features;
    unsigned pc = 0; // number of the program counter

    unsigned count() const {
        unsigned sum = 0;
        for (const RegisterFeature &f : features) sum += static_cast<unsigned>(f.registers.size());
        return sum;
    }
};

struct InstructionSet {
    std::string_view library_folder; // of cores with memories of their own (chip/core_kinds.hpp)
    ProgramFormat format;
    std::uint32_t vector_bytes; // bytes of interrupt vectors, which begin at address 0 of each core; 0: none
    // These functions return the length of an instruction in bytes, and its text. `bits` contains the instruction's
    // bytes, the first byte in the lowest bits. The upper bits of `bits` are ignored for a short instruction.
    unsigned (*length)(std::uint32_t bits);
    std::string (*disassemble)(std::uint32_t bits, std::uint32_t address);
    // Returns true if the instruction is a call. Null if this is not known for the instruction set.
    bool (*calls)(std::uint32_t bits) = nullptr;
};

} // namespace skerry::sim
