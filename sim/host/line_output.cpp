// SPDX-License-Identifier: BSD-3-Clause
// Keeps a buffer of output for each core and each of its two streams (standard output and standard error). When a core
// writes, one system call prints all complete lines in the buffer. Therefore the simulator makes at most one system
// call for each write of the program.
#include "host/line_output.hpp"

#include <cerrno>
#include <string_view>

#include <unistd.h>

namespace skerry::sim {
namespace {

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(fd, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

} // namespace

bool LineOutput::print(std::uint32_t core, int fd, std::string_view text) {
    if (text.empty()) return true;
    if (before_) before_();
    if (labels_.empty()) return write_all(fd, text);
    bool &within = within_[core][fd == 2 ? 1 : 0];
    std::string labelled;
    for (const char c : text) {
        if (!within) labelled += labels_[core];
        labelled += c;
        within = c != '\n';
    }
    return write_all(fd, labelled);
}

bool LineOutput::write(std::uint32_t core, int fd, std::span<const std::uint8_t> bytes) {
    std::string &line = pending_[core][fd == 2 ? 1 : 0];
    line.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    const std::size_t newline = line.rfind('\n');
    std::size_t ready = newline == std::string::npos ? 0 : newline + 1;
    if (line.size() - ready > longest_line) ready = line.size();
    const bool good = print(core, fd, std::string_view(line).substr(0, ready));
    line.erase(0, ready);
    return good;
}

void LineOutput::flush(std::uint32_t core) {
    for (int stream = 0; stream < 2; stream++) {
        std::string &line = pending_[core][static_cast<std::size_t>(stream)];
        print(core, stream + 1, line); // an error cannot be reported: the core's call has already returned
        line.clear();
    }
}

void LineOutput::flush() {
    for (std::uint32_t core = 0; core < pending_.size(); core++) flush(core);
}

} // namespace skerry::sim
