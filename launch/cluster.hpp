// SPDX-License-Identifier: BSD-3-Clause
// Runs a job on several nodes. oshrun starts the helper program skerry-node on each node (node.cpp) and tells it which
// PEs to run. oshrun merges the output of all nodes. oshrun ends the job on all nodes if a PE fails, if a node does not
// answer, or if the user stops oshrun.
#pragma once

#include "chain.hpp"
#include "channel.hpp"
#include "connection.hpp"
#include "daemon_question.hpp"
#include "hosts.hpp"
#include "node_part.hpp"
#include "node_starter.hpp"
#include "options.hpp"
#include "output.hpp"
#include "standstill.hpp"
#include "stats.hpp"

#include "../src/machine/linux/host_watch.h"

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skerry {

class Cluster {
  public:
    Cluster(const Options &options, const Inheritance &inheritance);

    // Runs the job to its end, prints what went wrong, and returns oshrun's exit code.
    int run();

  private:
    enum class State {
        starting, // skerry-node has not answered yet
        waiting,  // has answered, and waits until oshrun tells it which PEs to run
        running,
        ended,
        lost, // does not answer any more, or has never answered
    };

    struct Stop {
        int code = 0;
        std::string line; // error message; empty for none, or if the node has not sent it yet
        bool hurried = false;
    };

    struct Node {
        Host host;
        State state = State::starting;
        std::unique_ptr<Channel> channel{};
        StarterProcess starter{}; // the ssh that started this node; unused if one starter has started all nodes
        size_t place = 0;         // index of `host` among the hosts of the command line, and in hosts_
        int processors = 0;
        std::string processors_identity{}; // identify_processors() of the node
        NodeRange range{};
        std::string program{};                 // hash of the program, as text
        std::vector<std::string> ports{};      // network addresses
        std::string endpoint{};                // of the node's watch (../src/machine/linux/node_watch.h)
        std::string ended_pes{};               // one character for each PE of the node: '1' if it has ended
        std::optional<Stop> uninitialized;     // set if a PE has ended before shmem_init: how the job then stops
        std::string waiting_pes{}, ended_pe{}; // WAITING and ENDED of the node's last report `stands` (node_part.hpp)
        std::vector<uint64_t> traffic{};       // three numbers for each node (WireUp::Traffic)
        std::vector<PeUsage> usage{};          // for --stats: one element for each PE that the node has started
        std::unique_ptr<Stream> output{}, error{};
        double alive_sent = 0;
        size_t unconfirmed = 0; // bytes of output that this node has sent and that are not written yet
        bool given_up = false;  // true: was told to end, and has not ended in time
    };

    // A node has ended before it had PEs to run. `line` is the error message if no better cause is known at `deadline`.
    struct Suspicion {
        std::string line;
        double deadline;
    };

    // A report that node `from` does not reach node `to`.
    struct Cut {
        const Node *from, *to;
        bool was_reached;
        double reported;
    };

    // Functions that start the job.
    void start_nodes();
    void start_by_one_starter();
    void take_connection(std::unique_ptr<Channel> channel);
    void distribute_pes();
    std::vector<SharedProcessors> shared_processors() const;
    std::string common_start() const;
    void send_start(size_t index, const SharedProcessors &shared, const std::string &common);
    std::vector<std::string> node_arguments() const;

    // step() does one round of the main loop. The other functions of this group handle the events of a round.
    void step();
    void handle_signals();
    void pause();
    void receive(Node &node);
    void receive_starter(StarterProcess &starter, Node *node);
    void handle(Node &node, FrameKind kind, std::string_view text);
    void handle_hello(Node &node, std::string_view text);
    void handle_report(Node &node, const std::string &line);
    bool handle_standstill(Node &node, const std::string &word, const std::string &rest);
    void check_standstill();
    void tell_running(const std::string &command);
    void check_programs();
    void check_uninitialized();
    void send_endpoints();
    void send_addresses();
    void read_input();
    void flush();
    void confirm_output();
    void check_timeout(double time);
    void check_time();
    void check_hosts(double time);
    void check_slurm_daemons(double time);
    void check_node(Node &node, double time);
    void handle_cut(const Node &node, size_t other, bool was_reached);
    void check_cut(double time);
    void check_late(double time);

    // Functions that end the job, and functions that describe its end.
    void lose(Node &node, const std::string &why);
    void check_refusal();
    void stop_start(const std::string &line);
    void stop_job(Stop reason, const std::string &command, const Node *except = nullptr);
    void reap();
    const Node *find_missing(const std::string &words) const;
    const Node *find_unknown_to_slurm() const;
    bool all_ended() const;
    bool all_in(State state) const;
    std::string describe(const Node &node) const;
    std::string list_running() const;
    std::string list_unended() const;
    std::string usage_tables() const;
    std::string traffic_table() const;
    bool wait_for_common_starter(double end);
    std::string end_common_starter();
    int finish();

    const Options &options_;
    const Inheritance &inheritance_;
    Starter starter_;
    std::vector<Node> nodes_;
    struct skerry_host_watch *hosts_ = nullptr; // watches the hosts of the command line that are State::starting
    std::map<size_t, DaemonQuestion> daemons_;  // by Node::place: asks Slurm's daemon of a host that is State::starting
    bool silence_told_ = false;                 // a line has named the hosts that have never answered
    StarterProcess common_starter_;             // the process that starts all nodes, such as srun
    pid_t common_starter_process_ = -1;         // its number, also after its end
    std::string slurm_job_; // number of the Slurm job in which the nodes run, as text; empty if there is none
    std::unique_ptr<Listener> listener_;
    int signals_ = -1;
    Sink output_, error_;
    Sink &error_sink_;
    std::optional<Stop> stop_;
    std::optional<Suspicion> suspicion_;
    std::optional<Cut> cut_;       // waits until it is known that both nodes live
    const Node *failed_ = nullptr; // the node where the failure occurred that stops the job
    double first_ports_ = 0;       // when the first node has sent the addresses of its ports, which call shmem_init
    double started_ = 0, stopped_at_ = 0, job_deadline_ = 0, input_retry_ = 0, partial_deadline_ = 0;
    double give_up_at_ = HUGE_VAL; // when oshrun stops to wait for nodes that were told to end
    bool distributed_ = false, addresses_sent_ = false, programs_checked_ = false;
    bool input_ended_ = false;
    std::optional<StandstillDetector> standstill_; // exists from the moment when each node has its PEs
    bool is_watched_ = false; // true: the nodes were told to look for a standstill (standstill.hpp)
    size_t input_sent_ = 0;   // bytes of input that the first node has not passed on yet
};

} // namespace skerry
