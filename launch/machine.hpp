// SPDX-License-Identifier: BSD-3-Clause
// Handles oshrun --machine: another program runs the job, on a simulated chip or on another machine.
#pragma once

namespace skerry {

// Looks for --machine before the program's name. If the option is given, replaces this process by the program that
// starts jobs of that machine, with the same arguments. If not, returns.
void run_on_machine_if_asked(int argument_count, char **arguments);

} // namespace skerry
