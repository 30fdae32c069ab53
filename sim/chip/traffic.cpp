// SPDX-License-Identifier: BSD-3-Clause
// Handles accesses over the on-chip network. An access of a core to a remote address becomes a transaction. At its
// destination the transaction uses a memory bank or a register of a core. If the transaction is a request, its result
// returns as a reply.
//
// Up to four senders share a node's entry into a network: the core, its DMA, its memory (which sends replies), and its
// event unit if the machine has event units. A sender that the entry refuses has the next turn. Therefore no sender
// waits for ever.
//
// The network consists of several meshes (networks with the same nodes): for writes, for requests, and for writes off
// the chip. Why the meshes cannot deadlock each other:
// * A node accepts writes and replies even while it cannot send. Only two things delay them. A busy memory bank delays
//   them briefly. A write to the AUTO registers of a slave DMA channel waits until the channel has written its previous
//   element.
// * Only a request needs a place in another mesh, for its reply. A request that cannot be answered yet waits in the
//   request mesh, and blocks only other requests.
#include "chip/traffic.hpp"

#include <algorithm>

namespace skerry::sim {
namespace {

using Travelling = Transaction::Kind;

// Bit positions in the data word of a request. Bits 0 to 31: the operand of an atomic operation. Bits 32 to 47: the
// number of earlier writes that the request must wait for (write_order.hpp). Bits 48 to 55: the AtomicOperation.
constexpr unsigned order_shift = 32;
constexpr unsigned operation_shift = 48;
// The numbers by which arriving writes and arriving requests claim a bank of a core's memory. A bank serves one access
// in a cycle. If several users claim a bank in the same cycle, LocalMemory::claim_in_turn gives them the bank one after
// the other. engines.cpp defines the number of the third user, the DMA.
constexpr unsigned writes_turn = 0;
constexpr unsigned requests_turn = 1;

Travelling kind_of(RemoteKind kind) {
    switch (kind) {
    case RemoteKind::store: return Travelling::write;
    case RemoteKind::atomic: return Travelling::atomic_request;
    case RemoteKind::load:
    case RemoteKind::fetch: break;
    }
    return Travelling::read_request;
}

// Performs a write, a read or an atomic operation on memory. The caller must have checked that the memory has these
// bytes. Returns the value that a read or an atomic operation finds, and 0 for a write.
std::uint64_t access_memory(Memory &memory, std::uint32_t offset, const Transaction &t) {
    std::uint64_t found = 0;
    switch (t.kind) {
    case Travelling::write:
        memory.write_bytes(offset, {reinterpret_cast<const std::uint8_t *>(&t.data), t.size});
        return 0;
    case Travelling::atomic_request: {
        const auto operation = static_cast<AtomicOperation>(t.data >> operation_shift & 0xff);
        const std::uint32_t sender = t.return_address >> 20; // its core_id
        return memory.atomically(operation, offset, t.size, static_cast<std::uint32_t>(t.data), sender);
    }
    case Travelling::read_request:
    case Travelling::read_reply:
    case Travelling::message: break;
    }
    memory.read_bytes(offset, {reinterpret_cast<std::uint8_t *>(&found), t.size});
    return found;
}

} // namespace

Traffic::Traffic(AddressMap &map, Scheduler &scheduler, const Observers &observers, StoreWaiter &waiter)
    : map_(map), scheduler_(scheduler), observers_(observers), waiter_(waiter), exit_(*this),
      reply_ports_(map.machine().cores()), made_network_(make_network(map.machine().network(), exit_)),
      network_(*made_network_), link_(map.machine().link, network_, map.machine().network_part.default_exit, *this),
      order_(map.machine().cores()), turns_(map.machine().cores()), under_way_(map.machine().cores()) {
    nodes_.reserve(map.machine().cores());
    for (std::uint32_t k = 0; k < map.machine().cores(); k++) nodes_.emplace_back(*this, k);
    for (const std::uint32_t k : map.present()) network_.attach(k, nodes_[k]);
    network_.attach_link(map.machine().network_part.default_exit, exit_);
}

void Traffic::step(std::uint64_t cycle) {
    if (link_.next_at() <= cycle) link_.step(cycle);
    network_.step(cycle);
    give_room(cycle + 1);
    network_at_ = network_.idle() && want_room_.empty() ? never : cycle + 1;
}

// -- accesses that a core makes ---------------------------------------------------------------------------------------

Mesh Traffic::mesh_for(Travelling kind, std::uint32_t address) const {
    if (kind == Travelling::read_request || kind == Travelling::atomic_request) return Mesh::read_request;
    return map_.index_of(address) == no_core ? Mesh::off_chip_write : Mesh::on_chip_write;
}

// Returns the multicast group to which a core's store goes, or 0 if the access is not a multicast. The core's CONFIG
// register selects the routing mode; mode 3 means multicast (source: elink of Adapteva's OH hardware library). In mode
// 3, the upper twelve bits of the address are the group. The store goes to each node whose MULTICAST register has this
// group. No node can receive group 0.
std::uint16_t Traffic::multicast_group(const Core &by, const RemoteAccess &access) const {
    const bool holds = by.memory.holds(offset_in_core(access.address), access.size);
    return by.multicasts() && holds && access.kind == RemoteKind::store
               ? static_cast<std::uint16_t>(access.address >> 20)
               : std::uint16_t{0};
}

// Returns true if one of the bytes is write-protected in a core of a multicast group (the cores that receive one
// store).
bool Traffic::group_protects(std::uint16_t group, std::uint32_t address, std::uint8_t bytes) const {
    return std::ranges::any_of(map_.present(), [&](std::uint32_t k) {
        return network_.group(k) == group && map_.core(k).memory.is_protected(offset_in_core(address), bytes);
    });
}

bool Traffic::is_protected_multicast(const Core &by, std::uint32_t address, std::uint8_t bytes) const {
    const std::uint16_t group = multicast_group(by, {RemoteKind::store, bytes, address, 0});
    return group != 0 && group_protects(group, address, bytes);
}

Acceptance Traffic::offer(Core &by, const RemoteAccess &access, std::uint64_t now) {
    Transaction t;
    t.group = multicast_group(by, access);
    if (t.group != 0 ? group_protects(t.group, access.address, access.size) : !map_.reachable(access)) {
        return Acceptance::fault;
    }
    t.kind = kind_of(access.kind);
    t.address = access.address;
    t.size = access.size;
    t.data = access.value;
    if (access.kind == RemoteKind::atomic) {
        t.data = (t.data & 0xffffffff) | std::uint64_t{static_cast<std::uint8_t>(access.operation)} << operation_shift;
    }
    const std::uint32_t node = map_.index_of(by);
    const Mesh mesh = t.group != 0 ? Mesh::on_chip_write : mesh_for(t.kind, t.address);
    if (!inject(now, node, mesh, t, Sender::core)) {
        want_room_.emplace_back(node, mesh);
        return Acceptance::refused;
    }
    if (t.kind == Travelling::write && t.group == 0) under_way_[node].stores++;
    return Acceptance::taken;
}

// -- transactions that enter the network ------------------------------------------------------------------------------

bool Traffic::may_read(const Transaction &request, unsigned place) const {
    const auto mark = static_cast<std::uint16_t>(request.data >> order_shift);
    return !map_.machine().network_part.reads_wait_for_writes || order_.reached(request.source, place, mark);
}

std::uint32_t Traffic::order_place(std::uint32_t address) const {
    const std::uint32_t index = map_.index_of(address);
    return index == no_core ? map_.machine().cores() : index;
}

bool Traffic::may_inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Sender sender) {
    Turn &turn = turns_[node][static_cast<unsigned>(mesh)];
    if (turn.cycle == cycle && turn.sender != sender) return false;
    if (network_.has_room(cycle, node, mesh)) return true;
    if (turn.cycle != cycle + 1) turn = {cycle + 1, sender};
    return false;
}

