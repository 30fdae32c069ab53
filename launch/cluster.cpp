// SPDX-License-Identifier: BSD-3-Clause
// Runs the main loop of oshrun for a job on several nodes. The loop handles frames (messages) of the nodes, signals,
// standard input, and limits of time.
#include "cluster.hpp"

#include "clock.hpp"
#include "limits.hpp"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr double first_pause = 0.05; // seconds between two rounds of the main loop in the first second (host_watch.h)
constexpr size_t input_most = size_t{64} << 10; // bytes of standard input that are on the way to PE 0
constexpr double starter_limit = 5;             // seconds until srun or mpirun has told why it ends a node
constexpr double input_pause = 1; // seconds until the next try to read the terminal, while oshrun is in the background

// Returns the last line of `text` that is not blank.
std::string last_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
    const size_t begin = text.rfind('\n');
    return begin == std::string::npos ? text : text.substr(begin + 1);
}

} // namespace

Cluster::Cluster(const Options &options, const Inheritance &inheritance)
    : options_(options), inheritance_(inheritance), starter_(options.starter.value_or(choose_starter())),
      output_(STDOUT_FILENO), error_(STDERR_FILENO), error_sink_(error_.is_same_as(output_) ? output_ : error_) {
    for (const Host &host : options.hosts) {
        Node &node = nodes_.emplace_back();
        node.host = host;
        node.place = nodes_.size() - 1;
        node.output = std::make_unique<Stream>(-1, output_, std::string{}, false);
        node.error = std::make_unique<Stream>(-1, error_sink_, std::string{}, false);
    }
}

int Cluster::run() {
    started_ = now();
    job_deadline_ = inheritance_.deadline;
    std::signal(SIGTTIN, SIG_IGN); // a read of the terminal in the background then fails and does not stop oshrun
    sigset_t signals = inheritance_.watched_signals;
    sigaddset(&signals, SIGTSTP);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals_ < 0) stop(exit_failure, fmt::format("cannot receive signals by signalfd: {}", std::strerror(errno)));
    start_nodes();
    while (!all_ended() || (suspicion_ && !stop_)) step();
    return finish();
}

void Cluster::step() {
    std::vector<struct pollfd> events;
    const auto watch = [&](int descriptor, short what) { events.push_back({descriptor, what, 0}); };
    watch(signals_, POLLIN);
    watch(output_.waiting() ? output_.descriptor() : -1, POLLOUT);
    watch(error_.waiting() ? error_.descriptor() : -1, POLLOUT);
    const bool wants_input =
        distributed_ && !stop_ && !input_ended_ && input_sent_ < input_most && now() > input_retry_;
    watch(wants_input ? STDIN_FILENO : -1, POLLIN);
    watch(common_starter_.error, POLLIN);
    const size_t first_node = events.size();
    for (const Node &node : nodes_) {
        const bool open = node.channel && node.state != State::ended && node.state != State::lost;
        watch(open ? node.channel->input() : -1, POLLIN);
        watch(open && node.channel->waiting() ? node.channel->output() : -1, POLLOUT);
        watch(node.starter.error, POLLIN);
    }
    if (listener_) {
        std::vector<int> descriptors;
        listener_->add_descriptors(descriptors);
        for (const int descriptor : descriptors) watch(descriptor, POLLIN);
    }
    double wait = partial_deadline_ > 0 ? std::clamp(partial_deadline_ - now(), 0.0, alive_interval) : alive_interval;
    if (!distributed_ && now() - started_ < alive_interval) wait = std::min(wait, first_pause);
    if (job_deadline_ > 0) wait = std::min(wait, std::max(job_deadline_ - now(), 0.0));
    poll(events.data(), events.size(), static_cast<int>(std::ceil(wait * 1e3)));
    for (const Node &node : nodes_)
        if (node.channel) node.channel->polled();
    const auto happened = [&](size_t i) { return events[i].fd >= 0 && events[i].revents != 0; };
    const size_t polled = nodes_.size();
    // The errors of the starters (ssh, srun) contain the reason if a connection has ended. Therefore they are read
    // before the frames (messages) of the nodes.
    if (happened(4)) receive_starter(common_starter_, nullptr);
    for (size_t i = 0; i < polled; ++i)
        if (happened(first_node + 3 * i + 2)) receive_starter(nodes_[i].starter, &nodes_[i]);
    for (size_t i = 0; i < polled; ++i)
        if (happened(first_node + 3 * i)) receive(nodes_[i]);
    if (listener_)
        while (std::unique_ptr<Channel> channel = listener_->accept()) take_connection(std::move(channel));
    if (!distributed_ && !stop_ && !suspicion_ &&
        std::ranges::none_of(nodes_, [](const Node &each) { return each.state == State::starting; }))
        distribute_pes();
    if (happened(3)) read_input();
    if (happened(0)) handle_signals();
    check_time();
    flush();
}

