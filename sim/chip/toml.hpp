// SPDX-License-Identifier: BSD-3-Clause
// Includes toml++ with the project's settings. Every file that uses toml++ must include this header, so that all files
// compile its inline functions with the same settings. toml++ treats some mistakes in a TOML file as bugs of toml++:
// the text "[#" fails an assertion. With these settings a failed assertion throws Unreadable. Without assertions, such
// a text would cause undefined behaviour.
#pragma once

namespace skerry::sim {
struct Unreadable {};
[[noreturn]] inline void unreadable() {
    throw Unreadable();
}
} // namespace skerry::sim

#undef NDEBUG
#define TOML_EXCEPTIONS 1
#define TOML_ASSERT(condition) (static_cast<bool>(condition) ? void() : skerry::sim::unreadable())
#include <toml++/toml.h>
