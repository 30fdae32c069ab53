// SPDX-License-Identifier: BSD-3-Clause
// Makes this process a PE of a job that a process manager, such as srun or mpirun, has started (../process_manager.h),
// and not oshrun. The process manager tells each process its rank and the nodes of the job. In such a job the first
// process of each node does the work of oshrun, for example it creates the memory file (managed_node.c).
//
// The number of a PE can differ from the rank of its process:
// * The PEs of a node must have consecutive numbers (docs/design/clusters.md). But a process manager can also place
//   consecutive ranks on different nodes.
// * So PEs are numbered node by node. The nodes are ordered by their lowest rank, and the PEs of a node by rank.
// * If the ranks on each node are consecutive, number and rank of each PE are equal.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "managed_internal.h"

// Name of an environment variable. If the user sets the variable to "none", each process is a job of its own. A PE sets
// the variable to the name of the job and the rank of the PE. So a program that the PE starts does not become a second
// PE with this rank.
#define MANAGER_VARIABLE "SKERRY_PMIX"

struct skerry_managed skerry_managed;
static bool connected; // changed under connection_lock
static pthread_mutex_t connection_lock = PTHREAD_MUTEX_INITIALIZER;

// -- Is this process one of a process manager's job? -------------------------------------------------------------------

static bool equals(const char *name, const char *text) {
    const char *value = getenv(name);
    return value && strcmp(value, text) == 0;
}

// Returns true if the environment shows that the job has one process. A launcher also sets variables of its own that
// contain the number of processes. In a job inside another launcher's job, these variables can describe the outer job.
// So they are used only if they name the same job as the PMIx variables.
static bool is_single(const char *name) {
    const char *slurm_job = getenv("SLURM_JOB_ID"), *slurm_step = getenv("SLURM_STEP_ID");
    if (slurm_job && slurm_step && !getenv("SLURM_HET_SIZE")) {
        char text[256];
        snprintf(text, sizeof text, "slurm.pmix.%s.%s", slurm_job, slurm_step);
        if (strcmp(text, name) == 0) return equals("SLURM_STEP_NUM_TASKS", "1");
    }
    return equals("OMPI_MCA_ess_base_jobid", name) && equals("OMPI_COMM_WORLD_SIZE", "1");
}

bool skerry_is_managed(const char *description) {
    const char *name = getenv("PMIX_NAMESPACE"), *rank = getenv("PMIX_RANK");
    if (!name || !*name || !rank || !*rank) return false;
    if (equals(MANAGER_VARIABLE, "none")) return false;
    char mark[512];
    snprintf(mark, sizeof mark, "%s.%s", name, rank);
    if (equals(MANAGER_VARIABLE, mark)) return false;
    // There are two cases:
    // * `description` is not NULL: oshrun has started this process. The programs that this process starts must not join
    //   the PMIx job. MANAGER_VARIABLE keeps them from joining it.
    // * `description` is NULL: this process itself will possibly join the PMIx job. It possibly executes its program
    //   again before it joins (start.c). So MANAGER_VARIABLE is not set yet, because it would keep the process from
    //   joining.
    if (description) setenv(MANAGER_VARIABLE, mark, 1);
    return !description && !is_single(name);
}

// -- Joining -----------------------------------------------------------------------------------------------------------

static void open_manager(void) {
    skerry_process_manager_open_function *open;
    void *symbol =
        skerry_open_module("skerry/start/pmix.so", SKERRY_PROCESS_MANAGER_OPEN,
                           "a PMIx launcher has started this program (PMIX_NAMESPACE is set), and the module "
                           "for PMIx");
    memcpy(&open, &symbol, sizeof open);
    skerry_managed.manager = open();
    const char *wrong = skerry_managed.manager->begin(&skerry_managed.job, skerry_end_without_manager);
    if (wrong)
        skerry_refuse("a PMIx launcher has started this program (PMIX_NAMESPACE is set), but PMIx fails: %s; to run "
                      "without PMIx, set SKERRY_PMIX=none: each process is then a job of its own with one PE",
                      wrong);
    connected = true;
}