void Cluster::handle_signals() {
    struct signalfd_siginfo info {};
    bool child_ended = false;
    while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        const int signal = static_cast<int>(info.ssi_signo);
        if (signal == SIGCHLD) child_ended = true;
        else if (signal == SIGUSR1 || signal == SIGUSR2) {
            tell_running(fmt::format("signal {}", signal));
        } else if (signal == SIGTSTP) {
            pause();
        } else if (signal == launcher_died() || getppid() != inheritance_.keeper) {
            const bool front_lives = getppid() == inheritance_.front; // a front that lives prints the message
            stop_job({exit_signal + SIGKILL, front_lives ? "" : "the launcher was killed; job stopped", true}, "stop");
        } else if (stop_ && now() - stopped_at_ > repeat_interval) {
            stop_->hurried = true;
            tell_running("stop");
        } else if (!stop_) {
            stop_job({exit_signal + signal, fmt::format("stopped by signal {} ({})", signal, strsignal(signal)), true},
                     fmt::format("end {} {}", signal, interrupt_limit));
        }
    }
    if (child_ended) reap();
}

// Called when the user has typed Ctrl-Z. Stops the PEs on all nodes and then oshrun itself. When the shell continues
// oshrun, continues the PEs too.
void Cluster::pause() {
    const auto tell_all = [this](const char *command) {
        for (Node &node : nodes_)
            if (node.state == State::running) {
                node.channel->send(FrameKind::control, command);
                node.channel->flush_all(message_limit);
            }
    };
    tell_all("pause");
    raise(SIGSTOP);
    tell_all("resume");
    for (Node &node : nodes_)
        if (node.channel) node.channel->forget_silence();
}

// Ends the job before the PEs are distributed. Does not wait for nodes that have not answered.
void Cluster::stop_start(const std::string &line) {
    stop_job({exit_failure, line}, "stop");
    for (Node &node : nodes_)
        if (node.state == State::starting) node.state = State::lost;
}

void Cluster::receive(Node &node) {
    if (!node.channel || node.state == State::ended || node.state == State::lost) return;
    const bool connected = node.channel->receive([&](FrameKind kind, std::string_view text) {
        if (node.state != State::ended && node.state != State::lost) handle(node, kind, text);
    });
    if (connected || node.state == State::ended || node.state == State::lost) return;
    if (node.starter.error >= 0) read_words(node.starter);
    std::string words = last_line(node.starter.words);
    if (words.empty()) words = last_line(node.channel->preamble());
    if (node.state == State::starting)
        lose(node, fmt::format("node {}: skerry-node did not start ({}){}{}", node.host.name,
                               is_this_machine(node.host.name) ? "on this machine" : cause_of(starter_),
                               words.empty() ? "" : ": ", words));
    else {
        const std::string why = fmt::format("the connection to {} has ended{}{}; job stopped", describe(node),
                                            words.empty() ? "" : ": ", words);
        // If srun or mpirun ends all nodes because one of them does not start, its text names the cause, and comes later.
        const bool has_cause = node.state == State::waiting && common_starter_.error >= 0;
        if (has_cause && !suspicion_) suspicion_ = {why, now() + starter_limit};
        if (has_cause) node.state = State::lost;
        else lose(node, why);
    }
}

