// SPDX-License-Identifier: BSD-3-Clause
#include "chip/copy_units.hpp"

namespace skerry::sim {
namespace {

// The numbers by which a copy unit claims a bank (a part of a core's memory that serves one access in a cycle): for the
// words that it begins, and for the answers to its requests. traffic.cpp defines the numbers of the other users.
constexpr unsigned words_turn = 2;
constexpr unsigned answers_turn = 3;

} // namespace

CopyUnits::CopyUnits(AddressMap &map, Scheduler &scheduler, Traffic &traffic)
    : map_(map), scheduler_(scheduler), traffic_(traffic) {
    if (map.machine().copies.copies != 0) traffic.attach_copies(*this);
}

void CopyUnits::add(Core &core, EventUnit &events) {
    if (map_.machine().copies.copies == 0) return;
    units_.push_back(std::make_unique<Unit>(*this, core, events, static_cast<std::uint32_t>(units_.size())));
}

// -- the begin of a copy ----------------------------------------------------------------------------------------------

// Returns true if source and destination have memory at all addresses, the destination is not protected, and the own
// memory has at least one of both.
bool CopyUnits::Unit::fits(const Copy &copy) const {
    const auto has_all = [&](std::uint32_t address, bool writes) {
        const Place place = all_.map_.place_of(core_, address, copy.bytes);
        return place.memory != nullptr && !(writes && place.memory->is_protected(place.offset, copy.bytes));
    };
    const bool is_near = is_own(copy.source) || is_own(copy.destination);
    return is_near && has_all(copy.source, false) && has_all(copy.destination, true);
}

Access CopyUnits::begin(std::uint32_t index, const Copy &copy, std::uint64_t at, std::uint64_t now) {
    if (units_.empty() || !units_[index]->fits(copy)) return Access::fault;
    return units_[index]->model.begin(copy, at, now) ? Access::done : Access::again;
}

// -- words that a unit moves ------------------------------------------------------------------------------------------

bool CopyUnits::Unit::read_own(std::uint32_t address, unsigned size, std::uint64_t &value, std::uint64_t now) {
    const std::uint32_t offset = offset_in_core(address);
    if (!core_.memory.claim_in_turn(offset, now, words_turn)) return false;
    value = 0;
    core_.memory.read_bytes(offset, {reinterpret_cast<std::uint8_t *>(&value), size});
    return true;
}

bool CopyUnits::Unit::write_own(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t now) {
    const std::uint32_t offset = offset_in_core(address);
    if (!core_.memory.claim_in_turn(offset, now, answers_turn)) return false;
    core_.memory.write_bytes(offset, {reinterpret_cast<const std::uint8_t *>(&value), size});
    return true;
}

bool CopyUnits::Unit::send_write(std::uint32_t address, unsigned size, std::uint64_t value, unsigned number,
                                 std::uint64_t now) {
    Transaction t;
    t.address = address;
    t.size = static_cast<std::uint8_t>(size);
    t.data = value;
    t.tag = static_cast<std::uint16_t>(first_copy_tag + number);
    return all_.traffic_.inject(now, index_, all_.traffic_.mesh_for(t.kind, address), t, Sender::dma);
}

bool CopyUnits::Unit::send_read(std::uint32_t address, unsigned size, unsigned number, std::uint64_t now) {
    Transaction t;
    t.kind = Transaction::Kind::read_request;
    t.address = address;
    t.size = static_cast<std::uint8_t>(size);
    t.tag = static_cast<std::uint16_t>(first_copy_tag + number);
    return all_.traffic_.inject(now, index_, Mesh::read_request, t, Sender::dma);
}

// -- what arrives -----------------------------------------------------------------------------------------------------

bool CopyUnits::reply(std::uint32_t node, const Transaction &reply, std::uint64_t cycle) {
    return units_[node]->model.reply(reply.tag - first_copy_tag, reply.data, cycle);
}

void CopyUnits::landed(const Transaction &write, std::uint64_t cycle) {
    units_[write.source]->model.landed(write.tag - first_copy_tag, cycle);
}

// A copy whose counter has become a line of another kind is a mistake of the program.
void CopyUnits::Unit::acknowledged(const Copy &copy, std::uint32_t bytes, std::uint64_t now) {
    core_.events_outside++;
    if (events_.copied(copy, bytes, now)) return;
    core_.halt({StopKind::no_memory, core_.id() << 20 | copy.counter, 4, true});
    all_.scheduler_.changed(index_);
}

// -- the run of the units ---------------------------------------------------------------------------------------------

void CopyUnits::Unit::changed(std::uint64_t) {
    if (!active) all_.active_.push_back(index_);
    active = true;
    all_.next_at_ = std::min(all_.next_at_, model.ready_at());
    all_.scheduler_.yield();
}

// Runs the copy units that are ready in this cycle. Any order gives the same result: a unit uses only its own core's
// memory and lines, and its own entry into the network.
void CopyUnits::step(std::uint64_t cycle) {
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
