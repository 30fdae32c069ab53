// SPDX-License-Identifier: BSD-3-Clause
// Implements the program skerry-node, which runs one node's part of a job of several nodes. The user's oshrun (the
// first oshrun) starts one skerry-node on each node, by ssh or by another launcher. skerry-node starts a second oshrun,
// which runs the PEs of this node. Between the two, skerry-node passes on output, input, signals and the network
// addresses of the node's ports.
//
// Each side sends a sign of life every second. If the first oshrun does not answer, skerry-node ends its part of the
// job. If skerry-node dies, the second oshrun sees the end of its control socket and ends the PEs.
#include "channel.hpp"
#include "clock.hpp"
#include "connection.hpp"
#include "installation.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "node_assignment.hpp"
#include "node_part.hpp"
#include "peer_kernel.hpp"
#include "wire_up.hpp"

#include "../src/machine/linux/node_watch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr size_t output_most = size_t{1} << 20; // bytes of output that oshrun has not written yet
constexpr double first_look = 0.001; // seconds between the first two checks if the addresses of the ports are published
constexpr double longest_look = 0.05; // longest time in seconds between two such checks
constexpr double use_interval = 0.25; // seconds between two checks if PEs of this node use another node

Channel *to_report = nullptr; // the channel that gets the error message of stop()

// Sends an error message of this process to oshrun, which prints it.
void report(int code, std::string_view text) {
    to_report->send(FrameKind::refused, Message().add(static_cast<uint64_t>(code)).add(text).text());
    to_report->flush_all(message_limit);
}

// Runs a second oshrun for the PEs of this node. Passes output, input and commands on between this second oshrun and
// the channel to the first oshrun, which the user started.
class Node {
  public:
    Node(Channel &channel, const Start &start) : channel_(channel), start_(start), wire_up_(start.nodes) {
        if (start.nodes.size() == 1) return;
        watch_ = skerry_open_node_watch(start.node, std::getenv("UCX_NET_DEVICES"));
        if (watch_ == nullptr)
            stop(exit_failure, fmt::format("cannot watch the connections to other nodes: {}", std::strerror(errno)));
    }

    // Runs until the node's part of the job has ended.
    void run();

  private:
    void spawn_oshrun();
    void step();
    int milliseconds_to_next_event() const;
    void look_for_addresses();
    void begin_watch(MessageReader &reader);
    void watch(int node);
    void watch_nodes();
    void handle(FrameKind kind, std::string_view text);
    void command(std::string_view line);
    void read_output(int &descriptor, FrameKind kind);
    void read_reports();
    void write_input();
    void keep_alive();
    void report_end();

    Channel &channel_;
    const Start &start_;
    WireUp wire_up_;
    struct skerry_node_watch *watch_ = nullptr;          // if the job has several nodes
    std::vector<struct skerry_node_endpoint> endpoints_; // of each node; empty until oshrun has sent them
    std::vector<bool> watched_;                          // of each node: its path is watched
    size_t uses_ = 0;                                    // number of elements of the list of used nodes that were read
    pid_t process_ = -1;
    int input_ = -1, output_ = -1, error_ = -1, control_ = -1;
    std::string unread_input_, reports_;
    bool input_ended_ = false;
    size_t unconsumed_ = 0;  // bytes of output that were sent, and that oshrun has not written yet
    bool published_ = false; // the ports of this node have published their addresses, or the job has one node only
    bool paused_ = false;    // the user has stopped oshrun
    double started_ = 0, alive_sent_ = 0, kill_at_ = 0, control_ended_ = 0;
};

