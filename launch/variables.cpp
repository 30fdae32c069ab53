// SPDX-License-Identifier: BSD-3-Clause
// Reads yes/no environment variables, and finds names of variables that are misspelt.
#include "variables.hpp"

#include "../src/machine/linux/variables.h"
#include "message.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace skerry {

const char *environment_value(const char *name) {
    const char *text = std::getenv(name);
    return text != nullptr && *text != 0 ? text : nullptr;
}

bool is_switched_on(const char *name) {
    const char *text = std::getenv(name);
    const int value = skerry_switch_value(text);
    if (value == SKERRY_WORD_WRONG) stop(exit_usage, fmt::format("{}={}: {}", name, text, SKERRY_SWITCH_RULE));
    return value > 0;
}

void warn_of_misspelt_variables() {
    for (char **entry = environ; *entry != nullptr; ++entry) {
        const std::string_view assignment = *entry;
        const std::string_view name = assignment.substr(0, assignment.find('='));
        const skerry_variable *meant = skerry_meant_variable(name.data(), static_cast<unsigned>(name.size()));
        if (meant != nullptr)
            say(fmt::format("{}: there is no such variable; is {} meant? (SHMEM_INFO=1 lists all)", name, meant->name));
    }
}

} // namespace skerry