void Cluster::handle(Node &node, FrameKind kind, std::string_view text) {
    MessageReader reader(text);
    switch (kind) {
    case FrameKind::hello: handle_hello(node, text); break;
    case FrameKind::refused: {
        const int code = static_cast<int>(reader.number());
        const std::string line = reader.text();
        node.state = State::ended;
        stop_job({code, fmt::format("node {}: {}", node.host.name, line)}, "stop");
        break;
    }
    case FrameKind::endpoint:
        node.endpoint = text;
        send_endpoints();
        break;
    case FrameKind::own_ports:
        node.ports = reader.texts();
        if (first_ports_ <= 0) first_ports_ = now();
        send_addresses();
        check_uninitialized();
        break;
    case FrameKind::output:
        node.output->take(text);
        node.unconfirmed += text.size();
        break;
    case FrameKind::error:
        node.error->take(text);
        node.unconfirmed += text.size();
        break;
    case FrameKind::input_read: input_sent_ -= std::min<size_t>(input_sent_, reader.number()); break;
    case FrameKind::cut: {
        const uint64_t other = reader.number();
        handle_cut(node, other, reader.number() != 0);
        break;
    }
    case FrameKind::report: handle_report(node, std::string(text)); break;
    case FrameKind::ended: {
        const int code = static_cast<int>(reader.number());
        for (size_t i = 0; i < 3 * nodes_.size(); ++i) node.traffic.push_back(reader.number());
        node.state = State::ended;
        if (code != 0 && !stop_) stop_job({code, {}}, "stop");
        break;
    }
    default: break;
    }
    if (kind != FrameKind::output && kind != FrameKind::error) return;
    // A program erases its progress bar on standard error before it prints a line. Therefore, if standard error is a
    // terminal, an incomplete line of standard error is passed on before a line of standard output.
    if (kind == FrameKind::output && error_sink_.is_terminal()) node.error->flush_partial();
    const Stream &stream = kind == FrameKind::output ? *node.output : *node.error;
    if (stream.has_partial() && stream.sink().is_terminal() && partial_deadline_ <= 0)
        partial_deadline_ = now() + partial_time;
}

// Handles a report of a node's supervisor, the parent of the node's PEs (node_part.hpp lists the reports).
void Cluster::handle_report(Node &node, const std::string &line) {
    const std::string word = line.substr(0, line.find(' '));
    const std::string rest = line.size() > word.size() ? line.substr(word.size() + 1) : "";
    if (handle_standstill(node, word, rest)) return;
    if (word == "failed") {
        check_timeout(now()); // possibly the node has ended its PEs for the same reason (timeout_node_limit)
        if (stop_) return;    // only the first failure is reported, because it can be the cause of the later failures
        stop_job({std::atoi(rest.c_str()), {}}, "stop", &node);
        failed_ = &node;
    } else if (word == "line") {
        if (failed_ == &node) stop_->line = fmt::format("on {}: {}", node.host.name, rest);
    } else if (word == "usage") {
        if (const std::optional<PeUsage> usage = read_usage(rest)) node.usage.push_back(*usage);
    } else if (word == "ended") {
        const int index = std::atoi(rest.c_str()) - node.range.first;
        if (index >= 0 && index < node.range.count) node.ended_pes[static_cast<size_t>(index)] = '1';
    } else if (word == "uninitialized") {
        const size_t space = std::min(rest.find(' '), rest.size());
        node.uninitialized = {std::atoi(rest.c_str()), fmt::format("on {}:{}", node.host.name, rest.substr(space))};
        check_uninitialized();
    } else if (word == "refused") {
        const size_t space = std::min(rest.find(' '), rest.size());
        if (!stop_)
            stop_job({std::atoi(rest.c_str()), fmt::format("node {}:{}", node.host.name, rest.substr(space))}, "stop",
                     &node);
    } else if (word == "program") {
        node.program = rest;
        check_programs();
    }
}

// Ends the job if two nodes run different files: the program's file on a node differs from the file on the first node.
void Cluster::check_programs() {
    if (stop_ || programs_checked_ ||
        std::ranges::any_of(nodes_, [](const Node &node) { return node.program.empty(); }))
        return;
    programs_checked_ = true;
    for (const Node &node : nodes_)
        if (node.program != nodes_.front().program) {
            stop_job({exit_failure,
                      fmt::format("{} has different contents on nodes {} and {}; all nodes must run the same program",
                                  options_.command.front(), nodes_.front().host.name, node.host.name)},
                     "stop");
            return;
        }
}

// Ends the job if a PE has ended before shmem_init and PEs of another node have called shmem_init. shmem_init is
// collective, so the PEs of the other node would wait for ever. The node of the ended PE has possibly ended too, because
// none of its PEs runs any more.
void Cluster::check_uninitialized() {
    const auto node = std::ranges::find_if(nodes_, [](const Node &each) { return each.uninitialized.has_value(); });
    const bool others_wait = std::ranges::any_of(nodes_, [](const Node &each) { return !each.ports.empty(); });
    if (stop_ || node == nodes_.end() || !others_wait) return;
    failed_ = &*node;
    stop_job(*node->uninitialized, "stop");
}

