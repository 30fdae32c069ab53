// SPDX-License-Identifier: BSD-3-Clause
// Finds the files of this installation relative to the running program. No path is compiled in, so an installation can
// be moved.
#pragma once

#include <string>

namespace skerry {

// Returns the path of a helper program. The helper lies beside this program (build tree) or in ../libexec/skerry
// (installation). Returns an empty text if it is in neither folder.
std::string find_helper(const std::string &name);

// Returns the path of a module of the library, such as "network/ucx.so". Returns an empty text if this installation
// does not have the module.
std::string find_module(const std::string &name);

} // namespace skerry
