// SPDX-License-Identifier: BSD-3-Clause
// Small files of /proc and /sys.
#pragma once

#include <string>

namespace skerry {

// Returns the whole file; empty if it cannot be read.
std::string read_text(const std::string &path);

} // namespace skerry
