// SPDX-License-Identifier: BSD-3-Clause
#include "message.hpp"
#include "openmp/openmp.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace skerry::bench {

namespace {

constexpr const char *openmp_footer =
    "\nPeers: libgomp (the system's), libomp (programs compiled by clang), libomp-gcc (those compiled by GCC on "
    "libomp),\n"
    "or NAME=FOLDER of a libgomp.so.1. A ratio is Skerry's time divided by the other's:\nbelow 1 Skerry is faster.";

void list_figures() {
    for (const OmpProgram &program : omp_programs())
        fmt::print("{:<12}{}\n", program.name, fmt::join(program.figures, " "));
}

void check_names(const OmpOptions &options) {
    for (const std::string &name : options.only) {
        const auto measures = [&](const OmpProgram &program) {
            return program.name == name ||
                   std::find(program.figures.begin(), program.figures.end(), name) != program.figures.end();
        };
        if (std::none_of(omp_programs().begin(), omp_programs().end(), measures))
            throw Failure(exit_usage, fmt::format("{}: no such figure (see skerry bench omp --list)", name));
    }
}

void add_options(CLI::App &app, OmpOptions &options, bool &list) {
    app.add_option("--only,figures", options.only, "programs or figures (default all; see --list)")
        ->type_name("NAMES")
        ->delimiter(',');
    app.add_flag("--list", list, "list the programs and their figures");
    app.add_option("-n,--threads", options.threads, "numbers of threads (default 1,2,4, on two processors)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024))
        ->allow_extra_args(false);
    app.add_option("--peer", options.peers, "libraries to compare with (default libgomp and libomp), or none")
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--variant", options.variants,
                   "also measure Skerry's library with NAME=VALUE,... in its environment; may be repeated. tasks=srq, "
                   "lock=queue and the other variants of `skerry omp` choose the library of variants")
        ->type_name("TEXT")
        ->allow_extra_args(false);
    app.add_option("--pairs", options.pairs, "rounds (default 9)")->type_name("N")->check(CLI::Range(1, 1000));
    app.add_option("--seconds", options.seconds,
                   "seconds for one figure in one run (default 0.03; with --load or --copies 1)")
        ->type_name("S")
        ->check(CLI::Range(0.001, 60.0));
    app.add_option("--library", options.library, "the folder of the libgomp.so.1 to measure (default: Skerry's)")
        ->type_name("FOLDER");
    app.add_option("--load", options.load,
                   "run N busy loops beside each program, whose threads are then not bound to processors")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    app.add_option("--copies", options.copies, "run N copies of each program at the same time and measure the first")
        ->type_name("N")
        ->check(CLI::Range(1, 64));
    app.add_flag_callback(
        "--no-limits", [&options] { options.limits = false; }, "do not measure the machine's limits (bare threads)");
    app.add_flag("--json", options.json, "print JSON");
    app.add_flag("--quick", options.quick, "constructs and tasks with two threads, in ten seconds");
    app.add_flag(
        "--by-variant,--s4", options.by_variant,
        "print the table of Tendulkar et al. (2011), measured with variants of Skerry's library and 1 to 4 threads");
    app.footer(openmp_footer);
}

} // namespace

OmpOptions parse_omp_options(int count, char **words) {
    CLI::App app("Measures Skerry's OpenMP, this machine's limits, and other libraries for OpenMP, in turn.",
                 "skerry bench omp");
    OmpOptions options;
    bool list = false;
    add_options(app, options, list);
    try {
        app.parse(count, words);
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError &error) {
        throw Failure(exit_usage, fmt::format("{} (see skerry bench omp --help)", error.what()));
    }
    if (list) {
        list_figures();
        std::exit(0);
    }
    if (options.by_variant) choose_omp_by_variant(options);
    if (options.quick) {
        options.pairs = std::min(options.pairs, 3);
        if (options.seconds <= 0 && !is_loaded(options)) options.seconds = 0.01;
        if (options.threads.empty()) options.threads = {2};
        if (options.only.empty()) options.only = {"constructs", "tasks"};
    }
    check_names(options);
    return options;
}

} // namespace skerry::bench
