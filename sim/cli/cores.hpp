// SPDX-License-Identifier: BSD-3-Clause
// Chooses the cores that run the PEs of a job, and says which PE each of these cores runs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "chip/machine.hpp"

namespace skerry::sim {

// Writes the indices of the job's cores to `members`, in the order of the job's PEs. `where` is one of:
// * "all": all cores of the chip, row by row, except the managers of clusters;
// * a number N: the first N cores, counted row by row from the chip's upper left corner;
// * one or more rectangles with "/" between them. A rectangle is ROW,COLUMN (one core) or ROWSxCOLUMNS@ROW,COLUMN. Rows
//   and columns count from 0 at the upper left corner. A rectangle without @ROW,COLUMN begins at the upper left corner.
//
// `pes` is the number of PEs of the job: the job uses only this number of cores of `where`, from the first core on. If
// `pes` is empty, the job uses all cores of `where`. Returns an empty string, or the text of the error.
std::string choose_cores(const std::string &where, const std::string &pes, const Machine &machine,
                         std::vector<std::uint32_t> &members);

// Does the same for a program whose PEs are clusters: a job of n PEs uses all cores of the first n clusters, managers
// included. `where` is "all" or a number of PEs. If `with_io_node` is true, PE 0 is the first I/O node, the next PEs are
// clusters, and the PE behind all clusters is the second I/O node.
std::string choose_clusters(const std::string &where, const std::string &pes, bool with_io_node, const Machine &machine,
                            std::vector<std::uint32_t> &members);

} // namespace skerry::sim
