// SPDX-License-Identifier: BSD-3-Clause
// Sets up and ends the library in the master, which starts the other programs. Does the same in the programs of the
// clusters (groups of cores). An MPPA has a core that executes requests of other programs. Here each program has a thread
// for that, which the machine layer starts. The thread does the accesses to the program's private memory that other
// programs request, even while the program computes. No signal of the program interrupts this thread.
#include "internal.h"

#define BY_THREAD 2 // argument of skerry_set_attention: a helper thread executes requests

static bool begun; // true from the set-up routine to the final routine

static bool is_master(void) {
    return skerry_my_pe() == SKERRY_MPPA_MASTER;
}

static bool is_io(void) {
    return is_master() || skerry_my_pe() == SKERRY_MPPA_IO1;
}

void skerry_mppa_check_begun(const char *routine) {
    if (__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) return;
    skerry_fail(routine, is_io() ? "called before mppa_async_server_init or after mppa_async_server_final"
                                 : "called before mppa_async_init or after mppa_async_final");
}

#if SKERRY_FAR_WATCHES

// Programs are linked with the parts of the library that they call.
extern __typeof__(mppa_power_base_spawn) mppa_power_base_spawn __attribute__((weak));

void skerry_mppa_check_spawns(const char *routine) {
    if (is_master() && !mppa_power_base_spawn)
        skerry_fail(routine, "waits for a program on a cluster, but this program starts none: it must call "
                             "mppa_power_base_spawn");
}

#endif

// -- Begin and end -----------------------------------------------------------------------------------------------------

static int end(void) {
    if (!begun) return 0;
    aos_fence_all(0);
    __atomic_store_n(&begun, false, __ATOMIC_RELEASE);
    return skerry_mppa_result(aos_finalize());
}

// Called when the program ends. A program that has not called its final routine leaves the job here. So its end does
// not count as a failure. Its queues and segments end here: otherwise a message to them would be lost, and a fence would wait
// for a program that does not answer. The bit `ending` is set before: a sender that waits for a place in such a queue learns
// of the queue's end before it can learn of the program's. The end of the master ends the job, so it waits for nothing.
static void leave_at_exit(void) {
    if (begun && !is_master()) {
        skerry_atomic_fetch_or_32(&skerry_mppa_board()->ending, 1u << skerry_my_pe(), SKERRY_MPPA_MASTER);
        end();
    } else if (begun) {
        skerry_job_leave_all();
    }
}

static int begin(void) {
    static bool at_exit;
    if (begun) return 0;
    if (!at_exit) skerry_at_exit(leave_at_exit);
    at_exit = true;
    __k1_get_cpu_id(); // makes this thread, which sets up the library, core 0: the first caller becomes core 0
    __k1_read_dsu_timestamp();
    if (aos_init(AOS_ALONE) != AOS_SUCCESS) return -1;
    if (is_master() && !skerry_mppa_publish_ddr()) return -1;
    skerry_set_attention(BY_THREAD);
    __atomic_store_n(&begun, true, __ATOMIC_RELEASE);
    skerry_mppa_notify_change();
    return 0;
}

// -- The master --------------------------------------------------------------------------------------------------------

static void check_io(const char *routine) {
    if (is_io()) return;
    skerry_fail_values(routine,
                       "only an I/O program may call this routine; this program runs on cluster # and must call "
                       "mppa_rpc_client_init instead",
                       (long[]){skerry_my_pe() - 1}, 1);
}

static void admit(const char *routine, int clusters) {
    if (is_master() && !skerry_programs_admit(1 + clusters))
        skerry_fail(routine, "this job cannot start the clusters' programs: start the master alone or with oshrun -n "
                             "1, and call this routine before shmem_init");
}

int mppa_rpc_server_init(int rm, int ddr_offset, int nb_cluster) {
    (void)rm;
    (void)ddr_offset;
    check_io(__func__);
    if (nb_cluster < 1 || nb_cluster > MPPA_CLUSTERS)
        skerry_fail_values(__func__, "nb_cluster #: must be 1 to #", (long[]){nb_cluster, MPPA_CLUSTERS}, 2);
    if (!is_master()) return 0; // the second I/O program uses the number of clusters that the master has set
    admit(__func__, nb_cluster);
    skerry_atomic_store_32(&skerry_mppa_board()->clusters, (uint32_t)nb_cluster, SKERRY_MPPA_MASTER);
    skerry_mppa_notify_change();
    return 0;
}

int mppa_rpc_server_set_nb_rm(int count) {
    (void)count;
    return 0;
}

int mppa_async_server_init(void) {
    check_io(__func__);
    admit(__func__, MPPA_CLUSTERS);
    return begin();
}

static bool is_done(uint32_t cluster) {
    struct skerry_mppa_board *board = skerry_mppa_board();
    int pe = (int)cluster + 1;
    if (skerry_atomic_load_32(&board->done, SKERRY_MPPA_MASTER) >> pe & 1) return true;
    bool started = skerry_atomic_load_32(&board->started, SKERRY_MPPA_MASTER) >> pe & 1;
    return is_master() && started && !skerry_program_runs(pe);
}

static bool all_done(void) {
    uint32_t clusters = skerry_atomic_load_32(&skerry_mppa_board()->clusters, SKERRY_MPPA_MASTER);
    for (uint32_t cluster = 0; cluster < clusters; cluster++)
        if (!is_done(cluster)) return false;
    return true;
}

int mppa_rpc_server_start(void) {
    check_io(__func__);
    skerry_mppa_check_begun(__func__);
    skerry_mppa_check_spawns(__func__);
    skerry_mppa_begin_master_wait(SKERRY_MPPA_ANYTHING);
    SKERRY_WAIT_UNTIL(all_done(), SKERRY_MPPA_MASTER);
    skerry_mppa_end_master_wait();
    return 0;
}

int mppa_rpc_server(void) {
    return mppa_rpc_server_start();
}

int mppa_async_server_final(void) {
    return end();
}

int mppa_rpc_server_free(void) {
    return 0;
}

// -- A cluster ---------------------------------------------------------------------------------------------------------

static void check_cluster(const char *routine) {
    if (skerry_pe_count() != SKERRY_MPPA_PES)
        skerry_fail(routine, "this program runs on a cluster: the master must start it with mppa_power_base_spawn");
    if (is_io())
        skerry_fail(routine, "only a program on a cluster may call this routine; this is an I/O program and must call "
                             "mppa_rpc_server_init instead");
}

int mppa_rpc_client_init(void) {
    check_cluster(__func__);
    return 0;
}

int mppa_async_init(void) {
    check_cluster(__func__);
    return begin();
}

int mppa_async_final(void) {
    int result = end();
    if (skerry_pe_count() == SKERRY_MPPA_PES)
        skerry_atomic_fetch_or_32(&skerry_mppa_board()->done, 1u << skerry_my_pe(), SKERRY_MPPA_MASTER);
    return result;
}

int mppa_rpc_client_free(void) {
    return 0;
}
