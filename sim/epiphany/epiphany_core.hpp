// SPDX-License-Identifier: BSD-3-Clause
// Simulates one Epiphany core: an in-order pipeline that issues one instruction a cycle. The pipeline issues two
// instructions if exactly one of them is for the floating-point unit. This folder simulates only the timing. The code
// in isa/ computes the effect of an instruction, in the cycle in which the instruction issues.
#pragma once
#include <array>
#include <cstdint>

#include "core/decoding_core.hpp"
#include "epiphany/decoded.hpp"
#include "epiphany/event_timer.hpp"
#include "epiphany/isa/semantics.hpp"
#include "epiphany/timing.hpp"

namespace skerry::sim {

extern const InstructionSet epiphany_set;

// The interface to the chip that an Epiphany core needs in addition to CorePort. The interface has signals with wires
// of their own (WAND, a barrier of all cores; SYNC, an interrupt of all cores; breakpoints), and devices on the core's
// bus.
class EpiphanyPort : public CorePort {
  public:
    virtual void wand(Core &core) = 0;
    virtual void sync(Core &core) = 0;
    virtual void multicore_breakpoint(Core &core) = 0;
    // read_device and write_device access a register of a device on the core's bus: of a DMA channel, of memory
    // protection, or of the mesh.
    virtual Access read_device(Core &core, SpecialRegister which, std::uint32_t &value) = 0;
    virtual Access write_device(Core &core, SpecialRegister which, std::uint32_t value) = 0;
    // Called when the pause bit of CONFIG has changed.
    virtual void pause_dma(Core &core, bool paused) = 0;
};

class EpiphanyCore final : public DecodingCore<EpiphanyCore, Decoded> {
  public:
    EpiphanyCore(std::uint32_t core_id, std::uint32_t memory_bytes, RemotePort &network, EpiphanyPort &chip);

    // -- operations that core/core.hpp declares -----------------------------------------------------------------------

    // Starts the core in the state that a core has after a reset. On the chip, a SYNC interrupt (interrupt 0) starts a
    // core after a reset. Therefore the core begins inside the handler of this interrupt.
    void start(std::uint32_t entry, std::uint64_t now) override;
    void signal(CoreEvent which, std::uint64_t now) override;
    bool at_barrier() const override {
        return flag(state, status::wand);
    }
    bool expects_timer() const override;
    bool multicasts() const override {
        return (state.config & config::multicast_mode) == config::multicast_mode;
    }
    bool maps_registers(std::uint32_t offset) const override {
        return offset >= general_registers_base;
    }
    bool read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) override;
    Access write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) override;
    bool has_register(std::uint32_t offset, unsigned size) const override;
    std::uint32_t pc() const override {
        return state.pc;
    }
    std::uint32_t return_address() const override {
        return state.r[link_register];
    }
    std::uint32_t stack_pointer() const override {
        return state.r[stack_register];
    }
    HostWords host_arguments() const override {
        return {state.r[0], state.r[1], state.r[2], state.r[3]};
    }
    void host_returns(std::uint32_t result, std::uint32_t error) override {
        state.r[0] = result;
        state.r[3] = error;
    }
    std::span<const std::uint8_t> snapshot() const override;
    std::optional<Touch> touch_of(std::uint32_t bits) const override;
    const DebugRegisters &debug_registers() const override;
    std::optional<std::uint64_t> read_numbered(unsigned number, std::uint64_t now) override;
    bool write_numbered(unsigned number, std::uint64_t value, std::uint64_t now) override;
    std::string registers_text() const override;
    ExceptionCause exception_cause() const override;
    std::string idle_text() const override;

    void latch_interrupt(Interrupt which, std::uint64_t now);

    State state;

    // -- operations that isa/bus.hpp declares -------------------------------------------------------------------------
    template <unsigned size> Access load(State &, std::uint32_t address, Word<size> &value) {
        return Core::load<size>(address, value);
    }
    template <unsigned size> Access store(State &, std::uint32_t address, Word<size> value) {
        return Core::store<size>(address, value);
    }
    template <unsigned size> Access testset(State &, std::uint32_t address, Word<size> &value) {
        return Core::testset<size>(address, value);
    }
    Access read_special(State &, SpecialRegister which, std::uint32_t &value);
    Access write_special(State &, SpecialRegister which, std::uint32_t value);

  private:
    friend DecodingCore;

    void step(std::uint64_t now);
    void issue_beside(const Decoded &first, std::uint64_t now);
    void issued(const Decoded &d, std::uint64_t now);
    bool operands_wait(const Decoded &d, std::uint64_t now);
    std::uint64_t operands_ready(const Decoded &d, std::uint64_t now);
    void decode_at(std::uint32_t offset, Decoded &d);
    void went_elsewhere(std::uint64_t now);
    void slow_path(const Decoded &d, std::uint32_t here, Outcome outcome, std::uint64_t now);
    void exception(std::uint32_t here);
    void redirect() {
        Core::redirect(state.pc);
    }

    bool attend(std::uint64_t now);
    bool vector_empty(unsigned interrupt) const;
    void expire_timers(std::uint64_t now);
    std::uint64_t timer_deadline(std::uint64_t now) const override;
    bool is_alarm(unsigned timer) const;
    EventSource source(unsigned timer) const;
    std::uint64_t events(EventSource source, std::uint64_t now) const;
    void write_config(std::uint32_t value);
    void disturbed(std::uint64_t now);

    EpiphanyPort &devices_;

    // The scoreboard: the registers whose results are not ready yet. FPU: the floating-point unit.
    // * late_ has one bit for each register that a load or the FPU will write. late_floating_ has only the bits of
    //   registers that the FPU will write.
    // * usable_at_ is, for each register in late_, the first cycle in which instructions of other units than the FPU
    //   can use it.
    // * early_ has the registers that the last integer instruction wrote, in cycle early_at_. Only an FPU instruction
    //   in the next cycle must wait for them.
    std::uint64_t late_ = 0;
    std::uint64_t late_floating_ = 0;
    std::array<std::uint64_t, 64> usable_at_{};
    std::uint64_t early_ = 0;
    std::uint64_t early_at_ = 0;
    std::uint64_t float_flags_at_ = 0;

    bool hold_interrupts_ = false; // true between GIE (enables interrupts) and the IDLE instruction right after it
    std::array<EventTimer, 2> timers_;
};

extern template class DecodingCore<EpiphanyCore, Decoded>;

} // namespace skerry::sim
