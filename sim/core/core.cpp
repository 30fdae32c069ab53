// SPDX-License-Identifier: BSD-3-Clause
// Implements the functions that all kinds of cores share: waits, fetches, and accesses outside the core's own memory.
// How a remote read works:
// 1. The core offers the read to the network until the network accepts it.
// 2. The core waits for the answer.
// 3. When the answer has arrived, the core executes the same instruction again. This time the instruction finds the
//    answer.
#include "core/core.hpp"

#include <algorithm>

namespace skerry::sim {

Core::Core(const InstructionSet &set, std::uint32_t core_id, std::uint32_t memory_bytes, RemotePort &network,
           CorePort &chip)
    : memory(memory_bytes), port_(chip), data_bytes_(memory_bytes), network_(network), set_(set),
      own_base_(core_id << 20) {
}

void Core::halt(Stop why) {
    stop = why;
    ready_at = never;
    port_.stopped(*this);
}

void Core::settle(std::uint64_t now) {
    if (waiting_ != Waiting::interrupt || now <= idle_since_) return;
    counters.idle += now - idle_since_;
    idle_since_ = now;
}

void Core::end_wait(std::uint64_t at) {
    if (waiting_ != Waiting::host && waiting_ != Waiting::stores) return;
    const Stall cause = waiting_ == Waiting::host ? Stall::system : Stall::network;
    waiting_ = Waiting::no;
    if (!active()) return;
    if (at > waiting_since_) counters[cause] += at - waiting_since_;
    ready_at = at;
}

// -- fetching instructions --------------------------------------------------------------------------------------------

bool Core::find_code(std::uint32_t pc) {
    const std::uint32_t offset = local_offset(pc);
    code_local_ = memory.holds(offset, 2);
    Place place = code_local_ ? Place{&memory, offset} : shared_place(pc);
    code_shared_ = !code_local_ && place.memory != nullptr;
    if (place.memory == nullptr) place = port_.locate(pc);
    if (place.memory == nullptr) return false;
    code_ = place.memory;
    page_address_ = pc & ~(code_page_size - 1);
    page_offset_ = place.offset & ~(code_page_size - 1);
    return true;
}

bool Core::fetch(std::uint32_t end, std::uint64_t now) {
    if (!code_local_ && !code_shared_) return fetch_elsewhere(end, now);
    // A fetch of code from the shared memory claims no bank of that memory, except after a miss of the instruction
    // cache. If the machine's description has no cache, the core is assumed to have all of this code in a cache.
    if (code_shared_ && instruction_cache_ && !instruction_cache_->is_current(fetched_end_) && !has_line(now)) {
        return false;
    }
    if (code_shared_ || memory.claim(fetched_end_ & (core_space - 1), now)) {
        fetched_end_ += fetch_bytes;
        if (end <= fetched_end_) return true; // else the rest of the instruction is in the next double word
    }
    wait(Stall::local_fetch, now + 1, now);
    return false;
}

// Uses the line of the instruction cache with the next bytes of code. Returns false if the core must wait, because the
// cache does not have the line. After a miss the core reads the line from the shared memory, at most one double word a
// cycle, and begins to wait for the cycles of a miss when it has read the last one.
bool Core::has_line(std::uint64_t now) {
    if (instruction_cache_->use(fetched_end_)) return true;
    const InstructionCacheConfiguration &cache = instruction_cache_->configuration();
    const std::uint32_t line = instruction_cache_->line_of(fetched_end_);
    if (missed_line_ != line) {
        missed_line_ = line;
        missed_bytes_ = 0;
    }
    if (missed_bytes_ == cache.line) {
        instruction_cache_->fill(line);
        missed_line_ = 1;
        return true;
    }
    if (shared_->claim(line + missed_bytes_, now, own_base_)) missed_bytes_ += fetch_bytes;
    wait(Stall::remote_fetch, now + 1 + (missed_bytes_ == cache.line ? cache.miss : 0), now);
    return false;
}

bool Core::fetch_elsewhere(std::uint32_t end, std::uint64_t now) {
    if (waiting_ == Waiting::fetch && answered_) {
        waiting_ = Waiting::no;
        answered_ = false;
        fetched_end_ += fetch_bytes;
        if (end <= fetched_end_) return true;
    }
    const RemoteAccess access{RemoteKind::fetch, fetch_bytes, fetched_end_, 0};
    waiting_ = Waiting::fetch;
    waiting_address_ = fetched_end_;
    waiting_cause_ = Stall::remote_fetch;
    waiting_since_ = now;
    ready_at = never;
    const Acceptance offer = network_.offer(*this, access, now);
    if (offer == Acceptance::taken) return false;
    waiting_ = Waiting::no;
    if (offer == Acceptance::fault) halt({StopKind::no_code, fetched_end_, 8, false});
    else wait_for_room();
    return false;
}

// -- beginning and end of waits ---------------------------------------------------------------------------------------

void Core::sleep_until_interrupt(std::uint64_t now) {
    idle_since_ = now + 1;
    waiting_ = Waiting::interrupt;
    attention_at_ = 0;
}

void Core::ask_host(unsigned number, std::uint64_t now) {
    events_outside++;
    const std::uint64_t cycles = port_.trap(*this, number);
    if (cycles == 0) {
        waiting_ = Waiting::host;
        waiting_since_ = now + 1;
        ready_at = never;
        return;
    }
    if (active() && cycles > 1) wait(Stall::system, now + cycles, now + 1);
}

// -- accesses that were refused ---------------------------------------------------------------------------------------

// Makes the core execute the refused instruction again in cycle `until`, and counts the lost cycles. If the instruction
// is the second of the current cycle, this cycle is not lost: the first instruction has issued in it.
Access Core::refuse(Stall cause, std::uint64_t until) {
    const std::uint64_t from = now_ + (second_ ? 1 : 0);
    counters[cause] += until - from;
    ready_at = until;
    return Access::again;
}

// Makes the core wait until the network can accept its access. Interrupts and timers stay active during the wait. The
// instruction has had no effect yet, so the core can take an interrupt before this instruction.
void Core::wait_for_room() {
    waiting_ = Waiting::room;
    waiting_since_ = now_ + (second_ ? 1 : 0);
    ready_at = std::max(timer_deadline(now_), now_ + 1);
    attention_at_ = 0;
}

Access Core::bank_taken() {
    return refuse(Stall::local_data, now_ + 1);
}

Access Core::no_access(StopKind kind, std::uint32_t address, unsigned size, bool write) {
    stop = {kind, address, static_cast<std::uint8_t>(size), write};
    ready_at = never;
    return Access::fault;
}

// -- the shared memory ------------------------------------------------------------------------------------------------

// Claims the memory bank (part of the shared memory that serves one access in a cycle) of an address. If the core must
// wait for the answer, the access takes the memory's extra cycles, in which the core does nothing else.
Access Core::claim_shared(std::uint32_t address, bool waits_for_answer) {
    if (!shared_->claim(address, now_, own_base_)) return bank_taken();
    const std::uint32_t extra = waits_for_answer ? shared_->configuration().extra_cycles : 0;
    counters[Stall::remote_load] += extra;
    ready_at += extra;
    return Access::done;
}

// -- registers of the cluster's node ----------------------------------------------------------------------------------

Access Core::load_device(std::uint32_t address, unsigned size, std::uint64_t &value) {
    const Access access = devices_->load(*this, address, size, value, now_);
    if (access == Access::again) return refuse(Stall::network, now_ + 1);
    if (access == Access::fault) return no_access(StopKind::device, address, size, false);
    counters[Stall::remote_load] += devices_->load_cycles();
    ready_at += devices_->load_cycles();
    return access;
}

Access Core::store_device(std::uint32_t address, unsigned size, std::uint64_t value) {
    events_outside++; // it can change what the device does, and no memory
    const Access access = devices_->store(*this, address, size, value, now_);
    if (access == Access::again) return refuse(Stall::network, now_ + 1);
    return access == Access::fault ? no_access(StopKind::device, address, size, true) : access;
}

// -- accesses to other cores and to external memory -------------------------------------------------------------------

Access Core::ask(RemoteKind kind, std::uint32_t address, unsigned size, std::uint64_t &value,
                 AtomicOperation operation) {
    if (waiting_ == Waiting::answer && answered_) {
        waiting_ = Waiting::no;
        answered_ = false;
        value = answer_;
        return Access::done;
    }
    const bool posted = kind == RemoteKind::store;
    if (!posted) { // set before the offer, because the chip can call complete() during the offer
        waiting_ = Waiting::answer;
        waiting_cause_ = Stall::remote_load;
        waiting_address_ = address;
        waiting_since_ = now_ + (second_ ? 1 : 0);
        ready_at = never;
    }
    switch (network_.offer(*this, {kind, static_cast<std::uint8_t>(size), address, value, operation}, now_)) {
    case Acceptance::taken: return posted ? Access::done : Access::again;
    case Acceptance::refused: wait_for_room(); return Access::again;
    case Acceptance::fault: break;
    }
    waiting_ = Waiting::no;
    return no_access(StopKind::no_memory, address, size, kind != RemoteKind::load);
}

void Core::complete(std::uint64_t value, std::uint64_t at) {
    answer_ = value;
    answered_ = true;
    if (at > waiting_since_) counters[waiting_cause_] += at - waiting_since_;
    if (active()) ready_at = at; // a core that has stopped meanwhile does not run on
}

void Core::room(std::uint64_t at) {
    if (waiting_ == Waiting::room) ready_at = std::min(ready_at, at);
}

template <class Value> Access Core::load_elsewhere(std::uint32_t address, unsigned size, Value &value) {
    if (shared_ != nullptr && shared_->has(address, size)) {
        const Access access = claim_shared(address, true);
        if (access == Access::done) value = shared_->memory.read<Value>(shared_->offset_of(address));
        return access;
    }
    std::uint64_t wide = 0;
    const std::uint32_t offset = local_offset(address);
    if (offset < core_space) {
        if (!maps_registers(offset)) return no_access(StopKind::no_memory, address, size, false);
        if (!read_register(offset, size, wide, now_)) return no_access(StopKind::bad_register, address, size, false);
        value = static_cast<Value>(wide);
        return Access::done;
    }
    const bool of_device = devices_ != nullptr && devices_->has(address);
    const Access access = of_device ? load_device(address, size, wide) : ask(RemoteKind::load, address, size, wide);
    if (access == Access::done) value = static_cast<Value>(wide);
    return access;
}
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint8_t &);
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint16_t &);
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint32_t &);
template Access Core::load_elsewhere(std::uint32_t, unsigned, std::uint64_t &);