bool Traffic::inject(std::uint64_t cycle, std::uint32_t node, Mesh mesh, Transaction t, Sender sender) {
    // The network must advance even if the transaction is refused: only then a place for the sender becomes free.
    network_at_ = std::min(network_at_, cycle);
    scheduler_.yield();
    if (!may_inject(cycle, node, mesh, sender)) return false;
    t.source = static_cast<std::uint16_t>(node);
    if (t.kind != Travelling::read_reply) t.return_address = map_.machine().core_id(node) << 20;
    if (t.kind == Travelling::write) {
        if (t.group == 0) order_.sent(node, order_place(t.address));
    } else if (t.kind != Travelling::read_reply) {
        t.data &= ~(std::uint64_t{0xffff} << order_shift);
        t.data |= std::uint64_t{order_.mark(node, order_place(t.address))} << order_shift;
    }
    network_.offer(cycle, node, mesh, t);
    if (t.kind != Travelling::read_reply && !observers_.empty()) {
        observers_.sent(cycle, map_.index_of(t.address), t);
    }
    return true;
}

// Lets the cores that wait for a place in the network try again. A core can try if two conditions hold: its node has a
// free place, and this cycle is not reserved for another sender of the node.
void Traffic::give_room(std::uint64_t cycle) {
    std::erase_if(want_room_, [&](const std::pair<std::uint32_t, Mesh> &wanted) {
        const auto [node, mesh] = wanted;
        Core &core = map_.core(node);
        if (core.waiting() != Waiting::room) return true; // an interrupt has ended this wait
        Turn &turn = turns_[node][static_cast<unsigned>(mesh)];
        if (turn.cycle == cycle && turn.sender != Sender::core) return false;
        turn = {cycle, Sender::core};
        if (!network_.has_room(cycle, node, mesh)) return false;
        core.room(cycle);
        scheduler_.changed(node);
        return true;
    });
}

