// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/openmp.hpp"

#include <algorithm>

namespace skerry::bench {

const std::vector<OmpProgram> &omp_programs() {
    static const std::vector<OmpProgram> programs{
        {"constructs",
         {"parallel", "parallel_start", "parallel_end", "for", "parallel_for", "barrier", "single", "sections",
          "critical", "lock", "lock_alone", "ordered", "atomic", "reduction"}},
        {"reductions", {"atomic_call", "reduction_places", "reduction_queue"}},
        {"schedules", {"static", "dynamic", "guided"}},
        {"arrays", {"private", "firstprivate", "copyprivate", "copyin"}},
        {"tasks",
         {"task_parallel", "task_master", "task_master_busy", "task_conditional", "task_nested", "task_nested_master",
          "task_branch", "task_leaf", "taskwait", "task_barrier", "task_depend", "task_depend_chain", "task_spawn",
          "task_wait"}},
        {"fib", {"fib"}},
        {"queens", {"queens_fine", "queens"}},
        {"lu", {"lu_fine", "lu"}},
        {"cholesky", {"cholesky_fine", "cholesky"}},
        {"bitonic", {"bitonic"}},
        {"stream",
         {"stream_copy", "stream_copy_buffered", "stream_scale", "stream_scale_buffered", "stream_add",
          "stream_add_buffered", "stream_triad", "stream_triad_buffered"}},
        {"loops", {"dense", "sparse"}},
        {"regions", {"regions_short", "regions_serial", "regions_uneven", "regions_steps"}}};
    return programs;
}

OmpLimit omp_limit_of(const std::string &figure, int threads, long parameter) {
    if (threads == 4 && (figure == "parallel" || figure == "parallel_for" || figure.starts_with("reduction")))
        return {"omp_fork_yield", "omp_fork_yield", 4};
    if (threads != 2) return {};
    if (figure == "parallel" || figure == "parallel_for" || figure.starts_with("reduction"))
        return {"omp_fork", "omp_fork", 2};
    if (figure == "barrier" || figure == "for") return {"omp_barrier", "omp_barrier", 2};
    if (figure == "single") return {"omp_single", "omp_single", 2};
    if (figure == "ordered") return {"omp_ordered", "omp_ordered", 2};
    if (figure.starts_with("stream_")) return {"omp_stream", "omp_" + figure, parameter};
    return {};
}

const OmpBar *omp_bar_of(const std::string &figure, int threads) {
    constexpr double fine = 1 / 1.3; // programs with small tasks: our time is at most a peer's time divided by 1.3
    static constexpr OmpBar bars[] = {
        {.figure = "parallel", .by_peer = 0.6, .by_limit = 1.3, .beyond_limit = 40},
        {.figure = "for", .by_peer = 0.6},
        {.figure = "parallel_for", .by_peer = 0.6},
        {.figure = "barrier", .by_peer = 0.6, .by_limit = 1.2},
        {.figure = "single", .by_peer = 0.6},
        {.figure = "reduction", .by_peer = 0.6},
        {.figure = "ordered", .by_peer = 0.85, .by_limit = 1.1, .any = true},
        {.figure = "critical", .by_peer = 1.05},
        {.figure = "lock", .by_peer = 1.05},
        {.figure = "lock_alone", .by_peer = 1.05},
        {.figure = "for", .threads = 4, .by_peer = 0.8},
        {.figure = "single", .threads = 4, .by_peer = 0.8},
        {.figure = "barrier", .threads = 4, .by_peer = 0.95},
        {.figure = "parallel", .threads = 4, .by_peer = 1},
        {.figure = "reduction", .threads = 4, .by_peer = 1},
        {.figure = "dynamic", .no_slower = true},
        {.figure = "task_parallel", .no_slower = true},
        {.figure = "task_master", .by_peer = 0.7},
        {.figure = "task_depend", .by_peer = 0.7},
        {.figure = "task_depend_chain", .by_peer = 0.7},
        {.figure = "task_nested", .by_peer = 0.7},
        {.figure = "task_branch", .by_peer = 0.7},
        {.figure = "task_leaf", .by_peer = 0.7},
        {.figure = "taskwait", .by_peer = 0.3},
        {.figure = "fib", .by_peer = 0.2, .by_alone = 1 / 1.6},
        {.figure = "queens_fine", .by_peer = fine},
        {.figure = "lu_fine", .by_peer = fine},
        {.figure = "cholesky_fine", .by_peer = fine},
        {.figure = "queens", .no_slower = true},
        {.figure = "lu", .no_slower = true},
        {.figure = "cholesky", .no_slower = true},
        {.figure = "stream_copy", .no_slower = true},
        {.figure = "stream_copy_buffered", .no_slower = true},
        {.figure = "stream_scale", .no_slower = true},
        {.figure = "stream_scale_buffered", .no_slower = true},
        {.figure = "stream_add", .no_slower = true},
        {.figure = "stream_add_buffered", .no_slower = true},
        {.figure = "stream_triad", .no_slower = true},
        {.figure = "stream_triad_buffered", .no_slower = true},
        {.figure = "dense", .no_slower = true},
        {.figure = "sparse", .no_slower = true},
        {.figure = "regions_short", .no_slower = true},
        {.figure = "regions_serial", .no_slower = true},
        {.figure = "regions_uneven", .no_slower = true},
        {.figure = "regions_steps", .no_slower = true},
        {.figure = "regions_short", .threads = 4, .no_slower = true},
        {.figure = "regions_serial", .threads = 4, .no_slower = true},
        {.figure = "regions_uneven", .threads = 4, .no_slower = true},
        {.figure = "regions_steps", .threads = 4, .no_slower = true},
    };
    const auto found = std::find_if(std::begin(bars), std::end(bars),
                                    [&](const OmpBar &bar) { return bar.figure == figure && bar.threads == threads; });
    return found == std::end(bars) ? nullptr : found;
}

} // namespace skerry::bench
