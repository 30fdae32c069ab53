// SPDX-License-Identifier: BSD-3-Clause
// Handles accesses over the network. A remote access of a core becomes a transaction. At its destination the
// transaction claims a bank or accesses a register, and the value that a request reads returns as a reply. Three
// senders share a node's entry into a mesh: its core, its DMA, and the replies of its memory. A sender that was refused
// has the next turn, so no sender can starve another.
//
// The meshes cannot deadlock each other. A node accepts writes and replies even while it cannot send: only a busy bank
// delays writes and replies, and only briefly. (Exception: a write to the AUTO registers of a slave DMA channel waits
// until the channel has written its previous element.) Only requests need a place in another mesh, for their replies. A
// request that cannot be answered yet waits in the request mesh and blocks only other requests.
#include "chip/chip.hpp"

namespace skerry::sim {
namespace {

using Travelling = Transaction::Kind;

constexpr unsigned order_shift = 32; // in a request's data: bits 0-31 TESTSET's value, from bit 32 WriteOrder's mark
constexpr unsigned writes_turn = 0;  // `who` in LocalMemory::claim_in_turn for arriving writes
constexpr unsigned requests_turn = 1;
constexpr std::uint32_t multicast_mode_mask = 3U << 12;

Travelling kind_of(RemoteKind kind) {
    switch (kind) {
    case RemoteKind::store: return Travelling::write;
    case RemoteKind::testset: return Travelling::testset_request;
    case RemoteKind::load:
    case RemoteKind::fetch: break;
    }
    return Travelling::read_request;
}

std::uint32_t offset_of(std::uint32_t address) {
    return address & (core_space - 1);
}

bool is_register(std::uint32_t offset, unsigned size) {
    const bool general = offset - general_registers_base <= general_registers_size - size;
    const bool special = offset - special_registers_base <= special_registers_size - size;
    return size >= 4 && (general || special);
}

// Performs a write, a read or a TESTSET on memory. The caller must have checked that the memory has these bytes.
// Returns the value that a read or a TESTSET finds, and 0 for a write.
std::uint64_t access_memory(Memory &memory, std::uint32_t offset, const Transaction &t) {
    std::uint64_t found = 0;
    const auto *value = reinterpret_cast<const std::uint8_t *>(&t.data);
    if (t.kind != Travelling::write) memory.read_bytes(offset, {reinterpret_cast<std::uint8_t *>(&found), t.size});
    if (t.kind == Travelling::write || (t.kind == Travelling::testset_request && found == 0)) {
        memory.write_bytes(offset, {value, t.size});
    }
    return found;
}

} // namespace

// ---- from a core ----

Mesh Chip::mesh_for(Travelling kind, std::uint32_t address) const {
    if (kind == Travelling::read_request || kind == Travelling::testset_request) return Mesh::read_request;
    return index_of(address) == none ? Mesh::off_chip_write : Mesh::on_chip_write;
}

bool Chip::reachable(const RemoteAccess &access) const {
    const bool writes = access.kind == RemoteKind::store || access.kind == RemoteKind::testset;
    const auto allows = [&](const Memory &memory, std::uint32_t offset) {
        return memory.holds(offset, access.size) && !(writes && memory.is_protected(offset, access.size));
    };
    const std::uint32_t index = index_of(access.address);
    if (index == none) {
        if (place_for_core(access.address) != none) return false; // the core of this place is absent
        return std::ranges::any_of(external_,
                                   [&](const External &e) { return allows(*e.memory, access.address - e.base); });
    }
    const std::uint32_t offset = offset_of(access.address);
    const bool of_registers = access.kind == RemoteKind::load || access.kind == RemoteKind::store;
    return allows(cores_[index]->memory, offset) || (of_registers && is_register(offset, access.size));
}

// Returns the multicast group that a core's store goes to, or 0 if the access is no multicast. In the OH library's
// elink, routing mode 3 means multicast. The core's CONFIG register has the mode. In this mode, the upper twelve bits
// of the address are the group, which each node compares with its MULTICAST register. No node can receive group 0.
std::uint16_t Chip::multicast_group(const Core &by, const RemoteAccess &access) const {
    const bool multicast = (by.state.config & multicast_mode_mask) == multicast_mode_mask;
    const bool holds = by.memory.holds(offset_of(access.address), access.size);
    return multicast && holds && access.kind == RemoteKind::store ? static_cast<std::uint16_t>(access.address >> 20)
                                                                  : std::uint16_t{0};
}

// Returns true if a core of a multicast group has write-protected at least one of the bytes.
bool Chip::group_protects(std::uint16_t group, std::uint32_t address, std::uint8_t bytes) const {
    return std::ranges::any_of(present_, [&](std::uint32_t k) {
        return network_.group(k) == group && cores_[k]->memory.is_protected(offset_of(address), bytes);
    });
}

bool Chip::is_protected_multicast(const Core &by, std::uint32_t address, std::uint8_t bytes) const {
    const std::uint16_t group = multicast_group(by, {RemoteKind::store, bytes, address, 0});
    return group != 0 && group_protects(group, address, bytes);
}

Acceptance Chip::offer(Core &by, const RemoteAccess &access, std::uint64_t now) {
    Transaction t;
    t.group = multicast_group(by, access);
    if (t.group != 0 ? group_protects(t.group, access.address, access.size) : !reachable(access)) {
        return Acceptance::fault;
    }
    t.kind = kind_of(access.kind);
    t.address = access.address;
    t.size = access.size;
    t.data = access.value;
    const std::uint32_t node = index_of(by);
    const Mesh mesh = t.group != 0 ? Mesh::on_chip_write : mesh_for(t.kind, t.address);
    if (!inject(now, node, mesh, t, Sender::core)) {
        want_room_.emplace_back(node, mesh);
        return Acceptance::refused;
    }
    if (t.kind == Travelling::write && t.group == 0) posted_[node]++;
    return Acceptance::taken;
}

// ---- into the network ----

bool Chip::may_read(const Transaction &request, unsigned place) const {
    const auto mark = static_cast<std::uint16_t>(request.data >> order_shift);
    return !machine_.network_part.reads_wait_for_writes || order_.reached(request.source, place, mark);
}

std::uint32_t Chip::order_place(std::uint32_t address) const {
    const std::uint32_t index = index_of(address);
    return index == none ? machine_.cores() : index;
}

bool Chip::may_inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Sender sender) {
    Turn &turn = turns_[node][static_cast<unsigned>(mesh)];
    if (turn.cycle == cycle && turn.sender != sender) return false;
    if (network_.has_room(cycle, node, mesh)) return true;
    if (turn.cycle != cycle + 1) turn = {cycle + 1, sender};
    return false;
}