// -- transactions that leave the network ------------------------------------------------------------------------------

bool Traffic::arrive(std::uint32_t node, std::uint64_t cycle, const Transaction &t) {
    switch (t.kind) {
    case Travelling::write: return arrive_write(node, cycle, t);
    case Travelling::read_request:
    case Travelling::atomic_request: return arrive_request(node, cycle, t);
    case Travelling::message: return arrive_message(node, cycle, t);
    case Travelling::read_reply: break;
    }
    if (t.tag == message_tag) {
        messages_->answered(node, t, cycle);
        return true;
    }
    if (is_of_copy(t)) return copies_->reply(node, t, cycle);
    if (t.tag != core_tag) return reply_ports_[node]->reply(cycle, t);
    map_.core(node).complete(t.data, cycle + 1);
    scheduler_.changed(node);
    return true;
}

bool Traffic::arrive_write(std::uint32_t node, std::uint64_t cycle, const Transaction &t) {
    Core &core = map_.core(node);
    const std::uint32_t offset = offset_in_core(t.address);
    if (core.memory.holds(offset, t.size)) {
        if (t.group != 0 && core.memory.is_protected(offset, t.size)) {
            late_protection(t);
            return true;
        }
        if (!core.memory.claim_in_turn(offset, cycle, writes_turn)) return false;
        access_memory(core.memory, offset, t);
    } else if (messages_ != nullptr && offset >= events::lines_base && offset < events::tags_end) {
        if (messages_->arrive_store(node, t, cycle) == Access::fault) { // the line does not take a store
            map_.core(t.source).halt({StopKind::no_memory, t.address, t.size, true});
            scheduler_.changed(t.source);
        }
    } else {
        if (!reply_ports_[node]->takes(offset, t.size)) return false;
        core.write_register(offset, t.size, t.data, cycle);
        scheduler_.changed(node);
    }
    if (t.group == 0) {
        order_.arrived(t.source, node);
        landed(cycle, t);
    }
    return true;
}

