// SPDX-License-Identifier: BSD-3-Clause
// Handles the commands of skerry-node in the supervisor, and sends reports to skerry-node (node_part.hpp lists both).
#include "supervisor.hpp"

#include "clock.hpp"
#include "limits.hpp"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace skerry {

// Continues skerry-node, if it is stopped. It has made both ends of the socket.
void Supervisor::continue_node() const {
    struct ucred peer {};
    socklen_t bytes = sizeof peer;
    if (getsockopt(options_.part->control, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.pid > 0)
        kill(peer.pid, SIGCONT);
}

void Supervisor::receive_commands() {
    std::array<char, 512> buffer{};
    const ssize_t length = recv(options_.part->control, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (length <= 0) { // skerry-node has died
        epoll_ctl(events_, EPOLL_CTL_DEL, options_.part->control, nullptr);
        stop_job({.code = exit_signal + SIGKILL, .hurried = true, .commanded = true}, SIGKILL, 0);
        return;
    }
    commands_.append(buffer.data(), static_cast<size_t>(length));
    for (size_t end; (end = commands_.find('\n')) != std::string::npos; commands_.erase(0, end + 1))
        obey(commands_.substr(0, end));
}

void Supervisor::obey(const std::string &command) {
    int signal = 0;
    double seconds = 0;
    if (command == "stop") {
        stop_job({.code = exit_failure, .hurried = true, .commanded = true}, SIGKILL, 0);
    } else if (std::sscanf(command.c_str(), "end %d %lf", &signal, &seconds) == 2) {
        stop_job({.code = exit_failure, .hurried = true, .commanded = true}, signal, seconds);
    } else if (std::sscanf(command.c_str(), "signal %d", &signal) == 1) {
        signal_all(signal);
    } else if (command == "pause" || command == "resume") {
        for (const Pe &pe : pes_)
            if (pe.running) kill(pe.process, command == "pause" ? SIGSTOP : SIGCONT);
    } else if (command == "watch") {
        if (!is_watched_) stranded_deadline_ = now();
        is_watched_ = true;
    } else if (command.starts_with("confirm ")) {
        confirm_standstill(command.substr(8));
    }
}

// Reports two kinds of events to skerry-node:
// * The first PE of this node has ended. The other nodes then check if their PEs wait for the ended PE.
// * The standstill, the state in which no PE of this node does anything (standstill.hpp), has begun, changed or ended.
void Supervisor::report_standstill() {
    if (!has_reported_leave_ && stranded_.has_any_ended()) {
        has_reported_leave_ = true;
        report("left");
    }
    const auto found = is_watched_ || running_ == 0 ? stranded_.look() : std::nullopt;
    if (found == reported_) return;
    reported_ = found;
    if (!found) report("moves");
    else
        report(fmt::format("stands {} {} {} {}", found->sent, found->executed,
                           found->waiting.empty() ? "-" : found->waiting,
                           found->ended ? stranded_.describe_ended(*found->ended) : ""));
}

// Confirms that the node has stood still (no PE did anything) since the last report. Polls the PEs once more; if
// something has changed, confirms nothing.
void Supervisor::confirm_standstill(const std::string &round) {
    report_standstill();
    if (reported_) report("confirmed " + round);
}

// Sends a line to skerry-node. The socket holds thousands of lines, and skerry-node reads them without delay. Drops
// this line if skerry-node reads nothing for message_limit seconds, and the next lines at once if it still reads nothing.
void Supervisor::report(const std::string &line) {
    if (!options_.part) return;
    const std::string text = line + '\n';
    struct pollfd room = {options_.part->control, POLLOUT, 0};
    is_heard_ = poll(&room, 1, is_heard_ ? static_cast<int>(message_limit * 1e3) : 0) == 1;
    if (is_heard_) (void)send(options_.part->control, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

} // namespace skerry
