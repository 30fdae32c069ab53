// SPDX-License-Identifier: BSD-3-Clause
// Included by each module (such as ucx.so) in one source file. Defines the text by which the library checks that the module
// belongs to it: the version and a hash of the library's sources.
#ifndef SKERRY_MACHINE_LINUX_MODULE_BUILD_H
#define SKERRY_MACHINE_LINUX_MODULE_BUILD_H

#include "skerry_library_sources.h"

extern const char skerry_module_build[];
__attribute__((visibility("default"))) const char skerry_module_build[] = SKERRY_VERSION "-" SKERRY_LIBRARY_SOURCES;

#endif
