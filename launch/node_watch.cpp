// SPDX-License-Identifier: BSD-3-Clause
#include "node_watch.hpp"

#include "limits.hpp"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sstream>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr int probe_idle = 2;          // seconds of silence until the kernel's first probe
constexpr int probe_interval = 1;      // seconds between two probes
constexpr int probe_limit = 5;         // seconds of silence until the kernel gives up a connection
constexpr double try_limit = 2;        // seconds until a request for a connection is repeated
constexpr double step_interval = 0.25; // longest time between two calls of step() while a connection is being made
constexpr size_t addresses_most = 8;   // of one node

// Marks the connection of another node to this node among the events; other events have the index of a path.
constexpr uint64_t is_guest = uint64_t{1} << 63;

void probe_by_kernel(int descriptor) {
    const auto set = [descriptor](int level, int option, int value) {
        setsockopt(descriptor, level, option, &value, sizeof value);
    };
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, probe_idle);
    set(IPPROTO_TCP, TCP_KEEPINTVL, probe_interval);
    set(IPPROTO_TCP, TCP_KEEPCNT, probe_limit);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, 1000 * probe_limit); // also limits the silence after data
}

} // namespace

NodeWatch::NodeWatch(const ConnectionKey &key) : key_(key), listener_(key), events_(epoll_create1(EPOLL_CLOEXEC)) {
    if (events_ < 0)
        stop(exit_failure, fmt::format("cannot watch the connections to other nodes: {}", std::strerror(errno)));
}

NodeWatch::~NodeWatch() {
    for (Path &path : paths_) close_connection(path);
    close(events_); // the connections of other nodes end with this process
}

// UCX uses only the networks that UCX_NET_DEVICES names, so only these are watched. If the variable names no network
// interface, but for example an InfiniBand adapter, all networks are watched.
std::string NodeWatch::endpoint() const {
    const char *devices = std::getenv("UCX_NET_DEVICES");
    std::vector<std::string> addresses = machine_addresses(devices != nullptr ? devices : "");
    if (addresses.empty()) addresses.emplace_back("127.0.0.1"); // all nodes are on this machine
    if (addresses.size() > addresses_most) addresses.resize(addresses_most);
    return fmt::format("{} {}", listener_.port(), fmt::join(addresses, " "));
}

// Leaves out addresses that this node has too, for example of a bridge for containers that has the same address on each
// machine: a connection to such an address does not leave this machine. If both nodes have the same addresses only, they
// are on one machine.
void NodeWatch::watch(int node, const std::string &endpoint, double now) {
    std::istringstream words(endpoint);
    std::string port, address;
    words >> port;
    std::vector<std::string> addresses;
    while (words >> address) addresses.push_back(address);
    const auto is_own = [this](const std::string &each) {
        return std::ranges::find(own_addresses_, each) != own_addresses_.end();
    };
    if (!std::ranges::all_of(addresses, is_own)) std::erase_if(addresses, is_own);
    for (const std::string &each : addresses) {
        paths_.push_back({.node = node, .address = each, .port = port, .silence = Silence(now, 2 * step_interval)});
        open_.push_back(paths_.size() - 1);
        begin(paths_.back(), paths_.size() - 1, now);
    }
}

void NodeWatch::add_descriptors(std::vector<int> &descriptors) const {
    descriptors.push_back(events_);
    listener_.add_descriptors(descriptors);
}

double NodeWatch::longest_wait() const {
    return open_.empty() ? alive_interval : step_interval;
}

// A refused connection is an answer of the other node's kernel: skerry-node has ended there, or a firewall rejects the
// connection. The next try begins after a second. Other failures are no answer.
void NodeWatch::begin(Path &path, size_t index, double now) {
    path.state = State::connecting;
    path.greeting.clear();
    path.descriptor = begin_connection(path.address, path.port);
    path.try_at = now + (path.descriptor < 0 ? question_interval : try_limit);
    if (path.descriptor < 0) {
        if (errno == ECONNREFUSED) path.silence.end();
        return;
    }
    struct epoll_event event = {.events = EPOLLOUT, .data = {.u64 = index}};
    if (epoll_ctl(events_, EPOLL_CTL_ADD, path.descriptor, &event) != 0) close_connection(path);
}

void NodeWatch::close_connection(Path &path) {
    if (path.descriptor >= 0) close(path.descriptor); // also removes it from the events
    path.descriptor = -1;
}

