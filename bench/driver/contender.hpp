// SPDX-License-Identifier: BSD-3-Clause
// Finds, builds and runs the contenders of a measurement: this installation of Skerry, its peers (other OpenSHMEM
// implementations), and the limit programs (C programs without any library). The programs of the peers are built from
// the same sources as Skerry's.
#pragma once

#include "catalogue.hpp"
#include "options.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace skerry::bench {

// The launcher and the folders of this installation. find_places finds them from the path of this program. It throws
// Failure if the launcher or the measuring programs do not exist.
struct Places {
    std::filesystem::path launcher, programs, limits, sources;
};
Places find_places();

// A temporary folder, which the destructor removes.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    const std::filesystem::path &path() const {
        return folder;
    }

  private:
    std::filesystem::path folder;
};

struct Contender {
    std::string name;
    Words launcher;
    std::filesystem::path programs;
    std::string implementation; // name and version that its programs print; known after the first run
    std::set<Key> wrong;        // figures for which the contender delivered wrong data
};

// Compiles a measuring program with the compiler wrapper of a peer (another OpenSHMEM implementation) into `folder`.
// Throws Failure if the compilation fails.
void build_program(const Peer &peer, const std::string &program, const Places &places,
                   const std::filesystem::path &folder);

// One run of one measuring program. A run can measure several figures.
struct Job {
    std::string program;
    std::vector<std::string> names;
    int pes = 2;
    std::vector<size_t> sizes;
    double seconds = 0.1;
};

using Results = std::map<Key, double>; // in ns

// Runs the job. Throws Failure with the contender's name if the program fails.
Results run_job(Contender &contender, const Job &job);

// Measures the limits of the figures in `wanted`: the times of C programs without any library. A limit program runs one
// time, even if it measures several limits.
Results run_limits(const Places &places, const Results &wanted, int processors, double seconds);

// The figures that limit programs printed: ns of one operation, by name and parameter.
using LimitFigures = std::map<std::pair<std::string, long>, double>;
LimitFigures read_limits(const std::string &output);

// Returns the time, in ns, that a cache line needs from one processor to another. The result is half of the time in
// which two bare processes send a number to each other and back. Returns 0 if the time cannot be measured, for example
// with one processor only. `seconds` as for limit_batches.
double one_way_time(const Places &places, double seconds);

// Returns the number of batches that a limit program measures, as text. `seconds` is the time of one measurement of a
// contender. If it is short, the limit has fewer batches too, but at least `least`. If it is 0 (not chosen by the user),
// the number is `most`.
std::string limit_batches(double seconds, double least, double most);

} // namespace skerry::bench
