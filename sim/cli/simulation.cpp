// SPDX-License-Identifier: BSD-3-Clause
#include "cli/simulation.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "chip/describe.hpp"
#include "chip/statistics.hpp"
#include "cli/breaks.hpp"
#include "cli/progress.hpp"
#include "cli/summary.hpp"
#include "gdb/session.hpp"
#include "race/race_report.hpp"
#include "trace/report.hpp"
#include "trace/trace.hpp"

namespace skerry::sim {
namespace {

// Returns the machine for the run. A report or a trace needs the traffic of each link of the network in each interval
// of time. If the options ask for one of them, the machine counts this traffic.
Machine observed(Machine machine, const Options &options) {
    constexpr std::uint64_t first_interval = 64;
    if (!options.report.empty() || !options.trace.empty()) machine.network_part.history_interval = first_interval;
    return machine;
}

std::string write_file(const std::string &path, const std::string &text) {
    const auto close = [](std::FILE *f) { return std::fclose(f); };
    std::FILE *file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
    if (file == nullptr) return fmt::format("{}: {}", path, std::strerror(errno));
    const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool flushed = std::fflush(file) == 0;
    const int wrong = errno;
    if (file != stdout) close(file);
    return whole && flushed ? std::string() : fmt::format("{}: {}", path, std::strerror(wrong));
}

// Returns an error if the file cannot be written, and an empty string if it can. Must be called before the run: a
// failure at the end would lose the results of a long run. Does not open pipes and devices. The reader of a pipe would
// see the end of the file when this function closes the pipe.
std::string check_writable(const std::string &path) {
    if (path.empty() || path == "-") return {};
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && std::filesystem::is_other(status)) return {};
    std::FILE *file = std::fopen(path.c_str(), "ab");
    if (file == nullptr) return fmt::format("{}: {}", path, std::strerror(errno));
    std::fclose(file);
    return {};
}

class Simulation {
  public:
    Simulation(const Options &options, const Machine &machine, const ElfImage &image,
               const std::atomic<bool> &interrupted)
        : options_(options), image_(image), interrupted_(interrupted),
          chip_(observed(machine, options), options.program, options.environment),
          lines_(wants_lines() ? LineTable(image) : LineTable()) {
    }

    // begin() prepares the run, and write() writes the results of the run. Both functions return an empty string, or
    // the text of the error.
    std::string begin(std::vector<std::uint32_t> members) {
        auto cores = static_cast<std::uint32_t>(members.size());
        if (starts_programs(image_)) { // it starts alone
            const Machine &m = chip_.machine();
            cores = static_cast<std::uint32_t>(m.cores_of_cluster(m.cluster_of(members.front())).size());
        }
        chip_.place(std::move(members));
        if (std::string error = chip_.load(image_, cores, options_.allow_code_writes); !error.empty()) {
            return options_.program.front() + ": " + error;
        }
        for (const std::string *path : {&options_.json, &options_.report, &options_.trace}) {
            if (std::string error = check_writable(*path); !error.empty()) return error;
        }
        if (options_.label || options_.tag_output) chip_.label_output(options_.tag_output);
        chip_.start(cores, image_.entry);
        if (!options_.json.empty() || !options_.report.empty() || !options_.trace.empty()) {
            profile_ = std::make_unique<Profile>(chip_, image_);
            chip_.add_observer(*profile_);
            traffic_ = std::make_unique<NodeTraffic>(chip_);
            chip_.add_observer(*traffic_);
        }
        if (!options_.trace.empty()) {
            trace_ = std::make_unique<Trace>(chip_, *profile_, *traffic_);
            chip_.add_observer(*trace_);
        }
        if (options_.check_races) {
            const std::string error = RaceDetectors::refusal(chip_.machine(), image_);
            if (!error.empty()) return "--check-races: " + error;
            races_ = std::make_unique<RaceDetectors>(chip_, image_);
            chip_.add_observer(*races_);
        }
        if (std::string error = connect(); !error.empty()) return error;
        return add_breaks();
    }
    Ending run() {
        std::optional<Progress> progress;
        if (!session_ && !breaks_) progress.emplace(chip_);
        const Ending ending =
            session_ ? session_->run(options_.max_cycles) : chip_.run(options_.max_cycles, &interrupted_);
        chip_.flush();
        return ending;
    }
    std::string write(const Ending &ending) {
        if (breaks_ && !session_) fmt::print(stderr, "{}", breaks_->missing());
        if (options_.stats) fmt::print(stderr, "{}", statistics(chip_));
        if (options_.summary && !options_.quiet && ending.kind == EndKind::exited)
            fmt::print(stderr, "{}", summary(chip_));
        if (profile_ == nullptr) return {};
        profile_->finish();
        const Run run{chip_, image_, lines_, *profile_, *traffic_, options_.program.front(), ending};
        std::string error;
        if (!options_.json.empty()) error = write_file(options_.json, to_text(to_json(run, false)) + "\n");
        if (error.empty() && !options_.report.empty()) error = write_file(options_.report, report_page(run));
        if (error.empty() && trace_ != nullptr) error = write_file(options_.trace, trace_->text());
        return error;
    }
    // Prints the races that --check-races has found. Returns true if there are any.
    bool report_races() const {
        if (races_ == nullptr) return false;
        fmt::print(stderr, "{}", describe_races(*races_, chip_));
        return races_->any();
    }
    Chip &chip() {
        return chip_;
    }

