/* SPDX-License-Identifier: BSD-3-Clause
 * The cells of src/shmem/levels/broadcast.c. Any PE of any node may be the root of broadcast k. The nodes form a chain
 * from the root's node. A node's message has a payload and the number k, in cell k modulo CELLS of the next node. On the
 * root's node the root sends, on other nodes the leader. Messages of one PE to one node keep their order, others can
 * overtake each other. Before broadcast k, with k modulo CELLS == 0, the nodes execute a barrier.
 * Checks that every leader reads the payload of its own broadcast, and that no node waits for ever.
 * Mistake: -DWITHOUT_BARRIER a leader reads the payload of a later broadcast.
 */
// check: holds -DBROADCASTS=4
// check: large
// check: fails -DWITHOUT_BARRIER
#define NODES 3
#define PES 2 // of a node; PE 0 is the leader
#ifndef BROADCASTS
#define BROADCASTS 5
#endif
#define CELLS 2

chan connection[NODES * PES * NODES] = [BROADCASTS] of {byte};
byte payload[NODES * CELLS];
byte sequence[NODES * CELLS];
byte root[BROADCASTS + 1], sender[BROADCASTS + 1];
byte arrived;
byte ended;
#define CELL(at, k) ((at) * CELLS + (k) % CELLS)

proctype node(byte me) {
    byte k, to;
    do
    :: k < BROADCASTS ->
        k++;
#ifndef WITHOUT_BARRIER
        if
        :: k % CELLS == 0 ->
            arrived++;
            arrived >= k / CELLS * NODES
        :: else
        fi;
#endif
        to = (me + 1) % NODES;
        if
        :: root[k] == me -> connection[(me * PES + sender[k]) * NODES + to] ! k
        :: else ->
            sequence[CELL(me, k)] >= k;
            assert(payload[CELL(me, k)] == k);
            if
            :: to != root[k] -> connection[me * PES * NODES + to] ! k
            :: else
            fi
        fi
    :: else -> break
    od;
    ended++
}

// Receives a message of connection `from`, and stores the payload and the number.
#define LAND(from) \
    connection[(from) * NODES + at] ? k -> \
    payload[CELL(at, k)] = k; \
    sequence[CELL(at, k)] = k

proctype land(byte at) {
    byte k;
end:
    do
    :: LAND(0)
    :: LAND(1)
    :: LAND(2)
    :: LAND(3)
    :: LAND(4)
    :: LAND(5)
    :: ended == NODES -> break
    od
}

init {
    byte k;
    atomic {
        for (k : 1 .. BROADCASTS) {
            if
            :: root[k] = 0 // always of broadcast 1, because the chain is the same from each node
            :: k > 1 -> root[k] = 1
            :: k > 1 -> root[k] = 2
            fi;
            if
            :: sender[k] = 0
            :: sender[k] = 1
            fi
        }
        run node(0);
        run node(1);
        run node(2);
        run land(0);
        run land(1);
        run land(2)
    }
}
