// SPDX-License-Identifier: BSD-3-Clause
// Handles oshrun --machine: another program (skerry-sim) runs the job on a simulated chip.
#pragma once

namespace skerry {

// Replaces this process by skerry-sim, with the same arguments, if one of the options before the program's name is
// --machine. Returns otherwise.
void run_on_chip_if_asked(int argument_count, char **arguments);

} // namespace skerry