Access Core::store_elsewhere(std::uint32_t address, unsigned size, std::uint64_t value) {
    if (shared_ != nullptr && shared_->has(address, size)) {
        const std::uint32_t at = shared_->offset_of(address);
        if (claim_shared(address, false) != Access::done) return Access::again;
        if (shared_->memory.is_protected(at, size)) return no_access(StopKind::no_memory, address, size, true);
        shared_->memory.write_bytes(at, {reinterpret_cast<const std::uint8_t *>(&value), size});
        return Access::done;
    }
    const std::uint32_t offset = local_offset(address);
    if (offset < core_space) {
        if (!maps_registers(offset)) return no_access(StopKind::no_memory, address, size, true);
        const Access access = write_register(offset, size, value, now_);
        return access == Access::fault ? no_access(StopKind::bad_register, address, size, true) : access;
    }
    if (devices_ != nullptr && devices_->has(address)) return store_device(address, size, value);
    return ask(RemoteKind::store, address, size, value);
}

template <class Value> Access Core::testset_elsewhere(std::uint32_t address, unsigned size, Value &value) {
    if (local_offset(address) < core_space) return no_access(StopKind::no_memory, address, size, true);
    std::uint64_t wide = value;
    const Access access = ask(RemoteKind::atomic, address, size, wide);
    if (access == Access::done) value = static_cast<Value>(wide);
    return access;
}
template Access Core::testset_elsewhere(std::uint32_t, unsigned, std::uint8_t &);
template Access Core::testset_elsewhere(std::uint32_t, unsigned, std::uint16_t &);
template Access Core::testset_elsewhere(std::uint32_t, unsigned, std::uint32_t &);

Access Core::atomically(AtomicOperation operation, std::uint32_t address, std::uint32_t &value) {
    constexpr std::uint32_t size = 4;
    const bool writes = operation != AtomicOperation::reserve;
    const std::uint32_t offset = local_offset(address);
    if (has_data(offset, size)) {
        if (!memory.claim(offset, now_)) return bank_taken();
        if (writes && memory.is_protected(offset, size)) return no_access(StopKind::no_memory, address, size, true);
        value = memory.atomically(operation, offset, size, value, id());
        return Access::done;
    }
    if (offset < core_space) return no_access(StopKind::no_memory, address, size, writes);
    if (shared_ != nullptr && shared_->has(address, size)) {
        const std::uint32_t at = shared_->offset_of(address);
        if (claim_shared(address, true) != Access::done) return Access::again;
        if (writes && shared_->memory.is_protected(at, size)) {
            return no_access(StopKind::no_memory, address, size, true);
        }
        value = shared_->memory.atomically(operation, at, size, value, id());
        return Access::done;
    }
    std::uint64_t wide = value;
    const Access access = ask(RemoteKind::atomic, address, size, wide, operation);
    if (access == Access::done) value = static_cast<std::uint32_t>(wide);
    return access;
}

} // namespace skerry::sim
