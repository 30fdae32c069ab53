// SPDX-License-Identifier: BSD-3-Clause
// Reads small files of /proc and /sys.
#pragma once

#include <string>

namespace skerry {

// Returns the whole content of the file; an empty text if the file cannot be read.
std::string read_text(const std::string &path);

} // namespace skerry
