// SPDX-License-Identifier: BSD-3-Clause
#include "node_part.hpp"

#include "message.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry {

namespace {

int control_socket = -1;

// Sends an error message to skerry-node, which passes it on to the user's oshrun.
void report_refusal(int code, std::string_view text) {
    const std::string line = fmt::format("refused {} {}\n", code, text);
    (void)send(control_socket, line.data(), line.size(), MSG_NOSIGNAL);
}

} // namespace

std::optional<NodePart> find_node_part() {
    const char *text = std::getenv("SKERRY_NODE");
    if (text == nullptr) return std::nullopt;
    NodePart part;
    int used = 0;
    if (std::sscanf(text, "first=%d,count=%d,wire_up=%d,control=%d,columns=%d,others=%d,before=%d,name=%n", &part.first,
                    &part.count, &part.wire_up, &part.control, &part.columns, &part.shared.others, &part.shared.before,
                    &used) != 7 ||
        used == 0 || part.first < 0 || part.count < 1 || (part.wire_up >= 0 && fcntl(part.wire_up, F_GETFD) < 0) ||
        fcntl(part.control, F_SETFD, FD_CLOEXEC) < 0)
        stop(exit_usage,
             fmt::format("SKERRY_NODE={}: must not be set by users; only skerry-node sets this variable", text));
    part.name = text + used;
    control_socket = part.control;
    call_at_stop(report_refusal);
    unsetenv("SKERRY_NODE");
    return part;
}

// Returns a hash of a file's content: multiplies and rotates its words of 8 bytes. The hash shows if the files on two
// nodes differ. The hash does not protect against an attacker.
std::string hash_of_file(const std::string &path) {
    static std::array<char, 256 * 1024> buffer;
    uint64_t hash = 0, bytes = 0;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ssize_t length;
    while (file >= 0 && (length = read(file, buffer.data(), buffer.size())) > 0) {
        bytes += static_cast<uint64_t>(length);
        for (size_t at = 0; at < static_cast<size_t>(length); at += 8) {
            uint64_t word = 0;
            std::memcpy(&word, buffer.data() + at, std::min<size_t>(8, static_cast<size_t>(length) - at));
            hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15, 29) + 0x165667b19e3779f9;
        }
    }
    if (file >= 0) close(file);
    return fmt::format("{:016x}{:x}", hash, bytes);
}

} // namespace skerry
