// SPDX-License-Identifier: BSD-3-Clause
// Finds the tuning values that were measured on this processor model. The launcher passes them to all PEs of a job.
#pragma once

#include <string>

namespace skerry {

// Returns the tuning values (src/machine/linux/tuning.h) from this user's cache file, as text. If the cache has no
// values for this processor model yet and can be written, measures them first. The measurement takes about 100 ms and
// at most 1 s. Returns an empty text if there are no values after that.
std::string find_tuning();

// Returns the path of the cache file with the values; empty if the user has no cache folder. The file possibly does not
// exist yet.
std::string tuning_path();

} // namespace skerry
