// SPDX-License-Identifier: BSD-3-Clause
// The recorded sequences by name.
#include <map>
#include <stdexcept>
#include <string>

#include "fixture.hpp"

namespace skerry::sim {

std::vector<std::uint16_t> sequence(std::string_view name) {
    static const std::map<std::string, std::vector<std::uint16_t>, std::less<>> all = {
#define X(name, ...) {#name, {__VA_ARGS__}},
#include "programs.inc"
#include "../host/programs.inc"
#undef X
    };
    const auto found = all.find(name);
    if (found == all.end()) throw std::invalid_argument("no sequence is called " + std::string(name));
    return found->second;
}

} // namespace skerry::sim
