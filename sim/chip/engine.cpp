// SPDX-License-Identifier: BSD-3-Clause
// Connects a core's DMA to the core's memory and to the network. The chip's loop visits only the engines that have a
// next cycle in which they act (ready_at). An engine that waits for a reply, or for a write from outside, has no such
// cycle.
#include "chip/chip.hpp"

namespace skerry::sim {
namespace {

constexpr unsigned dma_turn = 2; // the DMA's number for LocalMemory::claim_in_turn; traffic.cpp uses 0 and 1

} // namespace

// ---- the core's own memory and registers ----

Access Chip::Engine::read_own(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) {
    Core &core = *chip_.cores_[index_];
    if (!core.memory.holds(offset, size)) {
        return core.read_register(offset, size, value, now) ? Access::done : Access::fault;
    }
    if (!core.memory.claim_in_turn(offset, now, dma_turn)) return Access::again;
    value = 0;
    core.memory.read_bytes(offset, {reinterpret_cast<std::uint8_t *>(&value), size});
    return Access::done;
}

Access Chip::Engine::write_own(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) {
    Core &core = *chip_.cores_[index_];
    if (!core.memory.holds(offset, size)) {
        if (!chip_.takes(index_, offset, size)) return Access::again;
        const Access access = core.write_register(offset, size, value, now);
        chip_.changed(index_);
        return access;
    }
    if (core.memory.is_protected(offset, size)) return Access::fault;
    if (!core.memory.claim_in_turn(offset, now, dma_turn)) return Access::again;
    core.memory.write_bytes(offset, {reinterpret_cast<const std::uint8_t *>(&value), size});
    return Access::done;
}

// ---- elsewhere ----

bool Chip::Engine::reply(std::uint64_t cycle, const Transaction &reply) {
    const bool taken = dma.reply(static_cast<std::uint16_t>(reply.tag - first_dma_tag), reply.data, cycle);
    chip_.dma_changed(index_);
    return taken;
}

Acceptance Chip::Engine::send_write(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) {
    Transaction t;
    t.address = address;
    t.size = static_cast<std::uint8_t>(size);
    t.data = value;
    t.tag = first_dma_tag;
    return send(t, RemoteKind::store, now);
}

Acceptance Chip::Engine::send_read(std::uint32_t address, unsigned size, std::uint16_t tag, std::uint64_t now) {
    Transaction t;
    t.kind = Transaction::Kind::read_request;
    t.address = address;
    t.size = static_cast<std::uint8_t>(size);
    t.tag = static_cast<std::uint16_t>(first_dma_tag + tag);
    return send(t, RemoteKind::load, now);
}

Acceptance Chip::Engine::send(const Transaction &t, RemoteKind kind, std::uint64_t now) {
    if (!chip_.reachable({kind, t.size, t.address, t.data})) return Acceptance::fault;
    return chip_.inject(now, index_, chip_.mesh_for(t.kind, t.address), t, Sender::dma) ? Acceptance::taken
                                                                                        : Acceptance::refused;
}

bool Chip::Engine::is_core(std::uint32_t address) const {
    return chip_.index_of(address) != none;
}

void Chip::Engine::interrupt(Interrupt which, std::uint64_t now) {
    chip_.cores_[index_]->latch_interrupt(which, now);
    chip_.changed(index_);
}

// Stops the core at its current instruction, because the program has made a mistake with the core's DMA.
void Chip::Engine::dma_stopped(unsigned channel) {
    Core &core = *chip_.cores_[index_];
    core.halt({StopKind::dma, channel, 0, false});
    chip_.changed(index_);
}

// ---- their turn ----

// Called after an event that possibly changes when an engine acts next: a write to a register, a reply, a pause. Adds
// the engine to those that the loop visits, if the engine has a next cycle.
void Chip::dma_changed(std::uint32_t index) {
    Engine &engine = *engines_[index];
    for (Observer *o : observers_) o->dma(now_, index);
    if (engine.dma.ready_at == never) return;
    if (!engine.moving) moving_.push_back(index);
    engine.moving = true;
    dma_at_ = std::min(dma_at_, engine.dma.ready_at);
    if (running_ != none) cores_[running_]->yield();
}

// Runs the engines that are ready in this cycle. An engine uses only its core's memory and its own entry into the
// network, so the order of the engines does not matter.
void Chip::step_dma(std::uint64_t cycle) {
    dma_at_ = never;
    std::erase_if(moving_, [&](std::uint32_t index) {
        Engine &engine = *engines_[index];
        if (engine.dma.ready_at <= cycle) {
            engine.dma.run(cycle);
            for (Observer *o : observers_) o->dma(cycle, index);
        }
        dma_at_ = std::min(dma_at_, engine.dma.ready_at);
        engine.moving = engine.dma.ready_at != never;
        return !engine.moving;
    });
}

} // namespace skerry::sim
