// SPDX-License-Identifier: BSD-3-Clause
// Compiles the functions of the library {fmt} once for all programs of this folder. Many packages of {fmt} have only a
// shared library, which takes time to load. The header-only form of {fmt} needs no shared library, but compiles the
// same functions again in each source file. Therefore only this file uses the header-only form. The option
// -fkeep-inline-functions keeps all of these functions in this file's object file, where the linker finds them.
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY 1
#endif
#include <fmt/format.h> // IWYU pragma: keep
