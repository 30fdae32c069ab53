// SPDX-License-Identifier: BSD-3-Clause
#include "channel.hpp"

#include "clock.hpp"
#include "limits.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace skerry {

namespace {

// Each side sends this text before its first frame (a message with a header). The other side can receive other text
// first, such as the output of a shell's start-up file. The mark shows where the frames begin.
constexpr std::string_view mark = "\1skerry-node frames\n";
constexpr size_t preamble_most = size_t{64} << 10;
constexpr size_t header_bytes = 5;
constexpr size_t frame_most = size_t{256} << 20; // a longer frame is an error of the sender and breaks the connection

void append_number(std::string &text, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(number >> 8 * i));
}

uint64_t read_number(std::string_view text) {
    uint64_t number = 0;
    for (size_t i = text.size(); i-- > 0;) number = number << 8 | static_cast<unsigned char>(text[i]);
    return number;
}

void make_nonblocking(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

} // namespace

Message &Message::add(uint64_t number) {
    append_number(text_, number, 8);
    return *this;
}

Message &Message::add(std::string_view text) {
    add(text.size());
    text_.append(text);
    return *this;
}

void add_texts(Message &message, const std::vector<std::string> &texts) {
    message.add(texts.size());
    for (const std::string &text : texts) message.add(text);
}

std::string_view MessageReader::take(size_t bytes) {
    if (bytes > rest_.size()) {
        valid_ = false;
        rest_ = {};
        return {};
    }
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
}

uint64_t MessageReader::number() {
    return read_number(take(8));
}

std::string MessageReader::text() {
    return std::string(take(number()));
}

std::vector<std::string> MessageReader::texts() {
    std::vector<std::string> found;
    for (uint64_t left = number(); left > 0 && valid_; --left) found.push_back(text());
    return found;
}

Channel::Channel(int input, int output) : input_(input), output_(output), queue_(mark), liveness_(now()) {
    make_nonblocking(input);
    make_nonblocking(output);
}

Channel::~Channel() {
    close(input_);
    if (output_ != input_) close(output_);
}

void Channel::send(FrameKind kind, std::string_view text) {
    append_number(queue_, static_cast<uint64_t>(kind), 1);
    append_number(queue_, text.size(), 4);
    queue_.append(text);
}

bool Channel::flush() {
    while (waiting()) {
        const ssize_t written = write(output_, queue_.data() + sent_, queue_.size() - sent_);
        if (written > 0) sent_ += static_cast<size_t>(written);
        else if (errno == EAGAIN) return true;
        else if (errno != EINTR) return false;
    }
    queue_.clear();
    sent_ = 0;
    return true;
}

bool Channel::flush_all(double seconds) {
    const double end = now() + seconds;
    while (waiting()) {
        struct pollfd room = {output_, POLLOUT, 0};
        const double left = std::ceil((end - now()) * 1e3);
        if (left <= 0 || poll(&room, 1, static_cast<int>(left)) < 0 || !flush()) return false;
    }
    return true;
}

// Searches the received text for the mark, which precedes the first frame (a message with a header). Removes the mark
// and the text before the mark, and keeps the removed text as the preamble. Returns false if the first preamble_most
// bytes contain no mark.
bool Channel::skip_preamble() {
    const size_t at = arrived_.find(mark);
    if (at == std::string::npos) {
        preamble_ = arrived_;
        return arrived_.size() <= preamble_most;
    }
    preamble_ = arrived_.substr(0, at);
    arrived_.erase(0, at + mark.size());
    begun_ = true;
    return true;
}

void Channel::forget_silence() {
    liveness_.end_silence();
}

void Channel::polled() {
    liveness_.polled(now());
}

bool Channel::receive(const Handler &handle) {
    static std::array<char, 256 * 1024> buffer;
    const ssize_t length = read(input_, buffer.data(), buffer.size());
    if (length < 0) return errno == EAGAIN || errno == EINTR;
    if (length == 0) return false;
    liveness_.end_silence();
    arrived_.append(buffer.data(), static_cast<size_t>(length));
    if (!begun_ && (!skip_preamble() || !begun_)) return arrived_.size() <= preamble_most;
    size_t at = 0;
    while (arrived_.size() - at >= header_bytes) {
        const std::string_view rest = std::string_view(arrived_).substr(at);
        const size_t bytes = read_number(rest.substr(1, 4));
        if (bytes > frame_most) return false;
        if (rest.size() - header_bytes < bytes) break;
        at += header_bytes + bytes;
        const auto kind = static_cast<FrameKind>(rest[0]);
        if (kind != FrameKind::alive) handle(kind, rest.substr(header_bytes, bytes));
    }
    arrived_.erase(0, at);
    return true;
}

} // namespace skerry