void Node::spawn_oshrun() {
    std::array<int, 2> input{}, output{}, error{}, control{};
    if (pipe2(input.data(), O_CLOEXEC) != 0 || pipe2(output.data(), O_CLOEXEC) != 0 ||
        pipe2(error.data(), O_CLOEXEC) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, control.data()) != 0)
        stop(exit_failure, fmt::format("cannot make pipes: {}", std::strerror(errno)));
    fcntl(control[1], F_SETFD, 0);
    const NodeRange &own = start_.nodes[static_cast<size_t>(start_.node)];
    const std::string part =
        fmt::format("first={},count={},wire_up={},control={},columns={},others={},before={},name={}", own.first,
                    own.count, start_.nodes.size() > 1 ? wire_up_.descriptor() : -1, control[1], start_.columns,
                    start_.shared.others, start_.shared.before, start_.name);
    setenv("SKERRY_NODE", part.c_str(), 1);
    std::string program = find_helper("oshrun");
    if (program.empty())
        stop(exit_not_found,
             "skerry-node finds no program oshrun in its own folder: install Skerry again on this node");
    std::vector<std::string> words = start_.arguments;
    std::vector<char *> arguments{program.data()};
    for (std::string &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int failure = posix_spawn(&process_, program.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) stop(exit_failure, fmt::format("cannot start {}: {}", program, std::strerror(failure)));
    for (const int descriptor : {input[0], output[1], error[1], control[1]}) close(descriptor);
    input_ = input[1];
    output_ = output[0];
    error_ = error[0];
    control_ = control[0];
    fcntl(input_, F_SETFL, O_NONBLOCK);
    started_ = now();
    published_ = start_.nodes.size() == 1;
}

void Node::run() {
    spawn_oshrun();
    if (watch_ != nullptr) {
        const struct skerry_node_endpoint *endpoint = skerry_own_endpoint(watch_);
        channel_.send(FrameKind::endpoint, {reinterpret_cast<const char *>(endpoint), sizeof *endpoint});
    }
    for (const Frame &frame : start_.next) handle(frame.kind, frame.text);
    while (control_ >= 0 || output_ >= 0 || error_ >= 0) {
        step();
        // A process that cannot be killed possibly holds the pipes open. Therefore the loop waits at most
        // last_words_limit seconds for the end of the pipes after the second oshrun has ended.
        if (control_ended_ > 0 && now() > control_ended_ + last_words_limit) break;
    }
    report_end();
}

int Node::milliseconds_to_next_event() const {
    const int watch_wait = watch_ != nullptr ? skerry_node_watch_wait(watch_) : -1;
    double wait = watch_wait < 0 ? alive_interval : watch_wait * 1e-3;
    if (uses_ + 1 < endpoints_.size()) wait = std::min(wait, use_interval);
    if (!published_) wait = std::min(longest_look, first_look + (now() - started_) / 20);
    return static_cast<int>(std::ceil(wait * 1e3));
}

void Node::step() {
    const bool has_room = unconsumed_ < output_most;
    std::vector<struct pollfd> events = {
        {channel_.input(), POLLIN, 0},
        {channel_.waiting() ? channel_.output() : -1, POLLOUT, 0},
        {control_, POLLIN, 0},
        {has_room ? output_ : -1, POLLIN, 0},
        {has_room ? error_ : -1, POLLIN, 0},
        {unread_input_.empty() && !input_ended_ ? -1 : input_, POLLOUT, 0},
    };
    if (watch_ != nullptr) events.push_back({skerry_node_watch_descriptor(watch_), POLLIN, 0});
    poll(events.data(), events.size(), milliseconds_to_next_event());
    channel_.polled();
    const auto happened = [&](size_t i) { return events[i].fd >= 0 && events[i].revents != 0; };
    bool connected = true;
    if (happened(0))
        connected = channel_.receive([this](FrameKind kind, std::string_view text) { handle(kind, text); });
    if (happened(2)) read_reports();
    if (happened(4)) read_output(error_, FrameKind::error);
    if (happened(3)) read_output(output_, FrameKind::output);
    if (happened(5)) write_input();
    if (!published_) look_for_addresses();
    if (watch_ != nullptr) watch_nodes();
    keep_alive();
    connected = channel_.flush() && connected && (paused_ || !channel_.is_dead());
    if (!connected) { // the oshrun that reads the output has ended, so this node ends too
        if (control_ >= 0) command("stop");
        unconsumed_ = 0;
    }
    if (kill_at_ > 0 && now() > kill_at_) kill(process_, SIGKILL);
}

// Sends the network addresses of this node's ports to oshrun, if the ports have published their addresses. A port
// publishes its address when the program calls shmem_init. No event shows this moment. Therefore this function is
// called repeatedly, at first after short times.
void Node::look_for_addresses() {
    if (!wire_up_.has_published(start_.node)) return;
    published_ = true;
    Message message;
    add_texts(message, wire_up_.addresses(start_.node));
    channel_.send(FrameKind::own_ports, message.text());
}