// Tells all nodes where each of them is watched, as soon as every node has told it. This does not wait for shmem_init, so
// that a path that is cut before is noticed too.
void Cluster::send_endpoints() {
    if (std::ranges::any_of(nodes_, [](const Node &node) { return node.endpoint.empty(); })) return;
    Message message;
    for (const Node &node : nodes_) message.add(node.endpoint);
    for (Node &node : nodes_)
        if (node.state == State::running) node.channel->send(FrameKind::endpoints, message.text());
}

// Sends the network addresses of all nodes to all nodes, as soon as every node has sent its own addresses.
void Cluster::send_addresses() {
    if (addresses_sent_ || std::ranges::any_of(nodes_, [](const Node &node) { return node.ports.empty(); })) return;
    addresses_sent_ = true;
    Message message;
    for (const Node &node : nodes_) add_texts(message, node.ports);
    for (Node &node : nodes_)
        if (node.state == State::running) node.channel->send(FrameKind::addresses, message.text());
}

void Cluster::read_input() {
    std::array<char, 16 * 1024> buffer{};
    const ssize_t length = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (length < 0 && errno == EIO) { // the terminal belongs to another process group at the moment
        input_retry_ = now() + input_pause;
        return;
    }
    Node &first = nodes_.front();
    input_ended_ = length <= 0;
    if (first.state != State::running) return;
    first.channel->send(FrameKind::input, {buffer.data(), static_cast<size_t>(std::max<ssize_t>(length, 0))});
    if (length > 0) input_sent_ += static_cast<size_t>(length);
}

// Sends the queued frames (messages to the nodes) and writes the queued output. Ends the job if the output cannot be
// written.
void Cluster::flush() {
    for (Sink *sink : {&output_, &error_}) {
        if (sink->error() != 0 || sink->flush() || stop_) continue;
        const WriteFailure failure = sink->failure();
        stop_job({failure.code, failure.line, failure.hangup},
                 failure.hangup ? fmt::format("end {} {}", SIGHUP, interrupt_limit) : "stop");
    }
    if (!output_.is_full() && !error_.is_full()) confirm_output();
    for (Node &node : nodes_) {
        if (!node.channel || node.state == State::ended || node.state == State::lost) continue;
        if (now() - node.alive_sent >= alive_interval) {
            node.channel->send(FrameKind::alive);
            node.alive_sent = now();
        }
        if (!node.channel->flush()) receive(node); // the connection is broken: reads the node's last frames
    }
}

// Tells each node how many bytes of its output were written. A node stops sending output while too many bytes are not
// confirmed.
void Cluster::confirm_output() {
    for (Node &node : nodes_) {
        if (node.unconfirmed == 0 || node.state != State::running) continue;
        node.channel->send(FrameKind::consumed, Message().add(node.unconfirmed).text());
        node.unconfirmed = 0;
    }
}

// Ends the job when the time of --timeout is over. If the job is ending already, waits for the nodes no longer than after a
// timeout.
void Cluster::check_timeout(double time) {
    if (job_deadline_ <= 0 || time < job_deadline_) return;
    job_deadline_ = 0;
    if (stop_) stop_->hurried = true;
    else
        stop_job({exit_timeout,
                  fmt::format("job stopped after {} s (--timeout), {} still running", *options_.timeout_seconds,
                              list_running()),
                  true},
                 fmt::format("end {} {}", SIGTERM, timeout_kill_limit));
    give_up_at_ = std::min(give_up_at_, time + timeout_lost_limit);
}

void Cluster::check_time() {
    const double time = now();
    check_timeout(time);
    if (partial_deadline_ > 0 && time >= partial_deadline_) {
        partial_deadline_ = 0;
        for (const Node &node : nodes_)
            for (Stream *stream : {node.output.get(), node.error.get()})
                if (stream->sink().is_terminal()) stream->flush_partial();
    }
    if (!distributed_) {
        check_hosts(time);
        check_slurm_daemons(time);
    }
    for (Node &node : nodes_) check_node(node, time);
    check_cut(time);
    check_late(time);
    if (suspicion_ && !stop_ && time > suspicion_->deadline) stop_start(suspicion_->line);
}

} // namespace skerry