bool Chip::inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Transaction t, Sender sender) {
    network_at_ = std::min(network_at_, cycle); // also if the transaction is refused, because its sender then waits
    if (running_ != none) cores_[running_]->yield();
    if (!may_inject(cycle, node, mesh, sender)) return false;
    t.source = static_cast<std::uint16_t>(node);
    if (t.kind != Travelling::read_reply) t.return_address = machine_.core_id(node) << 20;
    if (t.kind == Travelling::write) {
        if (t.group == 0) order_.sent(node, order_place(t.address));
    } else if (t.kind != Travelling::read_reply) {
        t.data = (t.data & 0xffffffff) | std::uint64_t{order_.mark(node, order_place(t.address))} << order_shift;
    }
    network_.offer(cycle, node, mesh, t);
    if (t.kind != Travelling::read_reply) {
        for (Observer *o : observers_) o->sent(cycle, index_of(t.address), t);
    }
    return true;
}

// For each core that waits for a place in the network: lets the core try again if its node has a free place and no
// other sender has the turn.
void Chip::give_room(std::uint64_t cycle) {
    std::erase_if(want_room_, [&](const std::pair<std::uint32_t, Mesh> &wanted) {
        const auto [node, mesh] = wanted;
        Core &core = *cores_[node];
        if (core.waiting() != Waiting::room) return true; // an interrupt has ended this wait
        Turn &turn = turns_[node][static_cast<unsigned>(mesh)];
        if (turn.cycle == cycle && turn.sender != Sender::core) return false;
        turn = {cycle, Sender::core};
        if (!network_.has_room(cycle, node, mesh)) return false;
        core.room(cycle);
        ready_[node] = core.ready_at;
        return true;
    });
}

// ---- out of the network ----