// Tries to connect again after the end of a connection, or of a try.
void NodeWatch::retry(size_t index, double now, double silent_before) {
    Path &path = paths_[index];
    close_connection(path);
    if (path.state == State::connecting) {
        path.try_at = now + question_interval;
        return;
    }
    path.state = State::connecting;
    path.silent_before = silent_before;
    path.silence = Silence(now, 2 * step_interval);
    path.try_at = silent_before > 0 ? now : now + question_interval;
    open_.push_back(index);
}

void NodeWatch::give_up(size_t position) {
    close_connection(paths_[open_[position]]);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(position));
}

// Called when a connection is made. The kernel of the other node accepts it, even if skerry-node there does not run.
void NodeWatch::hold(Path &path, size_t index) {
    path.state = State::greeted;
    path.was_reached = true;
    path.silent_before = 0;
    reached_.insert(path.node);
    std::erase(open_, index);
    probe_by_kernel(path.descriptor);
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = index}};
    epoll_ctl(events_, EPOLL_CTL_MOD, path.descriptor, &event);
}

// Reads what the other side sends: a random number, to which this side answers by its proof, and the proof of the other
// side. This side does not check that proof: the connection carries no data, and only the answers of the kernel count.
void NodeWatch::receive(Path &path, size_t index, double now) {
    std::array<char, 64> buffer{};
    const size_t most = path.state == State::greeted ? greeting_bytes - path.greeting.size() : buffer.size();
    const ssize_t length = recv(path.descriptor, buffer.data(), most, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (length <= 0) {
        // ETIMEDOUT: no probe was answered. Some kernels report the error of a router in place of it.
        const bool is_silent =
            length < 0 && (errno == ETIMEDOUT || errno == EHOSTUNREACH || errno == ENETUNREACH || errno == EHOSTDOWN);
        retry(index, now, is_silent ? probe_limit : 0);
        return;
    }
    if (path.state == State::held) return;
    path.greeting.append(buffer.data(), static_cast<size_t>(length));
    if (path.greeting.size() < greeting_bytes) return;
    uint64_t number = 0;
    std::memcpy(&number, path.greeting.data(), sizeof number);
    const std::string proof = prove(key_, number);
    (void)send(path.descriptor, proof.data(), proof.size(),
               MSG_NOSIGNAL | MSG_DONTWAIT); // a failure ends the connection
    path.state = State::held;
}

void NodeWatch::handle_event(size_t index, double now) {
    Path &path = paths_[index];
    if (path.descriptor < 0) return;
    if (path.state != State::connecting) {
        receive(path, index, now);
        return;
    }
    const int error = error_of_connection(path.descriptor);
    if (error == 0) {
        hold(path, index);
        return;
    }
    if (error == ECONNREFUSED) {
        path.silence.end();
        path.silent_before = 0;
    }
    retry(index, now, 0);
}

// Connections of other nodes carry no data. They end when the other node's part of the job ends.
void NodeWatch::close_guest(int descriptor) {
    std::array<char, 64> buffer{};
    const ssize_t length = recv(descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) close(descriptor);
}

void NodeWatch::admit_nodes() {
    for (int descriptor; (descriptor = listener_.accept_descriptor()) >= 0;) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = is_guest | static_cast<uint64_t>(descriptor)}};
        if (epoll_ctl(events_, EPOLL_CTL_ADD, descriptor, &event) != 0) close(descriptor);
    }
}

std::optional<NodeWatch::Cut> NodeWatch::step(double now, const std::function<bool(int node)> &is_heard) {
    handle_events(now);
    for (size_t i = 0; i < open_.size(); ++i) {
        const Path &path = paths_[open_[i]];
        if (path.silence.seconds() + path.silent_before < silence_limit) continue;
        const Cut cut = {path.node, path.was_reached};
        const bool ends_job = cut.was_reached || (!reached_.contains(cut.node) && !is_heard(cut.node));
        give_up(i--);
        if (ends_job) return cut;
    }
    return std::nullopt;
}

void NodeWatch::handle_events(double now) {
    for (const size_t index : open_) paths_[index].silence.polled(now);
    std::array<struct epoll_event, 64> events{};
    const int count = epoll_wait(events_, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
        const uint64_t data = events[static_cast<size_t>(i)].data.u64;
        if ((data & is_guest) != 0) close_guest(static_cast<int>(data & ~is_guest));
        else handle_event(data, now);
    }
    admit_nodes();
    for (const size_t index : open_) {
        Path &path = paths_[index];
        if (now < path.try_at) continue;
        close_connection(path);
        begin(path, index, now);
    }
}

} // namespace skerry