// Handles a multicast store that arrives at write-protected bytes. offer() found no protected bytes when the store was
// sent, so the receiver has joined the multicast group since then. If the sending core still runs, stops the core at
// its current instruction.
void Traffic::late_protection(const Transaction &multicast) {
    Core &sender = map_.core(multicast.source);
    if (!sender.active()) return;
    sender.halt({StopKind::no_memory, multicast.address, multicast.size, true});
    scheduler_.changed(multicast.source);
}

bool Traffic::arrive_request(std::uint32_t node, std::uint64_t cycle, const Transaction &t) {
    if (!may_read(t, node)) return false;
    if (!may_inject(cycle, node, Mesh::on_chip_write, Sender::reply)) return false;
    Core &core = map_.core(node);
    const std::uint32_t offset = offset_in_core(t.address);
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

// Delivers a message of an event unit to this node, and sends the answer. Returns false if this is not possible in this
// cycle. The network then offers the message again.
bool Traffic::arrive_message(std::uint32_t node, std::uint64_t cycle, const Transaction &t) {
    if (!may_read(t, node)) return false;
    if (!may_inject(cycle, node, Mesh::on_chip_write, Sender::reply)) return false;
    Core &core = map_.core(node);
    const std::uint32_t offset = offset_in_core(t.address);
    if (core.memory.holds(offset, t.size) && !core.memory.claim_in_turn(offset, cycle, requests_turn)) return false;
    Transaction reply = t;
    reply.data = (t.data & 0xff) | static_cast<std::uint64_t>(messages_->arrive(node, t, cycle)) << 8;
    reply.kind = Travelling::read_reply;
    reply.address = t.return_address;
    return inject(cycle, node, Mesh::on_chip_write, reply, Sender::reply);
}

bool Traffic::leave(std::uint64_t cycle, const Transaction &t) {
    const std::uint32_t link = map_.machine().cores();
    const bool write = t.kind == Travelling::write;
    if (!write && !may_read(t, link)) return false;
    if (!link_.accept(cycle, t)) return false;
    if (write) order_.arrived(t.source, link); // from here on the link keeps the order of writes and reads
    return true;
}

std::uint64_t Traffic::access(std::uint64_t cycle, const Transaction &t) {
    const Place place = map_.locate(t.address);
    if (Ddr *ddr = map_.ddr_at(t.address)) {
        ddr->take_always(t.size, cycle);
        ddr->counters.of_cores += t.size;
    }
    const std::uint64_t found = access_memory(*place.memory, place.offset, t);
    if (t.kind == Travelling::write) landed(cycle, t);
    return found;
}

// Notifies the observers of a write that has arrived and changed memory or a register, and the copy unit if it has sent
// the write. If a StoreWaiter waits for the core's stores and the write was the last of them, notifies the StoreWaiter too.
void Traffic::landed(std::uint64_t cycle, const Transaction &write) {
    if (!observers_.empty()) observers_.landed(cycle, map_.index_of(write.address), write);
    if (is_of_copy(write)) copies_->landed(write, cycle);
    if (write.tag != core_tag) return;
    under_way_[write.source].stores--;
    end_wait(write.source, cycle);
}

void Traffic::message_arrived(std::uint32_t core, std::uint64_t cycle) {
    under_way_[core].messages--;
    end_wait(core, cycle);
}

// Ends the wait for a core's stores if the last of them has arrived.
void Traffic::end_wait(std::uint32_t core, std::uint64_t cycle) {
    if (!under_way_[core].is_awaited || !under_way_[core].has_arrived()) return;
    under_way_[core].is_awaited = false;
    waiter_.stores_arrived(core, cycle);
}

} // namespace skerry::sim
