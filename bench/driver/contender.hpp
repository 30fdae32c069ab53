// SPDX-License-Identifier: BSD-3-Clause
// Who is measured: this installation, peers whose programs are built here from the same sources, and bare C programs.
#pragma once

#include "catalogue.hpp"
#include "options.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace skerry::bench {

// The folders of this installation, found from the place of this program.
struct Places {
    std::filesystem::path launcher, programs, limits, sources;
};
Places find_places();

// A folder that goes when this does.
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
    std::string implementation; // what it says of itself; known after the first run
    std::set<Key> wrong;        // what did not deliver the right data
};

void build_program(const Peer &peer, const std::string &program, const Places &places,
                   const std::filesystem::path &folder);

// One run of one program, which may measure several things.
struct Job {
    std::string program;
    std::vector<std::string> names;
    int pes = 2;
    std::vector<size_t> sizes;
    double seconds = 0.1;
};

using Results = std::map<Key, double>; // ns

// Throws Failure with the contender's name when the program fails.
Results run_job(Contender &contender, const Job &job);

// The limits of these numbers; programs that measure several are run once.
Results run_limits(const Places &places, const Results &wanted, int processors, double seconds);

// Lines of limit programs: by name and parameter, ns of one operation.
using LimitFigures = std::map<std::pair<std::string, long>, double>;
LimitFigures read_limits(const std::string &output);

// Half a round trip of a line between two bare processes, in ns; 0 where there is only one processor.
double one_way_time(const Places &places);

} // namespace skerry::bench
