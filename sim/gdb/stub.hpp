// SPDX-License-Identifier: BSD-3-Clause
// Answers gdb's packets. The class does not use the connection: it gets packets as strings and returns the answers as
// strings. gdb sees the cores as threads, numbered from 1, and PEs with programs of their own as processes. All cores stop
// and continue together.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chip/chip.hpp"
#include "gdb/processes.hpp"
#include "gdb/stops.hpp"

namespace skerry::sim::gdb {

struct Answer {
    enum class Then : std::uint8_t { wait, run, detach, kill };
    std::string packet; // the answer; not sent if `then` is Then::run
    Then then = Then::wait;
};

class Stub {
  public:
    // `program` is the path of the (first) program.
    explicit Stub(Chip &chip, const std::string &program = {});

    // Returns the answer to one packet. The packet is not trusted: it can have any content.
    Answer answer(std::string_view packet);
    // Returns the packet that reports to gdb why the run has stopped.
    std::string stopped(const Ending &ending);
    // Returns the packet for a stop that has already happened, and that gdb must know before the run continues. Returns an
    // empty string if there is none.
    std::string unreported();
    // Returns true if gdb knows processes that have not ended, although the job has ended.
    bool has_processes() const;
    // Returns the packet that reports a stop to gdb. Two cases: gdb has interrupted the run, or the run has not begun
    // yet.
    std::string interrupted();
    bool acknowledges() const {
        return acknowledges_;
    }
    Stops &stops() {
        return stops_;
    }

  private:
    Answer query(std::string_view packet);
    Answer resume(std::string_view packet);
    Answer resume_by_v(std::string_view actions);
    std::string transfer(std::string_view request);
    std::string agree(std::string_view features);
    Answer detach(std::string_view packet);
    Answer kill(std::string_view packet);
    std::string exited(int status);
    std::string started(std::uint32_t core);
    std::string hit(const Hit &hit);
    std::string stop_text(int signal, std::string_view why);
    std::string threads(bool first);
    std::string thread_list();
    std::string thread_words(std::uint32_t index);
    std::string monitor(std::string_view command);
    std::string choose_thread(std::string_view packet);
    std::string read_all();
    std::string write_all(std::string_view digits);
    std::string read_one(std::string_view number);
    std::string write_one(std::string_view assignment);
    std::string read_memory(std::string_view range);
    std::string write_memory(std::string_view packet, bool binary);
    std::string point(std::string_view packet);
    bool memory_at(std::uint32_t address, std::span<std::uint8_t> to);
    bool set_memory_at(std::uint32_t address, std::span<const std::uint8_t> from);
    bool exists(std::uint32_t index) const;
    std::optional<std::uint32_t> thread(std::string_view text) const;
    std::uint32_t some_core(const Threads &threads = {}) const;
    std::uint32_t group() const;
    Core &current() {
        return chip_.core(current_);
    }

    Chip &chip_;
    std::optional<Hit> hit_;
    std::optional<int> exit_status_; // of the job, if it has ended
    Processes processes_;
    Stops stops_;
    std::uint32_t current_ = 0;
    std::uint32_t stepped_ = 0; // index of the core that the packets s and c apply to
    std::uint32_t listed_ = 0;  // index of the first core that the next packet of the thread list can contain
    bool acknowledges_ = true;
    std::string last_stop_;
};

} // namespace skerry::sim::gdb
