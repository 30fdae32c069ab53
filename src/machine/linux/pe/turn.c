// SPDX-License-Identifier: BSD-3-Clause
// Lets one node of several write why a job cannot start. What is wrong, for example a library that is missing or has another
// version, is usually wrong on several nodes, and each finds it by itself. The rule: node 0 writes at once, and the launcher
// then ends the processes of the other nodes, while they wait for their turn. Each further node waits a little longer. So
// there is one line in most cases, and none is lost if the nodes before have no failure.
#define _GNU_SOURCE
#include "clock.h"
#include "internal.h"

// For node 1: mpirun can take more than a second to end the processes of other nodes. The second number is for a process that
// is not connected to the launcher: scancel, and a launcher on busy processors, can need 3 s.
#define FIRST_MILLISECONDS 2000
#define UNCONNECTED_MILLISECONDS 5000
#define STEP_MILLISECONDS 500 // for which each further node waits longer
// The last turn of a connected node comes after 4 s. A node on which a process is missing must write before PE 0 gives up, which is
// 5 s later (managed_exchange.c).
#define STEPS_MOST 4

void skerry_await_turn(int node, bool is_connected) {
    if (node <= 0) return;
    const int steps = node - 1 < STEPS_MOST ? node - 1 : STEPS_MOST;
    sleep_milliseconds((is_connected ? FIRST_MILLISECONDS : UNCONNECTED_MILLISECONDS) + steps * STEP_MILLISECONDS);
}
