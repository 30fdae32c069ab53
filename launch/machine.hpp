// SPDX-License-Identifier: BSD-3-Clause
// Handles oshrun --machine: another program runs the job, on a simulated chip or on another machine.
#pragma once

namespace skerry {

// Replaces this process by the program that starts jobs of a machine, with the same arguments, if one of the options
// before the program's name is --machine. Returns otherwise.
void run_on_machine_if_asked(int argument_count, char **arguments);

} // namespace skerry
