// SPDX-License-Identifier: BSD-3-Clause
// Makes the cores of a machine. This is the only unit of this folder that names the classes of cores (Epiphany,
// RISC-V).
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

#include "chip/machine.hpp"
#include "chip/scheduler.hpp"
#include "epiphany/epiphany_core.hpp"

namespace skerry::sim {

// Returns the instruction set of a machine's cores.
const InstructionSet &instruction_set(const Machine &machine);
// Returns the name of the folder that contains the library for programs of this machine. The folder is in lib/skerry
// of an installation.
std::string_view library_folder(const Machine &machine);
// Makes the core at a place of the machine. `chip` must live longer than the core.
std::unique_ptr<Core> make_core(const Machine &machine, std::uint32_t index, RemotePort &network, EpiphanyPort &chip);
// Tells the scheduler the class of the machine's cores. The scheduler then calls the functions of this class without
// virtual calls.
void set_kind(Scheduler &scheduler, const Machine &machine);

} // namespace skerry::sim
