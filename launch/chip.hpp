// SPDX-License-Identifier: BSD-3-Clause
// oshrun --machine: the job runs on a simulated chip, in another program (skerry-sim).
#pragma once

namespace skerry {

// Replaces this process by skerry-sim, with the same arguments, if one of the options before the program's name is
// --machine. Returns otherwise.
void run_on_chip_if_asked(int argument_count, char **arguments);

} // namespace skerry
