// SPDX-License-Identifier: BSD-3-Clause
// Runs the loop that handles all events. After the first failure the supervisor kills all other PEs, and still forwards
// the text that they have written. The events:
// * output of a PE has arrived;
// * oshrun's own output accepts more text;
// * a signal has arrived (SIGCHLD for the end of a PE);
// * a deadline has passed.
#include "supervisor.hpp"

#include "clock.hpp"
#include "descendants.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "ranks.hpp"
#include "ucx_files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

enum Source : unsigned long { source_signals, source_inputs, source_output, source_error, source_commands };

// All times are in seconds.
constexpr double finalized_limit = 0.5; // time for the other PEs to end after a PE has failed after its shmem_finalize
constexpr double suspicion_time = 0.05; // time in which a signal that has ended a PE can arrive at this process too
constexpr double uninitialized_interval = 0.1; // between two calls of check_uninitialized()
constexpr double calm_interval = 1;            // between two calls of check_stranded() as long as no PE has ended
constexpr int reads_per_stream = 64; // greatest number of reads of a pipe at the job's end: enough for a full pipe

// Returns true if the PE ended by a signal that is usually sent to the whole process group, for example by Ctrl-C. This
// process then probably gets the signal too, within suspicion_time.
bool is_group_signal(const Ending &ending) {
    const int signal = ending.kind == Ending::failed ? ending.code - exit_signal : ending.signal;
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

// Returns the nodes whose PEs this oshrun starts. There is one node, except in tests that run several nodes on this
// machine.
std::vector<NodeRange> nodes_of(const Options &options) {
    std::vector<NodeRange> nodes;
    for (int node = 0, first = options.first_pe; node < options.nodes; ++node) {
        const int count = options.own_pes / options.nodes + (node < options.own_pes % options.nodes ? 1 : 0);
        nodes.push_back({first, count});
        first += count;
    }
    return nodes;
}

} // namespace

Supervisor::Supervisor(const Options &options, const Processors &processors, const Inheritance &inheritance)
    : options_(options), processors_(processors), inheritance_(inheritance),
      memory_(nodes_of(options), options.heap_bytes, options.part ? options.part->wire_up : -1),
      stacks_(options.own_pes), output_(STDOUT_FILENO, options.part ? options.part->columns : 0),
      error_(STDERR_FILENO, options.part ? options.part->columns : 0),
      error_sink_(error_.is_same_as(output_) ? output_ : error_), pes_(static_cast<size_t>(options.own_pes)),
      stranded_(pes_, options.first_pe, memory_) {
}

int Supervisor::run() {
    job_deadline_ = inheritance_.deadline;
    watch_descriptors();
    start_all();
    check_stranded();
    while ((running_ > 0 && !given_up_) || (suspicion_ && !stop_)) step(HUGE_VAL);
    return finish();
}

