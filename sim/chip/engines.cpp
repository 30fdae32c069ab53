// SPDX-License-Identifier: BSD-3-Clause
#include "chip/engines.hpp"

#include <algorithm>

namespace skerry::sim {
namespace {

// The number by which the DMA claims a bank (a part of a core's memory that serves one access in a cycle). If several
// users claim one bank in the same cycle, LocalMemory::claim_in_turn gives them the bank one after the other.
// traffic.cpp defines the numbers of the other users, 0 and 1.
constexpr unsigned dma_turn = 2;

} // namespace

// -- the core's own memory and registers ------------------------------------------------------------------------------

Access Engines::Engine::read_own(std::uint32_t offset, unsigned size, std::uint64_t &value, std::uint64_t now) {
    if (!core_.memory.holds(offset, size)) {
        return core_.read_register(offset, size, value, now) ? Access::done : Access::fault;
    }
    if (!core_.memory.claim_in_turn(offset, now, dma_turn)) return Access::again;
    value = 0;
    core_.memory.read_bytes(offset, {reinterpret_cast<std::uint8_t *>(&value), size});
    return Access::done;
}

Access Engines::Engine::write_own(std::uint32_t offset, unsigned size, std::uint64_t value, std::uint64_t now) {
    if (!core_.memory.holds(offset, size)) {
        if (!takes(offset, size)) return Access::again;
        const Access access = core_.write_register(offset, size, value, now);
        all_.scheduler_.changed(index_);
        return access;
    }
    if (core_.memory.is_protected(offset, size)) return Access::fault;
    if (!core_.memory.claim_in_turn(offset, now, dma_turn)) return Access::again;
    core_.memory.write_bytes(offset, {reinterpret_cast<const std::uint8_t *>(&value), size});
    return Access::done;
}

bool Engines::Engine::takes(std::uint32_t offset, unsigned size) const {
    for (std::uint32_t at = offset; at < offset + size; at += 4) {
        if (at - special_registers_base >= special_registers_size) continue;
        const SpecialRegister which = special_register_at(at);
        if (Dma::has(which) && !dma.takes(which)) return false;
    }
    return true;
}

// -- accesses to other cores and to external memory -------------------------------------------------------------------

bool Engines::Engine::reply(std::uint64_t cycle, const Transaction &reply) {
    const bool taken = dma.reply(static_cast<std::uint16_t>(reply.tag - first_dma_tag), reply.data, cycle);
    all_.changed(index_, cycle);
    return taken;
}

Acceptance Engines::Engine::send_write(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) {
    Transaction t;
    t.address = address;
    t.size = static_cast<std::uint8_t>(size);
    t.data = value;
    t.tag = first_dma_tag;
    return send(t, RemoteKind::store, now);
}

Acceptance Engines::Engine::send_read(std::uint32_t address, unsigned size, std::uint16_t tag, std::uint64_t now) {
    Transaction t;
    t.kind = Transaction::Kind::read_request;
    t.address = address;
    t.size = static_cast<std::uint8_t>(size);
    t.tag = static_cast<std::uint16_t>(first_dma_tag + tag);
    return send(t, RemoteKind::load, now);
}

Acceptance Engines::Engine::send(const Transaction &t, RemoteKind kind, std::uint64_t now) {
    if (!all_.map_.reachable({kind, t.size, t.address, t.data})) return Acceptance::fault;
    return all_.traffic_.inject(now, index_, all_.traffic_.mesh_for(t.kind, t.address), t, Sender::dma)
               ? Acceptance::taken
               : Acceptance::refused;
}

bool Engines::Engine::is_core(std::uint32_t address) const {
    return all_.map_.index_of(address) != no_core;
}

void Engines::Engine::interrupt(Interrupt which, std::uint64_t now) {
    core_.signal(which == Interrupt::message ? CoreEvent::message
                 : which == Interrupt::dma0  ? CoreEvent::dma0
                                             : CoreEvent::dma1,
                 now);
    all_.scheduler_.changed(index_);
}

// Handles a mistake of the program in its use of this core's DMA. Stops the core at its current instruction.
void Engines::Engine::dma_stopped(unsigned channel) {
    core_.halt({StopKind::dma, channel, 0, false});
    all_.scheduler_.changed(index_);
}

// -- running the engines ----------------------------------------------------------------------------------------------

void Engines::add(Core &core) {
    const auto index = static_cast<std::uint32_t>(engines_.size());
    traffic_.attach_replies(index, *engines_.emplace_back(std::make_unique<Engine>(*this, core, index)));
}

Access Engines::write_register(std::uint32_t index, SpecialRegister which, std::uint32_t value, std::uint64_t now) {
    const Access access = engines_[index]->dma.write_register(which, value, now);
    changed(index, now);
    return access;
}

void Engines::pause(std::uint32_t index, bool paused, std::uint64_t now) {
    engines_[index]->dma.pause(paused, now);
    changed(index, now);
}

bool Engines::busy() const {
    return std::ranges::any_of(engines_, [](const auto &engine) { return engine->dma.busy(); });
}

// Must be called after an event that can change the cycle in which a DMA engine acts next. Such events are a write to a
// register, a reply and a pause. If the engine knows that cycle, this function adds it to the engines that step()
// visits.
void Engines::changed(std::uint32_t index, std::uint64_t now) {
    Engine &engine = *engines_[index];
    observers_.dma(now, index);
    if (engine.dma.ready_at == never) return;
    if (!engine.moving) moving_.push_back(index);
    engine.moving = true;
    next_at_ = std::min(next_at_, engine.dma.ready_at);
    scheduler_.yield();
}

// Runs the DMA engines that are ready in this cycle. Any order gives the same result, because an engine uses only its
// own core's memory and its own entry into the network.
void Engines::step(std::uint64_t cycle) {
    next_at_ = never;
    std::erase_if(moving_, [&](std::uint32_t index) {
        Engine &engine = *engines_[index];
        if (engine.dma.ready_at <= cycle) {
            engine.dma.run(cycle);
            observers_.dma(cycle, index);
        }
        next_at_ = std::min(next_at_, engine.dma.ready_at);
        engine.moving = engine.dma.ready_at != never;
        return !engine.moving;
    });
}

} // namespace skerry::sim
