// SPDX-License-Identifier: BSD-3-Clause
#include "connection.hpp"

#include "clock.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "peer_kernel.hpp"

#include <arpa/inet.h>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr double handshake_limit = 5; // seconds
constexpr size_t candidates_most = 64;

// The message that proves that the sender knows the job's secret key. `number` is the sender's random number, `hash` is
// a keyed hash of the random numbers of both sides.
struct Proof {
    uint64_t number, hash;
};

uint64_t random_number() {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        stop(exit_failure,
             fmt::format("the kernel gives no random numbers for the job's key: {}", std::strerror(errno)));
    return number;
}

struct SipState {
    uint64_t a, b, c, d;
};

void sip_rounds(SipState &s, int rounds) {
    while (rounds-- > 0) {
        s.a += s.b;
        s.b = std::rotl(s.b, 13) ^ s.a;
        s.a = std::rotl(s.a, 32);
        s.c += s.d;
        s.d = std::rotl(s.d, 16) ^ s.c;
        s.a += s.d;
        s.d = std::rotl(s.d, 21) ^ s.a;
        s.c += s.b;
        s.b = std::rotl(s.b, 17) ^ s.c;
        s.c = std::rotl(s.c, 32);
    }
}

// Returns SipHash-2-4 (a keyed hash) of three numbers. `sender` is the number of the side that sends the proof; `own`
// and `other` are the random numbers of the two sides.
uint64_t hash_of(const ConnectionKey &key, uint64_t sender, uint64_t own, uint64_t other) {
    SipState s = {key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d, key.low ^ 0x6c7967656e657261,
                  key.high ^ 0x7465646279746573};
    constexpr uint64_t length = uint64_t{24} << 56;
    for (const uint64_t word : {sender, own, other, length}) {
        s.d ^= word;
        sip_rounds(s, 2);
        s.a ^= word;
    }
    s.c ^= 0xff;
    sip_rounds(s, 4);
    return s.a ^ s.b ^ s.c ^ s.d;
}

constexpr uint64_t sender_launcher = 1, sender_node = 2;

bool send_all(int descriptor, const void *data, size_t bytes) {
    return send(descriptor, data, bytes, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes);
}

void prepare(int descriptor) {
    const int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// Connects to an address. Returns the connection's descriptor. Returns -1 if no connection is made within a second, or
// within the system's own limit if that is shorter.
int connect_to(const std::string &address, const std::string &port) {
    const int descriptor = begin_connection(address, port);
    if (descriptor < 0) return -1;
    struct pollfd ready = {descriptor, POLLOUT, 0};
    if (poll(&ready, 1, 1000) == 1 && error_of_connection(descriptor) == 0) return descriptor;
    close(descriptor);
    return -1;
}

bool receive_all(int descriptor, void *data, size_t bytes) {
    const double end = now() + handshake_limit;
    for (size_t at = 0; at < bytes;) {
        struct pollfd ready = {descriptor, POLLIN, 0};
        if (now() > end || poll(&ready, 1, 1000) < 0) return false;
        const ssize_t length = recv(descriptor, static_cast<char *>(data) + at, bytes - at, 0);
        if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) return false;
        at += length > 0 ? static_cast<size_t>(length) : 0;
    }
    return true;
}

// Proves to the launcher that this process knows the job's secret key, and checks the launcher's proof.
bool shake_hands(int descriptor, const ConnectionKey &key) {
    const uint64_t own = random_number();
    uint64_t other = 0, answer = 0;
    if (!receive_all(descriptor, &other, sizeof other)) return false;
    const Proof proof = {own, hash_of(key, sender_node, own, other)};
    return send_all(descriptor, &proof, sizeof proof) && receive_all(descriptor, &answer, sizeof answer) &&
           answer == hash_of(key, sender_launcher, other, own);
}

std::unique_ptr<Channel> channel_of(int descriptor) {
    auto channel = std::make_unique<Channel>(descriptor, descriptor);
    channel->set_kernel(kernel_behind(descriptor));
    return channel;
}

} // namespace

ConnectionKey make_key() {
    return {random_number(), random_number()};
}

std::vector<std::string> machine_addresses() {
    std::vector<std::string> found;
    struct ifaddrs *all = nullptr;
    if (getifaddrs(&all) != 0) return found;
    for (const int family : {AF_INET, AF_INET6})
        for (const struct ifaddrs *each = all; each != nullptr; each = each->ifa_next) {
            if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != family) continue;
            if ((each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) continue;
            std::array<char, NI_MAXHOST> text{};
            const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
            if (getnameinfo(each->ifa_addr, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0 ||
                std::strchr(text.data(), '%') != nullptr) // '%': an IP version 6 address for one link only
                continue;
            found.emplace_back(text.data());
        }
    freeifaddrs(all);
    return found;
}

int begin_connection(const std::string &address, const std::string &port) {
    struct addrinfo hints {
    }, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    if (getaddrinfo(address.c_str(), port.c_str(), &hints, &found) != 0) {
        errno = EINVAL;
        return -1;
    }
    const int descriptor = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool begun =
        descriptor >= 0 && (connect(descriptor, found->ai_addr, found->ai_addrlen) == 0 || errno == EINPROGRESS);
    const int error = errno;
    freeaddrinfo(found);
    if (!begun && descriptor >= 0) close(descriptor);
    errno = error;
    return begun ? descriptor : -1;
}

int error_of_connection(int descriptor) {
    int error = ETIMEDOUT;
    socklen_t length = sizeof error;
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length);
    return error;
}

