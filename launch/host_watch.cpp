// SPDX-License-Identifier: BSD-3-Clause
#include "host_watch.hpp"

#include "limits.hpp"

#include <array>
#include <csignal>
#include <netdb.h>
#include <sys/socket.h>
#include <thread>

namespace skerry {

namespace {

// The port `discard` has no server on most machines, so the kernel refuses the connection without the work of a process.
// If a firewall drops the request, the port of ssh is asked: firewalls let it pass.
constexpr const char *first_port = "9", *second_port = "22";
constexpr double port_limit = 1.5; // seconds until the other port is asked

std::string find_address(const std::string &name) {
    struct addrinfo hints {
    }, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    const size_t user = name.find('@'); // ssh accepts USER@HOST
    const std::string host = user == std::string::npos ? name : name.substr(user + 1);
    if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return {};
    std::array<char, NI_MAXHOST> text{};
    const bool is_numeric =
        getnameinfo(found->ai_addr, found->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0;
    freeaddrinfo(found);
    return is_numeric ? text.data() : std::string{};
}

} // namespace

// The thread fills the elements of `addresses` in their order. Its store to `known` (release) comes after the store of
// the element, and a reader loads `known` (acquire) before it reads the element. The vectors themselves never change.
AddressLookup::AddressLookup(const std::vector<std::string> &names) : table_(std::make_shared<Table>()) {
    table_->names = names;
    table_->addresses.resize(names.size());
    // The caller has blocked the signals that it reads by a signalfd. The thread inherits that, so it gets none of them.
    std::thread([table = table_] {
        for (size_t i = 0; i < table->names.size(); ++i) {
            table->addresses[i] = find_address(table->names[i]);
            table->known.store(i + 1, std::memory_order_release);
        }
    }).detach();
}

std::string AddressLookup::address_of(size_t index) const {
    return index < table_->known.load(std::memory_order_acquire) ? table_->addresses[index] : std::string{};
}

HostWatch::HostWatch(double now) : started_(now), silence_(now, 1.5 * alive_interval) {
}

// The first question is asked at once, to find out if the host answers. Most jobs start within doubt_limit and need no
// further question.
void HostWatch::polled(double now, const std::string &address) {
    silence_.polled(now);
    const double seconds = now - started_;
    if (address.empty() || (has_answered_ && !kernel_ && seconds < doubt_limit)) return;
    if (kernel_ && !has_answered_ && seconds - asked_ > port_limit) {
        asks_first_port_ = !asks_first_port_;
        kernel_.reset();
    }
    if (!kernel_) {
        kernel_ = kernel_at(address, asks_first_port_ ? first_port : second_port);
        asked_ = seconds;
    }
    if (!kernel_->answers(seconds)) return;
    silence_.end();
    has_answered_ = true;
    if (seconds < doubt_limit) kernel_.reset();
}

bool HostWatch::is_dead() const {
    return has_answered_ && silence_.seconds() >= silence_limit;
}

} // namespace skerry
