// SPDX-License-Identifier: BSD-3-Clause
// Finds files relative to the running program. The program's path comes from the kernel (/proc/self/exe), because
// argv[0] can contain any text.
#include "installation.hpp"

#include <array>
#include <climits>
#include <unistd.h>

namespace skerry {

namespace {

// Returns the folder of the running program, with a slash at its end. Returns an empty text if /proc does not show the
// folder.
std::string own_folder() {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = readlink("/proc/self/exe", buffer.data(), buffer.size());
    std::string folder(buffer.data(), length > 0 ? static_cast<size_t>(length) : 0);
    folder.resize(folder.rfind('/') + 1);
    return folder;
}

} // namespace

std::string find_helper(const std::string &name) {
    const std::string folder = own_folder();
    if (folder.empty()) return {};
    for (const char *place : {"", "../libexec/skerry/"})
        if (const std::string path = folder + place + name; access(path.c_str(), X_OK) == 0) return path;
    return {};
}

std::string find_module(const std::string &name) {
    const std::string folder = own_folder();
    for (const char *place : {"../lib/", SKERRY_BIN_TO_LIBRARY "/"}) // build tree, installation
        if (const std::string path = folder + place + "skerry/" + name; access(path.c_str(), R_OK) == 0) return path;
    return {};
}

} // namespace skerry
