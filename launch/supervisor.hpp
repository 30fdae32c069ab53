// SPDX-License-Identifier: BSD-3-Clause
// The supervisor is the parent of all PEs. The supervisor starts the PEs, forwards their output, passes signals on to
// them, and ends the job if a PE fails.
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

#include <ctime>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace skerry {

class Supervisor {
  public:
    Supervisor(const Options &options, const Processors &processors, const Inheritance &inheritance);

    // Runs the job to its end, prints what went wrong, and returns oshrun's exit code.
    int run();

  private:
    // Describes why and how the job stops before all PEs have ended by themselves.
    struct Stop {
        int code = 0;
        std::string line{};             // error message, printed at the end of the job; empty for none
        std::optional<Ending> ending{}; // end of a PE; if set, the message describes it, and `line` is not used
        bool hurried = false;           // true: the user wants the job to end, and output that nobody reads is dropped
        bool launcher_died = false;     // the front, the keeper or both have died
        bool commanded = false;         // true: skerry-node has told this supervisor to stop
    };

    // Functions that starting.cpp defines.
    void raise_descriptor_limit();
    void start_all();
    bool start(size_t index, SpawnRequest &request);
    SpawnRequest prepare_request();
    SharedProcessors shared_processors() const;
    std::string describe_job(int rank, bool own_processors) const;
    void add_stream(int descriptor, int rank, Sink &sink);

    // Functions that supervisor.cpp defines: one round of the loop, and the events of the loop.
    void watch_descriptors();
    void step(double longest_wait);
    double next_deadline() const;
    void check_deadlines();
    void handle_timeout();
    void receive_inputs();
    void receive_input(size_t index); // `index` of a stream: 2 * PE for standard output, 2 * PE + 1 for standard error
    void flush_sinks();
    void handle_signals();
    void handle_interrupt(int signal, bool from_terminal);

    // Functions that node_events.cpp defines: the connection to skerry-node. Used if this oshrun runs one node's part
    // of a job.
    void receive_commands();
    void obey(const std::string &command);
    void continue_node() const;
    void report(const std::string &line);
    void report_standstill();
    void confirm_standstill(const std::string &round);

    // Functions that supervisor.cpp defines: the end of PEs and of the job.
    void reap();
    void note_oom_kills();
    void consider_end(int rank, pid_t process, int status);
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
    std::string list_running() const;

    int rank_of(size_t index) const { // `index`: of an element of pes_
        return options_.first_pe + static_cast<int>(index);
    }

    const Options &options_;
    const Processors &processors_;
    const Inheritance &inheritance_;
    struct rlimit descriptors_ {}; // the limit on descriptors that oshrun was started with
    bool descriptors_raised_ = false;
    JobMemory memory_;
    const time_t begun_ = time(nullptr);

    // The memory that a new process reads until its exec (spawn.hpp explains why it is kept).
    struct Launch {
        SpawnRequest request;
        std::string job, rank; // environment variables of this PE, "NAME=VALUE"
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
    std::string commands_; // incomplete command from skerry-node
    Sink output_, error_;
    Sink &error_sink_; // sink for standard error: output_ if both are the same open file, else error_
    bool output_watched_ = false, error_watched_ = false;
    std::deque<Stream> streams_; // two per PE
    std::vector<Pe> pes_;        // the PEs that this oshrun starts; their ranks begin at options_.first_pe
    std::unordered_map<pid_t, size_t> pe_of_process_; // index in pes_
    int running_ = 0;

    std::optional<Stop> stop_;
    double stopped_at_ = 0, hurried_at_ = 0;
    bool given_up_ = false;               // true: PEs are left that cannot be killed
    bool all_ended_ = true;               // false: processes are left that PEs have started and that cannot be killed
    std::optional<Ending> suspicion_;     // end of a PE by a signal that will possibly reach this process too
    std::optional<Ending> uninitialized_; // end of the first PE that ended before shmem_init
    std::optional<OomKills> oom_kills_{}; // counter of OOM kills; empty until the first PEs have started
    StrandedWatch stranded_;
    // Used if this oshrun runs one node's part of a job.
    // * is_watched_: skerry-node has sent the command `watch`.
    // * has_reported_leave_: a PE of this node has ended, and the supervisor has reported `left`.
    // * reported_: the last report `stands`.
    // * is_heard_: skerry-node has taken the last report.
    bool is_watched_ = false, has_reported_leave_ = false, is_heard_ = true;
    std::optional<StrandedWatch::Standstill> reported_;

    // Deadlines, in seconds (clock.hpp); 0 for none. step() does the action of a deadline when its time has come.
    double job_deadline_ = 0;
    double kill_deadline_ = 0; // when PEs that got a signal to end are killed
    double suspicion_deadline_ = 0;
    double partial_deadline_ = 0;
    double uninitialized_deadline_ = 0;
    double stranded_deadline_ = 0;
    double give_up_deadline_ = 0;
};

} // namespace skerry
