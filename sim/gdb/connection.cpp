// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes the byte stream to gdb with poll, so that no call waits for longer than its time limit.
#include "gdb/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>

#include <poll.h>
#include <unistd.h>

#include "gdb/listener.hpp"

namespace skerry::sim::gdb {
namespace {

// Waits at most `milliseconds`. `what` is POLLIN or POLLOUT. Returns true if the descriptor can be read or written
// without waiting, or if gdb has closed the connection.
bool ready(int descriptor, short what, int milliseconds) {
    pollfd wanted{descriptor, what, 0};
    return poll(&wanted, 1, milliseconds) > 0;
}

} // namespace

std::unique_ptr<Connection> Connection::open(const std::string &where,
                                             const std::function<void(const std::string &)> &say,
                                             const std::function<bool()> &give_up, std::string &error) {
    std::signal(SIGPIPE, SIG_IGN); // a write to a closed connection returns an error instead of ending the simulator
    if (where == "stdio") {
        const int out = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        return std::unique_ptr<Connection>(new Connection(dup(STDIN_FILENO), out));
    }
    const int connected = wait_for_gdb(where, say, give_up, error);
    return std::unique_ptr<Connection>(connected < 0 ? nullptr : new Connection(connected, connected));
}

Connection::~Connection() {
    close(in_);
    if (out_ != in_) close(out_);
}

bool Connection::receive(std::string &bytes, int milliseconds) {
    if (!ready(in_, POLLIN, milliseconds)) return true;
    std::array<char, 4096> block{};
    const ssize_t got = read(in_, block.data(), block.size());
    if (got > 0) bytes.append(block.data(), static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

// Sends at most PIPE_BUF bytes after each poll. A descriptor that poll reports as writable accepts this number of bytes
// without blocking:
// * For a pipe, POSIX guarantees this.
// * For a socket, Linux reports the socket as writable only if a third of its buffer is free.
//
// O_NONBLOCK is not set, because it would also apply to other processes that share standard output.
bool Connection::send(std::string_view bytes, const std::function<bool()> &give_up) {
    int waited = 0;
    while (!bytes.empty()) {
        if (!ready(out_, POLLOUT, give_up() ? 0 : look_every)) {
            waited += look_every;
            if (give_up() || waited >= stuck_after) return false;
            continue;
        }
        const ssize_t n = write(out_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
        waited = 0;
    }
    return true;
}

} // namespace skerry::sim::gdb
