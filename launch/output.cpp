// SPDX-License-Identifier: BSD-3-Clause
// Forwards the output of PEs. A Stream reads the pipe from a PE, and passes a line on to a Sink when the line is
// complete. A Sink is oshrun's own standard output or error. The sinks do not set O_NONBLOCK, because that would change
// the file for other processes that share it. After poll() has reported that a pipe is writable, a write of at most
// PIPE_BUF bytes does not block. Therefore O_NONBLOCK is not needed.
#include "output.hpp"

#include "clock.hpp"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <linux/kcmp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace skerry {

namespace {

// How many bytes of an incomplete line a stream (the pipe from a PE) keeps. The rest of a longer line is passed on in
// parts, and another PE's output can come between the parts.
// * longest_line: the usual limit.
// * short_line: the limit if the incomplete lines of all streams together have more than most_kept bytes.
// * short_line is also the limit of a stream that is alone at its sink. No other output can come between its parts.
constexpr size_t longest_line = size_t{64} << 20;
constexpr size_t most_kept = size_t{1} << 30;
constexpr size_t short_line = 64 * 1024;

std::array<char, 64 * 1024> buffer; // for receive(); shared by all streams, because only one receives at a time
size_t kept = 0;                    // bytes of the incomplete lines of all streams

// Empties `text`. Frees its memory if that is more than `usual` bytes.
void clear(std::string &text, size_t usual) {
    if (text.capacity() > usual) std::string().swap(text);
    else text.clear();
}

} // namespace

int terminal_columns() {
    struct winsize size {};
    if (isatty(STDERR_FILENO) == 0) return 0;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

Sink::Sink(int descriptor, int columns) : descriptor_(descriptor), terminal_(columns > 0 || isatty(descriptor) != 0) {
    struct stat status {};
    if (fstat(descriptor, &status) == 0) {
        blocks_ = terminal_ || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
        device_ = status.st_dev;
        inode_ = status.st_ino;
    }
}

bool Sink::is_same_as(const Sink &other) const {
    const pid_t self = getpid();
    const long order = syscall(SYS_kcmp, self, self, KCMP_FILE, descriptor_, other.descriptor_);
    if (order >= 0) return order == 0;
    return blocks_ && other.blocks_ && device_ == other.device_ && inode_ == other.inode_;
}

void Sink::append(const Stream &from, std::string_view text, const std::string &tag) {
    if (error_ != 0) return;
    if (unfinished_ != nullptr && unfinished_ != &from) finish_line();
    if (tag.empty()) {
        queue_.append(text);
        // A text that ends with a newline or with the terminal's sequence that erases a line needs no newline after it.
        // The sequence belongs to a progress bar.
        unfinished_ = text.ends_with('\n') || text.ends_with("\r\033[K") ? nullptr : &from;
        return;
    }
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        if (unfinished_ == nullptr) queue_.append(tag);
        queue_.append(text.substr(0, end));
        unfinished_ = text[end - 1] == '\n' ? nullptr : &from;
        text.remove_prefix(end);
    }
}

void Sink::append_own(std::string_view lines) {
    if (error_ != 0) return;
    finish_line();
    queue_.append(lines);
}

void Sink::finish_line() {
    if (unfinished_ != nullptr) queue_.push_back('\n');
    unfinished_ = nullptr;
}

WriteFailure Sink::failure() const {
    if (error_ == EPIPE) return {exit_signal + SIGPIPE, {}, false};
    if (error_ == EIO && terminal_) return {exit_signal + SIGHUP, {}, true};
    return {exit_failure,
            fmt::format("{}: {}; job stopped",
                        descriptor_ == STDOUT_FILENO ? "cannot write standard output" : "cannot write standard error",
                        std::strerror(error_)),
            false};
}

bool Sink::flush() {
    while (waiting()) {
        size_t length = queue_.size() - sent_;
        if (blocks_) {
            struct pollfd wait = {descriptor_, POLLOUT, 0};
            if (poll(&wait, 1, 0) == 0) {
                // If the reader is slow, the queue possibly never becomes empty. Therefore the part that is already
                // sent is erased here, but only if it is more than half of the queue. A smaller limit would move a long
                // queue again and again.
                if (sent_ > full_bytes && sent_ > queue_.size() / 2) queue_.erase(0, std::exchange(sent_, 0));
                return true;
            }
            length = std::min<size_t>(length, PIPE_BUF);
        }
        const ssize_t written = write(descriptor_, queue_.data() + sent_, length);
        if (written > 0) {
            sent_ += static_cast<size_t>(written);
            last_written_ = now();
        } else if (errno == EAGAIN) {
            return true;
        } else if (errno != EINTR) {
            error_ = errno;
            queue_.clear();
            sent_ = 0;
            return false;
        }
    }
    clear(queue_, 16 * full_bytes);
    sent_ = 0;
    return error_ == 0;
}

Stream::Stream(int descriptor, Sink &sink, std::string tag, bool alone)
    : descriptor_(descriptor), sink_(&sink), tag_(std::move(tag)), alone_(alone) {
}

Stream::Received Stream::receive() {
    const ssize_t length = read(descriptor_, buffer.data(), buffer.size());
    if (length < 0) return errno == EAGAIN || errno == EINTR ? Received::nothing : Received::end;
    if (length == 0) return Received::end;
    take({buffer.data(), static_cast<size_t>(length)});
    return Received::some;
}

void Stream::take(std::string_view text) {
    const size_t last = text.rfind('\n');
    if (last != std::string_view::npos) {
        add_partial(text.substr(0, last + 1));
        flush_partial();
        text.remove_prefix(last + 1);
    }
    add_partial(text);
    const bool too_much = alone_ || kept > most_kept;
    if (partial_.size() > (too_much ? short_line : longest_line)) flush_partial();
}

void Stream::add_partial(std::string_view text) {
    partial_.append(text);
    kept += text.size();
}

void Stream::flush_partial() {
    if (partial_.empty()) return;
    sink_->append(*this, partial_, tag_);
    kept -= partial_.size();
    clear(partial_, 16 * short_line);
}

void Stream::close_pipe() {
    close(descriptor_);
    descriptor_ = -1;
}

} // namespace skerry
