// SPDX-License-Identifier: BSD-3-Clause
// Defines the abstract core: the operations that the chip, its reports and the debugger use on a core of any kind. A
// class for each kind of core implements these operations. This class implements the parts that all kinds share: waits,
// remote accesses, fetches.
//
// `ready_at` is the next cycle in which the core can act. The chip's loop skips the core until then. Fetches and
// accesses to the core's own memory go directly to the banks of this memory. All other accesses go through an interface
// of the chip (ports.hpp).
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/counters.hpp"
#include "core/instruction_set.hpp"
#include "core/ports.hpp"
#include "memory/instruction_cache.hpp"
#include "memory/local_memory.hpp"
#include "memory/shared_memory.hpp"

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
    exception,    // an exception without a handler; Core::exception_cause says which
    no_handler,   // an interrupt whose vector is empty
    stack,        // the stack pointer is below the address that limit_stack() has set
    division,     // a division of integers by zero, in code for which refuse_divisions_by_zero() forbids it
    dma,          // the program's mistake with a DMA channel; Stop::address is the channel's number
    device,       // the program's mistake with a register of its node; MppaNodes::failure() describes it
};

struct Stop {
    StopKind kind = StopKind::held;
    std::uint32_t address = 0; // address of the access or instruction, interrupt or channel number, or exit code
    std::uint8_t size = 0;
    bool write = false; // true if the access is a write, or if the breakpoint stops all cores
};

// The event that a core waits for. `answer`: the answer to a read. `fetch`: the answer to a remote fetch of code.
// `interrupt`: any interrupt. `room`: a free place in the network. `host`: the end of a request to the host. `stores`:
// the arrival of the core's stores, after a fence.
enum class Waiting : std::uint8_t { no, answer, fetch, interrupt, room, host, stores };

// The chip's events that a core can receive as an interrupt.
enum class CoreEvent : std::uint8_t { sync, barrier, message, dma0, dma1 };

// The memory access that an instruction would make if it were executed with the current values of the registers.
struct Touch {
    std::uint32_t address; // as the program computes it
    std::uint32_t size;    // bytes
    bool reads;
    bool writes;
    bool on_stack; // the address is relative to the stack or frame pointer
};

struct ExceptionCause {
    std::string_view text;
    bool floating; // the exception is one of floating-point arithmetic
};

// The four words with which a program requests a service of the host; host/semihost.hpp defines their meaning. The host
// writes its result to the first word and an error number to the last word.
using HostWords = std::array<std::uint32_t, 4>;

class Core {
  public:
    Core(const InstructionSet &set, std::uint32_t core_id, std::uint32_t memory_bytes, RemotePort &network,
         CorePort &chip);
    virtual ~Core() = default;
    Core(const Core &) = delete;
    Core &operator=(const Core &) = delete;

    // -- execution of instructions ------------------------------------------------------------------------------------

    // Starts the core at the address `entry`, in cycle `now`. A RISC-V core can be started again while it runs a program,
    // unless it waits for an answer (is_answer_due()).
    virtual void start(std::uint32_t entry, std::uint64_t now) = 0;
    // Executes instructions from cycle `now`, which must be ready_at, until ready_at reaches the cycle `limit`.
    virtual void run(std::uint64_t now, std::uint64_t limit) = 0;
    // Delivers an event of the chip, in cycle `now`. A core that sleeps wakes up if the event interrupts it.
    virtual void signal(CoreEvent which, std::uint64_t now) = 0;
    // Returns true if the core waits in the chip's barrier.
    virtual bool at_barrier() const = 0;
    // Returns true if a timer runs that will interrupt the core.
    virtual bool expects_timer() const = 0;
    // Returns true if the program has set the mode in which the core's stores go to a group of cores (multicast).
    virtual bool multicasts() const = 0;

    // -- registers in the core's memory map ---------------------------------------------------------------------------

    // Returns true if this offset can belong to registers. The caller must then use read_register or write_register,
    // which check the exact offset. Returns false if the offset belongs to memory.
    virtual bool maps_registers(std::uint32_t offset) const = 0;
    // Reads one or two registers of the memory map; `size` is 4 or 8 bytes. Returns false if there is no register at
    // this offset or the size is wrong.
    virtual bool read_register(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) = 0;
    // Writes registers of the memory map. Returns Access::fault if there is no register or the size is wrong. Returns
    // Access::again if a device cannot accept the write in this cycle.
    virtual Access write_register(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) = 0;
    // Returns true if there are registers at this offset that a remote access of this size can read or write.
    virtual bool has_register(std::uint32_t offset, unsigned size) const = 0;

