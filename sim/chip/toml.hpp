// SPDX-License-Identifier: BSD-3-Clause
// Includes toml++ with the project's settings. Every file that uses toml++ must include it through this header, so that
// all of them compile its inline functions alike. toml++ treats some mistakes in a file as bugs of toml++ itself: "[#"
// fails an assertion, or is undefined behaviour if assertions are off. Here a failed assertion throws Unreadable.
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
