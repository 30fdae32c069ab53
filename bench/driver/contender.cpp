// SPDX-License-Identifier: BSD-3-Clause
#include "contender.hpp"

#include "message.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <unistd.h>

namespace skerry::bench {

namespace {

constexpr double run_timeout = 100, build_timeout = 120, limit_timeout = 60;
constexpr int hello_starts = 3; // starts of `hello` in one run

std::string tail(const std::string &text) {
    constexpr size_t most = 2000;
    return text.size() <= most ? text : "..." + text.substr(text.size() - most);
}

// Returns environment variables for Open MPI's launcher; other launchers ignore them. Leaves out a variable that the
// user has set. The variables allow root to run the launcher, and allow more PEs than processors (versions 4 and 5).
// The last variable disables Open MPI's component for one-sided MPI, which no OpenSHMEM program needs. With this
// component, Debian's version 4.1.4 crashes at its end.
Words environment_of_peers() {
    Words environment;
    const auto set = [&](const char *name, const char *value) {
        if (!std::getenv(name)) environment.push_back(fmt::format("{}={}", name, value));
    };
    if (geteuid() == 0) {
        set("OMPI_ALLOW_RUN_AS_ROOT", "1");
        set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    set("OMPI_MCA_rmaps_base_oversubscribe", "1");
    set("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    set("OMPI_MCA_osc", "^rdma");
    return environment;
}

// Times the start and the end of `hello`: the time from before the launcher's start to after its end. The output is
// read through a pipe. Returns the median time of `hello_starts` starts.
Results run_hello(const Contender &contender, const Job &job, const Words &command) {
    std::vector<double> times;
    for (int start = 0; start < hello_starts; ++start) {
        const Outcome outcome = run_command(command, environment_of_peers(), run_timeout);
        size_t lines = 0;
        std::istringstream stream(outcome.output);
        const std::string end = fmt::format(" of {}", job.pes);
        for (std::string line; std::getline(stream, line);)
            lines += line.starts_with("hello from PE ") && line.ends_with(end);
        if (outcome.code != 0 || lines != static_cast<size_t>(job.pes))
            throw Failure(exit_failed, fmt::format("{}: the program hello with {} PEs failed: {}", contender.name,
                                                   job.pes, describe_failure(outcome)));
        times.push_back(outcome.seconds * 1e9);
    }
    std::sort(times.begin(), times.end());
    return {{Key{"hello", job.pes, 0}, times[times.size() / 2]}};
}

Words command_of(const Contender &contender, const Job &job) {
    Words command = contender.launcher;
    command.insert(command.end(), {"-n", std::to_string(job.pes), (contender.programs / job.program).string()});
    if (job.program == "hello") return command;
    command.insert(command.end(), {"--seconds", fmt::format("{}", job.seconds)});
    if (!job.sizes.empty()) command.insert(command.end(), {"--sizes", fmt::format("{}", fmt::join(job.sizes, ","))});
    command.insert(command.end(), job.names.begin(), job.names.end());
    return command;
}

// Reads the results that a measuring program has printed. Ignores other lines, because the launcher can print lines of
// its own.
Results read_results(const std::string &output, Contender &contender) {
    Results results;
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string kind, name, unit;
        Key key;
        double value = 0;
        words >> kind;
        if (kind == "implementation") {
            contender.implementation = line.substr(kind.size() + 1);
        } else if (kind == "result" && words >> key.name >> key.pes >> key.bytes >> value >> unit && unit == "ns" &&
                   value >= 0) {
            results[key] = value;
        } else if (kind == "wrong" && words >> key.name >> key.pes >> key.bytes) {
            contender.wrong.insert(key);
        }
    }
    return results;
}

// Returns the path of a measuring program's source file, which is in the folder shmem or in the folder segments.
std::filesystem::path source_of(const std::string &program, const Places &places) {
    for (const char *subject : {"shmem", "segments"})
        if (const auto source = places.sources / subject / (program + ".c"); std::filesystem::exists(source))
            return source;
    throw Failure(exit_failed, fmt::format("{}: has no {}.c; the sources of the benchmarks are not installed",
                                           places.sources.string(), program));
}

} // namespace

Places find_places() {
    const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path(); // libexec/skerry
    const auto root = here.parent_path().parent_path();
    Places places{root / "bin" / "oshrun", here / "bench", here / "limits", root / "share" / "skerry" / "bench"};
    if (!std::filesystem::exists(places.launcher))
        throw Failure(exit_failed,
                      fmt::format("{}: not found; the launcher of this installation is missing: install Skerry again",
                                  places.launcher.string()));
    if (!std::filesystem::is_directory(places.programs))
        throw Failure(exit_failed, fmt::format("{}: not found; this installation has no measuring programs",
                                               places.programs.string()));
    return places;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "skerry-bench-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Failure(exit_failed, fmt::format("{}: cannot make a folder", name));
    folder = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

// Builds a measuring program for a peer (another OpenSHMEM implementation). Uses the same compiler flags as the build
// of our own measuring programs (bench/CMakeLists.txt). The programs of a peer then differ from ours only in the
// library.
void build_program(const Peer &peer, const std::string &program, const Places &places,
                   const std::filesystem::path &folder) {
    const std::filesystem::path source = source_of(program, places);
    std::filesystem::create_directories(folder);
    Words command{peer.wrapper, "-O2", "-falign-loops=64", "-o", (folder / program).string(), source.string()};
    if (program != "hello") command.push_back((places.sources / "shmem" / "measure.c").string());
    const Outcome outcome = run_command(command, {}, build_timeout);
    if (outcome.code != 0)
        throw Failure(exit_failed,
                      fmt::format("{}: {} does not compile {} ({}):\n{}", peer.name, peer.wrapper, source.string(),
                                  outcome.late ? "took too long" : fmt::format("exit code {}", outcome.code),
                                  tail(outcome.output + outcome.errors)));
}

Results run_job(Contender &contender, const Job &job) {
    const Words command = command_of(contender, job);
    if (job.program == "hello") return run_hello(contender, job, command);
    Words environment = environment_of_peers();
    if (!std::getenv("SHMEM_SYMMETRIC_SIZE")) environment.push_back("SHMEM_SYMMETRIC_SIZE=128M");
    const Outcome outcome = run_command(command, environment, run_timeout);
    if (outcome.code != 0)
        throw Failure(exit_failed, fmt::format("{}: {} with {} PEs failed: {}", contender.name, job.program, job.pes,
                                               describe_failure(outcome)));
    return read_results(outcome.output, contender);
}

std::string limit_batches(double seconds, double least, double most) {
    return std::to_string(static_cast<int>(seconds > 0 ? std::clamp(seconds * 4000, least, most) : most));
}

namespace {

Words limit_command(const Places &places, const std::string &program, const std::set<long> &parameters,
                    double seconds) {
    const auto within = [&](double least, double most) { return limit_batches(seconds, least, most); };
    Words command{(places.limits / program).string()};
    if (program == "copy") { // fewer batches, because it measures nine ways of copying
        command.push_back(within(10, 30));
        for (const long size : parameters) command.push_back(std::to_string(size));
    } else {
        command.push_back(program == "spawn" ? within(5, 10) : within(20, 400));
    }
    return command;
}

} // namespace

LimitFigures read_limits(const std::string &output) {
    LimitFigures limits;
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string kind, name, unit;
        long parameter = 0;
        double value = 0;
        if (!(words >> kind >> name >> parameter >> value >> unit) || kind != "limit" || !(value > 0)) continue;
        limits[{name, parameter}] = unit == "GB/s" ? static_cast<double>(parameter) / value : value;
    }
    return limits;
}

Results run_limits(const Places &places, const Results &wanted, int processors, double seconds) {
    std::map<std::string, std::set<long>> programs;
    for (const auto &[key, ours] : wanted)
        if (const Limit limit = limit_of(key, processors); !limit.program.empty())
            programs[limit.program].insert(limit.parameter);
    LimitFigures limits;
    for (const auto &[program, parameters] : programs) {
        const Outcome outcome = run_command(limit_command(places, program, parameters, seconds), {}, limit_timeout);
        if (outcome.code != 0)
            throw Failure(exit_failed, fmt::format("the program {}, which measures a limit of this machine, failed: {}",
                                                   program, describe_failure(outcome)));
        limits.merge(read_limits(outcome.output));
    }
    Results results;
    for (const auto &[key, ours] : wanted) {
        const Limit limit = limit_of(key, processors);
        if (const auto found = limits.find({limit.name, limit.parameter}); found != limits.end())
            results[key] = found->second * limit.factor;
    }
    return results;
}

double one_way_time(const Places &places, double seconds) {
    const Outcome outcome =
        run_command({(places.limits / "pingpong").string(), limit_batches(seconds, 5, 100)}, {}, limit_timeout);
    const auto limits = read_limits(outcome.output);
    const auto found = limits.find({"pingpong", 2});
    return outcome.code == 0 && found != limits.end() ? found->second : 0;
}

} // namespace skerry::bench
