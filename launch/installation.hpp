// SPDX-License-Identifier: BSD-3-Clause
// Where this installation lies; nothing about it is compiled in, so that it can be moved.
#pragma once

#include <string>

namespace skerry {

// Path of a helper program: beside this program (build tree) or in ../libexec/skerry. Empty when it is not there.
std::string find_helper(const std::string &name);

} // namespace skerry
