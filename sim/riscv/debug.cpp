// SPDX-License-Identifier: BSD-3-Clause
// Gives the host's services, reports and debuggers access to a RISC-V core. gdb uses these numbers for the registers:
// * 0 to 31: x0 to x31;
// * 32: pc;
// * 33 to 64: f0 to f31, if the core has floating-point registers;
// * 65 to 67: fflags, frm and fcsr, if the core has floating-point registers.
#include <type_traits>

#include <fmt/format.h>

#include "riscv/disassemble.hpp"
#include "riscv/riscv_core.hpp"

namespace skerry::sim {
namespace {

constexpr unsigned pc_number = 32;
constexpr unsigned first_float_number = 33;
constexpr unsigned flags_number = 65;
constexpr unsigned end_number = 68;

unsigned length(std::uint32_t bits) {
    return riscv::length_of(bits);
}
bool calls(std::uint32_t bits) {
    const riscv::Instruction i = riscv::decode(bits);
    const bool jumps = i.operation == riscv::Operation::jal || i.operation == riscv::Operation::jalr;
    return jumps && i.rd == riscv::return_register;
}
std::string text_of(std::uint32_t bits, std::uint32_t address) {
    return disassemble(riscv::decode(bits), address);
}

DebugRegisters describe_registers(const RiscvExtensions &has) {
    RegisterFeature integers{"org.gnu.gdb.riscv.cpu", {}};
    for (unsigned k = 0; k < 32; k++) {
        const bool pointer = k == riscv::stack_register || k == riscv::frame_register;
        integers.registers.push_back({std::string(riscv::integer_name(k)),
                                      k == riscv::return_register ? "code_ptr"
                                      : pointer                   ? "data_ptr"
                                                                  : "int",
                                      "general"});
    }
    integers.registers.push_back({"pc", "code_ptr", "general"});
    DebugRegisters all{"riscv:rv32", {integers}, pc_number};
    if (!has.single_float) return all;
    RegisterFeature floats{"org.gnu.gdb.riscv.fpu", {}};
    for (unsigned k = 0; k < 32; k++) {
        const std::string name(riscv::float_name(k));
        if (has.double_float) floats.registers.push_back({name, "ieee_double", "float", 64});
        else floats.registers.push_back({name, "ieee_single", "float", 32});
    }
    for (const char *name : {"fflags", "frm", "fcsr"}) floats.registers.push_back({name, "int", "float"});
    all.features.push_back(floats);
    return all;
}

// The services of the host that a program requests by the instruction ECALL.
// * `call` is the number of the service in register a7, as in libgloss for RISC-V (and in Linux).
// * `trap` is the corresponding number of a trap in host/semihost.hpp.
// * `number` is used if `trap` is trap_other. `number` says which service is meant, and is passed in the last of the
//   four words.
struct Service {
    std::uint32_t call;
    unsigned trap;
    std::uint32_t number;
};
constexpr unsigned trap_other = 7;
constexpr std::array services = {
    Service{64, 0, 0},               // write
    Service{63, 1, 0},               // read
    Service{1024, 2, 0},             // open
    Service{93, 3, 0},               // exit: ends this core's program
    Service{57, 6, 0},               // close
    Service{94, trap_other, 0x5b01}, // exit_group: ends the job
    Service{62, trap_other, 6},      // lseek
    Service{1026, trap_other, 7},    // unlink
    Service{80, trap_other, 10},     // fstat
    Service{1038, trap_other, 15},   // stat
    Service{1062, trap_other, 18},   // time
    Service{169, trap_other, 19},    // gettimeofday
    Service{153, trap_other, 20},    // times
};

// Returns the service with this number. The host gets an unknown number unchanged.
Service service_of(std::uint32_t call) {
    for (const Service &s : services) {
        if (s.call == call) return s;
    }
    return {call, trap_other, call};
}

} // namespace

const InstructionSet riscv_set = {"riscv", {243, "a chip with RISC-V cores", false}, 0, length, text_of, calls};

// -- requests to the host ---------------------------------------------------------------------------------------------

unsigned RiscvCore::host_number() const {
    return service_of(state.x[riscv::call_register]).trap;
}

HostWords RiscvCore::host_arguments() const {
    constexpr unsigned a0 = riscv::argument_register;
    return {state.x[a0], state.x[a0 + 1], state.x[a0 + 2], service_of(state.x[riscv::call_register]).number};
}

// Stores the result of a service in register a0. An error is stored as its negative number, as in Linux.
void RiscvCore::host_returns(std::uint32_t result, std::uint32_t error) {
    state.x[riscv::argument_register] = error != 0 ? 0U - error : result;
}

// -- registers for a debugger -----------------------------------------------------------------------------------------

const DebugRegisters &RiscvCore::debug_registers() const {
    static const DebugRegisters integers = describe_registers({});
    static const DebugRegisters singles = describe_registers({.single_float = true});
    static const DebugRegisters doubles = describe_registers({.single_float = true, .double_float = true});
    const RiscvExtensions &has = kind_.extensions;
    return has.double_float ? doubles : has.single_float ? singles : integers;
}

std::optional<std::uint64_t> RiscvCore::read_numbered(unsigned number, std::uint64_t) {
    if (number < pc_number) return state.x[number];
    if (number == pc_number) return state.pc;
    if (!kind_.extensions.single_float || number >= end_number) return std::nullopt;
    if (number == flags_number) return state.fcsr & 31;
    if (number == flags_number + 1) return state.fcsr >> 5;
    if (number == flags_number + 2) return state.fcsr;
    const std::uint64_t value = state.f[number - first_float_number];
    return kind_.extensions.double_float ? value : value & 0xffffffff;
}

bool RiscvCore::write_numbered(unsigned number, std::uint64_t value, std::uint64_t now) {
    if (!read_numbered(number, now)) return false;
    const auto word = static_cast<std::uint32_t>(value);
    if (number == 0) return false;
    if (number < pc_number) state.x[number] = word;
    else if (number == pc_number) state.pc = word;
    else if (number == flags_number) state.fcsr = (state.fcsr & ~31U) | (word & 31);
    else if (number == flags_number + 1) state.fcsr = (state.fcsr & 31) | (word & 7) << 5;
    else if (number == flags_number + 2) state.fcsr = word & 0xff;
    else state.f[number - first_float_number] = kind_.extensions.double_float ? value : riscv::box(word);
    if (number == pc_number) redirect();
    disturbed(now);
    return true;
}

std::optional<Touch> RiscvCore::touch_of(std::uint32_t bits) const {
    const riscv::Instruction i = riscv::decode(bits);
    const unsigned size = riscv::size_of(i.operation);
    if (size == 0) return std::nullopt;
    const riscv::Unit unit = riscv::facts_of(i.operation).unit;
    const bool reserves = i.operation == riscv::Operation::lr_w;
    // Compilers use the frame register for other addresses too. A frame pointer is above the frame's variables.
    const bool in_frame = i.rs1 == riscv::frame_register && i.immediate < 0;
    return Touch{state.x[i.rs1] + static_cast<std::uint32_t>(i.immediate), size, unit != riscv::Unit::store,
                 unit == riscv::Unit::store || (unit == riscv::Unit::atomic && !reserves),
                 i.rs1 == riscv::stack_register || in_frame};
}

std::span<const std::uint8_t> RiscvCore::snapshot() const {
    static_assert(std::has_unique_object_representations_v<riscv::State>); // equal registers are equal bytes
    return {reinterpret_cast<const std::uint8_t *>(&state), sizeof state};
}

// -- texts for reports ------------------------------------------------------------------------------------------------

std::string RiscvCore::registers_text() const {
    const riscv::State &s = state;
    std::string text;
    for (unsigned k = 0; k < 32; k++) {
        text += fmt::format("{}{:>4} {:08x}", k % 8 == 0 ? "\n " : "", riscv::integer_name(k), s.x[k]);
    }
    for (unsigned k = 0; kind_.extensions.single_float && k < 32; k++) {
        text += fmt::format("{}{:>5} {:016x}", k % 4 == 0 ? "\n " : "", riscv::float_name(k), s.f[k]);
    }
    return text + fmt::format("\n  mstatus {:08x}  mie {:08x}  mip {:08x}  mtvec {:08x}  mepc {:08x}  mcause {:08x}"
                              "  mtval {:08x}  fcsr {:02x}\n",
                              s.mstatus, s.mie, s.mip, s.mtvec, s.mepc, s.mcause, s.mtval, s.fcsr);
}

ExceptionCause RiscvCore::exception_cause() const {
    switch (static_cast<riscv::Cause>(state.mcause)) {
    case riscv::Cause::illegal: return {"illegal instruction, or one that this machine's cores do not have", false};
    case riscv::Cause::load_misaligned: return {"unaligned load", false};
    case riscv::Cause::store_misaligned: return {"unaligned store or atomic operation", false};
    case riscv::Cause::fetch_misaligned:
    case riscv::Cause::breakpoint: break;
    }
    return {"exception", false};
}

std::string RiscvCore::idle_text() const {
    return fmt::format("in WFI, {}", state.mip != 0 ? "interrupts pending but not enabled" : "no interrupt pending");
}

} // namespace skerry::sim
