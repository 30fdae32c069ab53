// SPDX-License-Identifier: BSD-3-Clause
// The variables of the environment: what each sets, read by the routine that tells it.
// threads: 1
// smp-16 has no processes.
// skip: aarch64 smp
#include "child.h"

static void must(const char *what, int is, int right) {
    REQUIRE(is == right, "%s is %d, not %d", what, is, right);
}

static void schedule_is(omp_sched_t right, int right_chunk) {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    unsigned without_modifier = (unsigned)kind & ~(unsigned)omp_sched_monotonic;
    REQUIRE(without_modifier == (unsigned)right && (right_chunk < 0 || chunk == right_chunk), "schedule %x, %d",
            (unsigned)kind, chunk);
}

static void sizes_by_level(void) {
    static const int right[] = {4, 3, 2};
    omp_set_max_active_levels(3);
    must("threads", omp_get_max_threads(), right[0]);
#pragma omp parallel
    {
        must("level 1", omp_get_num_threads(), right[0]);
        must("threads inside", omp_get_max_threads(), right[1]);
#pragma omp parallel
        {
            must("level 2", omp_get_num_threads(), right[1]);
#pragma omp parallel
            must("level 3", omp_get_num_threads(), right[2]);
        }
    }
}

static void limited(void) {
    must("thread limit", omp_get_thread_limit(), 5);
    int most = 0;
#pragma omp parallel num_threads(16)
    {
#pragma omp atomic
        most++;
    }
    REQUIRE(most >= 1 && most <= 5, "%d threads where 5 may be", most);
}

__attribute__((noinline)) static void use_stack(void) {
    char large[20 << 20]; // more than a thread's usual stack
    memset(large, omp_get_thread_num(), sizeof large);
    __asm__ volatile("" : : "r"(large) : "memory");
}

static void stack(void) {
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() != 0) use_stack(); // the first one's is the shell's business
}

static int child(const char *what) {
    if (!strcmp(what, "threads 6")) must("threads", omp_get_max_threads(), 6);
    else if (!strcmp(what, "threads 4,3,2")) sizes_by_level();
    else if (!strcmp(what, "dynamic")) must("dynamic", omp_get_dynamic(), 1);
    else if (!strcmp(what, "not dynamic")) must("dynamic", omp_get_dynamic(), 0);
    else if (!strcmp(what, "limit")) limited();
    else if (!strcmp(what, "levels")) must("max active levels", omp_get_max_active_levels(), 3);
    else if (!strcmp(what, "nested"))
        REQUIRE(omp_get_max_active_levels() > 1, "levels %d", omp_get_max_active_levels());
    else if (!strcmp(what, "not nested")) must("levels", omp_get_max_active_levels(), 1);
    else if (!strcmp(what, "stack")) stack();
    else if (!strcmp(what, "static 5")) schedule_is(omp_sched_static, 5);
    else if (!strcmp(what, "static")) schedule_is(omp_sched_static, -1);
    else if (!strcmp(what, "dynamic 1")) schedule_is(omp_sched_dynamic, 1);
    else if (!strcmp(what, "dynamic 9")) schedule_is(omp_sched_dynamic, 9);
    else if (!strcmp(what, "guided 4")) schedule_is(omp_sched_guided, 4);
    else if (!strcmp(what, "auto")) schedule_is(omp_sched_auto, -1);
    else if (!strcmp(what, "teams")) must("teams", omp_get_max_teams(), 3);
    else if (!strcmp(what, "teams limit")) must("teams' threads", omp_get_teams_thread_limit(), 2);
    else if (!strcmp(what, "device")) must("device", omp_get_default_device(), 2);
    else if (!strcmp(what, "priority")) must("priority", omp_get_max_task_priority(), 7);
    else if (!strcmp(what, "cancellation")) must("cancellation", omp_get_cancellation(), 1);
    else if (!strcmp(what, "allocator")) must("allocator", omp_get_default_allocator() == omp_large_cap_mem_alloc, 1);
    else if (!strcmp(what, "region")) {
        int ran = 0;
#pragma omp parallel num_threads(3) reduction(+ : ran)
        ran++;
        must("threads", ran, 3);
    } else return 98;
    return 0;
}

int main(int count, char **arguments) {
    if (count > 1) return child(arguments[1]);
    child_passes("threads 6", "OMP_NUM_THREADS=6", 0);
    child_passes("threads 6", "OMP_NUM_THREADS= 6 ", 0);
    child_passes("threads 4,3,2", "OMP_NUM_THREADS=4,3,2", 0);
    child_passes("threads 4,3,2", "OMP_NUM_THREADS= 4 , 3,2 ", 0);
    child_passes("dynamic", "OMP_DYNAMIC=true", 0);
    child_passes("dynamic", "OMP_DYNAMIC=TRUE", 0);
    child_passes("not dynamic", "OMP_DYNAMIC=false", 0);
    child_passes("limit", "OMP_THREAD_LIMIT=5", 0);
    child_passes("levels", "OMP_MAX_ACTIVE_LEVELS=3", 0);
    child_passes("nested", "OMP_NESTED=true", 0);
    child_passes("not nested", "OMP_NESTED=false", 0);
    child_passes("stack", "OMP_STACKSIZE=40M", 0);
    child_passes("stack", "OMP_STACKSIZE=40000", 0); // kilobytes
    child_passes("stack", "OMP_STACKSIZE= 40000 k ", 0);
    child_passes("stack", "OMP_STACKSIZE=1G", 0);
    child_passes("stack", "OMP_STACKSIZE=40000000B", 0);
    child_passes("region", "OMP_WAIT_POLICY=active", 0);
    child_passes("region", "OMP_WAIT_POLICY=PASSIVE", 0);
    child_passes("region", "GOMP_SPINCOUNT=1000", 0);
    child_passes("region", "GOMP_SPINCOUNT=infinite", 0);
    child_passes("region", "OMP_TARGET_OFFLOAD=disabled", 0);
    child_passes("region", "OMP_TARGET_OFFLOAD=default", 0);
    child_passes("static 5", "OMP_SCHEDULE=static,5", 0);
    child_passes("static", "OMP_SCHEDULE=static", 0);
    child_passes("dynamic 1", "OMP_SCHEDULE=dynamic", 0);
    child_passes("dynamic 1", "OMP_SCHEDULE", 0);
    child_passes("dynamic 9", "OMP_SCHEDULE= DYNAMIC , 9 ", 0);
    child_passes("dynamic 9", "OMP_SCHEDULE=nonmonotonic:dynamic,9", 0);
    child_passes("guided 4", "OMP_SCHEDULE=monotonic:guided,4", 0);
    child_passes("auto", "OMP_SCHEDULE=auto", 0);
    child_passes("teams", "OMP_NUM_TEAMS=3", 0);
    child_passes("teams limit", "OMP_TEAMS_THREAD_LIMIT=2", 0);
    child_passes("device", "OMP_DEFAULT_DEVICE=2", 0);
    child_passes("priority", "OMP_MAX_TASK_PRIORITY=7", 0);
    child_passes("cancellation", "OMP_CANCELLATION=true", 0);
    child_passes("allocator", "OMP_ALLOCATOR=omp_large_cap_mem_alloc", 0);
    return 0;
}