bool Chip::arrive(std::uint32_t node, std::uint64_t cycle, const Transaction &t) {
    switch (t.kind) {
    case Travelling::write: return arrive_write(node, cycle, t);
    case Travelling::read_request:
    case Travelling::testset_request: return arrive_request(node, cycle, t);
    case Travelling::read_reply: break;
    }
    if (t.tag != core_tag) return reply_ports_[node]->reply(cycle, t);
    cores_[node]->complete(t.data, cycle + 1);
    ready_[node] = cores_[node]->ready_at;
    return true;
}

// Returns true if all registers of this range can be written now. The AUTO registers of a slave DMA channel cannot be
// written while the channel has not written its previous element.
bool Chip::takes(std::uint32_t node, std::uint32_t offset, unsigned size) const {
    for (std::uint32_t at = offset; at < offset + size; at += 4) {
        if (at - special_registers_base >= special_registers_size) continue;
        const SpecialRegister which = special_register_at(at);
        if (Dma::has(which) && !engines_[node]->dma.takes(which)) return false;
    }
    return true;
}

bool Chip::arrive_write(std::uint32_t node, std::uint64_t cycle, const Transaction &t) {
    Core &core = *cores_[node];
    const std::uint32_t offset = offset_of(t.address);
    if (core.memory.holds(offset, t.size)) {
        if (t.group != 0 && core.memory.is_protected(offset, t.size)) {
            late_protection(t);
            return true;
        }
        if (!core.memory.claim_in_turn(offset, cycle, writes_turn)) return false;
        access_memory(core.memory, offset, t);
    } else {
        if (!takes(node, offset, t.size)) return false;
        core.write_register(offset, t.size, t.data, cycle);
        changed(node);
    }
    if (t.group == 0) {
        order_.arrived(t.source, node);
        landed(cycle, t);
    }
    return true;
}

// Handles a multicast that arrives at protected bytes. offer() found no such bytes, so the receiver joined the group
// while the store was under way. Stops the sender at its current instruction, unless the sender has already stopped.
void Chip::late_protection(const Transaction &multicast) {
    Core &sender = *cores_[multicast.source];
    if (!sender.active()) return;
    sender.halt({StopKind::no_memory, multicast.address, multicast.size, true});
    changed(multicast.source);
}

bool Chip::arrive_request(std::uint32_t node, std::uint64_t cycle, const Transaction &t) {
    if (!may_read(t, node)) return false;
    if (!may_inject(cycle, node, Mesh::on_chip_write, Sender::reply)) return false;
    Core &core = *cores_[node];
    const std::uint32_t offset = offset_of(t.address);
    Transaction reply = t;
    if (core.memory.holds(offset, t.size)) {
        if (!core.memory.claim_in_turn(offset, cycle, requests_turn)) return false;
        reply.data = access_memory(core.memory, offset, t);
    } else {
        reply.data = 0;
        core.read_register(offset, t.size, reply.data, cycle);
    }
    reply.kind = Travelling::read_reply;
    reply.address = t.return_address;
    return inject(cycle, node, Mesh::on_chip_write, reply, Sender::reply);
}

bool Chip::leave(std::uint64_t cycle, const Transaction &t) {
    const std::uint32_t link = machine_.cores();
    const bool write = t.kind == Travelling::write;
    if (!write && !may_read(t, link)) return false;
    if (!link_.accept(cycle, t)) return false;
    if (write) order_.arrived(t.source, link); // from here on the link keeps the order of writes and reads
    return true;
}

std::uint64_t Chip::access(std::uint64_t cycle, const Transaction &t) {
    const Place place = locate(t.address);
    const std::uint64_t found = access_memory(*place.memory, place.offset, t);
    if (t.kind == Travelling::write) landed(cycle, t);
    return found;
}

// Handles a write that has changed its destination: notifies the observers. If this was the last store that a trap of
// the core waited for, executes the trap.
void Chip::landed(std::uint64_t cycle, const Transaction &write) {
    for (Observer *o : observers_) o->landed(cycle, index_of(write.address), write);
    if (write.tag != core_tag || --posted_[write.source] != 0) return;
    if (!late_trap_[write.source]) return;
    serve_trap(write.source, cycle);
    cores_[write.source]->trap_served(cycle + 1);
    changed(write.source);
}

} // namespace skerry::sim