    // -- for the host's services, reports and debuggers ---------------------------------------------------------------
    virtual std::uint32_t pc() const = 0;
    // Returns the content of the register in which a call instruction stores the return address.
    virtual std::uint32_t return_address() const = 0;
    virtual std::uint32_t stack_pointer() const = 0;
    virtual HostWords host_arguments() const = 0;
    virtual void host_returns(std::uint32_t result, std::uint32_t error) = 0;
    // Returns all registers as bytes. Two equal results mean that the core is in the same state.
    virtual std::span<const std::uint8_t> snapshot() const = 0;
    // Returns the memory access that an instruction with these bits would make now, or nothing if it accesses no
    // memory.
    virtual std::optional<Touch> touch_of(std::uint32_t bits) const = 0;
    // Returns the list of registers for a debugger. read_numbered and write_numbered access the register with a
    // number of this list.
    virtual const DebugRegisters &debug_registers() const = 0;
    virtual std::optional<std::uint64_t> read_numbered(unsigned number, std::uint64_t now) = 0;
    virtual bool write_numbered(unsigned number, std::uint64_t value, std::uint64_t now) = 0;
    // These functions return texts for reports: the registers, the cause of the exception that stopped the core, and
    // the reason why a core waits for an interrupt.
    virtual std::string registers_text() const = 0;
    virtual ExceptionCause exception_cause() const = 0;
    virtual std::string idle_text() const = 0;

    // -- operations that are the same for all kinds of cores ----------------------------------------------------------

    // Connects the core to the memory that all cores of its cluster share. Must be called before the core starts.
    void attach_shared(SharedMemory &shared) {
        shared_ = &shared;
    }

    // Gives the core an instruction cache for code in the shared memory. Without one, a fetch from there takes no time.
    // Must be called before the core starts.
    void attach_instruction_cache(const InstructionCacheConfiguration &configuration) {
        instruction_cache_.emplace(configuration);
    }

    // Returns the place of an address in the shared memory of the core's cluster. If the address is not there, the
    // pointer in the result is null.
    Place shared_place(std::uint32_t address) const {
        if (shared_ == nullptr || !shared_->has(address, 1)) return {};
        return {&shared_->memory, shared_->offset_of(address)};
    }

    // Connects the core to its event unit (counters and queues). Must be called before the core starts.
    void attach_events(EventLines &lines) {
        event_lines_ = &lines;
    }

    // Connects the core to the registers of its cluster's node. Must be called before the core starts.
    void attach_devices(DevicePort &devices) {
        devices_ = &devices;
    }

    const InstructionSet &set() const {
        return set_;
    }
    // Returns row << 6 | column of the core. This number is the upper 12 bits of the core's global addresses.
    std::uint32_t id() const {
        return own_base_ >> 20;
    }
    // Ends run() after the current instruction. Must be called when another part of the chip has become ready to act.
    void yield() {
        limit_ = 0;
    }
    // Delivers the answer to the core's remote access. The core can use the answer from cycle `at` on.
    void complete(std::uint64_t value, std::uint64_t at);
    // Lets the core repeat in cycle `at` the access that the network has refused.
    void room(std::uint64_t at);
    // Ends, in cycle `at`, a wait for the host or for the arrival of stores.
    void end_wait(std::uint64_t at);
    void halt(Stop why);
    // Sets the lowest address that the stack pointer is allowed to have; 0 turns the check off. A stack pointer of 0 is
    // not checked: the program has not set it yet.
    void limit_stack(std::uint32_t least) {
        stack_bound_ = least == 0 ? 0 : least - 1;
    }
    // Refuses the core's own accesses to data below this offset of its memory. Code can be there. Such an access is most
    // likely one through a null pointer. `offset` must be at least 8 below the memory's size.
    void refuse_data_below(std::uint32_t offset) {
        first_data_ = offset;
        data_bytes_ = memory.size() - offset;
    }
    // Returns the least address that the stack pointer may have now, if the program has set one by a register, else 0.
    virtual std::uint32_t stack_limit() const {
        return 0;
    }
    std::uint32_t first_data() const {
        return first_data_;
    }
    // Makes the core stop at a division of integers by zero in code below this address, if its instruction set gives
    // such a division a result.
    void refuse_divisions_by_zero(std::uint32_t code_end) {
        divisions_end_ = code_end;
    }
    // If the core is idle, adds the idle cycles before `now` that are not counted yet to counters.idle.
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
    // Returns true if the core waits for an answer, for the host, or until its stores have arrived.
    bool is_answer_due() const {
        return waiting_ != Waiting::no && waiting_ != Waiting::interrupt && waiting_ != Waiting::room;
    }
    std::uint32_t waiting_address() const {
        return waiting_address_;
    }

