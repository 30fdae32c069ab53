// SPDX-License-Identifier: BSD-3-Clause
// What was measured on this processor model, for all PEs of a job.
#pragma once

#include <string>

namespace skerry {

// Returns the values (src/machine/linux/tuning.h) that this user's cache keeps, or an empty text if there are none. If the cache could keep
// them and has none yet, measures first: once for a processor model, 100 ms, at most a second.
std::string find_tuning();

// Path of the file that keeps them; empty if there is no place for one. The file need not exist.
std::string tuning_path();

} // namespace skerry
