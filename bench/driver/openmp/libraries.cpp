// SPDX-License-Identifier: BSD-3-Clause
// Finds the OpenMP libraries that are compared, and runs programs on them. Skerry's library and GCC's library run the
// same programs, which GCC compiled when Skerry was built. For libomp, LLVM's library, clang compiles the programs, as
// users of libomp do. libomp can also run programs that GCC compiled. This combination is a separate contender,
// libomp-gcc.
#include "load.hpp"
#include "message.hpp"
#include "openmp/openmp.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <sched.h>
#include <set>
#include <sstream>

namespace skerry::bench {

namespace {

namespace fs = std::filesystem;

constexpr double run_timeout = 100, build_timeout = 60;
constexpr const char *soname = "libgomp.so.1";
const std::string prefix = "SKERRY_OMP_"; // of variables that choose variants of constructs

fs::path programs_of(const Places &places) {
    return places.limits.parent_path() / "omp";
}

std::string parent_of_line(const std::string &output) {
    const fs::path path = output.substr(0, output.find('\n'));
    return path.is_absolute() && fs::exists(path) ? path.parent_path().string() : "";
}

// Returns the path of `clang` in PATH, or of the newest clang-N, or "" if there is none.
std::string find_clang() {
    for (const char *name :
         {"clang", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"})
        if (const std::string found = find_executable(name); !found.empty()) return found;
    return {};
}

std::string libomp_folder() {
    if (const std::string clang = find_clang(); !clang.empty()) {
        const Outcome outcome = run_command({clang, "-print-file-name=libomp.so"}, {}, build_timeout);
        if (const std::string folder = parent_of_line(outcome.output); outcome.code == 0 && !folder.empty())
            return folder;
    }
    for (const char *folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
        if (fs::exists(fs::path(folder) / "libomp.so.5")) return folder;
    return {};
}

// Finds libomp and compiles the programs for it. If this is not possible, adds a note with the reason for the report,
// and returns false.
bool make_libomp(OmpContender &contender, const Places &places, const std::vector<OmpJob> &jobs, const fs::path &folder,
                 Words &notes) {
    const std::string clang = find_clang();
    contender.library_folder = libomp_folder();
    if (clang.empty() || contender.library_folder.empty()) {
        notes.push_back(clang.empty() ? "libomp: not measured: clang is not installed"
                                      : "libomp: not measured: clang has no OpenMP library");
        return false;
    }
    contender.programs = folder / "libomp";
    fs::create_directories(contender.programs);
    std::set<std::string> names;
    for (const OmpJob &job : jobs) names.insert(job.program.name);
    for (const std::string &name : names) {
        const fs::path source = places.sources / "openmp" / (name + ".c");
        const Outcome outcome = run_command({clang, "-std=gnu11", "-O2", "-falign-loops=64", "-fopenmp=libomp", "-o",
                                             (contender.programs / name).string(), source.string(),
                                             (programs_of(places) / "libcommon.a").string(), "-lm"},
                                            {}, build_timeout);
        if (outcome.code != 0) {
            notes.push_back(fmt::format("libomp: not measured: {} does not compile {}: {}", clang, source.string(),
                                        describe_failure(outcome)));
            return false;
        }
    }
    return true;
}

bool make_libomp_gcc(OmpContender &contender, const fs::path &folder, Words &notes) {
    const std::string libraries = libomp_folder();
    const fs::path library = fs::path(libraries) / "libomp.so.5";
    if (libraries.empty() || !fs::exists(library)) {
        notes.emplace_back("libomp-gcc: not measured: there is no libomp.so.5");
        return false;
    }
    contender.library_folder = (folder / "libomp-gcc").string();
    fs::create_directories(contender.library_folder);
    fs::create_symlink(library, fs::path(contender.library_folder) / soname);
    return true;
}

// Prepares a peer (another OpenMP library). Returns false if the peer is not on this machine.
bool make_peer(OmpContender &contender, const Places &places, const std::vector<OmpJob> &jobs, const fs::path &folder,
               Words &notes) {
    const size_t equals = contender.name.find('=');
    if (equals != std::string::npos) {
        contender.library_folder = fs::absolute(contender.name.substr(equals + 1)).string();
        contender.name.resize(equals);
        if (fs::exists(fs::path(contender.library_folder) / soname)) return true;
        throw Failure(exit_usage, fmt::format("--peer {}: there is no {} in the folder {}", contender.name, soname,
                                              contender.library_folder));
    }
    if (contender.name == "libgomp") return true;
    if (contender.name == "libomp") return make_libomp(contender, places, jobs, folder, notes);
    if (contender.name == "libomp-gcc") return make_libomp_gcc(contender, folder, notes);
    throw Failure(exit_usage,
                  fmt::format("--peer {}: no such peer (libgomp, libomp, libomp-gcc or NAME=FOLDER)", contender.name));
}

// Returns the folder of our library. In a build tree it is in lib. In an installation it is in the library folder that
// the build configured (SKERRY_LIBRARIES).
fs::path library_of(const Places &places) {
    const fs::path helpers = places.limits.parent_path(), in_build = helpers / "../../lib/skerry/omp";
    return fs::exists(in_build / soname) ? in_build : helpers / SKERRY_LIBRARIES / "skerry/omp";
}

// Returns the contender for one of our two libraries. The default library has one implementation of each construct. The
// library of variants has several implementations of a construct, and environment variables choose one of them. Its
// folder is beside the default library's folder.
OmpContender make_ours(const OmpOptions &options, const Places &places, bool has_variants) {
    const fs::path usual = options.library.empty() ? library_of(places) : fs::path(options.library),
                   folder = has_variants ? usual / "../omp-variants" : usual;
    if (!fs::exists(folder / soname))
        throw Failure(exit_failed, fmt::format("{}: not found; {}", (folder / soname).lexically_normal().string(),
                                               has_variants ? "--variant and --by-variant need this library"
                                                            : "this installation has no OpenMP"));
    return {"skerry", programs_of(places), fs::canonical(folder).string(), {}, false};
}

// Converts an operand of `skerry omp --variant` to the environment variable that it stands for: tasks=srq to
// SKERRY_OMP_TASKS=srq.
std::string variable_of_variant(std::string word) {
    const auto end = word.begin() + static_cast<std::ptrdiff_t>(word.find('='));
    std::transform(word.begin(), end, word.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return prefix + word;
}

// Throws Failure if `skerry omp --variant` does not accept the word. Runs `skerry omp` for this check, because the list
// of the variants exists only in `skerry omp`.
void check_variant(const std::string &word, const Places &places) {
    fs::path tool = places.launcher.parent_path() / "skerry-omp"; // in a build tree
    if (!fs::exists(tool)) tool = places.limits.parent_path() / "skerry-omp";
    if (run_command({tool.string(), "--variant", word, "--folder"}, {}, run_timeout).code != 0)
        throw Failure(exit_usage, fmt::format("--variant {}: no such variant (see skerry omp --help)", word));
}

// Returns the environment variables of a variant. `variant` is a list NAME=VALUE,... A NAME in capital letters is the
// name of an environment variable. Any other NAME, such as `tasks` in tasks=srq, is a name for `skerry omp --variant`.
Words environment_of_variant(const std::string &variant, const Places &places) {
    std::istringstream stream(variant);
    Words environment;
    for (std::string word; std::getline(stream, word, ',');) {
        const size_t length = word.find('=');
        if (length == 0 || length == std::string::npos)
            throw Failure(exit_usage,
                          fmt::format("--variant {}: must be NAME=VALUE,... (see skerry bench omp --help)", variant));
        const bool is_variant = std::any_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length),
                                            [](unsigned char c) { return std::islower(c) != 0; });
        if (is_variant) check_variant(word, places);
        environment.push_back(is_variant ? variable_of_variant(word) : word);
    }
    if (environment.empty()) throw Failure(exit_usage, "--variant: needs NAME=VALUE,... (see skerry bench omp --help)");
    return environment;
}

bool chooses_variants(const Words &environment) {
    return std::any_of(environment.begin(), environment.end(),
                       [](const std::string &word) { return word.starts_with(prefix); });
}

} // namespace

std::string omp_variant_name(std::string variant) {
    for (size_t place; (place = variant.find(prefix)) != std::string::npos;) variant.erase(place, prefix.size());
    return variant;
}

std::vector<OmpContender> omp_contenders(const OmpOptions &options, const Places &places,
                                         const std::vector<OmpJob> &jobs, const fs::path &folder, Words &notes) {
    if (!fs::is_directory(programs_of(places)))
        throw Failure(exit_failed, fmt::format("{}: not found; the OpenMP benchmarks are not installed",
                                               programs_of(places).string()));
    std::vector<OmpContender> contenders{make_ours(options, places, options.by_variant)};
    for (const std::string &variant : options.variants) {
        const Words environment = environment_of_variant(variant, places);
        contenders.push_back(make_ours(options, places, options.by_variant || chooses_variants(environment)));
        contenders.back().name = omp_variant_name(variant);
        contenders.back().environment = environment;
    }
    const std::vector<std::string> usual{"libgomp", "libomp"}, none{"none"};
    for (const std::string &name : options.peers == none   ? std::vector<std::string>{}
                                   : options.peers.empty() ? usual
                                                           : options.peers) {
        OmpContender peer{name, programs_of(places), "", {}};
        if (make_peer(peer, places, jobs, folder, notes)) contenders.push_back(peer);
    }
    return contenders;
}

namespace {

// Returns the environment of a run. Threads are bound to processors if there is a processor for each thread.
Words environment_of(const OmpContender &contender, int threads, bool oversubscribed) {
    Words environment = contender.environment;
    environment.push_back(fmt::format("OMP_NUM_THREADS={}", threads));
    environment.emplace_back("OMP_DYNAMIC=false");
    if (!contender.library_folder.empty()) environment.push_back("LD_LIBRARY_PATH=" + contender.library_folder);
    if (oversubscribed) return environment;
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    std::vector<std::string> places;
    for (size_t processor = 0; processor < CPU_SETSIZE && places.size() < static_cast<size_t>(threads); ++processor)
        if (CPU_ISSET(processor, &allowed)) places.push_back(fmt::format("{{{}}}", processor));
    environment.emplace_back("OMP_PROC_BIND=true");
    environment.push_back(fmt::format("OMP_PLACES={}", fmt::join(places, ",")));
    return environment;
}

void read_line(const std::string &line, const OmpJob &job, OmpContender &contender,
               std::map<OmpKey, OmpFigure> &figures) {
    std::istringstream words(line);
    std::string kind, unit;
    OmpKey key{job.program.name, {}, 0, 0};
    OmpFigure figure;
    double quartile1 = 0, quartile3 = 0;
    int count = 0;
    words >> kind;
    if (kind == "implementation") contender.implementation = line.substr(kind.size() + 1);
    if (kind == "wrong")
        throw Failure(exit_failed, fmt::format("{}: {}: wrong results: {}", contender.name, job.program.name, line));
    if (kind == "result" && words >> key.figure >> key.threads >> key.parameter >> figure.median >> unit >> quartile1 >>
                                quartile3 >> count >> figure.mean >> figure.deviation)
        figures[key] = figure;
}

} // namespace

bool is_loaded(const OmpOptions &options) {
    return options.load > 0 || options.copies > 1;
}

// Runs the program of the job with the names of the requested figures.
std::map<OmpKey, OmpFigure> run_omp(OmpContender &contender, const OmpJob &job, const OmpOptions &options,
                                    bool oversubscribed) {
    const bool loaded = is_loaded(options);
    const auto command_for = [&](double seconds) {
        // A batch lasts several time slices of the scheduler if there are more threads than processors, or if other
        // programs run. In a shorter batch a thread could keep its processor by chance, and the time would depend on
        // this.
        Words command{(contender.programs / job.program.name).string(), "--seconds", fmt::format("{}", seconds),
                      "--batch",
                      loaded           ? "0.05"
                      : oversubscribed ? "0.01"
                                       : "0.001"};
        command.insert(command.end(), job.program.figures.begin(), job.program.figures.end());
        return command;
    };
    const Words environment = environment_of(contender, job.threads, oversubscribed || loaded);
    const double seconds = options.seconds > 0 ? options.seconds : loaded ? 1 : 0.03;
    Load load;
    for (int i = 0; i < options.load; ++i) load.add_busy_loop();
    for (int i = 1; i < options.copies; ++i) load.add_command(command_for(run_timeout), environment);
    const Outcome outcome = run_command(command_for(seconds), environment, run_timeout);
    if (outcome.code != 0)
        throw Failure(exit_failed, fmt::format("{}: {} with {} threads failed: {}", contender.name, job.program.name,
                                               job.threads, describe_failure(outcome)));
    std::map<OmpKey, OmpFigure> figures;
    std::istringstream stream(outcome.output);
    for (std::string line; std::getline(stream, line);) read_line(line, job, contender, figures);
    if (loaded) // with load, the median can be that of batches that the load did not disturb
        for (auto &[key, figure] : figures) figure.median = figure.mean;
    if (!contender.is_peer && !contender.implementation.starts_with(contender.library_folder + '/'))
        throw Failure(exit_usage, fmt::format("the programs used the library {} and not the one in {}",
                                              contender.implementation, contender.library_folder));
    return figures;
}

} // namespace skerry::bench
