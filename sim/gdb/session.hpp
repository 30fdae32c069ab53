// SPDX-License-Identifier: BSD-3-Clause
// Performs a run under gdb's control. While the run is stopped, the session answers gdb's packets. While the chip runs,
// the session polls the connection every 50,000 cycles.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "chip/chip.hpp"
#include "gdb/connection.hpp"
#include "gdb/packet.hpp"
#include "gdb/stub.hpp"

namespace skerry::sim::gdb {

class Session {
  public:
    // `program` is the path of the image's file.
    Session(Chip &chip, const ElfImage &image, const std::string &program, Connection &connection,
            const std::atomic<bool> &interrupted)
        : chip_(chip), image_(image), connection_(connection), interrupted_(interrupted), stub_(chip, program) {
    }
    Stub &stub() {
        return stub_;
    }
    // Runs the program until it ends, or until gdb kills it or closes the connection. If gdb detaches, the program runs
    // on to its end.
    Ending run(std::uint64_t max_cycles);

  private:
    enum class State : std::uint8_t { standing, running, detached, over };
    void serve();
    void handle(const Received &received);
    void go_on(std::uint64_t max_cycles);
    void report(const Ending &ending);
    void send(const std::string &payload);
    void put(std::string_view bytes);
    void end();
    void receive(int milliseconds);

    Chip &chip_;
    const ElfImage &image_;
    Connection &connection_;
    const std::atomic<bool> &interrupted_;
    Stub stub_;
    PacketReader reader_;
    std::string last_sent_;
    bool lost_ = false; // true if gdb is unreachable: nothing more is sent
    State state_ = State::standing;
    bool has_exited_ = false; // the job has ended, but gdb has not yet seen the ends of all processes
    Ending ending_{EndKind::interrupted, 1, 0};
};

} // namespace skerry::sim::gdb
