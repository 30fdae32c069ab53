// SPDX-License-Identifier: BSD-3-Clause
#include "chip/signals.hpp"

#include <utility>

namespace skerry::sim {

// Schedules the WAND interrupt if every active core has executed the instruction WAND, which is the chip's barrier of
// all cores. A signal needs one cycle for each row and each column, to one corner of the chip and back. The interrupt
// arrives after this time. In this time the last core can also issue the IDLE instruction that follows its WAND.
void Signals::wand(Core &core) {
    for (std::uint32_t k = 0; k < map_.core_count(); k++) {
        const Core &other = map_.core(k);
        if (other.active() && !other.at_barrier()) return;
    }
    wand_at_ = core.ready_at - 1 + map_.machine().rows + map_.machine().columns;
    scheduler_.yield();
}

void Signals::deliver_wand() {
    const std::uint64_t now = std::exchange(wand_at_, never);
    for (std::uint32_t k = 0; k < map_.core_count(); k++) {
        Core &core = map_.core(k);
        if (!core.active()) continue;
        core.signal(CoreEvent::barrier, now - 1);
        scheduler_.changed(k);
    }
}

void Signals::sync(Core &core) {
    for (const std::uint32_t k : map_.present()) {
        map_.core(k).signal(CoreEvent::sync, core.ready_at - 1);
        if (&map_.core(k) != &core) scheduler_.changed(k);
    }
}

// Stops all running cores. Stops the calling core first, because the report at the end of the run describes the core
// that stopped first.
void Signals::multicore_breakpoint(Core &core) {
    const Stop stop{StopKind::breakpoint, core.pc(), 2, true};
    core.halt(stop);
    for (const std::uint32_t k : map_.present()) {
        if (!map_.core(k).active()) continue;
        map_.core(k).halt(stop);
        scheduler_.changed(k);
    }
}

} // namespace skerry::sim
