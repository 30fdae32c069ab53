// SPDX-License-Identifier: BSD-3-Clause
// Finds the user of a peer: the process at the other end of a connection.
// * For a Unix socket the kernel gives the peer's user directly (SO_PEERCRED).
// * For TCP the user is in the kernel's tables of all sockets (/proc/net/tcp). The row of the peer's socket has the two
//   addresses of our socket in the opposite order.
// * A row is used only if its socket is connected and a process holds the socket. For all other sockets the kernel
//   shows user 0.
#include "gdb/peer.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry::sim::gdb {
namespace {

constexpr const char *connected = "01";

struct Table {
    const char *path;
    const char *prefix; // digits that the table puts before an IPv4 address
};
constexpr std::array<Table, 2> tables = {{{"/proc/net/tcp", ""}, {"/proc/net/tcp6", "0000000000000000FFFF0000"}}};

// Returns an address in the form that the kernel's tables (/proc/net/tcp) have.
std::string text_of(const char *prefix, const sockaddr_in &address) {
    return fmt::format("{}{:08X}:{:04X}", prefix, address.sin_addr.s_addr, ntohs(address.sin_port));
}

std::optional<uid_t> user_in(std::istream &table, const std::string &local, const std::string &remote) {
    for (std::string line; std::getline(table, line);) {
        std::istringstream words(line);
        std::string number, from, to, state, queues, timer, retransmits;
        std::uint64_t user = 0, timeout = 0, inode = 0;
        words >> number >> from >> to >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
        if (words && from == local && to == remote && state == connected && inode != 0) return static_cast<uid_t>(user);
    }
    return std::nullopt;
}

std::optional<uid_t> user_by_tables(const sockaddr_in &peer, const sockaddr_in &own) {
    for (const Table &table : tables) {
        std::ifstream file(table.path);
        if (const auto user = user_in(file, text_of(table.prefix, peer), text_of(table.prefix, own))) return user;
    }
    return std::nullopt;
}

std::optional<uid_t> user_of(int connection) {
    sockaddr_storage peer{}, own{};
    socklen_t peer_size = sizeof peer, own_size = sizeof own;
    if (getpeername(connection, reinterpret_cast<sockaddr *>(&peer), &peer_size) != 0 ||
        getsockname(connection, reinterpret_cast<sockaddr *>(&own), &own_size) != 0) {
        return std::nullopt;
    }
    if (own.ss_family == AF_INET) {
        return user_by_tables(reinterpret_cast<const sockaddr_in &>(peer), reinterpret_cast<const sockaddr_in &>(own));
    }
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
    return credentials.uid;
}

} // namespace

std::string why_refused(int connection) {
    const auto user = user_of(connection);
    if (!user) return "its user is not known";
    return *user == geteuid() ? std::string() : fmt::format("it is of user {}, not of user {}", *user, geteuid());
}

} // namespace skerry::sim::gdb
