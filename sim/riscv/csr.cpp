// SPDX-License-Identifier: BSD-3-Clause
// Handles three parts of a RISC-V core: events that are not instructions (start, interrupts, the timer), control and
// status registers (CSR), and registers in the memory map. To save time, the core checks for interrupts only from cycle
// `attention_at_` on. Code that changes a value which can cause an interrupt must set `attention_at_` to 0.
#include <algorithm>

#include "events/configuration.hpp"
#include "riscv/riscv_core.hpp"

namespace skerry::sim {
namespace {

using riscv::Interrupt;
namespace mstatus = riscv::mstatus;

// Numbers of the control and status registers (volume II, chapter "CSR Listing").
enum Csr : std::uint32_t {
    csr_fflags = 0x001,
    csr_frm = 0x002,
    csr_fcsr = 0x003,
    csr_mstatus = 0x300,
    csr_misa = 0x301,
    csr_mie = 0x304,
    csr_mtvec = 0x305,
    csr_mstatush = 0x310,
    csr_mscratch = 0x340,
    csr_mepc = 0x341,
    csr_mcause = 0x342,
    csr_mtval = 0x343,
    csr_mip = 0x344,
    csr_mcycle = 0xb00,
    csr_minstret = 0xb02,
    csr_mcycleh = 0xb80,
    csr_minstreth = 0xb82,
    csr_cycle = 0xc00,
    csr_time = 0xc01,
    csr_instret = 0xc02,
    csr_cycleh = 0xc80,
    csr_timeh = 0xc81,
    csr_instreth = 0xc82,
    csr_mvendorid = 0xf11,
    csr_marchid = 0xf12,
    csr_mimpid = 0xf13,
    csr_mhartid = 0xf14,
    csr_mconfigptr = 0xf15,
};

constexpr std::uint32_t read_only = 0xc00; // both bits set in the number of a register that cannot be written

// The registers in the memory map of the core. Other cores can access them too.
// * The first three are those that RISC-V chips usually have in their core-local interruptor: MSIP interrupts the core,
//   MTIMECMP sets its timer, and MTIME is the time.
// * The register at place_offset is our own. The low word is the address at which other cores access this core's
//   memory. The high word is the number of lines (counters and queues) of the core's event unit.
constexpr std::uint32_t registers_base = 0xf0000;
constexpr std::uint32_t msip_offset = registers_base;
constexpr std::uint32_t mtimecmp_offset = registers_base + 8;
constexpr std::uint32_t mtime_offset = registers_base + 16;
constexpr std::uint32_t place_offset = registers_base + 24;
constexpr std::uint32_t stack_limit_offset = registers_base + 32;
constexpr std::uint32_t registers_end = registers_base + 40;

constexpr std::uint32_t half_of(std::uint64_t value, bool high) {
    return static_cast<std::uint32_t>(high ? value >> 32 : value);
}

} // namespace

// -- start, interrupts and the timer ----------------------------------------------------------------------------------

// Registers for integers and real numbers keep their values: a program does not expect any.
void RiscvCore::start(std::uint32_t entry, std::uint64_t now) {
    if (stop.kind != StopKind::held) {
        forget_wait(now);
        state.mstatus = state.mie = state.mip = state.mtvec = state.has_reservation = 0;
        late_ = 0;
        stack_limit_ = 0;
        timer_at_ = never;
    }
    state.pc = entry;
    stop.kind = StopKind::running;
    ready_at = now;
    attention_at_ = 0;
    redirect();
}

void RiscvCore::signal(CoreEvent which, std::uint64_t now) {
    const auto bit = [&] {
        switch (which) {
        case CoreEvent::sync: return bit_of(Interrupt::software);
        case CoreEvent::barrier: return bit_of(Interrupt::barrier);
        case CoreEvent::message: return bit_of(Interrupt::message);
        case CoreEvent::dma0: return bit_of(Interrupt::dma0);
        case CoreEvent::dma1: return bit_of(Interrupt::dma1);
        }
        return 0U;
    };
    state.mip |= bit();
    disturbed(now);
}

// Handles a change of the core's registers from outside. The change can wake the core from the instruction WFI (wait
// for interrupt). The change can also end a wait for a place in the network.
void RiscvCore::disturbed(std::uint64_t now) {
    attention_at_ = 0;
    events_outside++;
    const bool wakes = waiting_ == Waiting::interrupt || waiting_ == Waiting::room;
    if (wakes && active()) ready_at = std::min(ready_at, now + 1);
}

// Handles the timer and the interrupts that are due. Returns true if the core executes the instruction at pc in this
// cycle.
bool RiscvCore::attend(std::uint64_t now) {
    look_at_timer(now);
    if (waiting_ == Waiting::room) {
        if (now > waiting_since_) counters[Stall::network] += now - waiting_since_;
        waiting_ = Waiting::no;
    }
    if (waiting_ == Waiting::answer || waiting_ == Waiting::fetch) return true; // a remote read or fetch has begun
    const std::uint32_t pending = state.mip & state.mie;
    attention_at_ = timer_deadline(now);
    if (pending == 0) {
        if (waiting_ != Waiting::interrupt) return true;
        ready_at = attention_at_;
        return false;
    }
    settle(now);
    waiting_ = Waiting::no; // WFI ends with any interrupt that is enabled in MIE, even if none is taken
    if ((state.mstatus & mstatus::interrupts) == 0) return true;
    // Takes the first pending interrupt in the order of the specification (volume II, "mip"): interrupts of the
    // platform, then the software interrupt, and then the timer.
    unsigned number = 31 - static_cast<unsigned>(std::countl_zero(pending));
    if (number == static_cast<unsigned>(Interrupt::timer) && (pending & bit_of(Interrupt::software)) != 0) {
        number = static_cast<unsigned>(Interrupt::software);
    }
    if (state.mtvec == 0) {
        halt({StopKind::no_handler, number, 0, false});
        return false;
    }
    riscv::enter_handler(state, number | 0x80000000);
    redirect();
    wait(Stall::interrupt, now + kind_.timing.interrupt_entry, now);
    return false;
}

void RiscvCore::look_at_timer(std::uint64_t now) {
    if (now >= timer_at_) state.mip |= bit_of(Interrupt::timer);
    else state.mip &= ~bit_of(Interrupt::timer);
}

std::uint64_t RiscvCore::timer_deadline(std::uint64_t now) const {
    return timer_at_ > now ? timer_at_ : never;
}

bool RiscvCore::expects_timer() const {
    return timer_at_ != never && (state.mie & bit_of(Interrupt::timer)) != 0;
}

// -- control and status registers -------------------------------------------------------------------------------------

std::optional<std::uint32_t> RiscvCore::counter(std::uint32_t number) const {
    const bool high = (number & 0x80) != 0;
    switch (number & ~0x80U) {
    case csr_mcycle:
    case csr_cycle:
    case csr_time: return half_of(now_, high);
    case csr_minstret:
    case csr_instret: return half_of(counters.instructions(), high);
    default: return std::nullopt;
    }
}

Access RiscvCore::read_csr(std::uint32_t number, std::uint32_t &value) {
    const RiscvExtensions &has = kind_.extensions;
    if (const auto count = counter(number)) {
        events_outside++;
        value = *count;
        return Access::done;
    }
    if (number <= csr_fcsr && !has.single_float) return Access::fault;
    switch (number) {
    case csr_fflags: value = state.fcsr & 31; break;
    case csr_frm: value = state.fcsr >> 5; break;
    case csr_fcsr: value = state.fcsr; break;
    case csr_mstatus:
        value = state.mstatus | mstatus::previous_mode |
                (has.single_float ? mstatus::float_dirty | mstatus::state_dirty : 0);
        break;
    case csr_misa: {
        const auto letter = [](char name, bool yes) { return yes ? 1U << (name - 'a') : 0U; };
        value = 1U << 30 | letter('i', true) | letter('c', true) | letter('m', has.multiply) | letter('a', has.atomic) |
                letter('f', has.single_float) | letter('d', has.double_float);
        break;
    }
    case csr_mie: value = state.mie; break;
    case csr_mip: value = state.mip; break;
    case csr_mtvec: value = state.mtvec; break;
    case csr_mscratch: value = state.mscratch; break;
    case csr_mepc: value = state.mepc; break;
    case csr_mcause: value = state.mcause; break;
    case csr_mtval: value = state.mtval; break;
    case csr_mhartid: value = hart_; break;
    case csr_mstatush:
    case csr_mvendorid:
    case csr_marchid:
    case csr_mimpid:
    case csr_mconfigptr: value = 0; break;
    default: return Access::fault;
    }
    return Access::done;
}

// Writes a control and status register. Bits that the register does not implement keep their value. Writes to counters
// have no effect.
Access RiscvCore::write_csr(std::uint32_t number, std::uint32_t value) {
    std::uint32_t present = 0;
    if ((number & read_only) == read_only || read_csr(number, present) != Access::done) return Access::fault;
    constexpr std::uint32_t status_bits = mstatus::interrupts | mstatus::previous_interrupts;
    // The timer's interrupt is left out, because only a write to MTIMECMP clears it.
    constexpr std::uint32_t by_software = riscv::all_interrupts & ~bit_of(Interrupt::timer);
    switch (number) {
    case csr_fflags: state.fcsr = (state.fcsr & ~31U) | (value & 31); break;
    case csr_frm: state.fcsr = (state.fcsr & 31) | (value & 7) << 5; break;
    case csr_fcsr: state.fcsr = value & 0xff; break;
    case csr_mstatus: state.mstatus = value & status_bits; break;
    case csr_mie: state.mie = value & riscv::all_interrupts; break;
    case csr_mip: state.mip = (state.mip & ~by_software) | (value & by_software); break;
    case csr_mtvec: state.mtvec = value & ~2U; break;
    case csr_mscratch: state.mscratch = value; break;
    case csr_mepc: state.mepc = value & ~1U; break;
    case csr_mcause: state.mcause = value; break;
    case csr_mtval: state.mtval = value; break;
    default: break;
    }
    return Access::done;
}

// -- registers in the memory map --------------------------------------------------------------------------------------

// The lines (counters and queues) of the core's event unit count as registers of the memory map too. The offsets of the
// lines are lower than those of the other registers.
bool RiscvCore::maps_registers(std::uint32_t offset) const {
    return offset >= registers_base || (event_lines_ != nullptr && offset >= events::lines_base);
}

bool RiscvCore::has_register(std::uint32_t offset, unsigned size) const {
    if (offset < registers_base) return event_lines_ != nullptr && event_lines_->has(offset, size);
    const bool aligned = offset % size == 0;
    return size >= 4 && aligned && offset >= registers_base && offset + size <= registers_end;
}

bool RiscvCore::read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) {
    if (!has_register(offset, size)) return false;
    now_ = now;
    if (offset < registers_base) {
        value = event_lines_->load(offset, size);
        return true;
    }
    const bool high = (offset & 4) != 0;
    switch (offset & ~7U) {
    case msip_offset: value = high ? 0 : (state.mip & bit_of(Interrupt::software)) != 0 ? 1 : 0; break;
    case mtimecmp_offset: value = timer_at_; break;
    case mtime_offset:
        events_outside++;
        value = now;
        break;
    case place_offset:
        value = id() * core_space;
        if (event_lines_ != nullptr) value |= std::uint64_t{event_lines_->sizes()} << 32;
        break;
    case stack_limit_offset: value = stack_limit_; break;
    default: break;
    }
    if (high) value >>= offset >= mtimecmp_offset ? 32 : 0;
    if (size == 4) value &= 0xffffffff;
    return true;
}

Access RiscvCore::write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) {
    if (!has_register(offset, size)) return Access::fault;
    now_ = now;
    if (offset < registers_base) {
        events_outside++;
        const Access access = event_lines_->store(offset, size, value, now);
        return access == Access::again ? refuse(Stall::network, now + 1) : access;
    }
    const bool high = (offset & 4) != 0;
    switch (offset & ~7U) {
    case msip_offset:
        if (high) break;
        state.mip &= ~bit_of(Interrupt::software);
        state.mip |= (value & 1) != 0 ? bit_of(Interrupt::software) : 0;
        break;
    case mtimecmp_offset:
        if (size == 8) timer_at_ = value;
        else if (high) timer_at_ = (timer_at_ & 0xffffffff) | value << 32;
        else timer_at_ = (timer_at_ & ~std::uint64_t{0xffffffff}) | (value & 0xffffffff);
        break;
    case stack_limit_offset:
        if (!high) stack_limit_ = static_cast<std::uint32_t>(value);
        return Access::done;
    default: break; // MTIME and the core's place cannot be changed
    }
    disturbed(now);
    return Access::done;
}

} // namespace skerry::sim