void Node::watch(int node) {
    const auto place = static_cast<size_t>(node);
    if (node == start_.node || watched_[place]) return;
    watched_[place] = skerry_watch_node(watch_, node, &endpoints_[place], now());
}

// Watches the paths to the nodes that PEs of this node use, and tells oshrun if a path is cut. From the start on these are
// those to which the barrier in shmem_init sends, so that a cut before shmem_init is noticed too. A node that has never
// accepted a connection is behind a firewall and not cut off, if no PE of this node uses it, or if one has received
// messages of it. oshrun itself notices the end of a skerry-node.
void Node::watch_nodes() {
    while (!endpoints_.empty()) {
        const std::optional<int> node = wire_up_.used_node(uses_);
        if (!node) break;
        ++uses_;
        watch(*node);
    }
    struct skerry_node_event event {};
    while (skerry_step_node_watch(watch_, now(), &event)) {
        const bool is_unreached = event.kind == SKERRY_NODE_UNREACHED, is_used = wire_up_.is_used(event.node);
        const bool is_cut =
            event.kind == SKERRY_NODE_SILENT || (is_unreached && is_used && !wire_up_.is_heard(event.node));
        if (is_unreached)
            watched_[static_cast<size_t>(event.node)] = is_used; // a later use begins to watch the path again
        if (!is_cut || control_ < 0) continue;
        const uint64_t was_reached = event.kind == SKERRY_NODE_SILENT ? 1 : 0;
        channel_.send(FrameKind::cut, Message().add(static_cast<uint64_t>(event.node)).add(was_reached).text());
    }
}

// Sends a command to the supervisor, the process of the second oshrun that is the parent of this node's PEs. After a
// command that ends the job, the supervisor has a limited time to end, and is killed then. Between the commands `pause`
// and `resume` the user has stopped the first oshrun (Ctrl-Z); the first oshrun is then silent but not dead.
void Node::command(std::string_view line) {
    if (control_ < 0) return;
    const std::string text = fmt::format("{}\n", line);
    const ssize_t written = write(control_, text.data(), text.size());
    paused_ = line == "pause";
    const bool ends_job = line != "pause" && line != "resume" && !line.starts_with("signal");
    if (!ends_job && written == static_cast<ssize_t>(text.size())) return;
    if (kill_at_ <= 0) kill_at_ = now() + keeper_limit;
}

void Node::begin_watch(MessageReader &reader) {
    const int nodes = static_cast<int>(start_.nodes.size());
    watched_.resize(start_.nodes.size());
    for (int node = 0; node < nodes; ++node) {
        const std::string bytes = reader.text();
        std::memcpy(&endpoints_.emplace_back(), bytes.data(), std::min(bytes.size(), sizeof endpoints_.back()));
    }
    for (int distance = 1; distance < nodes; distance *= 2) watch((start_.node + distance) % nodes);
}

void Node::handle(FrameKind kind, std::string_view text) {
    MessageReader reader(text);
    switch (kind) {
    case FrameKind::addresses:
        for (int node = 0; static_cast<size_t>(node) < start_.nodes.size() && reader.valid(); ++node) {
            const std::vector<std::string> addresses = reader.texts();
            if (node != start_.node) wire_up_.add_addresses(node, addresses);
        }
        break;
    case FrameKind::endpoints: begin_watch(reader); break;
    case FrameKind::input:
        if (text.empty()) input_ended_ = true;
        else unread_input_.append(text);
        break;
    case FrameKind::consumed: unconsumed_ -= std::min<size_t>(unconsumed_, reader.number()); break;
    case FrameKind::control: command(text); break;
    default: break;
    }
}

