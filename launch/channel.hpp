// SPDX-License-Identifier: BSD-3-Clause
// Declares the connection between oshrun and the helper program skerry-node, which runs one node's part of a job. A
// channel carries frames in both directions, over two pipes (to ssh) or one socket. A frame has a kind and a text. The
// bytes of a frame on the connection: the number of the kind (1 byte), the length of the text (4 bytes, the lowest byte
// first), the text.
#pragma once

#include "liveness.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skerry {

// Kinds of frames (messages between oshrun and a node). The first group goes from oshrun to a node, the second from a
// node to oshrun, the third both ways.
enum class FrameKind : uint8_t {
    start = 1, // what the node has to run: a Message (below) that cluster.cpp writes and node.cpp reads
    addresses, // network addresses of the ports of all nodes
    input,     // text for the standard input of PE 0; an empty text is the end of the input
    consumed,  // number of bytes of output that oshrun has written since the last such frame
    control,   // a command for the node's supervisor, as a line of text (node_part.hpp lists them)

    hello,      // version, name and processors of the node, address of its kernel, number of its Slurm job
    refused,    // the node cannot begin: exit code and error message
    own_ports,  // network addresses of the node's own ports
    output,     // text of the node's standard output
    error,      // text of the node's standard error
    input_read, // number of bytes of input that the node has passed on to PE 0 since the last such frame
    cut,        // the node does not reach another node: index of that node, and 1 if it has reached that node before
    report,     // a report of the node's supervisor, as a line of text (node_part.hpp lists them)
    ended,      // the node has ended its part of the job: exit code, traffic

    alive, // no content: shows that the other side still runs

    // New kinds are at the end: `hello` keeps its number, so that the version of a node with another version can be read.
    endpoint,  // from a node: where it is watched (node_watch.h)
    endpoints, // to a node: where all nodes are watched
};

// Puts numbers and texts one after the other into one text, which can be the text of a frame.
class Message {
  public:
    Message &add(uint64_t number);
    Message &add(std::string_view text);
    const std::string &text() const {
        return text_;
    }

  private:
    std::string text_;
};

// Reads a Message. If the text is not a Message, every function returns 0 or an empty text, and valid() returns false.
class MessageReader {
  public:
    explicit MessageReader(std::string_view text) : rest_(text) {
    }
    uint64_t number();
    std::string text();
    std::vector<std::string> texts(); // reads a number, and then this number of texts
    bool valid() const {
        return valid_;
    }

  private:
    std::string_view take(size_t bytes);

    std::string_view rest_;
    bool valid_ = true;
};

void add_texts(Message &message, const std::vector<std::string> &texts);

class Channel {
  public:
    // Takes over both descriptors, and makes them non-blocking. `input` and `output` are equal if the connection is a
    // socket.
    Channel(int input, int output);
    ~Channel();
    Channel(const Channel &) = delete;
    Channel &operator=(const Channel &) = delete;

    // Puts a frame into the queue of unsent frames.
    void send(FrameKind kind, std::string_view text = {});

    // Sends as much of the queue as the connection accepts. Returns false if the connection is broken.
    bool flush();

    // Sends the whole queue, in at most `seconds`. Returns false if that fails.
    bool flush_all(double seconds);

    // Reads the bytes that have arrived and calls `handle` for each complete frame, except for frames of kind `alive`.
    // Skips text before the first frame, such as the output of a shell's start-up file. Returns false if the connection
    // has ended or if the bytes are no frame.
    using Handler = std::function<void(FrameKind, std::string_view)>;
    bool receive(const Handler &handle);

    bool waiting() const {
        return sent_ < queue_.size();
    }
    int input() const {
        return input_;
    }
    int output() const {
        return output_;
    }
    // Records that the caller has just polled the connection. Must be called before receive(). The other side's silence
    // counts only between two polls (silence.hpp).
    void polled();
    // Sets the object that asks the kernel of the other side's machine for a sign of life (liveness.hpp). The object is
    // asked only if the other side itself is silent.
    void set_kernel(std::unique_ptr<PeerKernel> kernel) {
        liveness_.set_kernel(std::move(kernel));
    }
    // Returns true if the other side is dead. Must be called once after each poll, after receive().
    bool is_dead() {
        return liveness_.is_dead();
    }
    double silent_seconds() const { // seconds since the last bytes arrived; counts only time in which the caller polled
        return liveness_.silent_seconds();
    }
    void forget_silence();
    // Returns the text that arrived before the first frame, such as the output of a shell's start-up file.
    const std::string &preamble() const {
        return preamble_;
    }

  private:
    bool skip_preamble();

    int input_, output_;
    std::string queue_, arrived_, preamble_;
    size_t sent_ = 0;
    bool begun_ = false; // true: the mark before the first frame has arrived
    Liveness liveness_;
};

} // namespace skerry
