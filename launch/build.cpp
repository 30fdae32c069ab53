// SPDX-License-Identifier: BSD-3-Clause
#include "build.hpp"

#include "../src/machine/linux/job.h"
#include "skerry_launcher_sources.h"
#include "skerry_library_sources.h"

namespace skerry {

const char *library_build() {
    return SKERRY_VERSION "-" SKERRY_LIBRARY_SOURCES SKERRY_LAYOUT_NAME;
}

const char *launcher_build() {
    return SKERRY_VERSION "-" SKERRY_LAUNCHER_SOURCES;
}

} // namespace skerry
