// SPDX-License-Identifier: BSD-3-Clause
// Holds the program that the PEs run, with its arguments and its environment. The launcher searches PATH for the
// program once, for all PEs.
#pragma once

#include <string>
#include <vector>

namespace skerry {

struct Program {
    std::string path;                   // path of an executable file
    std::vector<std::string> arguments; // [0] is the name as the user typed it
    bool binary = false;        // true: an ELF file; false: /bin/sh runs the file if the kernel cannot execute it
    bool starts_others = false; // true: runs as one PE and starts other programs of the job itself (mppa_async.h)
    std::vector<std::string> environment; // "NAME=VALUE", without the variables that oshrun sets for each PE
};

// Returns an operand of -x as NAME=VALUE: the operand itself, or NAME with oshrun's value of the variable. Ends oshrun with
// an error message if the operand is neither NAME nor NAME=VALUE, or if the variable NAME is not set.
std::string read_export(const std::string &operand);

// Searches for the program `words[0]` as a shell does, and then in the current folder. Ends oshrun with an error
// message if there is no such program. `exports` are the operands of -x.
Program find_program(std::vector<std::string> words, const std::vector<std::string> &exports);

// Returns the reason, in words, why the program at `path` cannot be executed. `error` is the errno of the attempt.
std::string describe_refusal(const std::string &path, int error);

} // namespace skerry
