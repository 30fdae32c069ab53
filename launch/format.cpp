// SPDX-License-Identifier: BSD-3-Clause
// Compiles {fmt}'s functions once for all programs of this folder. Many packages of {fmt} have only a shared library,
// which takes time to load, and {fmt}'s header-only form compiles the same functions again in each source file. This
// file alone uses the header-only form. It is compiled with -fkeep-inline-functions, so that the linker finds all of
// these functions here.
#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY 1
#endif
#include <fmt/format.h> // IWYU pragma: keep
