// SPDX-License-Identifier: BSD-3-Clause
// Waits for a connection from gdb, on a port of the loopback address or on a Unix socket. Only our own user can open
// this socket. Checks which user has opened each incoming connection.
#include "gdb/listener.hpp"

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "gdb/peer.hpp"

namespace skerry::sim::gdb {
namespace {

// A listening socket. The destructor closes the socket and removes the file of a Unix socket.
class Listening {
  public:
    explicit Listening(int domain) : number_(socket(domain, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    }
    ~Listening() {
        if (number_ >= 0) close(number_);
        if (!path_.empty()) unlink(path_.c_str());
    }
    Listening(const Listening &) = delete;
    Listening &operator=(const Listening &) = delete;

    bool at(const sockaddr *address, socklen_t size) {
        return number_ >= 0 && bind(number_, address, size) == 0 && listen(number_, 1) == 0;
    }
    void made(std::string path) {
        path_ = std::move(path);
    }
    int get() const {
        return number_;
    }

  private:
    int number_;
    std::string path_;
};

std::optional<std::uint16_t> port_of(const std::string &text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return port;
}

// Waits for a connection of our own user, and refuses the connections of other users. Returns the descriptor of the
// connection. Returns -1 and sets `error` if `give_up` has ended the wait.
int accept_own(const Listening &listening, const std::function<void(const std::string &)> &say,
               const std::function<bool()> &give_up, std::string &error) {
    bool told = false;
    while (!give_up()) {
        pollfd wanted{listening.get(), POLLIN, 0};
        if (poll(&wanted, 1, look_every) <= 0) continue;
        const int connected = accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC);
        if (connected < 0) continue; // the process that connected has closed the connection already
        const std::string reason = why_refused(connected);
        if (reason.empty()) return connected;
        close(connected);
        if (!std::exchange(told, true)) say(fmt::format("refused a connection to gdb's port: {}", reason));
    }
    error = "interrupted";
    return -1;
}

int wait_on_port(std::uint16_t port, const std::function<void(const std::string &)> &say,
                 const std::function<bool()> &give_up, std::string &error) {
    Listening listening(AF_INET);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *general = reinterpret_cast<sockaddr *>(&address);
    const int on = 1;
    if (setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 || !listening.at(general, size) ||
        getsockname(listening.get(), general, &size) != 0) {
        error = std::strerror(errno);
        return -1;
    }
    say(fmt::format("waiting for gdb: target remote localhost:{}", ntohs(address.sin_port)));
    const int connected = accept_own(listening, say, give_up, error);
    setsockopt(connected, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // packets are small, and gdb waits for each one
    return connected;
}

// Checks the folder of a Unix socket. If another user can replace files in this folder, gdb could connect to a socket
// of that user. Returns an error in this case, and an empty string if the folder is safe.
std::string check_folder(const std::string &path) {
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    struct stat status {};
    if (stat(parent.c_str(), &status) != 0) return fmt::format("{}: {}", parent.string(), std::strerror(errno));
    const bool ours = status.st_uid == geteuid() || status.st_uid == 0;
    const bool open = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (status.st_mode & S_ISVTX) == 0;
    return ours && !open ? std::string() : fmt::format("{}: other users may write there", parent.string());
}

int wait_on_path(const std::string &path, const std::function<void(const std::string &)> &say,
                 const std::function<bool()> &give_up, std::string &error) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        error = fmt::format("a socket's path must have less than {} bytes", sizeof address.sun_path);
        return -1;
    }
    if (error = check_folder(path); !error.empty()) return -1;
    std::memcpy(address.sun_path, path.data(), path.size());
    Listening listening(AF_UNIX);
    const mode_t mask = umask(0177); // gives only our user write permission, which a process needs to connect
    const bool bound = listening.at(reinterpret_cast<const sockaddr *>(&address), sizeof address);
    const int wrong = errno;
    umask(mask);
    if (!bound) {
        error = wrong == EADDRINUSE ? "the file exists already" : std::strerror(wrong);
        return -1;
    }
    listening.made(path);
    say(fmt::format("waiting for gdb: target remote {}", path));
    return accept_own(listening, say, give_up, error);
}

} // namespace

int wait_for_gdb(const std::string &where, const std::function<void(const std::string &)> &say,
                 const std::function<bool()> &give_up, std::string &error) {
    if (where.find('/') != std::string::npos) return wait_on_path(where, say, give_up, error);
    if (const auto port = port_of(where)) return wait_on_port(*port, say, give_up, error);
    error = "must be a port (0 for any that is free), the path of a socket to be made (with a /) or stdio";
    return -1;
}

} // namespace skerry::sim::gdb
