// SPDX-License-Identifier: BSD-3-Clause
#include "gdb/connection.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry::sim::gdb {
namespace {

constexpr int look_every = 200; // milliseconds

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {
    }
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const {
        return number_;
    }

  private:
    int number_;
};

std::optional<std::uint16_t> port_of(const std::string &text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return port;
}

// True: something has come, or the other side has gone.
bool ready(int descriptor, int milliseconds) {
    pollfd wanted{descriptor, POLLIN, 0};
    return poll(&wanted, 1, milliseconds) > 0;
}

sockaddr_in here(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

} // namespace

std::unique_ptr<Connection> Connection::open(const std::string &where,
                                             const std::function<void(const std::string &)> &say,
                                             const std::function<bool()> &give_up, std::string &error) {
    std::signal(SIGPIPE, SIG_IGN); // a write shall fail instead
    if (where == "stdio") {
        const int out = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        return std::unique_ptr<Connection>(new Connection(dup(STDIN_FILENO), out));
    }
    const auto port = port_of(where);
    if (!port) {
        error = "must be a port (0 for any that is free) or stdio";
        return nullptr;
    }
    const auto failed = [&] {
        error = std::strerror(errno);
        return nullptr;
    };
    const Descriptor listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    sockaddr_in address = here(*port);
    socklen_t size = sizeof address;
    auto *general = reinterpret_cast<sockaddr *>(&address);
    if (listening.get() < 0 || setsockopt(listening.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(listening.get(), general, size) != 0 || listen(listening.get(), 1) != 0 ||
        getsockname(listening.get(), general, &size) != 0) {
        return failed();
    }
    say(fmt::format("waiting for gdb: target remote localhost:{}", ntohs(address.sin_port)));
    while (!ready(listening.get(), look_every)) {
        if (!give_up()) continue;
        error = "interrupted";
        return nullptr;
    }
    const int connected = accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (connected < 0) return failed();
    setsockopt(connected, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // packets are small, and each is waited for
    return std::unique_ptr<Connection>(new Connection(connected, connected));
}

Connection::~Connection() {
    close(in_);
    if (out_ != in_) close(out_);
}

bool Connection::receive(std::string &bytes, int milliseconds) {
    if (!ready(in_, milliseconds)) return true;
    std::array<char, 4096> block{};
    const ssize_t got = read(in_, block.data(), block.size());
    if (got > 0) bytes.append(block.data(), static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

bool Connection::send(const std::string &bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t n = write(out_, bytes.data() + sent, bytes.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += static_cast<std::size_t>(n);
    }
    return true;
}

} // namespace skerry::sim::gdb
