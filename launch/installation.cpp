// SPDX-License-Identifier: BSD-3-Clause
// Finds files relative to the running program. The program's path comes from the kernel (/proc/self/exe), because
// argv[0] can contain any text.
#include "installation.hpp"

#include <array>
#include <climits>
#include <unistd.h>

namespace skerry {

std::string find_helper(const std::string &name) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = readlink("/proc/self/exe", buffer.data(), buffer.size());
    if (length <= 0) return {};
    std::string folder(buffer.data(), static_cast<size_t>(length));
    folder.resize(folder.rfind('/') + 1);
    for (const char *place : {"", "../libexec/skerry/"})
        if (const std::string path = folder + place + name; access(path.c_str(), X_OK) == 0) return path;
    return {};
}

} // namespace skerry
