// SPDX-License-Identifier: BSD-3-Clause
#include "chip/address_map.hpp"

namespace skerry::sim {
AddressMap::AddressMap(const Machine &machine) : machine_(machine) {
    for (std::uint32_t k = 0; k < machine.cores(); k++) {
        if (!machine.is_absent(k)) present_.push_back(k);
    }
    for (const Window &w : machine.external) external_.push_back({w.base, std::make_unique<Memory>(w.size)});
    for (std::uint32_t k = 0; k < machine.data_network.io_nodes; k++) {
        ddrs_.push_back(std::make_unique<Ddr>(machine.ddr, external_[k].base, *external_[k].memory));
    }
    for (std::uint32_t c = 0; machine.shared.size != 0 && c < machine.clusters(); c++) {
        SharedMemoryConfiguration configuration = machine.shared;
        if (machine.cluster.global != 0) configuration.own_base = machine.cluster.global + c * configuration.size;
        shared_.push_back(std::make_unique<SharedMemory>(configuration));
    }
    if (machine.mutexes.size != 0) shared_.push_back(std::make_unique<SharedMemory>(machine.mutexes));
}

Core &AddressMap::add_core(std::unique_ptr<Core> core) {
    if (machine_.instruction_cache.size != 0) core->attach_instruction_cache(machine_.instruction_cache);
    if (!shared_.empty()) core->attach_shared(*shared_[machine_.cluster_of(core_count())]);
    return *cores_.emplace_back(std::move(core));
}

Place AddressMap::locate(std::uint32_t address) {
    const std::uint32_t index = index_of(address);
    if (index != no_core) {
        const std::uint32_t offset = offset_in_core(address);
        return cores_[index]->memory.holds(offset, 2) ? Place{&cores_[index]->memory, offset} : Place{};
    }
    if (place_for_core(address) != no_core) return {}; // this chip lacks the core to which the address belongs
    if (shared_.size() == 1 && shared_.front()->has(address, 1)) {
        return {&shared_.front()->memory, shared_.front()->offset_of(address)};
    }
    for (const External &e : external_) {
        if (address - e.base < e.memory->size()) return {e.memory.get(), address - e.base};
    }
    return {};
}

Place AddressMap::place_of(const Core &by, std::uint32_t address, std::size_t bytes) {
    const Place shared = by.shared_place(address);
    const Place place = shared.memory != nullptr ? shared : locate(global_address(by.id(), address));
    const bool whole = place.memory != nullptr && bytes <= place.memory->size() &&
                       place.memory->holds(place.offset, static_cast<std::uint32_t>(bytes));
    return whole ? place : Place{};
}

bool AddressMap::read(const Core &by, std::uint32_t address, std::span<std::uint8_t> to) {
    const Place place = place_of(by, address, to.size());
    if (place.memory != nullptr) place.memory->read_bytes(place.offset, to);
    return place.memory != nullptr || to.empty();
}

bool AddressMap::write(const Core &by, std::uint32_t address, std::span<const std::uint8_t> from) {
    const Place place = place_of(by, address, from.size());
    if (place.memory == nullptr) return from.empty();
    if (place.memory->is_protected(place.offset, static_cast<std::uint32_t>(from.size()))) return false;
    place.memory->write_bytes(place.offset, from);
    return true;
}

bool AddressMap::is_protected(const Core &by, std::uint32_t address, std::uint32_t bytes) {
    const Place place = place_of(by, address, bytes);
    return place.memory != nullptr && place.memory->is_protected(place.offset, bytes);
}

bool AddressMap::reachable(const RemoteAccess &access) const {
    const bool writes = access.kind == RemoteKind::store ||
                        (access.kind == RemoteKind::atomic && access.operation != AtomicOperation::reserve);
    const auto allows = [&](const Memory &memory, std::uint32_t offset) {
        return memory.holds(offset, access.size) && !(writes && memory.is_protected(offset, access.size));
    };
    const std::uint32_t index = index_of(access.address);
    if (index == no_core) {
        // An absent core is a place of the chip without a core. No access to its addresses is possible, even if
        // external memory has the same addresses.
        if (place_for_core(access.address) != no_core) return false;
        return std::ranges::any_of(external_,
                                   [&](const External &e) { return allows(*e.memory, access.address - e.base); });
    }
    const std::uint32_t offset = offset_in_core(access.address);
    const bool of_registers = access.kind == RemoteKind::load || access.kind == RemoteKind::store;
    return allows(cores_[index]->memory, offset) || (of_registers && cores_[index]->has_register(offset, access.size));
}

} // namespace skerry::sim
