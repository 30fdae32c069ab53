// SPDX-License-Identifier: BSD-3-Clause
// The parent of all PEs: starts them, forwards their output and signals, and ends the job when one fails.
#pragma once

#include "chain.hpp"
#include "ending.hpp"
#include "oom_kills.hpp"
#include "options.hpp"
#include "output.hpp"
#include "placement.hpp"
#include "spawn.hpp"
#include "stats.hpp"
#include "stranded.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace skerry {

class Supervisor {
  public:
    Supervisor(const Options &options, const Processors &processors, const Inheritance &inheritance);

    // Runs the job to its end and says what went wrong; returns oshrun's exit code.
    int run();

  private:
    // Why and how the job stops before all PEs have ended by themselves.
    struct Stop {
        int code = 0;
        std::string line;               // said at the end; empty for none
        std::optional<Ending> ending{}; // described at the end, for the line
        bool hurried = false;           // the user wants it to end: output that nobody takes is dropped
        bool launcher_died = false;     // the front or the keeper, or both
    };

    // starting.cpp
    void raise_descriptor_limit();
    void start_all();
    bool start(int pe, SpawnRequest &request);
    SpawnRequest prepare_request();
    std::string describe_job(int pe, bool own_processors) const;
    void add_stream(int descriptor, int pe, Sink &sink);

    // supervisor.cpp: one round of the loop, and what it may find
    void watch_descriptors();
    void step(double longest_wait);
    double next_deadline() const;
    void check_deadlines();
    void handle_timeout();
    void receive_inputs();
    void receive_input(size_t index); // of a stream: twice the PE, and 1 more for its errors
    void flush_sinks();
    void handle_signals();
    void handle_interrupt(int signal, bool from_terminal);

    // supervisor.cpp: the end
    void reap();
    void note_oom_kills();
    void consider_end(int pe, pid_t process, int status);
    void consider(const Ending &ending);
    void check_uninitialized();
    void check_stranded();
    void stop_job(Stop reason, int signal, double limit);
    void signal_all(int signal);
    void drain(size_t which);
    void wait_for_readers();
    std::string describe_stop() const;
    std::string last_words();
    bool may_wait_for_reader() const;
    int finish();
    std::string list_running(const std::function<bool(int)> &which) const;

    const Options &options_;
    const Processors &processors_;
    const Inheritance &inheritance_;
    struct rlimit descriptors_ {}; // as oshrun was started with
    bool descriptors_raised_ = false;
    JobMemory memory_;

    // What new processes read until they run the program (spawn.hpp).
    struct Launch {
        SpawnRequest request;
        std::string job, rank; // variables
        std::vector<char *> environment{};
    };
    Program program_;
    std::string shell_ = "sh";
    std::vector<char *> arguments_, script_arguments_, variables_;
    std::vector<ProcessorSet> placement_;
    std::deque<Launch> launches_; // one per PE
    SpawnStacks stacks_;

    int events_ = -1, inputs_ = -1, signals_ = -1;
    bool inputs_watched_ = false;
    Sink output_, error_;
    Sink &error_sink_; // one for both when they are one file
    bool output_watched_ = false, error_watched_ = false;
    std::deque<Stream> streams_; // two per PE
    std::vector<Pe> pes_;
    std::unordered_map<pid_t, int> pe_of_process_;
    int running_ = 0;

    std::optional<Stop> stop_;
    double stopped_at_ = 0, hurried_at_ = 0;
    bool given_up_ = false;               // PEs are left that cannot be killed
    bool all_ended_ = true;               // likewise what they have started
    std::optional<Ending> suspicion_;     // a PE ended by a signal that may be on its way to us too
    std::optional<Ending> uninitialized_; // the first PE that left before shmem_init
    std::optional<OomKills> oom_kills_{}; // since the first PEs were started
    StrandedWatch stranded_;

    // Moments at which something is due; 0 for none.
    double job_deadline_ = 0;
    double kill_deadline_ = 0; // end of the patience with PEs that were asked to end
    double suspicion_deadline_ = 0;
    double partial_deadline_ = 0;
    double uninitialized_deadline_ = 0;
    double stranded_deadline_ = 0;
    double give_up_deadline_ = 0;
};

} // namespace skerry
