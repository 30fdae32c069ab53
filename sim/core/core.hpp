// SPDX-License-Identifier: BSD-3-Clause
// Simulates one core: an in-order pipeline that issues one instruction a cycle, or two if exactly one of them is the
// FPU's. This folder has only the timing; the code in isa/ executes an instruction when it issues. `ready_at` is the
// next cycle in which the core can act, and the chip's loop skips the core until then. Fetches and accesses to the
// core's own memory go to its banks, all other accesses through its port.
#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "core/counters.hpp"
#include "core/event_timer.hpp"
#include "core/ports.hpp"
#include "core/timing.hpp"
#include "isa/semantics.hpp"
#include "memory/local_memory.hpp"

namespace skerry::sim {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

// The reason why a core has stopped.
enum class StopKind : std::uint8_t {
    running,
    held, // the core was never started
    exited,
    breakpoint,
    no_memory,    // an access to an address without memory, or a write to protected bytes
    no_code,      // the next instruction is at an address without memory, or at an odd address
    bad_register, // an access to the register file that is not a whole word
    exception,    // an exception without a handler; STATUS has the cause
    no_handler,   // an interrupt whose vector is empty
    stack,        // the stack pointer is below the address that limit_stack() has set
    dma,          // the program's mistake with a DMA channel; Stop::address is the channel's number
};

struct Stop {
    StopKind kind = StopKind::held;
    std::uint32_t address = 0; // address of the access or instruction, interrupt or channel number, or exit code
    std::uint8_t size = 0;
    bool write = false; // true if the access is a write, or if the breakpoint stops all cores
};

// The event that a core waits for. answer: the answer to a read. fetch: the answer to a remote fetch. interrupt: any
// interrupt. room: a place in the network. host: the end of a trap, which the host executes.
enum class Waiting : std::uint8_t { no, answer, fetch, interrupt, room, host };

class Core {
  public:
    Core(std::uint32_t core_id, std::uint32_t memory_bytes, RemotePort &network, CorePort &chip);

    // Starts the core at `entry`. On the chip a SYNC interrupt (interrupt 0) starts a core after a reset. So the core
    // begins inside the handler of this interrupt, and the other registers have the values for this state.
    void start(std::uint32_t entry, std::uint64_t now);
    // Executes instructions from cycle `now`, which must be ready_at, until ready_at reaches the cycle `limit`.
    void run(std::uint64_t now, std::uint64_t limit);
    // Ends run() after the current instruction. Called when another part of the chip has become ready to act.
    void yield() {
        limit_ = 0;
    }