Listener::Listener(const ConnectionKey &key) : key_(key) {
    descriptor_ = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_in6 all {};
    all.sin6_family = AF_INET6;
    struct sockaddr_in all4 {};
    all4.sin_family = AF_INET;
    const int no = 0;
    const bool six = descriptor_ >= 0 && setsockopt(descriptor_, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) == 0 &&
                     bind(descriptor_, reinterpret_cast<const sockaddr *>(&all), sizeof all) == 0;
    if (!six) { // this machine has no IP version 6
        if (descriptor_ >= 0) close(descriptor_);
        descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (descriptor_ >= 0) (void)bind(descriptor_, reinterpret_cast<const sockaddr *>(&all4), sizeof all4);
    }
    struct sockaddr_storage bound {};
    socklen_t length = sizeof bound;
    if (descriptor_ < 0 || listen(descriptor_, SOMAXCONN) != 0 ||
        getsockname(descriptor_, reinterpret_cast<sockaddr *>(&bound), &length) != 0)
        stop(exit_failure,
             fmt::format("cannot open a TCP port for the connections from the nodes: {}", std::strerror(errno)));
    port_ = ntohs(six ? reinterpret_cast<const sockaddr_in6 *>(&bound)->sin6_port
                      : reinterpret_cast<const sockaddr_in *>(&bound)->sin_port);
}

Listener::~Listener() {
    close(descriptor_);
    for (const Candidate &candidate : candidates_) close(candidate.descriptor);
}

std::string Listener::description() const {
    std::vector<std::string> addresses = machine_addresses();
    addresses.emplace_back("127.0.0.1"); // for nodes that share this machine's network
    return fmt::format("{:016x}{:016x} {} {}", key_.low, key_.high, port_, fmt::join(addresses, " "));
}

void Listener::add_descriptors(std::vector<int> &descriptors) const {
    descriptors.push_back(descriptor_);
    for (const Candidate &candidate : candidates_) descriptors.push_back(candidate.descriptor);
}

Listener::Proof Listener::check(Candidate &candidate) {
    skerry::Proof proof{};
    std::array<char, sizeof proof> buffer{};
    const ssize_t length =
        recv(candidate.descriptor, buffer.data(), sizeof proof - candidate.arrived.size(), MSG_DONTWAIT);
    if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR) || now() > candidate.deadline)
        return Proof::wrong;
    if (length > 0) candidate.arrived.append(buffer.data(), static_cast<size_t>(length));
    if (candidate.arrived.size() < sizeof proof) return Proof::incomplete;
    std::memcpy(&proof, candidate.arrived.data(), sizeof proof);
    if (proof.hash != hash_of(key_, sender_node, proof.number, candidate.own_number)) return Proof::wrong;
    const uint64_t answer = hash_of(key_, sender_launcher, candidate.own_number, proof.number);
    return send_all(candidate.descriptor, &answer, sizeof answer) ? Proof::complete : Proof::wrong;
}

std::unique_ptr<Channel> Listener::accept() {
    int descriptor;
    // Accepts at most candidates_most connections at a time. Further connections wait in the kernel's queue.
    while (candidates_.size() < candidates_most &&
           (descriptor = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
        prepare(descriptor);
        const uint64_t number = random_number();
        if (!send_all(descriptor, &number, sizeof number)) close(descriptor);
        else candidates_.push_back({descriptor, now() + handshake_limit, number, {}});
    }
    for (auto candidate = candidates_.begin(); candidate != candidates_.end();) {
        const Proof proof = check(*candidate);
        descriptor = candidate->descriptor;
        if (proof != Proof::incomplete) candidate = candidates_.erase(candidate);
        else ++candidate;
        if (proof == Proof::complete) return channel_of(descriptor);
        if (proof == Proof::wrong) close(descriptor);
    }
    return nullptr;
}

std::unique_ptr<Channel> connect_to_launcher() {
    const char *description = std::getenv(launcher_variable);
    std::vector<std::string> words;
    for (std::string_view rest = description != nullptr ? description : ""; !rest.empty();) {
        const size_t end = std::min(rest.find(' '), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    unsetenv(launcher_variable);
    ConnectionKey key{};
    const auto read_half = [&](size_t at, uint64_t &half) {
        const char *begin = words[0].data() + at;
        return std::from_chars(begin, begin + 16, half, 16).ptr == begin + 16;
    };
    if (words.size() < 3 || words[0].size() != 32 || !read_half(0, key.low) || !read_half(16, key.high))
        stop(exit_usage, "skerry-node --connect is started by oshrun, and not by users");
    // Tries all addresses repeatedly, because the network is possibly not ready yet. If this node is cut off, its part of
    // the job must end soon. The kernel of oshrun's machine answers at once, even if oshrun gets no processor time.
    const double end = now() + silence_limit;
    do {
        for (size_t i = 2; i < words.size(); ++i) {
            const int descriptor = connect_to(words[i], words[1]);
            if (descriptor < 0) continue;
            prepare(descriptor);
            if (shake_hands(descriptor, key)) return channel_of(descriptor);
            close(descriptor);
        }
        const struct timespec moment = {0, 100'000'000};
        nanosleep(&moment, nullptr);
    } while (now() < end);
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    stop(exit_failure,
         fmt::format("node {} cannot reach oshrun at port {} of any of its addresses ({}); is there a firewall?",
                     name.data(), words[1], fmt::join(words.begin() + 2, words.end(), ", ")));
}

} // namespace skerry
