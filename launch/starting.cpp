// SPDX-License-Identifier: BSD-3-Clause
// Starts the job in the supervisor: makes descriptors, pipes and processes for all PEs.
#include "supervisor.hpp"

#include "../src/machine/linux/job.h"
#include "build.hpp"
#include "clock.hpp"
#include "limits.hpp"
#include "message.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/personality.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr rlim_t own_descriptors = 32; // descriptors of the supervisor itself, in addition to two for each PE

// Number of PEs that the supervisor (the parent of the PEs) starts one after the other. Then the supervisor handles the
// events that have occurred meanwhile (output, ended PEs, signals), and starts the next PEs.
constexpr size_t starts_between_looks = 32;

std::vector<char *> pointers(std::vector<std::string> &strings) {
    std::vector<char *> found;
    for (std::string &string : strings) found.push_back(string.data());
    found.push_back(nullptr);
    return found;
}

} // namespace

void Supervisor::raise_descriptor_limit() {
    getrlimit(RLIMIT_NOFILE, &descriptors_);
    const rlim_t needed = 2 * static_cast<rlim_t>(options_.own_pes) + own_descriptors;
    if (descriptors_.rlim_cur >= needed) return;
    if (descriptors_.rlim_max < needed)
        stop(exit_failure, fmt::format("-n {} needs {} open files, and the limit is {} (ulimit -Hn)", options_.own_pes,
                                       needed, descriptors_.rlim_max));
    struct rlimit raised = descriptors_;
    raised.rlim_cur = raised.rlim_max;
    descriptors_raised_ = setrlimit(RLIMIT_NOFILE, &raised) == 0;
}

void Supervisor::add_stream(int descriptor, int rank, Sink &sink) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event {};
    event.events = EPOLLIN;
    event.data.u64 = streams_.size();
    epoll_ctl(inputs_, EPOLL_CTL_ADD, descriptor, &event);
    const bool alone = options_.own_pes == 1 && &error_sink_ != &output_;
    streams_.emplace_back(descriptor, sink, options_.tag_output ? fmt::format("[{}] ", rank) : std::string{}, alone);
}

// Starts a PE. Returns false if the start fails. For PE 0 it waits until the exec has succeeded or failed. Therefore a
// program that cannot be executed is reported before a thousand PEs are started.
bool Supervisor::start(size_t index, SpawnRequest &request) {
    std::array<int, 2> output{-1, -1};
    std::array<int, 2> error{-1, -1};
    const double started = now();
    pid_t process = -1;
    if (pipe2(output.data(), O_CLOEXEC) == 0 && pipe2(error.data(), O_CLOEXEC) == 0) {
        request.output = output[1];
        request.error = error[1];
        process = spawn(request, stacks_.end_of(static_cast<int>(index)), index == 0);
    }
    const int failure = errno;
    close(output[1]);
    close(error[1]);
    if (process < 0) {
        close(output[0]);
        close(error[0]);
        const char *hint = failure == EAGAIN ? " (is the limit on processes, ulimit -u, too low?)" : "";
        stop_job({exit_failure, fmt::format("cannot start PE {}: {}{}", rank_of(index), std::strerror(failure), hint)},
                 SIGKILL, 0);
        return false;
    }
    add_stream(output[0], rank_of(index), output_);
    add_stream(error[0], rank_of(index), error_sink_);
    Pe &entry = pes_[index];
    entry.process = process;
    entry.running = true;
    entry.started = started;
    pe_of_process_[process] = index;
    ++running_;
    return request.failure == 0; // if the exec failed, the process ends, and reap() reports the failure
}

SharedProcessors Supervisor::shared_processors() const {
    return options_.part ? options_.part->shared : SharedProcessors{};
}

