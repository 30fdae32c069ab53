// SPDX-License-Identifier: BSD-3-Clause
// Forwards the output of PEs to oshrun's own output in whole lines, so that lines of different PEs do not mix.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skerry {

class Stream;

// Describes what a failed write means for the job.
struct WriteFailure {
    int code;         // exit code of the job
    std::string line; // error message; empty for none
    bool hangup;      // the terminal was closed
};

// Returns the number of columns of the terminal on standard error; 0 if standard error is no terminal. The PEs get this
// number, because their own outputs are pipes. A PE needs the number to show its progress.
int terminal_columns();

// Standard output or standard error of oshrun. No function of this class blocks. Text that cannot be written at once
// stays in a queue.
class Sink {
  public:
    // `columns` is not 0 if another process writes the text of this sink to a terminal. `columns` is then the width of
    // the terminal, and `descriptor` itself is no terminal.
    explicit Sink(int descriptor, int columns = 0);

    // Appends text of stream `from`, and puts `tag` before each line. If the queue ends with an incomplete line of
    // another stream, ends that line first.
    void append(const Stream &from, std::string_view text, const std::string &tag);

    // Appends lines that oshrun itself prints.
    void append_own(std::string_view lines);

    // Writes as much of the queue as is possible without blocking. Returns false if a write has failed; error() then
    // returns the errno. Examples: the reader has closed the pipe, or the disk is full.
    bool flush();

    int descriptor() const {
        return descriptor_;
    }
    bool waiting() const {
        return error_ == 0 && sent_ < queue_.size();
    }
    bool is_full() const {
        return error_ == 0 && queue_.size() - sent_ > full_bytes;
    }
    bool is_terminal() const {
        return terminal_;
    }
    bool is_same_as(const Sink &other) const; // returns true if both descriptors lead to the same open file
    int error() const {
        return error_;
    }
    // Returns what a failed write means for the job. In two cases the job ends without a message:
    // * The reader has closed the pipe. A single program would end by SIGPIPE, without a message too.
    // * A terminal was closed. The signal SIGHUP will arrive.
    WriteFailure failure() const;
    size_t bytes_waiting() const {
        return waiting() ? queue_.size() - sent_ : 0;
    }
    double last_written() const { // time of the last write (clock.hpp); 0 before the first one
        return last_written_;
    }

  private:
    static constexpr size_t full_bytes = size_t{1} << 20;

    int descriptor_;
    bool terminal_;
    bool blocks_ = false; // true: a pipe, socket or terminal, where a write can block; a write to a file does not
    unsigned long device_ = 0, inode_ = 0;
    int error_ = 0;
    void finish_line();

    std::string queue_;
    size_t sent_ = 0;
    double last_written_ = 0;
    const Stream *unfinished_ = nullptr; // the stream whose line at the queue's end is not complete yet
};

// One of the two pipes from a PE: its standard output or its standard error.
class Stream {
  public:
    // `alone` is true if no other stream writes to the sink. Then no other text can come between the parts of a line.
    Stream(int descriptor, Sink &sink, std::string tag, bool alone);

    // Reads the bytes that have arrived in the pipe, at most one buffer full, and passes complete lines on to the sink.
    enum class Received { some, nothing, end };
    Received receive();

    // Handles `text` in the same way as bytes that receive() has read from the pipe.
    void take(std::string_view text);

    // Passes an incomplete line on to the sink (oshrun's standard output or error). Called at the end of the output,
    // and to show a prompt on a terminal.
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