void Supervisor::watch_descriptors() {
    events_ = epoll_create1(EPOLL_CLOEXEC);
    inputs_ = epoll_create1(EPOLL_CLOEXEC);
    signals_ = signalfd(-1, &inheritance_.watched_signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (events_ < 0 || inputs_ < 0 || signals_ < 0)
        stop(exit_failure,
             fmt::format("cannot make the descriptors for events (epoll, signalfd): {}", std::strerror(errno)));
    struct epoll_event event {};
    event.events = EPOLLIN;
    event.data.u64 = source_signals;
    epoll_ctl(events_, EPOLL_CTL_ADD, signals_, &event);
    if (options_.part) {
        event.data.u64 = source_commands;
        epoll_ctl(events_, EPOLL_CTL_ADD, options_.part->control, &event);
        report("program " + hash_of_file(options_.program.path));
    }
    flush_sinks(); // nothing to write yet, but this call begins to wait for output of the PEs
}

void Supervisor::step(double longest_wait) {
    const double wait = std::min(longest_wait, next_deadline() - now());
    const int milliseconds = static_cast<int>(std::ceil(std::clamp(wait, 0.0, 1e6) * 1e3));
    std::array<struct epoll_event, 5> events{};
    const int count = epoll_wait(events_, events.data(), events.size(), milliseconds);
    for (int i = 0; i < count; ++i) {
        if (events[static_cast<size_t>(i)].data.u64 == source_signals) handle_signals();
        else if (events[static_cast<size_t>(i)].data.u64 == source_inputs) receive_inputs();
        else if (events[static_cast<size_t>(i)].data.u64 == source_commands) receive_commands();
    }
    check_deadlines();
    flush_sinks();
}

double Supervisor::next_deadline() const {
    double next = HUGE_VAL;
    for (const double deadline : {job_deadline_, kill_deadline_, suspicion_deadline_, partial_deadline_,
                                  uninitialized_deadline_, stranded_deadline_, give_up_deadline_})
        if (deadline > 0) next = std::min(next, deadline);
    return next;
}

void Supervisor::check_deadlines() {
    const double time = now();
    const auto due = [time](double &deadline) { return deadline > 0 && time >= deadline && (deadline = 0, true); };
    if (due(job_deadline_)) handle_timeout();
    if (due(suspicion_deadline_) && !stop_) stop_job({suspicion_->code, {}, suspicion_}, SIGKILL, 0);
    if (due(uninitialized_deadline_)) check_uninitialized();
    if (due(stranded_deadline_)) check_stranded();
    if (due(kill_deadline_)) signal_all(SIGKILL);
    if (due(give_up_deadline_)) given_up_ = true;
    if (due(partial_deadline_))
        for (Stream &stream : streams_)
            if (stream.sink().is_terminal()) stream.flush_partial();
}

// In a job of several nodes, this comes after the time of the user's oshrun (timeout_node_limit), whose command has not arrived.
void Supervisor::handle_timeout() {
    if (stop_) { // the job is ending already; from now on it waits only briefly for readers of its output
        stop_->hurried = true;
        hurried_at_ = now();
        return;
    }
    const std::string what = running_ > 0
                                 ? list_running() + " still running"
                                 : "all PEs have ended, but the reader of oshrun's output does not read the rest";
    stop_job({exit_timeout,
              fmt::format("job stopped after {} s (--timeout), {}", *options_.timeout_seconds, what),
              {},
              true},
             options_.part ? SIGKILL : SIGTERM, timeout_kill_limit);
    if (options_.part) continue_node();
}

void Supervisor::receive_inputs() {
    std::array<struct epoll_event, 64> events{};
    const int count = epoll_wait(inputs_, events.data(), events.size(), 0);
    // A program erases its progress bar on standard error before it prints a line. Therefore standard error is handled
    // before standard output. If standard error is a terminal, a PE's incomplete line of standard error goes first too.
    for (const size_t which : {size_t{1}, size_t{0}})
        for (int i = 0; i < count; ++i)
            if (const size_t index = events[static_cast<size_t>(i)].data.u64; index % 2 == which) receive_input(index);
}

void Supervisor::receive_input(size_t index) {
    Stream &stream = streams_[index];
    if (index % 2 == 0 && streams_[index + 1].sink().is_terminal()) streams_[index + 1].flush_partial();
    if (stream.receive() == Stream::Received::end) {
        stream.flush_partial();
        stream.close_pipe();
    } else if (stream.has_partial() && stream.sink().is_terminal() && partial_deadline_ <= 0) {
        partial_deadline_ = now() + partial_time;
    }
}

// Writes the text in the queues of the sinks (oshrun's standard output and error). Then chooses the events that end the
// next wait:
// * a sink with unsent text can be written;
// * output of PEs has arrived, if no sink has too much unsent text.
void Supervisor::flush_sinks() {
    const auto watch = [this](bool wanted, bool &watched, int descriptor, unsigned events, Source source) {
        if (wanted == watched) return;
        struct epoll_event event {};
        event.events = events;
        event.data.u64 = source;
        epoll_ctl(events_, wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, descriptor, &event);
        watched = wanted;
    };
    for (Sink *sink : {&output_, &error_}) {
        if (sink->error() != 0 || sink->flush() || stop_) continue;
        const WriteFailure failure = sink->failure();
        if (failure.hangup) stop_job({failure.code, {}, {}, true}, SIGHUP, interrupt_limit);
        else stop_job({failure.code, failure.line}, SIGKILL, 0);
    }
    watch(output_.waiting(), output_watched_, output_.descriptor(), EPOLLOUT, source_output);
    watch(error_.waiting(), error_watched_, error_.descriptor(), EPOLLOUT, source_error);
    watch(!output_.is_full() && !error_.is_full(), inputs_watched_, inputs_, EPOLLIN, source_inputs);
}

void Supervisor::handle_signals() {
    struct signalfd_siginfo info {};
    bool child_ended = false;
    while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        const int signal = static_cast<int>(info.ssi_signo);
        if (signal == SIGCHLD) child_ended = true;
        else if (signal == SIGUSR1 || signal == SIGUSR2) signal_all(signal);
        else if (signal == launcher_died() || getppid() != inheritance_.keeper)
            stop_job({exit_signal + SIGKILL, {}, {}, true, true}, SIGKILL, 0);
        else handle_interrupt(signal, info.ssi_code == SI_KERNEL);
    }
    if (child_ended) reap();
}

