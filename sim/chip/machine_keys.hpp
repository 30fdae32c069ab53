// SPDX-License-Identifier: BSD-3-Clause
// Reads the values of a machine description into a Machine. Defines the keys that a description can have, and the
// values that each key allows.
#pragma once
#include "chip/machine.hpp"
#include "chip/section.hpp"

namespace skerry::sim {

// Reads all keys of a description except based_on; the caller must have marked that key as known. `file` is the whole
// description.
void take_keys(Section &file, Machine &machine);

} // namespace skerry::sim
