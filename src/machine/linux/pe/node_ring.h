// SPDX-License-Identifier: BSD-3-Clause
// Declares how the nodes of a job that a process manager, such as srun, has started watch each other. Only the first PE of
// each node calls these functions, except skerry_tell_nodes and skerry_leave_ring_early (internal.h), and those that say so.
#ifndef SKERRY_MACHINE_LINUX_PE_NODE_RING_H
#define SKERRY_MACHINE_LINUX_PE_NODE_RING_H

#include "../node_watch.h"
#include "internal.h"

// Begins to wait for connections of other nodes, before main. Does nothing if the job has one node. Called by all PEs, before
// the thread that watches starts.
SKERRY_PRIVATE void skerry_begin_ring(void);
// Stores in the table of the nodes where the first PEs of the other nodes listen, if this is not done yet. Called when these PEs
// have begun the ring, by any thread of the first PE of the node.
SKERRY_PRIVATE void skerry_learn_endpoints(void);
// Called in shmem_init when all PEs have called it: begins to watch the nodes that the table names as used. Returns when
// the neighbours in the ring are connected, or after a short time.
SKERRY_PRIVATE void skerry_complete_ring(void);

// Stores the indexes of the nodes that this node watches from the start on: the previous one first, then the next one, and
// those at the distances 2, 4 and so on. Returns their number.
#define SKERRY_START_NEIGHBOURS 16
SKERRY_PRIVATE int skerry_start_neighbours(int *list);

// Called by the thread that watches (neighbours.c):

// Returns the descriptor that becomes readable if something happens to a connection, or -1. Stores in how many
// milliseconds skerry_judge_nodes must be called at the latest, or -1.
SKERRY_PRIVATE int skerry_ring_descriptor(int *milliseconds);
// Handles what has happened. Ends the job if a node has ended, or cannot be reached.
SKERRY_PRIVATE void skerry_judge_nodes(void);
// Returns true if each of the nodes of skerry_start_neighbours has accepted a connection. Then their processes have started,
// and their ends and cuts of these paths are noticed.
SKERRY_PRIVATE bool skerry_ring_is_complete(void);
// Return true if the first PE of any node, or of this one, has ended without shmem_init while no PE of this node had called it.
SKERRY_PRIVATE bool skerry_any_node_has_left(void);
SKERRY_PRIVATE bool skerry_node_has_left(int node);
// Returns true if the first PEs of all nodes have started. Some of them possibly have ended.
SKERRY_PRIVATE bool skerry_all_nodes_have_started(void);
// Returns a PE of this node that has called shmem_init, or a PE of another node that is connected to this one. -1: none.
SKERRY_PRIVATE int skerry_find_waiting_pe(void);
// Returns true if this node has accepted a connection.
SKERRY_PRIVATE bool skerry_ring_has_reached(int node);
// Waits before this node writes a line, because the launcher can end the job, and another node can write its line. Returns
// true if another node ends the job.
SKERRY_PRIVATE bool skerry_wait_for_others(int milliseconds);
// Closes the descriptors. Called in a child process that a PE has forked.
SKERRY_PRIVATE void skerry_forget_nodes(void);

// In start_watch.c:

// Begins to watch the nodes by their names, before main, until the nodes of skerry_start_neighbours are connected.
SKERRY_PRIVATE void skerry_begin_early_watch(void);
// Begins and ends to watch the nodes by their names, while shmem_init waits until the addresses of all nodes are known.
SKERRY_PRIVATE void skerry_begin_start_watch(void);
SKERRY_PRIVATE void skerry_end_start_watch(void);
// Called by the thread that watches: returns in how many milliseconds skerry_judge_start must be called, or -1; ends the
// job if a node is dead or cut off.
SKERRY_PRIVATE int skerry_start_watch_wait(void);
SKERRY_PRIVATE void skerry_judge_start(void);
// Returns the name of a node whose kernel has never answered, or NULL.
SKERRY_PRIVATE const char *skerry_silent_node(void);
// Returns true if Slurm was asked which processes run, and has not answered for all nodes.
SKERRY_PRIVATE bool skerry_slurm_is_silent(void);

// In slurm_tasks.c, called by the thread that watches:

// Asks Slurm which processes of the job run. Returns false if that is not possible.
SKERRY_PRIVATE bool skerry_begin_slurm_question(double now);
// Returns SKERRY_SLURM_ASKED until the answer is complete or the time is over. Stores the index of a node on which no process
// of the job runs, or -1 if there is none. Must be called several times a second.
enum skerry_slurm_answer {
    SKERRY_SLURM_ASKED,
    SKERRY_SLURM_ANSWERS,
    SKERRY_SLURM_ANSWERS_FOR_SOME,
    SKERRY_SLURM_SILENT
};
SKERRY_PRIVATE enum skerry_slurm_answer skerry_step_slurm_question(double now, int *absent);
// Ends a question that was begun.
SKERRY_PRIVATE void skerry_end_slurm_question(void);

// Tells the other nodes that this node ends the job and has written a line that says why, so that they write none. Can be
// called in each PE of the node, by its thread that watches.
SKERRY_PRIVATE void skerry_tell_nodes_of_end(void);

// In neighbours.c:

// Returns true if no PE of this node has written an error line yet, and records that this PE will write one. So only
// one PE of a node writes an error line.
SKERRY_PRIVATE bool skerry_may_tell(void);
// Ends the job, with this line if no PE of the node has written one, or if `in_any_case` is true.
_Noreturn SKERRY_PRIVATE void skerry_end_for_node(const char *line, bool in_any_case);

#endif
