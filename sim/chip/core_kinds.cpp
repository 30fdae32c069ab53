// SPDX-License-Identifier: BSD-3-Clause
#include "chip/core_kinds.hpp"

namespace skerry::sim {

const InstructionSet &instruction_set(const Machine &) {
    return epiphany_set;
}

std::unique_ptr<Core> make_core(const Machine &machine, std::uint32_t index, RemotePort &network, EpiphanyPort &chip) {
    return std::make_unique<EpiphanyCore>(machine.core_id(index), machine.local_memory, network, chip);
}

void set_kind(Scheduler &scheduler, const Machine &) {
    scheduler.set_kind<EpiphanyCore>();
}

} // namespace skerry::sim
