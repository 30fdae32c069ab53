// SPDX-License-Identifier: BSD-3-Clause
#include "host/host_link.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry::sim {
namespace {

constexpr const char *variable = "SKERRY_HOST_LINK"; // descriptor, comma, process of the host program
enum Kind : std::uint32_t { kind_exit = 2, kind_told = 3 };
using Message = std::array<std::uint8_t, 8>; // kind and value

// What the handler of SIGIO uses. A signal can come in any thread.
std::atomic<int> watched{-1};
std::atomic<bool> exit_sent{false};
std::atomic<bool> ended{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Ends the run as a SIGTERM from outside does, if the host program has closed the link too early.
void look_for_end(int) {
    const int error = errno;
    pollfd link{watched, 0, 0};
    if (!exit_sent && poll(&link, 1, 0) > 0 && (link.revents & POLLHUP) != 0 && !ended.exchange(true))
        ::kill(::getpid(), SIGTERM);
    errno = error;
}

bool is_link(int descriptor) {
    int type = 0;
    socklen_t bytes = sizeof type;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_SEQPACKET;
}

} // namespace

HostLink::HostLink() {
    const char *text = std::getenv(variable);
    int descriptor = -1;
    const bool is_text = text != nullptr && std::sscanf(text, "%d,%d", &descriptor, &host_process_) == 2;
    ::unsetenv(variable);
    if (!is_text || !is_link(descriptor)) return;
    descriptor_ = descriptor;
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    watched = descriptor;
    struct sigaction action {};
    action.sa_handler = look_for_end;
    action.sa_flags = SA_RESTART; // the wait for a message goes on, because a message also raises this signal
    ::sigaction(SIGIO, &action, nullptr);
    ::fcntl(descriptor, F_SETOWN, ::getpid());
    ::fcntl(descriptor, F_SETFL, O_ASYNC);
    look_for_end(SIGIO); // it has possibly ended before
}

HostLink::~HostLink() {
    if (descriptor_ < 0) return;
    std::signal(SIGIO, SIG_IGN);
    ::close(descriptor_);
}

bool HostLink::has_ended() const {
    return ended;
}

bool HostLink::send(std::uint32_t kind, std::uint32_t value) {
    Message message{};
    std::memcpy(message.data(), &kind, sizeof kind);
    std::memcpy(message.data() + sizeof kind, &value, sizeof value);
    if (kind == kind_exit) exit_sent = true; // the host program may end as soon as it has received the message
    ssize_t sent = 0;
    do sent = ::send(descriptor_, message.data(), message.size(), MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(message.size());
}

std::uint32_t HostLink::receive(std::uint32_t address, TargetMemory &memory) {
    Message message{};
    ssize_t got = 0;
    // ECONNRESET comes once, if the host program has ended without reading the last message. Messages follow.
    do got = ::recv(descriptor_, message.data(), message.size(), 0);
    while (got < 0 && errno == ECONNRESET);
    if (got < 0 && errno == EINTR) return EINTR;
    if (got != static_cast<ssize_t>(message.size())) return EPIPE;
    return memory.write(address, message) ? 0 : EFAULT;
}

std::uint32_t HostLink::serve(HostWords &words, TargetMemory &memory, std::uint32_t message_cycles) {
    const std::uint32_t number = words.back();
    if (number == receive_service) {
        const std::uint32_t address = words.front();
        words.front() = 0;
        return receive(address, memory);
    }
    if (number == send_service && !send(words[0], words[1])) return EPIPE;
    words.front() = number == cycles_service ? message_cycles : 0;
    return 0;
}

void HostLink::tell() {
    if (exists()) send(kind_told, 0);
}

} // namespace skerry::sim
