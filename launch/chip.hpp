// SPDX-License-Identifier: BSD-3-Clause
// oshrun --machine: the job runs on a simulated chip, which is another program's business.
#pragma once

namespace skerry {

// Becomes skerry-sim, with the same words, when one of the options before the program is --machine; else returns.
void run_on_chip_if_asked(int argument_count, char **arguments);

} // namespace skerry