    LocalMemory memory;
    Counters counters;
    Stop stop;
    std::uint64_t ready_at = never;
    bool alone = false; // a debugger sets it to make the core issue one instruction a cycle
    // Number of events that can change the core's behaviour although its registers have returned to earlier values:
    // reads of a timer, signals, writes to registers from outside. PollWatch (which finds cores that poll for ever)
    // uses this number.
    std::uint64_t events_outside = 0;

    // Accesses memory for an instruction that executes in the current cycle. `address` is a multiple of `size`.
    template <unsigned size> Access load(std::uint32_t address, Word<size> &value) {
        const std::uint32_t offset = local_offset(address);
        if (!has_data(offset, size)) [[unlikely]]
            return load_elsewhere(address, size, value);
        if (!memory.claim(offset, now_)) return bank_taken();
        value = memory.read<Word<size>>(offset);
        return Access::done;
    }
    template <unsigned size> Access store(std::uint32_t address, Word<size> value) {
        const std::uint32_t offset = local_offset(address);
        if (!has_data(offset, size)) [[unlikely]]
            return store_elsewhere(address, size, value);
        if (!memory.claim(offset, now_)) return bank_taken();
        if (!memory.write(offset, value)) [[unlikely]]
            return no_access(StopKind::no_memory, address, size, true);
        return Access::done;
    }
    // Performs an atomic operation on a word. `value` has the operand, and receives the old content of the word.
    // Exception: for RISC-V's store-conditional (SC), `value` receives the result of the instruction.
    Access atomically(AtomicOperation operation, std::uint32_t address, std::uint32_t &value);
    // Executes TESTSET: stores `value` if the memory contains 0. `value` receives the old content of the memory.
    template <unsigned size> Access testset(std::uint32_t address, Word<size> &value) {
        const std::uint32_t offset = local_offset(address);
        if (!has_data(offset, size)) [[unlikely]]
            return testset_elsewhere(address, size, value);
        if (!memory.claim(offset, now_)) return bank_taken();
        const auto old = memory.read<Word<size>>(offset);
        if (old == 0 && !memory.write(offset, value)) [[unlikely]]
            return no_access(StopKind::no_memory, address, size, true);
        value = old;
        return Access::done;
    }

  protected:
    // Number of bytes of one fetch. A fetch reads an aligned double word (Ross and Richie 2016: a bank delivers 8 bytes
    // a clock) into the fetch buffer. The buffer contains the bytes whose instructions were not yet issued. One fetch a
    // cycle is enough for a core that issues two instructions of four bytes a cycle.
    static constexpr std::uint32_t fetch_bytes = 8;

    // Returns the earliest cycle in which a timer can interrupt the core, or never.
    virtual std::uint64_t timer_deadline(std::uint64_t now) const = 0;

