// SPDX-License-Identifier: BSD-3-Clause
#include "chip/core_kinds.hpp"

#include "riscv/riscv_core.hpp"

namespace skerry::sim {

const InstructionSet &instruction_set(const Machine &machine) {
    return machine.kind == CoreKind::riscv ? riscv_set : epiphany_set;
}

// Returns "smp" for each machine with memory that all cores share. A program for such a machine is linked to the
// addresses of the shared memory. Therefore it cannot use the library for cores that have memories of their own.
std::string_view library_folder(const Machine &machine) {
    if (machine.cluster.global != 0) return "mppa"; // its PEs are clusters, which name each other's memory
    if (machine.cluster.cores != 0) return "cluster";
    return machine.shared.size != 0 ? "smp" : instruction_set(machine).library_folder;
}

std::unique_ptr<Core> make_core(const Machine &machine, std::uint32_t index, RemotePort &network, EpiphanyPort &chip) {
    const std::uint32_t id = machine.core_id(index);
    if (machine.kind == CoreKind::riscv) {
        return std::make_unique<RiscvCore>(id, index, machine.local_memory, machine.riscv, network, chip);
    }
    return std::make_unique<EpiphanyCore>(id, machine.local_memory, network, chip);
}

void set_kind(Scheduler &scheduler, const Machine &machine) {
    if (machine.kind == CoreKind::riscv) scheduler.set_kind<RiscvCore>();
    else scheduler.set_kind<EpiphanyCore>();
}

} // namespace skerry::sim
