// SPDX-License-Identifier: BSD-3-Clause
// Implements `skerry bench network`: runs the program `network` (../network), which measures OpenSHMEM between two
// nodes beside UCX without any OpenSHMEM. Prints its figures and the required ratios.
#pragma once

namespace skerry::bench {

// Returns the exit code. `words` are the words of the command line from "network" on.
int bench_network(int count, char **words);

} // namespace skerry::bench