// Handles a signal that ends the job. Passes the signal on to the PEs, with three exceptions:
// * The signal comes from the terminal. The kernel has sent it to the PEs too.
// * The job has been stopping for longer than repeat_interval. Then kills the PEs.
// * The job stops because of the same signal already. Example: a terminal is closed while a PE writes. Then the write
//   of oshrun fails, and SIGHUP arrives too. A shell that gets SIGHUP twice would run its trap twice.
void Supervisor::handle_interrupt(int signal, bool from_terminal) {
    if (stop_ && now() - stopped_at_ > repeat_interval) {
        stop_->hurried = true;
        hurried_at_ = stopped_at_;
        signal_all(SIGKILL);
    } else if (!stop_ || stop_->code != exit_signal + signal) {
        stop_job({exit_signal + signal, fmt::format("stopped by signal {} ({})", signal, strsignal(signal)), {}, true},
                 from_terminal ? 0 : signal, interrupt_limit);
    }
}

void Supervisor::reap() {
    int status = 0;
    struct rusage usage {};
    pid_t process;
    while ((process = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        const auto found = pe_of_process_.find(process);
        if (found == pe_of_process_.end()) continue; // an orphan that this process has adopted
        Pe &pe = pes_[found->second];
        // The kernel kills PEs if this process gets no processor time for some seconds after the deadline.
        const bool by_timer = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (by_timer && !stop_ && job_deadline_ > 0 && now() >= job_deadline_) {
            job_deadline_ = 0;
            handle_timeout();
        }
        pe.running = false;
        pe.ended = now();
        pe.usage = usage;
        --running_;
        report(fmt::format("ended {}", rank_of(found->second)));
        if (const int failure = launches_[found->second].request.failure; failure != 0)
            stop_job({exit_not_executable, describe_refusal(program_.path, failure)}, SIGKILL, 0);
        else consider_end(rank_of(found->second), process, status);
        pe_of_process_.erase(found);
    }
}

void Supervisor::note_oom_kills() {
    if (!oom_kills_) oom_kills_.emplace();
}

void Supervisor::consider_end(int rank, pid_t process, int status) {
    Ending ending = judge(rank, process, status, memory_);
    if (stop_ || ending.kind == Ending::well) return;
    if (ending.code == exit_signal + SIGKILL && oom_kills_) ending.killer = oom_kills_->describe_killer();
    consider(ending);
}

void Supervisor::consider(const Ending &ending) {
    if (ending.kind == Ending::not_initialized) {
        if (uninitialized_) return;
        uninitialized_ = ending;
        report(fmt::format("uninitialized {} {}", ending.code, describe(ending, memory_, options_.pes)));
        check_uninitialized();
    } else if (is_group_signal(ending)) {
        if (!suspicion_) {
            suspicion_ = ending;
            suspicion_deadline_ = now() + suspicion_time;
        }
    } else if (suspicion_) {
        // An earlier PE has ended by a signal that is often sent to a whole process group. This PE has failed in
        // another way, so the signal was sent to the earlier PE only. The earlier PE is the one to report.
        stop_job({suspicion_->code, {}, suspicion_}, SIGKILL, 0);
    } else if (ending.kind == Ending::failed && ending.after_finalize) {
        stop_job({ending.code, {}, ending}, 0, finalized_limit);
    } else {
        stop_job({ending.code, {}, ending}, SIGKILL, 0);
    }
}

// Stops the job if a PE has ended before shmem_init and another PE waits in shmem_init or has left it. shmem_init is
// collective, so the other PE would wait for ever.
void Supervisor::check_uninitialized() {
    if (stop_ || running_ == 0) return;
    uninitialized_deadline_ = now() + uninitialized_interval;
    for (size_t pe = 0; pe < pes_.size(); ++pe) {
        if (pes_[pe].running && memory_.control(rank_of(pe)).state == SKERRY_PE_RUNNING) {
            stop_job({uninitialized_->code, {}, uninitialized_}, SIGKILL, 0);
            return;
        }
    }
}

// Stops the job if PEs wait for a PE that has ended without a failure. PEs wait in this way if not all PEs have called
// the same collective routines. In a job of several nodes this supervisor only reports. The oshrun that the user
// started decides (standstill.hpp).
void Supervisor::check_stranded() {
    if (stop_ || running_ == 0 || options_.pes == 1) return;
    const bool is_watched = options_.part ? is_watched_ : stranded_.has_any_ended();
    stranded_deadline_ = now() + (is_watched ? StrandedWatch::interval : calm_interval);
    if (options_.part) {
        report_standstill();
        return;
    }
    const auto found = is_watched ? stranded_.look() : std::nullopt;
    if (!found || !found->ended || found->waiting.empty() || found->sent != found->executed) return;
    stop_job({exit_failure, describe_stranded(stranded_.describe_ended(*found->ended), found->waiting)}, SIGKILL, 0);
}

// Begins to stop the job. If the job is already stopping, keeps the first reason. Sends `signal` to all PEs if `signal`
// is not 0. Kills the PEs that still run after `limit` seconds.
void Supervisor::stop_job(Stop reason, int signal, double limit) {
    if (!stop_) {
        stop_ = std::move(reason);
        stopped_at_ = hurried_at_ = now();
        if (!stop_->commanded) report(fmt::format("failed {}", stop_->code));
    }
    if (signal != 0) signal_all(signal);
    if (signal != SIGKILL) kill_deadline_ = now() + limit;
}

void Supervisor::signal_all(int signal) {
    bool refused = true;
    for (const Pe &pe : pes_) {
        if (!pe.running) continue;
        if (kill(pe.process, signal) == 0) refused = false;
        if (signal != SIGKILL) kill(pe.process, SIGCONT); // a stopped process does not handle a signal
    }
    if (signal == SIGKILL && running_ > 0 && give_up_deadline_ <= 0)
        give_up_deadline_ = now() + (refused ? refused_limit : kill_limit);
}

// Returns a text such as "PEs 0-3, 7" that lists the PEs that still run.
std::string Supervisor::list_running() const {
    RankList list;
    for (size_t pe = 0; pe < pes_.size(); ++pe)
        if (pes_[pe].running) list.add(rank_of(pe));
    return list.describe();
}

// Forwards the rest of all PEs' output: of standard output if `which` is 0, of standard error if `which` is 1. All
// processes that write to the pipes have been killed. Therefore a pipe ends after the data that it still contains.
void Supervisor::drain(size_t which) {
    for (size_t index = which; index < streams_.size(); index += 2) {
        Stream &stream = streams_[index];
        // A pipe that is empty but not at its end is still open in a process that could not be killed.
        for (int reads = 0; stream.open() && reads < reads_per_stream; ++reads) {
            if (stream.receive() != Stream::Received::some) break;
            flush_sinks();
            while ((output_.is_full() || error_.is_full()) && may_wait_for_reader()) step(last_words_limit);
        }
        stream.flush_partial();
        if (stream.open()) stream.close_pipe();
    }
    flush_sinks();
}

void Supervisor::wait_for_readers() {
    flush_sinks();
    while ((output_.waiting() || error_.waiting()) && may_wait_for_reader()) step(last_words_limit);
}

bool Supervisor::may_wait_for_reader() const {
    if (!stop_) return true;
    if (stop_->hurried) return now() < hurried_at_ + interrupt_limit + last_words_limit;
    const double since = std::max({stopped_at_, output_.last_written(), error_.last_written()});
    return now() - since < reader_limit;
}

// Returns the error message for the reason for which the job stopped. Returns an empty text if the keeper (the parent
// of this process) was killed and the front lives. The front, the process that the user started, is then the parent of
// this process and prints the message itself.
std::string Supervisor::describe_stop() const {
    if (stop_->launcher_died) return getppid() == inheritance_.front ? "" : "the launcher was killed; job stopped";
    return stop_->ending ? describe(*stop_->ending, memory_, options_.pes) : stop_->line;
}

std::string Supervisor::last_words() {
    std::string words;
    if (given_up_)
        words += fmt::format("{}{} cannot be killed (no permission, or it waits in the kernel): left running\n",
                             message_prefix(), list_running());
    else if (!all_ended_) words += message_prefix() + "some processes of this job cannot be killed and still run\n";
    if (stop_) {
        const std::string line = describe_stop();
        if (!line.empty() && options_.part) report("line " + line);
        else if (!line.empty()) words += fmt::format("{}{}\n", message_prefix(), line);
    }
    if (options_.stats) {
        const std::vector<PeUsage> usage = gather_usage(pes_, options_.first_pe, memory_);
        // The oshrun that the user started prints the tables of all nodes, in the order of the nodes.
        if (options_.part)
            for (const PeUsage &pe : usage) report("usage " + write_usage(pe));
        else words += stats_table(usage, "job");
    }
    return words;
}

// Ends the job: kills all processes that are left, forwards the last output, and prints the error message. If standard
// output and standard error are different files, the message does not wait for a slow reader of standard output.
int Supervisor::finish() {
    all_ended_ = end_descendants(given_up_ ? refused_limit : descendants_limit);
    if (stop_ && memory_.wire_up() >= 0) remove_ucx_files(begun_);
    const bool one_sink = &error_sink_ == &output_;
    const bool stopped = stop_.has_value();
    if (options_.part && !stop_) report_standstill(); // sends the last numbers of records of this node
    drain(1);
    if (one_sink) drain(0);
    const std::string words = last_words();
    if (!words.empty()) error_sink_.append_own(words);
    flush_sinks();
    if (!one_sink) drain(0);
    wait_for_readers();
    if (const size_t left = output_.bytes_waiting() + error_.bytes_waiting(); left > 0 && !error_.waiting())
        say(fmt::format("{} bytes of output are lost, because the reader of oshrun's output does not read them", left));
    if (stop_ && !stopped) { // stopped during this function, by --timeout or because the launcher was killed
        const std::string line = describe_stop();
        if (!line.empty()) say(line);
    }
    return stop_ ? stop_->code : 0;
}

} // namespace skerry
