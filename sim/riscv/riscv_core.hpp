// SPDX-License-Identifier: BSD-3-Clause
// Simulates one RISC-V core: RV32I with the extensions that the machine's description names, in machine mode only. The
// core's pipeline issues one instruction a cycle, in order. The files riscv_core.*, csr.cpp and debug.cpp implement the
// core; the other files of this folder define the instructions.
#pragma once
#include <array>
#include <cstdint>

#include "core/decoding_core.hpp"
#include "riscv/configuration.hpp"
#include "riscv/decoded.hpp"
#include "riscv/semantics.hpp"

namespace skerry::sim {

extern const InstructionSet riscv_set;

class RiscvCore final : public DecodingCore<RiscvCore, riscv::Decoded> {
  public:
    // `hart` is the core's number, which a program reads from the register MHARTID.
    RiscvCore(std::uint32_t core_id, std::uint32_t hart, std::uint32_t memory_bytes, const RiscvConfiguration &kind,
              RemotePort &network, CorePort &chip);

    // -- operations that core/core.hpp declares -----------------------------------------------------------------------
    void start(std::uint32_t entry, std::uint64_t now) override;
    void signal(CoreEvent which, std::uint64_t now) override;
    bool at_barrier() const override {
        return false; // RISC-V has no instruction for a barrier
    }
    bool expects_timer() const override;
    bool multicasts() const override {
        return false;
    }
    bool maps_registers(std::uint32_t offset) const override;
    bool read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) override;
    Access write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) override;
    bool has_register(std::uint32_t offset, unsigned size) const override;
    std::uint32_t pc() const override {
        return state.pc;
    }
    std::uint32_t return_address() const override {
        return state.x[riscv::return_register];
    }
    std::uint32_t stack_pointer() const override {
        return state.x[riscv::stack_register];
    }
    std::uint32_t stack_limit() const override {
        return stack_limit_;
    }
    HostWords host_arguments() const override;
    void host_returns(std::uint32_t result, std::uint32_t error) override;
    std::span<const std::uint8_t> snapshot() const override;
    std::optional<Touch> touch_of(std::uint32_t bits) const override;
    const DebugRegisters &debug_registers() const override;
    std::optional<std::uint64_t> read_numbered(unsigned number, std::uint64_t now) override;
    bool write_numbered(unsigned number, std::uint64_t value, std::uint64_t now) override;
    std::string registers_text() const override;
    ExceptionCause exception_cause() const override;
    std::string idle_text() const override;

    riscv::State state;

    // -- operations that riscv/semantics.hpp declares (Core has load and store) ---------------------------------------
    Access atomically(AtomicOperation operation, std::uint32_t address, std::uint32_t &value, bool release);
    Access read_csr(std::uint32_t number, std::uint32_t &value);
    Access write_csr(std::uint32_t number, std::uint32_t value);
    bool refuses_division_by_zero();

  private:
    friend DecodingCore;

    void step(std::uint64_t now);
    std::uint64_t operands_ready(const riscv::Decoded &d, std::uint64_t now);
    void issued(const riscv::Decoded &d, std::uint64_t now);
    void decode_at(std::uint32_t offset, riscv::Decoded &d);
    bool has(riscv::Extension extension) const;
    std::uint32_t overflowed_stack() const;
    void went_elsewhere(std::uint64_t now);
    void slow_path(const riscv::Decoded &d, std::uint32_t here, riscv::Outcome outcome, std::uint64_t now);
    void exception(std::uint64_t now);
    unsigned host_number() const;
    void fence(const riscv::Decoded &d, std::uint64_t now);
    bool await_stores(std::uint64_t since, bool messages);
    void redirect() {
        Core::redirect(state.pc);
    }

    bool attend(std::uint64_t now);
    void look_at_timer(std::uint64_t now);
    std::uint64_t timer_deadline(std::uint64_t now) const override;
    void disturbed(std::uint64_t now);
    std::optional<std::uint32_t> counter(std::uint32_t number) const;

    RiscvConfiguration kind_;
    std::uint32_t hart_;

    // The scoreboard: when the results of earlier instructions can be used. late_ has one bit for each register whose
    // result is possibly not ready yet. usable_at_ has the cycle from which each of these registers can be used.
    // divider_at_ is the first cycle in which the unit for divisions is free.
    std::uint64_t late_ = 0;
    std::array<std::uint64_t, 64> usable_at_{};
    std::uint64_t divider_at_ = 0;

    std::uint32_t stack_limit_ = 0;  // the register of this name: least stack pointer of the current thread; 0: not set
    std::uint64_t timer_at_ = never; // MTIMECMP: the timer interrupts from this cycle on
};

extern template class DecodingCore<RiscvCore, riscv::Decoded>;

} // namespace skerry::sim