std::string Supervisor::describe_job(int rank, bool own_processors) const {
    const JobMemory::Node &node = memory_.node_of(rank);
    // If a control group limits this node, the group's processors are for this node alone.
    const bool is_limited = processors_.usable < static_cast<int>(processors_.allowed.size());
    const int here = options_.own_pes + (is_limited ? 0 : shared_processors().others);
    const std::string nodes = memory_.wire_up() < 0
                                  ? std::string{}
                                  : fmt::format(",first={},near={},nodes={},here={},build={}", node.first, node.count,
                                                memory_.wire_up(), here, library_build());
    std::string limit;
    if (job_deadline_ > 0) {
        const double kill_at = job_deadline_ + timeout_kernel_limit - (options_.part ? timeout_node_limit : 0);
        limit = fmt::format(",kill_at={:.0f}", kill_at * 1e9);
    }
    return fmt::format("{}=fd={},pe={},pes={},heap={},cpus={},bound={},job={}{}{}{}{}{}", SKERRY_JOB_VARIABLE,
                       node.descriptor, rank, options_.pes, options_.heap_bytes, processors_.usable,
                       own_processors ? 1 : 0, inheritance_.front, nodes, options_.huge_pages ? ",huge=1" : "", limit,
                       options_.tuning.empty() ? "" : ",tuning=", options_.tuning);
}

// Returns a request (what spawn() needs to start a process) with the values that are the same for all PEs. The
// request's pointers point into members of this object.
SpawnRequest Supervisor::prepare_request() {
    program_ = options_.program;
    program_.environment.push_back(fmt::format("SKERRY_PES={}", options_.pes));
    if (const int columns = options_.part ? options_.part->columns : terminal_columns(); columns > 0)
        program_.environment.push_back(fmt::format("SKERRY_TERMINAL={}", columns));
    variables_ = pointers(program_.environment);
    arguments_ = pointers(program_.arguments);
    script_arguments_ = {shell_.data(), program_.path.data()};
    script_arguments_.insert(script_arguments_.end(), arguments_.begin() + 1, arguments_.end());

    SpawnRequest request;
    request.path = program_.path.c_str();
    request.arguments = arguments_.data();
    request.script_arguments = program_.binary ? nullptr : script_arguments_.data();
    request.signal_mask = &inheritance_.signal_mask;
    request.descriptors = descriptors_raised_ ? &descriptors_ : nullptr;
    request.parent = getpid();
    return request;
}

void Supervisor::start_all() {
    raise_descriptor_limit();
    if (stacks_.base() == nullptr)
        stop(exit_failure, fmt::format("not enough memory to start {} PEs", options_.own_pes));
    const SharedProcessors shared = shared_processors();
    const int pes = options_.own_pes + shared.others;
    const bool enough_for_all = pes <= static_cast<int>(processors_.allowed.size());
    const bool enough = enough_for_all && options_.own_pes <= processors_.usable;
    const Bind bind = options_.bind.value_or(enough ? Bind::core : Bind::none);
    const bool own_processors = bind == Bind::core && enough_for_all;
    placement_ = place(bind, pes, processors_);
    // Switches off address randomisation. The PEs inherit this, and static data then has the same offset in every PE.
    // If the kernel refuses, the library still works.
    personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE);

    SpawnRequest common = prepare_request();
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (size_t index = 0; index < pes_.size() && !stop_; ++index) {
        const int rank = rank_of(index);
        Launch &launch = launches_.emplace_back();
        launch.job = describe_job(rank, own_processors);
        launch.rank = fmt::format("SKERRY_PE={}", rank);
        launch.environment = {launch.job.data(), launch.rank.data()};
        launch.environment.insert(launch.environment.end(), variables_.begin(), variables_.end());
        launch.request = common;
        launch.request.environment = launch.environment.data();
        launch.request.input = rank == 0 ? -1 : nothing;
        launch.request.processors =
            placement_.empty() ? nullptr : &placement_[static_cast<size_t>(shared.before) + index];
        if (!start(index, launch.request)) break;
        common.is_script = launches_.front().request.is_script;
        if (index % starts_between_looks == starts_between_looks - 1) {
            note_oom_kills();
            step(0);
        }
    }
    note_oom_kills(); // called last, because it reads files: the PEs run meanwhile
    close(nothing);
}

} // namespace skerry