  private:
    bool wants_lines() const {
        return !options_.breaks.empty() || !options_.report.empty();
    }
    std::string connect() {
        if (options_.gdb.empty()) return {};
        std::string error;
        connection_ = gdb::Connection::open(
            options_.gdb, [](const std::string &text) { fmt::print(stderr, "skerry-sim: {}\n", text); },
            [this] { return interrupted_.load(); }, error);
        if (connection_ == nullptr) return fmt::format("--gdb {}: {}", options_.gdb, error);
        if (options_.gdb_files) chip_.allow_files_to_debugger();
        session_.emplace(chip_, image_, options_.program.front(), *connection_, interrupted_);
        return {};
    }
    // If gdb controls the run, gdb gets the hits of these breakpoints, like the hits of breakpoints that gdb has set.
    std::string add_breaks() {
        if (options_.breaks.empty()) return {};
        return breaks_.emplace(chip_, image_, lines_)
            .add(options_.breaks, session_ ? &session_->stub().stops() : nullptr);
    }

    const Options &options_;
    const ElfImage &image_;
    const std::atomic<bool> &interrupted_;
    Chip chip_;
    LineTable lines_;
    std::unique_ptr<Profile> profile_;
    std::unique_ptr<NodeTraffic> traffic_; // not null if profile_ is not null
    std::unique_ptr<Trace> trace_;
    std::unique_ptr<RaceDetectors> races_;
    std::optional<Breaks> breaks_;
    std::unique_ptr<gdb::Connection> connection_;
    std::optional<gdb::Session> session_;
};

} // namespace

int simulate(const Options &options, const Machine &machine, const ElfImage &image, std::vector<std::uint32_t> members,
             const std::atomic<bool> &interrupted, HostLink &link, std::string &error) {
    Simulation simulation(options, machine, image, interrupted);
    simulation.chip().use_link(link);
    error = simulation.begin(std::move(members));
    if (!error.empty()) return exit_not_begun;
    const Ending ending = simulation.run();
    if (link.has_ended()) {
        fmt::print(stderr, "skerry-sim: the host program (process {}) has ended; job stopped\n", link.host_process());
    } else if (ending.kind != EndKind::exited) {
        fmt::print(stderr, "skerry-sim: {}", describe(simulation.chip(), ending, image));
    }
    if (ending.kind != EndKind::exited || (ending.status != 0 && simulation.chip().job_told())) link.tell();
    // A host program gets an exit code as a result, and not as a failure.
    if (const auto pe = simulation.chip().failed_pe(); pe && !link.exists()) {
        const std::string call = refused_call(simulation.chip(), simulation.chip().failed_core(), image);
        fmt::print(stderr, "skerry-sim: PE {} exited with code {}{}{}; job stopped\n", *pe, ending.status,
                   call.empty() ? "" : " after a call in ", call);
    }
    const bool races = simulation.report_races();
    if (const std::string problem = simulation.write(ending); !problem.empty()) {
        fmt::print(stderr, "skerry-sim: {}\n", problem);
        return exit_not_ended;
    }
    if (ending.kind != EndKind::exited) return exit_not_ended;
    return races ? exit_races : ending.status;
}

} // namespace skerry::sim
