// SPDX-License-Identifier: BSD-3-Clause
// Implements a session with gdb. A session has four states: the program is stopped, runs under gdb's control, runs
// without gdb (detached), or the session is over.
#include "gdb/session.hpp"

#include <algorithm>

#include "chip/describe.hpp"

namespace skerry::sim::gdb {
namespace {

constexpr int limit = 200; // longest wait for gdb, in ms, between two checks of interrupted_
constexpr std::uint64_t cycles_between_polls = 50'000; // cycles between two polls of the connection

} // namespace

Ending Session::run(std::uint64_t max_cycles) {
    while (state_ != State::over) {
        switch (state_) {
        case State::standing: serve(); break;
        case State::running: go_on(max_cycles); break;
        case State::detached:
            ending_ = chip_.run(max_cycles, &interrupted_);
            state_ = State::over;
            break;
        case State::over: break;
        }
    }
    return ending_;
}

void Session::receive(int milliseconds) {
    std::string bytes;
    const bool there = connection_.receive(bytes, milliseconds);
    reader_.feed(bytes);
    if (!there || interrupted_) end();
}

// Ends the session. The run ends too, if it has not ended before.
void Session::end() {
    if (!has_exited_) ending_ = {EndKind::interrupted, 1, 0};
    state_ = State::over;
}

void Session::serve() {
    receive(limit);
    while (state_ == State::standing) {
        const auto received = reader_.next();
        if (!received) return;
        handle(*received);
    }
}

void Session::handle(const Received &received) {
    switch (received.kind) {
    case Received::Kind::acknowledged: return;
    case Received::Kind::again: return put(last_sent_);
    case Received::Kind::damaged:
        if (stub_.acknowledges()) put("-");
        return;
    case Received::Kind::interrupt: return send(stub_.interrupted());
    case Received::Kind::packet: break;
    }
    if (stub_.acknowledges()) put("+");
    if (lost_) return;
    const Answer answer = stub_.answer(received.payload);
    switch (answer.then) {
    case Answer::Then::wait: send(answer.packet); break;
    case Answer::Then::run:
        if (const std::string stop = stub_.unreported(); !stop.empty()) {
            send(stop);
            if (has_exited_ && !stub_.has_processes()) state_ = State::over;
            return;
        }
        stub_.stops().resume();
        state_ = State::running;
        break;
    case Answer::Then::detach:
        send(answer.packet);
        stub_.stops().clear();
        state_ = has_exited_ ? State::over : State::detached;
        break;
    case Answer::Then::kill:
        if (!answer.packet.empty()) send(answer.packet);
        end();
        has_exited_ = true;
        if (!answer.packet.empty() && !lost_ && stub_.has_processes()) state_ = State::standing;
        break;
    }
}

void Session::go_on(std::uint64_t max_cycles) {
    const std::uint64_t until = std::min(max_cycles, chip_.now() + cycles_between_polls);
    const Ending ending = chip_.run(until, &interrupted_);
    if (ending.kind != EndKind::max_cycles || until == max_cycles) return report(ending);
    receive(0);
    while (const auto received = reader_.next()) {
        if (received->kind == Received::Kind::interrupt) {
            chip_.flush();
            state_ = State::standing;
            return send(stub_.interrupted());
        }
    }
}

// Reports the end of a run to gdb. After a deadlock or a stopped core, also prints the description of the end on gdb's
// console. If the program has ended, ends the session.
void Session::report(const Ending &ending) {
    chip_.flush();
    if (ending.kind == EndKind::deadlock || ending.kind == EndKind::polling || ending.kind == EndKind::stopped ||
        ending.kind == EndKind::nodes) {
        send("O" + to_hex(describe(chip_, ending, image_).substr(0, largest_packet / 2 - 2)));
    }
    ending_ = ending;
    const std::string packet = stub_.stopped(ending);
    has_exited_ = ending.kind == EndKind::exited;
    const bool last = ending.kind == EndKind::interrupted || (has_exited_ && !stub_.has_processes());
    state_ = last || lost_ ? State::over : State::standing;
    send(packet);
    std::string acknowledgement; // closing the connection before gdb has sent it could lose the last packet
    if (last && stub_.acknowledges()) connection_.receive(acknowledgement, 5 * limit);
}

void Session::send(const std::string &payload) {
    last_sent_ = frame(payload);
    put(last_sent_);
}

// Sends bytes to gdb. If gdb does not accept the bytes, treats the connection as closed and ends the session.
void Session::put(std::string_view bytes) {
    if (lost_) return;
    lost_ = !connection_.send(bytes, [this] { return interrupted_.load(); });
    if (!lost_ || state_ == State::over) return;
    end();
}

} // namespace skerry::sim::gdb
