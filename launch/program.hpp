// SPDX-License-Identifier: BSD-3-Clause
// The program to run: found once for all PEs, its arguments and its environment.
#pragma once

#include <string>
#include <vector>

namespace skerry {

struct Program {
    std::string path;                     // a file that can be executed
    std::vector<std::string> arguments;   // [0] is the name as the user gave it
    bool binary = false;                  // else the shell may try what the kernel refuses
    bool starts_others = false;           // its own job's other programs, and is one PE itself (mppa_async.h)
    std::vector<std::string> environment; // "NAME=VALUE", without what oshrun sets for each PE
};

// Searches `words[0]` as a shell would, and then in the current folder. Ends oshrun with a line when there is none.
// `exports` are the operands of -x.
Program find_program(std::vector<std::string> words, const std::vector<std::string> &exports);

// Why a program that was found cannot be executed, in words, after errno of the attempt.
std::string describe_refusal(const std::string &path, int error);

} // namespace skerry