    // Returns the offset of an address in the range of 1 MB that belongs to the core. The address can be short (below 1
    // MB) or global. Returns core_space for an address outside this range. No memory has an offset of core_space.
    std::uint32_t local_offset(std::uint32_t address) const {
        const std::uint32_t row_and_column = address & ~(core_space - 1);
        return row_and_column == 0 || row_and_column == own_base_ ? address & (core_space - 1) : core_space;
    }
    // Returns true if the core's own memory has this many bytes of data at this offset.
    bool has_data(std::uint32_t offset, std::uint32_t size) const {
        return offset - first_data_ <= data_bytes_ - size;
    }
    // Finds the memory that contains the code at `pc`. Sets code_, code_local_ and the addresses of the code's page.
    // Returns false if no memory has this address.
    bool find_code(std::uint32_t pc);
    // Fetches code into the fetch buffer, at most one double word a cycle, until the buffer reaches the address `end`.
    // Returns false if the core must wait for the code.
    bool fetch(std::uint32_t end, std::uint64_t now);
    bool fetch_elsewhere(std::uint32_t end, std::uint64_t now);
    // Empties the fetch buffer after a change of the program counter. Stops the core if the new address is odd.
    void redirect(std::uint32_t pc) {
        fetched_end_ = pc & ~(fetch_bytes - 1);
        if ((pc & 1) != 0) [[unlikely]]
            halt({StopKind::no_code, pc, 2, false});
    }
    // Returns 0 if the stack pointer is in the part of the core's memory that limit_stack() allows, or if the program has not
    // set it yet. Else returns its offset in this memory, or its address if it is elsewhere, which a large variable on the
    // stack can cause.
    std::uint32_t overflowed(std::uint32_t stack_pointer) const {
        const std::uint32_t offset = local_offset(stack_pointer);
        const bool is_inside = offset - 1 - stack_bound_ < core_space - 1 - stack_bound_;
        if (is_inside || stack_pointer == 0 || stack_bound_ == 0) [[likely]]
            return 0;
        return offset - 1 < core_space - 1 ? offset : stack_pointer;
    }
    // Stops the core if its stack has overflowed. Called after taken branches, which is enough for code that goes on: it
    // contains calls or loops. A core whose access fails calls overflowed() itself.
    void check_stack(std::uint32_t stack_pointer) {
        if (const std::uint32_t stack = overflowed(stack_pointer); stack != 0) [[unlikely]]
            halt({StopKind::stack, stack, 0, false});
    }
    // Ends the wait of a core that will begin another program.
    void forget_wait(std::uint64_t now) {
        settle(now);
        waiting_ = Waiting::no;
        answered_ = false;
        missed_line_ = 1;
    }
    // Makes the core sleep from the next cycle on until an interrupt.
    void sleep_until_interrupt(std::uint64_t now);
    // Requests service `number` of the host. The core waits for the number of cycles that CorePort::trap returns. If
    // that is 0, the core waits until the chip calls end_wait().
    void ask_host(unsigned number, std::uint64_t now);
    void wait(Stall cause, std::uint64_t until, std::uint64_t now) {
        counters[cause] += until - now;
        ready_at = until;
    }
    // Makes the core try the instruction again in cycle `until` and counts the lost cycles for `cause`.
    Access refuse(Stall cause, std::uint64_t until);
    void wait_for_room();
    Access bank_taken();
    Access no_access(StopKind kind, std::uint32_t address, unsigned size, bool write);
    Access ask(RemoteKind kind, std::uint32_t address, unsigned size, std::uint64_t &value,
               AtomicOperation operation = AtomicOperation::testset);

    CorePort &port_;
    EventLines *event_lines_ = nullptr; // null if the machine has none
    std::uint64_t now_ = 0;
    std::uint64_t limit_ = 0;
    std::uint64_t attention_at_ = 0;  // cycle from which timers and interrupts must be checked
    std::uint32_t first_data_ = 0;    // refuse_data_below()
    std::uint32_t data_bytes_;        // size of the memory from first_data_ on
    std::uint32_t divisions_end_ = 0; // refuse_divisions_by_zero()
    std::uint32_t stack_bound_ = 0;   // limit - 1: a stack pointer from 1 to this value is too low (0: not set)

    Memory *code_ = nullptr;
    // Address of the code whose decoded instructions are in the current page (a table of decoded instructions). 1 means
    // that there is no current page, because no page begins at address 1.
    std::uint32_t page_address_ = 1;
    std::uint32_t page_offset_ = 0; // offset of the page in code_
    std::uint32_t fetched_end_ = 0; // end address of the bytes in the fetch buffer
    bool code_local_ = false;
    bool code_shared_ = false; // the code is in the shared memory

    bool second_ = false; // true while the core tries the second instruction of a cycle
    bool answered_ = false;
    Waiting waiting_ = Waiting::no;
    Stall waiting_cause_ = Stall::remote_load;
    std::uint32_t waiting_address_ = 0;
    std::uint64_t waiting_since_ = 0;
    std::uint64_t answer_ = 0;
    std::uint64_t idle_since_ = 0;

  private:
    template <class Value> Access load_elsewhere(std::uint32_t address, unsigned size, Value &value);
    Access store_elsewhere(std::uint32_t address, unsigned size, std::uint64_t value);
    template <class Value> Access testset_elsewhere(std::uint32_t address, unsigned size, Value &value);

    Access claim_shared(std::uint32_t address, bool waits_for_answer);
    Access load_device(std::uint32_t address, unsigned size, std::uint64_t &value);
    Access store_device(std::uint32_t address, unsigned size, std::uint64_t value);
    bool has_line(std::uint64_t now);

    RemotePort &network_;
    SharedMemory *shared_ = nullptr; // null if the machine has none
    DevicePort *devices_ = nullptr;  // null if the machine has none
    std::optional<InstructionCache> instruction_cache_;
    // The line of code that the core reads after a miss, and how many bytes of it the memory has read. 1: no line.
    std::uint32_t missed_line_ = 1;
    std::uint32_t missed_bytes_ = 0;
    const InstructionSet &set_;
    std::uint32_t own_base_;
};

} // namespace skerry::sim
