// SPDX-License-Identifier: BSD-3-Clause
// Names the sources from which Skerry was built. All nodes of a job must have the same sources: the formats of messages
// and of shared memory can change without a new version.
#pragma once

namespace skerry {

// Returns the version and a hash of the sources of the library, for example "0.3.0-1a2b3c4d". The library has the same
// text (src/machine/linux/pe/identity.c).
const char *library_build();

// Returns the version and a hash of the sources of the launcher and of the library.
const char *launcher_build();

} // namespace skerry
