// SPDX-License-Identifier: BSD-3-Clause
// The way of a PE's output to oshrun's own: whole lines, so that those of different PEs never mix.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skerry {

class Stream;

// Standard output or standard error of oshrun. Never blocks: what cannot be written now is kept.
class Sink {
  public:
    explicit Sink(int descriptor);

    // Appends part of `from`'s output; where another stream's line was left unfinished, it is finished first.
    void append(const Stream &from, std::string_view text, const std::string &tag);

    // Appends lines of oshrun's own.
    void append_own(std::string_view lines);

    // Writes what can be written; false once the reader has gone or the file cannot take more (then `error()`).
    bool flush();

    int descriptor() const {
        return descriptor_;
    }
    bool waiting() const {
        return error_ == 0 && sent_ < queue_.size();
    }
    bool crowded() const {
        return error_ == 0 && queue_.size() - sent_ > crowded_bytes;
    }
    bool is_terminal() const {
        return terminal_;
    }
    bool is_same_as(const Sink &other) const; // one open file for both
    int error() const {
        return error_;
    }
    size_t bytes_waiting() const {
        return waiting() ? queue_.size() - sent_ : 0;
    }
    double last_written() const { // moment
        return last_written_;
    }

  private:
    static constexpr size_t crowded_bytes = size_t{1} << 20;

    int descriptor_;
    bool terminal_;
    bool blocks_ = false; // a pipe, socket or terminal; a file never makes us wait
    unsigned long device_ = 0, inode_ = 0;
    int error_ = 0;
    void finish_line();

    std::string queue_;
    size_t sent_ = 0;
    double last_written_ = 0;
    const Stream *unfinished_ = nullptr; // whose line has no end yet
};

// One of the two pipes from a PE.
class Stream {
  public:
    // `alone`: no other stream leads to the sink, so that nothing can cut a line.
    Stream(int descriptor, Sink &sink, std::string tag, bool alone);

    // Takes what has arrived, at most one buffer full.
    enum class Received { some, nothing, end };
    Received receive();

    // Passes on an unfinished line: at the end, or so that a prompt can be seen.
    void flush_partial();

    bool has_partial() const {
        return !partial_.empty();
    }
    bool open() const {
        return descriptor_ >= 0;
    }
    int descriptor() const {
        return descriptor_;
    }
    Sink &sink() const {
        return *sink_;
    }
    void close_pipe();

  private:
    void add_partial(std::string_view text);

    int descriptor_;
    Sink *sink_;
    std::string tag_;
    bool alone_;
    std::string partial_;
};

} // namespace skerry