// Computes the number of this PE, the first number and the count of the PEs on this node, and the number of all PEs.
static void number_pes(void) {
    for (int32_t node = 0; node < skerry_managed.job.node; node++)
        skerry_facts.near_first += skerry_managed.job.nodes[node].count;
    const int32_t near = skerry_managed.job.nodes[skerry_managed.job.node].count;
    int32_t own = 0;
    while (skerry_managed.job.near_ranks[own] != skerry_managed.job.rank) own++;
    skerry_facts.my_pe = skerry_facts.near_first + own;
    skerry_facts.pe_count = skerry_managed.job.size;
    skerry_facts.near_count = (uint32_t)near;
    if (skerry_managed.job.size > SKERRY_PES_MAX)
        skerry_refuse("the launcher has started %d processes; a job can have at most %d PEs", skerry_managed.job.size,
                      SKERRY_PES_MAX);
}

const char *skerry_managed_node_name(int pe) {
    int32_t node = 0, end = skerry_managed.job.nodes[0].count;
    while (pe >= end && node + 1 < skerry_managed.job.node_count) end += skerry_managed.job.nodes[++node].count;
    return skerry_managed.job.nodes[node].name;
}

void skerry_describe_managed_node(int node, char *text, size_t bytes) {
    const struct skerry_manager_node *described = &skerry_managed.job.nodes[node];
    int32_t first = 0;
    for (int i = 0; i < node; i++) first += skerry_managed.job.nodes[i].count;
    if (described->count == 1) snprintf(text, bytes, "node %s (PE %d)", described->name, first);
    else snprintf(text, bytes, "node %s (PEs %d-%d)", described->name, first, first + described->count - 1);
}

// Raises the limit on the size of files to its maximum, as oshrun does for the PEs that it starts. The kernel applies
// this limit to the memory file too.
static void raise_file_size_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void set_variables(void) {
    char text[512];
    snprintf(text, sizeof text, "%s.%s", getenv("PMIX_NAMESPACE"), getenv("PMIX_RANK"));
    setenv(MANAGER_VARIABLE, text, 1);
    snprintf(text, sizeof text, "%d", skerry_facts.my_pe);
    setenv("SKERRY_PE", text, 1);
    snprintf(text, sizeof text, "%d", skerry_facts.pe_count);
    setenv("SKERRY_PES", text, 1);
}

bool skerry_join_managed_job(void) {
    skerry_facts.my_pe = atoi(getenv("PMIX_RANK")); // for messages until PEs are numbered
    open_manager();
    if (skerry_managed.job.size == 1) {
        skerry_managed_leave();
        skerry_facts.my_pe = 0;
        return false;
    }
    skerry_job.managed = true;
    number_pes();
    raise_file_size_limit();
    skerry_job.id = getppid();
    skerry_job.huge = skerry_is_switched_on("SKERRY_HUGE_PAGES");
    skerry_gather_node();
    skerry_note_processors(skerry_facts.near_count, skerry_managed.processors);
    set_variables();
    return true;
}

// -- Later -------------------------------------------------------------------------------------------------------------

void skerry_managed_enter(void) {
    if (!skerry_job.managed) return;
    pthread_mutex_lock(&connection_lock);
    // If the connection fails, this PE cannot ask the process manager (such as srun) to end the job. If a PE of this
    // node then fails, the PEs that watch it end too (neighbours.c).
    if (!connected) connected = skerry_managed.manager->begin(NULL, skerry_end_without_manager) == NULL;
    pthread_mutex_unlock(&connection_lock);
    skerry_tell_nodes(true);
}

void skerry_managed_leave(void) {
    skerry_tell_nodes(false);
    pthread_mutex_lock(&connection_lock);
    if (connected) skerry_managed.manager->end();
    connected = false;
    pthread_mutex_unlock(&connection_lock);
}

const char *skerry_managed_get(int32_t rank, const char *name, void *data, size_t bytes, int seconds) {
    pthread_mutex_lock(&connection_lock);
    const char *wrong = connected ? skerry_managed.manager->get(rank, name, data, bytes, seconds) : "disconnected";
    pthread_mutex_unlock(&connection_lock);
    return wrong;
}

void skerry_managed_abort(int code) {
    pthread_mutex_lock(&connection_lock);
    if (connected) skerry_managed.manager->abort(code);
    pthread_mutex_unlock(&connection_lock);
}
