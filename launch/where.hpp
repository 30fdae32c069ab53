// SPDX-License-Identifier: BSD-3-Clause
// Finds the place in the user's source at which a PE crashed. Reads the PE's crash record: what the library wrote when
// the signal arrived (job.h).
#pragma once

#include "../src/machine/linux/job.h"

#include <string>

namespace skerry {

// Returns the place of the crash in words. Examples: " in compute at solver.c:42", " in memcpy (libc.so.6), called from
// main at foo.c:12". Returns an empty text if no place is known. Can take 10 s.
std::string find_where(const skerry_crash &crash);

} // namespace skerry
