// SPDX-License-Identifier: BSD-3-Clause
#include "text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace skerry {

std::string read_text(const std::string &path) {
    std::string text;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return text;
    char buffer[4096];
    for (ssize_t length; (length = read(file, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<size_t>(length));
    close(file);
    return text;
}

} // namespace skerry
