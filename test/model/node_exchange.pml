/* SPDX-License-Identifier: BSD-3-Clause
 * The exchanges between nodes of src/primitive/levels/levels.c. In round r of exchange k each node sends a message to the
 * node 2^r after it: a payload, and then the number k of the exchange, in half k modulo HALVES. One of two PEs of the node
 * sends the messages of an exchange. Messages of one PE to one node keep their order, others can overtake each other.
 * A node reads the payloads when it has received all messages of the exchange.
 * Checks that a node reads the payloads of its own exchange, and that no node waits for ever.
 * Mistake: with -DHALVES=1 a node reads the payload of a later exchange.
 */
// check: holds
// check: fails -DHALVES=1
#define NODES 3
#define PES 2 // of a node
#define ROUNDS 2
#define EXCHANGES 4
#ifndef HALVES
#define HALVES 2
#endif

chan connection[NODES * PES * NODES] = [3] of {byte, byte}; // round, exchange
byte payload[NODES * HALVES * ROUNDS];
byte flag[NODES * HALVES * ROUNDS];
byte ended;
#define PLACE(at, k, r) (((at) * HALVES + (k) % HALVES) * ROUNDS + (r))

active [NODES] proctype node() {
    byte k, r, to, pe;
    do
    :: k < EXCHANGES ->
        k++;
        if
        :: pe = 0
        :: pe = 1
        fi;
        r = 0;
        do
        :: r < ROUNDS ->
            to = (_pid + 1 + r) % NODES; // 2^0 = 1, 2^1 = 2
            connection[(_pid * PES + pe) * NODES + to] ! r, k;
            flag[PLACE(_pid, k, r)] >= k;
            r++
        :: else -> break
        od;
        r = 0;
        do
        :: r < ROUNDS ->
            assert(payload[PLACE(_pid, k, r)] == k);
            r++
        :: else -> break
        od
    :: else -> break
    od;
    ended++
}

// Receives a message of connection `from`, and stores the payload and the number.
#define LAND(from) \
    connection[(from) * NODES + at] ? r, k -> \
    payload[PLACE(at, k, r)] = k; \
    flag[PLACE(at, k, r)] = k

active [NODES] proctype land() {
    byte r, k, at = _pid - NODES;
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
