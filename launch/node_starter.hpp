// SPDX-License-Identifier: BSD-3-Clause
// Starts skerry-node on the nodes of a job: by ssh, or by the launcher of a batch system.
#pragma once

#include "hosts.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace skerry {

enum class Starter { ssh, srun, mpirun, prterun };

const char *name_of(Starter starter);

// Returns the name of a starter (ssh or srun, for example) for a message about a failure. If the variable SKERRY_SSH
// replaces ssh, returns the variable and its value.
std::string cause_of(Starter starter);

// Returns the starter that the operand of --launcher names. Ends oshrun with an error message if the name is unknown.
Starter parse_starter(const std::string &name);

// Chooses a starter: srun in an allocation of Slurm, ssh everywhere else.
Starter choose_starter();

// Returns the command that starts skerry-node on one host, connected by its standard input and output. The command
// contains no ssh if the host is this machine.
std::vector<std::string> command_for(const Host &host);

// Returns the command that starts skerry-node once on each of the hosts. Each skerry-node connects by TCP.
std::vector<std::string> command_for_all(Starter starter, const std::vector<Host> &hosts);

// A process that starts nodes (ssh or srun, for example). A descriptor is -1 if it is closed.
struct StarterProcess {
    pid_t process = -1;
    int input = -1, output = -1; // `output`: write end for its standard input; `input`: read end of its standard output
    int error = -1;              // connected to its standard error
    std::string words{};         // text that it has written to standard error, at most a few kilobytes
};

// Starts a process that runs the command. If `connected` is true, pipes connect its standard input and output to
// oshrun. If false, both are /dev/null. The new process has a session of its own, so that it does not get the signals
// of the terminal. Ends oshrun with an error message if the process cannot be started.
StarterProcess start_process(const std::vector<std::string> &command, bool connected);

// Returns the names of the nodes that Slurm can use for a job of this process: those of its allocation, or all nodes if it
// has none. Returns an empty list if Slurm does not name them in time.
std::vector<std::string> slurm_hosts();

// Ends a job of Slurm by scancel. Returns false if scancel cannot be started, fails or does not end in time.
bool cancel_slurm_job(const std::string &job);

// Returns the line of a starter's text (read_words) that says why nodes have not started; an empty text if there is none.
std::string cause_in(Starter starter, const std::string &words);

// Why skerry-node does not run on a node. `node` is the name by which the node knows itself. If is_complete is false,
// the process has ended, and the line of the script that starts it possibly follows.
struct Refusal {
    std::string node, cause;
    bool is_complete;
};

// Searches the text of srun or mpirun for a node on which skerry-node is missing or has ended. Returns an empty value if
// the text names none.
std::optional<Refusal> find_refusal(Starter starter, const std::string &words);

// Reads the text that the process has written to standard error, and appends it to `words`.
void read_words(StarterProcess &process);

} // namespace skerry
