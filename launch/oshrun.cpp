// SPDX-License-Identifier: BSD-3-Clause
// Implements the program oshrun, which runs a program as the PEs of an OpenSHMEM job.
#include "cluster.hpp"
#include "front.hpp"
#include "job_memory.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "supervisor.hpp"
#include "tuning.hpp"
#include "variables.hpp"

#include <fcntl.h>
#include <unistd.h>

int main(int argument_count, char **arguments) {
    // Opens /dev/null for each standard descriptor that is closed. If not, a file that is opened later would get the
    // number of a standard descriptor. The descriptor for standard output is opened read-only: a write fails, so a job
    // whose output is lost still fails.
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
    skerry::leave_outer_job();
    skerry::run_on_machine_if_asked(argument_count, arguments);
    const skerry::Processors processors = skerry::available_processors();
    skerry::Options options = skerry::parse_options(argument_count, arguments, processors.usable);
    if (!options.part) skerry::warn_of_misspelt_variables(); // once, not on each node
    if (options.hosts.empty()) options.tuning = skerry::find_tuning();
    const auto supervise = [&](const skerry::Inheritance &inheritance) {
        if (!options.hosts.empty()) return skerry::Cluster(options, inheritance).run();
        return skerry::Supervisor(options, processors, inheritance).run();
    };
    _exit(skerry::run_supervised(supervise, {arguments, static_cast<size_t>(argument_count)}, options.timeout_seconds));
}
