// SPDX-License-Identifier: BSD-3-Clause
// The program that the PEs run, with its arguments and its environment. The launcher looks the file up in PATH once, for
// all PEs.
#pragma once

#include <string>
#include <vector>

namespace skerry {

struct Program {
    std::string path;                     // path of an executable file
    std::vector<std::string> arguments;   // [0] is the name as the user typed it
    bool binary = false;                  // an ELF file; if false and the kernel refuses the file, the shell runs it
    bool starts_others = false;           // runs as one PE and starts the job's other programs itself (mppa_async.h)
    std::vector<std::string> environment; // "NAME=VALUE", without the variables that oshrun sets for each PE
};

// Searches the program `words[0]` as a shell does, and then in the current folder. Ends oshrun with an error message if
// there is no such program. `exports` are the operands of -x.
Program find_program(std::vector<std::string> words, const std::vector<std::string> &exports);

// Returns in words why the program at `path` cannot be executed. `error` is the errno of the attempt.
std::string describe_refusal(const std::string &path, int error);

} // namespace skerry
