// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/openmp.hpp"

#include "message.hpp"
#include "progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

namespace skerry::bench {

namespace {

constexpr double line_may_move = 0.15;  // allowed relative change of the one-way time of a cache line in a round
constexpr double others_may_use = 0.05; // largest share of the processors' time for other programs in a round
constexpr int attempts_most = 4;        // number of times that an unsteady round is measured

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Returns the time, in seconds, that all processors together were busy. The kernel counts this time in ticks.
double busy_seconds() {
    std::ifstream file("/proc/stat");
    std::string word;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, stolen = 0;
    file >> word >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >> stolen;
    return (user + nice + system + interrupts + soft + stolen) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Returns the processor time, in seconds, that this program and its ended children have used.
double own_seconds() {
    double seconds = 0;
    for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(who, &usage);
        for (const timeval &time : {usage.ru_utime, usage.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
    return seconds;
}

// Measures which share of the processors' time other programs use after the construction of this object.
class Others {
  public:
    double share() const {
        constexpr double blur = 0.03; // seconds; error of the kernel's count in ticks
        const double used = busy_seconds() - busy - (own_seconds() - own) - blur;
        return std::max(0.0, used / (seconds_now() - began) / static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
    }

  private:
    double began = seconds_now(), busy = busy_seconds(), own = own_seconds();
};

int count_processors() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

// Restricts this program to two processors, because the required ratios (bars) were set for two processors. All
// programs that this program starts inherit the restriction.
void keep_two_processors() {
    cpu_set_t allowed, two;
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (size_t processor = 0; processor < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++processor)
        if (CPU_ISSET(processor, &allowed)) CPU_SET(processor, &two);
    sched_setaffinity(0, sizeof two, &two);
}

// Removes variables that the user has set for other programs. LD_LIBRARY_PATH must contain only the folder of the
// measured library. With another folder, the dynamic linker could find another OpenMP library first.
void clear_environment() {
    for (const char *name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "OMP_NUM_THREADS", "OMP_DYNAMIC", "OMP_PROC_BIND",
                             "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
        unsetenv(name);
}

std::vector<OmpJob> jobs_of(const OmpOptions &options) {
    const auto asked = [&](const std::string &name) {
        return options.only.empty() || std::find(options.only.begin(), options.only.end(), name) != options.only.end();
    };
    std::vector<OmpJob> jobs;
    for (const OmpProgram &program : omp_programs()) {
        OmpProgram chosen{program.name, {}};
        for (const std::string &figure : program.figures)
            if (asked(program.name) || asked(figure)) chosen.figures.push_back(figure);
        if (chosen.figures.empty()) continue;
        for (const int threads : options.threads) {
            if (!is_loaded(options)) jobs.push_back({chosen, threads});
            else // a job for each figure, so that the copies measure the same figure at the same time
                for (const std::string &figure : chosen.figures) jobs.push_back({{chosen.name, {figure}}, threads});
        }
    }
    return jobs;
}

class Measuring {
  public:
    Measuring(OmpSession &session_, const Places &places_) : session(session_), places(places_) {
    }

    // Runs every job once in each round. The runs of one job are therefore spread over the whole time of the
    // measurement.
    void measure(const std::vector<OmpJob> &jobs) {
        Progress progress(session.options.pairs * static_cast<int>(jobs.size()));
        for (int round = 0; round < session.options.pairs; ++round)
            for (const OmpJob &job : jobs) {
                progress.step(fmt::format("{}, {} threads", job.program.name, job.threads));
                keep_steady(job, static_cast<size_t>(round), progress);
            }
    }

  private:
    void keep_steady(const OmpJob &job, size_t turn, Progress &progress) {
        for (int attempt = 1;; ++attempt) {
            OmpRound round = measure_round(job, turn, progress);
            if (!round.steady) ++session.dropped;
            if (!round.steady && attempt < (session.options.quick ? 2 : attempts_most)) continue;
            session.rounds.push_back(std::move(round));
            return;
        }
    }

    OmpRound measure_round(const OmpJob &job, size_t turn, Progress &progress) {
        OmpRound round;
        round.job = &job;
        const Others others;
        if (line <= 0) line = one_way_time(places, session.options.seconds);
        round.line_before = line;
        const size_t count = session.contenders.size();
        for (size_t i = 0; i < count; ++i) try_contender(session.contenders[(i + turn) % count], round, progress);
        if (session.options.limits) measure_limits(round);
        round.line_after = line = one_way_time(places, session.options.seconds);
        round.others = others.share();
        const double moved = std::abs(round.line_after - round.line_before);
        round.steady =
            moved <= line_may_move * std::min(round.line_before, round.line_after) && round.others <= others_may_use;
        return round;
    }

    // Runs a contender. Does nothing if the contender has failed at this job before.
    void try_contender(OmpContender &contender, OmpRound &round, Progress &progress) {
        const std::pair who{round.job, contender.name};
        if (given_up.contains(who)) return;
        try {
            round.of[contender.name] = run_omp(contender, *round.job, session.options, oversubscribed(*round.job));
        } catch (const Failure &failure) {
            if (failure.code != exit_failed) throw;
            given_up.insert(who);
            session.notes.emplace_back(failure.what());
            ++session.failures;
            progress.warn(failure.what());
        }
    }

    void measure_limits(OmpRound &round) {
        std::set<std::string> programs;
        for (const auto &[name, figures] : round.of)
            for (const auto &[key, figure] : figures)
                if (const OmpLimit limit = limit_of(key); !limit.program.empty()) programs.insert(limit.program);
        for (const std::string &program : programs) {
            const std::string batches =
                limit_batches(session.options.seconds, 4, program == "omp_fork_yield" ? 10 : 40);
            const Outcome outcome = run_command({(places.limits / program).string(), batches}, {}, limit_seconds);
            if (outcome.code == 0) round.limits.merge(read_limits(outcome.output));
        }
    }

    OmpLimit limit_of(const OmpKey &key) const {
        return session.processors < 2 ? OmpLimit{} : omp_limit_of(key.figure, key.threads, key.parameter);
    }

    bool oversubscribed(const OmpJob &job) const {
        return job.threads > session.processors;
    }

    static constexpr double limit_seconds = 60;
    OmpSession &session;
    const Places &places;
    double line = 0; // newest one-way time of a cache line, ns
    std::set<std::pair<const OmpJob *, std::string>> given_up;
};

// Returns false if the user interrupted the measurement. In this case the session has the rounds that were measured
// before the interrupt.
bool measure_until_interrupted(OmpSession &session, const Places &places, const std::vector<OmpJob> &jobs) {
    try {
        Measuring(session, places).measure(jobs);
    } catch (const Failure &failure) {
        if (failure.code != exit_interrupted || session.rounds.empty()) throw;
        return false;
    }
    return true;
}

} // namespace

int bench_omp(int count, char **words) {
    OmpSession session;
    session.options = parse_omp_options(count, words);
    clear_environment();
    if (session.options.threads.empty()) {
        session.options.threads = {1, 2, 4};
        keep_two_processors();
    }
    session.processors = count_processors();
    catch_interrupts();
    const Places places = find_places();
    const std::vector<OmpJob> jobs = jobs_of(session.options);
    const TemporaryFolder folder;
    session.contenders = omp_contenders(session.options, places, jobs, folder.path(), session.notes);
    for (const std::string &note : session.notes) fmt::print(stderr, "skerry bench: {}\n", note);
    const bool is_whole = measure_until_interrupted(session, places, jobs);
    const std::string text = session.options.json         ? omp_json(session)
                             : session.options.by_variant ? omp_by_variant_text(session)
                                                          : omp_text(session);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Failure(exit_failed, "cannot write to standard output");
    if (!is_whole)
        throw Failure(exit_interrupted,
                      "interrupted: the report has only the rounds that were measured before the interruption");
    return session.failures == 0 ? 0 : exit_failed;
}

} // namespace skerry::bench
