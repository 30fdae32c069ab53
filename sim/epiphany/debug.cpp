// SPDX-License-Identifier: BSD-3-Clause
// Gives reports and debuggers access to an Epiphany core. gdb uses these numbers for the registers:
// * 0 to 63: r0 to r63;
// * from 64: the core's special registers (pc has number 66);
// * from 80: the registers of the DMA channels;
// * from 96: the registers of memory protection and mesh.
//
// The special registers and the DMA registers are in the order of the memory map. Adapteva's gdb has the same order.
#include <type_traits>

#include <fmt/format.h>

#include "epiphany/epiphany_core.hpp"
#include "epiphany/isa/disassemble.hpp"

namespace skerry::sim {
namespace {

constexpr unsigned general_count = 64;
constexpr unsigned special_count = 16;
constexpr unsigned dma_count = 16;
constexpr unsigned pc_number = general_count + static_cast<unsigned>(SpecialRegister::pc);
constexpr unsigned status_number = general_count + static_cast<unsigned>(SpecialRegister::status);
constexpr std::array rest = {SpecialRegister::memory_config,  SpecialRegister::memory_status,
                             SpecialRegister::memory_protect, SpecialRegister::mesh_config,
                             SpecialRegister::core_id,        SpecialRegister::mesh_multicast};
constexpr unsigned register_count = general_count + special_count + dma_count + static_cast<unsigned>(rest.size());

SpecialRegister special(unsigned number) {
    if (number < special_count) return static_cast<SpecialRegister>(number);
    number -= special_count;
    if (number < dma_count) return static_cast<SpecialRegister>(64 + number);
    return rest[number - dma_count];
}

std::string general_name(unsigned number) {
    switch (number) {
    case frame_register: return "fp";
    case stack_register: return "sp";
    case link_register: return "lr";
    default: return fmt::format("r{}", number);
    }
}

RegisterInfo describe_register(unsigned number) {
    const bool general = number < general_count;
    const bool code = number == link_register || number == pc_number;
    return {general ? general_name(number) : std::string(name_of(special(number - general_count))),
            number == stack_register ? "data_ptr"
            : code                   ? "code_ptr"
                                     : "uint32",
            general || number == pc_number ? "general" : "system"};
}

std::uint32_t offset_of(unsigned number) {
    return number < general_count ? general_registers_base + 4 * number : address_of(special(number - general_count));
}

unsigned length(std::uint32_t bits) {
    return length_of(static_cast<std::uint16_t>(bits));
}

std::string text_of(std::uint32_t bits, std::uint32_t address) {
    return disassemble(decode(bits), address);
}

bool calls(std::uint32_t bits) {
    return links(decode(bits).operation);
}

} // namespace

const InstructionSet epiphany_set = {
    "epiphany", {0x1223, "an Epiphany chip", true}, 4 * interrupt_count, length, text_of, calls};

// -- registers for a debugger -----------------------------------------------------------------------------------------

const DebugRegisters &EpiphanyCore::debug_registers() const {
    static const DebugRegisters all = [] {
        RegisterFeature feature{"org.gnu.gdb.epiphany.core", {}};
        for (unsigned k = 0; k < register_count; k++) feature.registers.push_back(describe_register(k));
        return DebugRegisters{"epiphany", {feature}, pc_number};
    }();
    return all;
}

std::optional<std::uint64_t> EpiphanyCore::read_numbered(unsigned number, std::uint64_t now) {
    std::uint64_t value = 0;
    if (number >= register_count || !read_register(offset_of(number), 4, value, now)) return std::nullopt;
    return value;
}

bool EpiphanyCore::write_numbered(unsigned number, std::uint64_t value, std::uint64_t now) {
    if (number >= register_count) return false;
    const std::uint32_t offset = number == status_number ? address_of(SpecialRegister::full_status) : offset_of(number);
    return write_register(offset, 4, value, now) == Access::done;
}

std::optional<Touch> EpiphanyCore::touch_of(std::uint32_t bits) const {
    const Instruction i = decode(bits);
    const Facts &facts = facts_of(i.operation);
    if (facts.size == 0) return std::nullopt;
    const auto &r = state.r;
    std::uint32_t address = r[i.rn];
    if (facts.format == Format::displacement) address += static_cast<std::uint32_t>(i.immediate);
    if (facts.format == Format::index) address = i.subtract ? address - r[i.rm] : address + r[i.rm];
    const bool testset = facts.mnemonic.starts_with("testset");
    return Touch{address, facts.size, facts.kind == Kind::load, facts.kind == Kind::store || testset,
                 i.rn == stack_register || i.rn == frame_register};
}

std::span<const std::uint8_t> EpiphanyCore::snapshot() const {
    static_assert(std::has_unique_object_representations_v<State>); // equal registers are equal bytes
    return {reinterpret_cast<const std::uint8_t *>(&state), sizeof state};
}

// -- texts for reports ------------------------------------------------------------------------------------------------

std::string EpiphanyCore::registers_text() const {
    const State &s = state;
    std::string text;
    for (unsigned k = 0; k < s.r.size(); k++) {
        text += fmt::format("{}{:>4} {:08x}", k % 8 == 0 ? "\n " : "", fmt::format("r{}", k), s.r[k]);
    }
    return text + fmt::format("\n  status {:08x}  config {:08x}  imask {:03x}  ilat {:03x}  ipend {:03x}  iret {:08x}"
                              "  lc {:08x}  ls {:08x}  le {:08x}\n",
                              s.status, s.config, s.interrupt_mask, s.interrupt_latch, s.interrupt_pending,
                              s.interrupt_return, s.loop_count, s.loop_start, s.loop_end);
}

ExceptionCause EpiphanyCore::exception_cause() const {
    switch (static_cast<Cause>((state.status & status::cause) >> status::cause_shift)) {
    case Cause::software_interrupt: return {"SWI without a handler", false};
    case Cause::unaligned: return {"unaligned access", false};
    case Cause::floating_point: return {"floating-point exception", true};
    case Cause::unimplemented: return {"an instruction that Epiphany-III does not implement", false};
    case Cause::illegal: return {"illegal instruction", false};
    case Cause::none: break;
    }
    return {"exception", false};
}

std::string EpiphanyCore::idle_text() const {
    if ((state.debug_status & debug_status::halted) != 0) return "halted through DEBUGCMD";
    return fmt::format(
        "idle, {}{}", state.interrupt_latch != 0 ? "interrupts latched but masked or disabled" : "no interrupt latched",
        flag(state, status::wand) ? ", in WAND" : "");
}

} // namespace skerry::sim
