// SPDX-License-Identifier: BSD-3-Clause
#include "chip/event_units.hpp"

namespace skerry::sim {
namespace {

// A message of an event unit is sent as the number of the slot (buffer) that keeps it. Bits 0 to 7 of the data are this
// number. In the answer, bits 8 to 15 are the receiver's answer (enum Delivery).
constexpr unsigned delivery_shift = 8;

unsigned slot_of(const Transaction &t) {
    return static_cast<unsigned>(t.data & 0xff);
}

bool is_line(std::uint32_t address) {
    return offset_in_core(address) >= events::lines_base && offset_in_core(address) < events::tags_end;
}

} // namespace

EventUnits::EventUnits(AddressMap &map, Scheduler &scheduler, Traffic &traffic, CopyUnits &copies)
    : map_(map), scheduler_(scheduler), traffic_(traffic), copies_(copies) {
    if (map.machine().events.lines != 0) traffic.attach_messages(*this);
}

void EventUnits::add(Core &core) {
    if (map_.machine().events.lines == 0) return;
    const auto index = static_cast<std::uint32_t>(units_.size());
    Unit &unit = *units_.emplace_back(std::make_unique<Unit>(*this, core, index));
    core.attach_events(unit);
    copies_.add(core, unit.model);
}

// -- messages that a unit sends ---------------------------------------------------------------------------------------

bool EventUnits::Unit::send(const Message &message, unsigned slot, std::uint64_t now) {
    if (!model.is_command(slot) && !reachable(message)) { // commands were checked when they were started
        core.halt({StopKind::no_memory, message.address, message.bytes, true});
        all_.scheduler_.changed(index_);
        return true;
    }
    Transaction t;
    t.kind = Transaction::Kind::message;
    t.address = message.address;
    t.size = 4;
    t.tag = message_tag;
    t.data = slot;
    return all_.traffic_.inject(now, index_, Mesh::read_request, t, Sender::events);
}

bool EventUnits::Unit::reachable(const Message &message) const {
    const auto has_word = [&](std::uint32_t address) {
        return all_.map_.index_of(address) != no_core && all_.map_.reachable({RemoteKind::store, 4, address, 0});
    };
    const bool returns = message.kind == Message::Kind::dequeue;
    return has_word(message.address) && has_word(message.address + message.bytes - 4U) &&
           (!returns || has_word(message.return_address));
}

void EventUnits::Unit::started(const Message &message, std::uint64_t) {
    if (message.kind != Message::Kind::dequeue) all_.traffic_.message_posted(index_);
}

void EventUnits::Unit::changed(std::uint64_t) {
    if (!active) all_.active_.push_back(index_);
    active = true;
    all_.next_at_ = std::min(all_.next_at_, model.ready_at());
    all_.scheduler_.yield();
}

// -- messages and stores that arrive from the network -----------------------------------------------------------------

Access EventUnits::arrive_store(std::uint32_t node, const Transaction &store, std::uint64_t cycle) {
    units_[node]->core.events_outside++;
    return units_[node]->model.store(offset_in_core(store.address), store.size, store.data, false, cycle);
}

Delivery EventUnits::arrive(std::uint32_t node, const Transaction &t, std::uint64_t cycle) {
    Unit &sender = *units_[t.source];
    const Message &message = sender.model.message(slot_of(t));
    Core &core = map_.core(node);
    core.events_outside++;
    const Delivery delivery =
        is_line(message.address) ? units_[node]->model.deliver(message, cycle) : deliver(core, message, cycle);
    if (delivery == Delivery::refused) return delivery;
    if (delivery == Delivery::wrong) { // the program's mistake
        sender.core.halt({StopKind::no_memory, message.address, message.bytes, true});
        scheduler_.changed(t.source);
    }
    if (sender.model.is_command(slot_of(t)) && message.kind != Message::Kind::dequeue) {
        traffic_.message_arrived(t.source, cycle);
    }
    return delivery;
}

// Delivers a message whose destination is the memory of a core. Messages to an event line (a counter or a queue) are
// not handled here. The memory takes all words of the message in one cycle.
Delivery EventUnits::deliver(Core &core, const Message &message, std::uint64_t) {
    const std::uint32_t offset = offset_in_core(message.address);
    if (message.kind != Message::Kind::write || !core.memory.holds(offset, message.bytes) ||
        core.memory.is_protected(offset, message.bytes)) {
        return Delivery::wrong;
    }
    core.memory.write_bytes(offset, {reinterpret_cast<const std::uint8_t *>(message.words.data()), message.bytes});
    return Delivery::taken;
}

void EventUnits::answered(std::uint32_t node, const Transaction &reply, std::uint64_t cycle) {
    units_[node]->model.answered(slot_of(reply), static_cast<Delivery>(reply.data >> delivery_shift & 0xff), cycle);
}

// -- the run of the units ---------------------------------------------------------------------------------------------

// Runs the event units that are ready in this cycle. Any order gives the same result: a unit uses only its own lines
// (counters and queues) and its own entry into the network.
void EventUnits::step(std::uint64_t cycle) {
    next_at_ = never;
    std::erase_if(active_, [&](std::uint32_t index) {
        Unit &unit = *units_[index];
        if (unit.model.ready_at() <= cycle) unit.model.run(cycle);
        next_at_ = std::min(next_at_, unit.model.ready_at());
        unit.active = unit.model.ready_at() != never;
        return !unit.active;
    });
}

} // namespace skerry::sim
