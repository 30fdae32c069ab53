// SPDX-License-Identifier: BSD-3-Clause
// From a crash record to the place in the user's source.
#pragma once

#include "../src/machine/linux/job.h"

#include <string>

namespace skerry {

// " in compute at solver.c:42", or " in memcpy (libc.so.6), called from main at foo.c:12"; empty when nothing is known.
std::string find_where(const skerry_crash &crash);

} // namespace skerry