    // Delivers the answer to the access under way. The core can use the answer from cycle `at` on.
    void complete(std::uint64_t value, std::uint64_t at);
    // Lets the core offer its refused access again in cycle `at`.
    void room(std::uint64_t at);
    // Ends, in cycle `at`, a trap for which CorePort::trap returned 0.
    void trap_served(std::uint64_t at);
    // Reads mapped registers at an offset into the core's megabyte; size is 4 or 8 bytes. Returns false if there is no
    // register or the size is wrong.
    bool read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now);
    // Writes mapped registers. Returns Access::fault if there is no register or the size is wrong. Returns
    // Access::again if a device cannot accept the write in this cycle.
    Access write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now);
    void latch_interrupt(Interrupt which, std::uint64_t now);
    void halt(Stop why);
    // Sets the lowest address that the stack pointer is allowed to have; 0 turns the check off. A stack pointer of 0 is
    // not checked, because the program has not set it yet.
    void limit_stack(std::uint32_t least) {
        stack_bound_ = least == 0 ? 0 : least - 1;
    }
    // Returns true if an event timer runs whose interrupt is not masked.
    bool expects_timer() const;
    // If the core is idle, adds to counters.idle the idle cycles before `now` that are not counted yet.
    void settle(std::uint64_t now);

    // Returns the last cycle in which the core acted or its registers were accessed.
    std::uint64_t now() const {
        return now_;
    }
    bool active() const {
        return stop.kind == StopKind::running;
    }
    Waiting waiting() const {
        return waiting_;
    }
    std::uint32_t waiting_address() const {
        return waiting_address_;
    }

    State state;
    LocalMemory memory;
    Counters counters;
    Stop stop;
    std::uint64_t ready_at = never;
    bool alone = false; // a debugger sets it to turn dual issue off
    // Number of events that can change what the core does although its registers return to earlier values: timer reads,
    // signals, writes to registers from outside. PollWatch, which finds cores that poll for ever, uses this number.
    std::uint64_t events_outside = 0;

    // ---- the bus of isa/bus.hpp ----
    template <unsigned size> Access load(State &, std::uint32_t address, Word<size> &value) {
        const std::uint32_t offset = local_offset(address);
        if (!memory.holds(offset, size)) [[unlikely]]
            return load_elsewhere(address, size, value);
        if (!memory.claim(offset, now_)) return bank_taken();
        value = memory.read<Word<size>>(offset);
        return Access::done;
    }
    template <unsigned size> Access store(State &, std::uint32_t address, Word<size> value) {
        const std::uint32_t offset = local_offset(address);
        if (!memory.holds(offset, size)) [[unlikely]]
            return store_elsewhere(address, size, value);
        if (!memory.claim(offset, now_)) return bank_taken();
        if (!memory.write(offset, value)) [[unlikely]]
            return no_access(StopKind::no_memory, address, size, true);
        return Access::done;
    }
    template <unsigned size> Access testset(State &, std::uint32_t address, Word<size> &value) {
        const std::uint32_t offset = local_offset(address);
        if (!memory.holds(offset, size)) [[unlikely]]
            return testset_elsewhere(address, size, value);
        if (!memory.claim(offset, now_)) return bank_taken();
        const auto old = memory.read<Word<size>>(offset);
        if (old == 0 && !memory.write(offset, value)) [[unlikely]]
            return no_access(StopKind::no_memory, address, size, true);
        value = old;
        return Access::done;
    }
    Access read_special(State &, SpecialRegister which, std::uint32_t &value);
    Access write_special(State &, SpecialRegister which, std::uint32_t value);

  private:
    // Returns the offset of an address in the core's own megabyte. The address can be short (below 1 MB) or global.
    // Returns core_space, which lies beyond the memory's end, for an address outside this megabyte.
    std::uint32_t local_offset(std::uint32_t address) const {
        const std::uint32_t row_and_column = address & ~(core_space - 1);
        return row_and_column == 0 || row_and_column == own_base_ ? address & (core_space - 1) : core_space;
    }
    void step(std::uint64_t now);
    void issue_beside(const Decoded &first, std::uint64_t now);
    void issued(const Decoded &d, std::uint64_t now);
    bool operands_wait(const Decoded &d, std::uint64_t now);
    std::uint64_t operands_ready(const Decoded &d, std::uint64_t now);
    Decoded *find(std::uint32_t pc);
    bool change_page(std::uint32_t pc);
    bool fetch(std::uint32_t end, std::uint64_t now);
    void went_elsewhere(std::uint64_t now);
    void check_stack();
    void slow_path(const Decoded &d, std::uint32_t here, Outcome outcome, std::uint64_t now);
    void exception(std::uint32_t here);
    void redirect();

    bool attend(std::uint64_t now);
    bool vector_empty(unsigned interrupt) const;
    void wait(Stall cause, std::uint64_t until, std::uint64_t now);
    void expire_timers(std::uint64_t now);
    std::uint64_t timer_deadline(std::uint64_t now) const;
    bool is_alarm(unsigned timer) const;
    EventSource source(unsigned timer) const;
    std::uint64_t events(EventSource source, std::uint64_t now) const;
    void write_config(std::uint32_t value);
    void disturbed(std::uint64_t now);

    Access bank_taken();
    Access refuse(Stall cause, std::uint64_t until);
    void wait_for_room();
    Access no_access(StopKind kind, std::uint32_t address, unsigned size, bool write);
    Access ask(RemoteKind kind, std::uint32_t address, unsigned size, std::uint64_t &value);
    template <class Value> Access load_elsewhere(std::uint32_t address, unsigned size, Value &value);
    Access store_elsewhere(std::uint32_t address, unsigned size, std::uint64_t value);
    template <class Value> Access testset_elsewhere(std::uint32_t address, unsigned size, Value &value);

    RemotePort &network_;
    CorePort &port_;
    std::uint32_t own_base_;
    std::uint64_t now_ = 0;
    std::uint64_t limit_ = 0;
    std::uint64_t attention_at_ = 0; // cycle from which timers and interrupts must be checked

    // The scoreboard. late_ has one bit for each register that a load or the FPU will write. late_floating_ has only the
    // bits of those registers that the FPU will write. For each register in late_, usable_at_ is the cycle from which
    // instructions that are not the FPU's can use the register. early_ has the registers that the last integer
    // instruction wrote, in cycle early_at_: only the FPU must wait for them, and only in the next cycle.
    std::uint64_t late_ = 0;
    std::uint64_t late_floating_ = 0;
    std::array<std::uint64_t, 64> usable_at_{};
    std::uint64_t early_ = 0;
    std::uint64_t early_at_ = 0;
    std::uint64_t float_flags_at_ = 0;
    std::uint32_t stack_bound_ = 0; // limit - 1: a stack pointer from 1 to this value is too low (0: not set)

    CodePage *page_ = nullptr;
    Memory *code_ = nullptr;
    std::uint32_t page_address_ = 1; // address of the code in page_; 1 (no page has it) if there is no page
    std::uint32_t page_offset_ = 0;  // offset of page_ in code_
    std::uint32_t fetched_end_ = 0;  // end address of the bytes in the fetch buffer
    bool code_local_ = false;

    bool second_ = false;          // true while the core tries the second instruction of a cycle
    bool hold_interrupts_ = false; // true between GIE (enables interrupts) and the IDLE instruction right after it
    bool answered_ = false;
    Waiting waiting_ = Waiting::no;
    Stall waiting_cause_ = Stall::remote_load;
    std::uint32_t waiting_address_ = 0;
    std::uint64_t waiting_since_ = 0;
    std::uint64_t answer_ = 0;
    std::uint64_t idle_since_ = 0;
    std::array<EventTimer, 2> timers_;
};

} // namespace skerry::sim
