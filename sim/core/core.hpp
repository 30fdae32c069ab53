// SPDX-License-Identifier: BSD-3-Clause
// One core: an in-order pipeline that issues one instruction a cycle, or two when one of them is the FPU's. Meaning
// comes from isa/, executed when an instruction issues; here is only when that is. A core tells in `ready_at` the next
// cycle in which it can do anything, so nobody looks at it before. Fetches and local accesses are served by the core's
// own banks, everything else goes through its port.
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

// Why a core does not go on.
enum class StopKind : std::uint8_t {
    running,
    held, // never started
    exited,
    breakpoint,
    no_memory,    // an access where nothing is, or a write to what is protected
    no_code,      // the next instruction is where nothing is, or at an odd address
    bad_register, // an access to the register file that is not a whole word
    exception,    // the cause is in STATUS, and the program has no handler for it
    no_handler,   // an interrupt, and its vector is empty
    stack,        // the stack pointer is below its limit
    dma,          // a DMA channel, whose number is the address, met with a mistake
};

struct Stop {
    StopKind kind = StopKind::held;
    std::uint32_t address = 0; // of an access; the number of an interrupt; the status of an exit
    std::uint8_t size = 0;
    bool write = false; // of an access; of a breakpoint: it is one of all cores
};

// What a core waits for, for whoever looks at it from outside.
enum class Waiting : std::uint8_t { no, answer, fetch, interrupt, room, host };

class Core {
  public:
    Core(std::uint32_t core_id, std::uint32_t memory_bytes, CorePort &port);

    // As after reset and the SYNC that starts a core: in the handler of interrupt 0, but at `entry`.
    void start(std::uint32_t entry, std::uint64_t now);
    // Goes on from `now`, which is ready_at, for as long as ready_at stays below the limit.
    void run(std::uint64_t now, std::uint64_t limit);
    // Ends run() after the present instruction: something outside has become ready.
    void yield() {
        limit_ = 0;
    }

    // From the network: the answer to the access under way is usable from cycle `at` on.
    void complete(std::uint64_t value, std::uint64_t at);
    // An offer that was refused may be taken in cycle `at`; a trap whose duration was not known ends then.
    void room(std::uint64_t at);
    void trap_served(std::uint64_t at);
    // Registers as seen in the memory map, at an offset of the core's megabyte. False: no such access.
    bool read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now);
    // fault: no such access. again: a device cannot take it now.
    Access write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now);
    void latch_interrupt(Interrupt which, std::uint64_t now);
    void halt(Stop why);
    // The least that the stack pointer may be, once it is set; 0: anything.
    void limit_stack(std::uint32_t least) {
        stack_bound_ = least == 0 ? 0 : least - 1;
    }
    // A timer will latch its interrupt, and that is not masked.
    bool expects_timer() const;
    // Counts the idle cycles of a core that is still idle.
    void settle(std::uint64_t now);

    // The last cycle in which it was looked at.
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
    bool alone = false; // for a debugger: no two instructions in one cycle
    // Counts what is not repeated by a core whose registers repeat: timers that are read, signals, writes from outside.
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
    // The core's own memory whether by short or global address; all others beyond its end.
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

    CorePort &port_;
    std::uint32_t own_base_;
    std::uint64_t now_ = 0;
    std::uint64_t limit_ = 0;
    std::uint64_t attention_at_ = 0; // when timers and interrupts must be looked at

    // The scoreboard: registers that a load or the FPU will write, the cycle from which an ordinary reader may use
    // each, and which of them are the FPU's. Integer results matter to the FPU only, and only in the very next cycle.
    std::uint64_t late_ = 0;
    std::uint64_t late_floating_ = 0;
    std::array<std::uint64_t, 64> usable_at_{};
    std::uint64_t early_ = 0;
    std::uint64_t early_at_ = 0;
    std::uint64_t float_flags_at_ = 0;
    std::uint32_t stack_bound_ = 0; // the highest stack pointer that is wrong, except 0, which is none yet

    CodePage *page_ = nullptr;
    Memory *code_ = nullptr;
    std::uint32_t page_address_ = 1; // of page_; at first none
    std::uint32_t page_offset_ = 0;  // the same within code_
    std::uint32_t fetched_end_ = 0;  // bytes up to here are in the fetch buffer
    bool code_local_ = false;

    bool second_ = false;          // the second instruction of a cycle is being tried
    bool hold_interrupts_ = false; // between GIE and IDLE
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