void Node::read_output(int &descriptor, FrameKind kind) {
    static std::array<char, 64 * 1024> buffer;
    const ssize_t length = read(descriptor, buffer.data(), buffer.size());
    if (length < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (length <= 0) {
        close(descriptor);
        descriptor = -1;
        return;
    }
    channel_.send(kind, {buffer.data(), static_cast<size_t>(length)});
    unconsumed_ += static_cast<size_t>(length);
}

void Node::read_reports() {
    std::array<char, 4096> buffer{};
    const ssize_t length = read(control_, buffer.data(), buffer.size());
    if (length < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (length <= 0) {
        close(control_);
        control_ = -1;
        control_ended_ = now();
        return;
    }
    reports_.append(buffer.data(), static_cast<size_t>(length));
    for (size_t end; (end = reports_.find('\n')) != std::string::npos; reports_.erase(0, end + 1))
        channel_.send(FrameKind::report, std::string_view(reports_).substr(0, end));
}

void Node::write_input() {
    const ssize_t written = unread_input_.empty() ? 0 : write(input_, unread_input_.data(), unread_input_.size());
    if (written > 0) {
        unread_input_.erase(0, static_cast<size_t>(written));
        channel_.send(FrameKind::input_read, Message().add(static_cast<uint64_t>(written)).text());
    }
    const bool broken = written < 0 && errno != EAGAIN && errno != EINTR;
    if (!broken && !(input_ended_ && unread_input_.empty())) return;
    close(input_);
    input_ = -1;
    unread_input_.clear();
    input_ended_ = false;
}

void Node::keep_alive() {
    if (now() - alive_sent_ < alive_interval) return;
    alive_sent_ = now();
    channel_.send(FrameKind::alive);
}

void Node::report_end() {
    int status = 0;
    const double end = now() + (kill_at_ > 0 ? std::max(kill_at_ - now(), message_limit) : message_limit);
    pid_t ended = 0;
    while ((ended = waitpid(process_, &status, WNOHANG)) == 0 && now() < end) {
        const struct timespec moment = {0, 1'000'000};
        nanosleep(&moment, nullptr);
    }
    if (ended == 0) {
        kill(process_, SIGKILL);
        waitpid(process_, &status, 0);
    }
    const int code = WIFSIGNALED(status) ? exit_signal + WTERMSIG(status) : WEXITSTATUS(status);
    Message message;
    message.add(static_cast<uint64_t>(code));
    for (int node = 0; static_cast<size_t>(node) < start_.nodes.size(); ++node) {
        const WireUp::Traffic traffic = wire_up_.traffic_to(node);
        message.add(traffic.messages).add(traffic.bytes).add(traffic.got);
    }
    channel_.send(FrameKind::ended, message.text());
    channel_.flush_all(reader_limit);
}

// Returns the addresses of both ends of the ssh connection that has started this process, as ssh reports them. The
// first address is that of oshrun's machine. Both addresses are empty if ssh has not started this process.
std::array<Address, 2> ends_of_ssh() {
    const char *text = std::getenv("SSH_CONNECTION");
    std::istringstream words(text != nullptr ? text : "");
    std::array<Address, 2> ends;
    for (Address &end : ends) words >> end.name >> end.port;
    return ends;
}

// Moves the descriptors of the channel (the connection to oshrun) away from standard input and output. Nothing else is
// then written to the channel.
std::unique_ptr<Channel> channel_of_standard_files() {
    const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10), output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
    return std::make_unique<Channel>(input, output);
}

} // namespace

} // namespace skerry

int main(int argument_count, char **arguments) {
    using namespace skerry;
    const std::string_view option = argument_count == 2 ? arguments[1] : "";
    if (option != "--standard" && option != "--here" && option != "--connect") {
        say("skerry-node is started by oshrun --hosts, and not by users");
        return exit_usage;
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN); // the end of the connection ends the job
    const std::unique_ptr<Channel> channel =
        option == "--connect" ? connect_to_launcher() : channel_of_standard_files();
    to_report = channel.get();
    call_at_stop(report);
    const auto [launcher, own] = option == "--standard" ? ends_of_ssh() : std::array<Address, 2>{};
    if (option == "--here") channel->set_kernel(own_kernel());
    else if (!launcher.name.empty()) channel->set_kernel(kernel_at(launcher.name, launcher.port));
    const Start start = receive_start(*channel, own, option == "--connect");
    if (chdir(start.folder.c_str()) != 0)
        stop(exit_failure, fmt::format("cannot enter the folder {}: {}", start.folder, std::strerror(errno)));
    take_environment(start.environment);
    Node(*channel, start).run();
    if (option == "--connect" && channel->is_dead()) end_daemon();
    return 0;
}
