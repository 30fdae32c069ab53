// SPDX-License-Identifier: BSD-3-Clause
// The values that were measured on this processor model. The launcher passes them to all PEs of a job.
#pragma once

#include <string>

namespace skerry {

// Returns the values (src/machine/linux/tuning.h) from this user's cache, or an empty text if there are none. If the
// cache has no values yet and can be written, measures first: once for each processor model, in about 100 ms and at
// most 1 s.
std::string find_tuning();

// Returns the path of the cache file with the values; empty if the user has no cache folder. The file may not exist
// yet.
std::string tuning_path();

} // namespace skerry
