// SPDX-License-Identifier: BSD-3-Clause
// Finds the most important packages of a distribution. Rank flows along dependencies from each package to the packages
// that it needs (PageRank, Brin and Page 1998). The vertices are distributed over the PEs, and nearly every edge leads
// to another PE, without a regular pattern. The program computes the same sums in four ways:
//     reading      each PE reads the shares of the vertices that point to its own vertices
//     atomics      each PE adds the shares of its own vertices to the vertices that they point to
//     calls        the same, by one call for each edge to the PE that has the vertex
//     blocks       the same, by calls that each carry a block of shares for one PE
//     graph_rpc GRAPH.mtx [NAMES [ROUNDS]]
// Ranks are integers in units of 1e-18 of the whole rank, so all four ways must give the same bits.
#include <errno.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WHOLE INT64_C(1000000000000000000)

static int me, pes;
static int64_t vertices, edges, per_pe; // vertex v belongs to PE v / per_pe
static int64_t *from, *to;              // every edge, sorted by `from`; all PEs have all edges
static int64_t *rank_of, *share, *next; // symmetric: one element for each of this PE's vertices

static void fail(const char *path, const char *why) {
    fprintf(stderr, "graph_rpc: PE %d: %s: %s\n", me, path, why);
    shmem_global_exit(1);
    abort();
}

static int owner(int64_t vertex) {
    return (int)(vertex / per_pe);
}

static int64_t place(int64_t vertex) {
    return vertex % per_pe;
}

static int64_t first_own(void) {
    int64_t first = me * per_pe;
    return first < vertices ? first : vertices;
}

static int64_t own_count(void) {
    int64_t end = first_own() + per_pe;
    return (end < vertices ? end : vertices) - first_own();
}

static void *must(void *memory) {
    if (memory == NULL) fail("memory", "not enough");
    return memory;
}

static int by_source(const void *left, const void *right) {
    const int64_t *a = left, *b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

// Reads the file into `from` and `to`. Every PE reads the whole file.
static void read_graph(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) fail(path, strerror(errno));
    char line[256];
    if (fgets(line, sizeof line, file) == NULL ||
        strncmp(line, "%%MatrixMarket matrix coordinate pattern general", 48) != 0)
        fail(path, "not a Matrix Market file of a directed graph");
    do {
        if (fgets(line, sizeof line, file) == NULL) fail(path, "ends before the graph");
    } while (line[0] == '%');
    long long rows, columns, count;
    if (sscanf(line, "%lld %lld %lld", &rows, &columns, &count) != 3 || rows != columns || rows < 1 ||
        rows > INT32_MAX || count < 1 || count > INT32_MAX)
        fail(path, "not a graph");
    vertices = rows, edges = count;
    int64_t *pairs = must(malloc((size_t)edges * 2 * sizeof *pairs));
    for (int64_t i = 0; i < edges; i++) {
        long long source, target;
        if (fscanf(file, "%lld %lld", &source, &target) != 2 || source < 1 || source > vertices || target < 1 ||
            target > vertices)
            fail(path, "has an edge that is none");
        pairs[2 * i] = source - 1, pairs[2 * i + 1] = target - 1;
    }
    fclose(file);
    qsort(pairs, (size_t)edges, 2 * sizeof *pairs, by_source);
    from = must(malloc((size_t)edges * sizeof *from)), to = must(malloc((size_t)edges * sizeof *to));
    for (int64_t i = 0; i < edges; i++) from[i] = pairs[2 * i], to[i] = pairs[2 * i + 1];
    free(pairs);
}

// -- The four ways. Each adds the share of an edge's source vertex to the target vertex's element of next[] -----------

static int64_t *first_edge; // number of the first outgoing edge of each of this PE's vertices; last: end of the edges
static int64_t *in_edges;   // numbers of the edges that lead to this PE's vertices
static int64_t in_count;

static void by_reading(void) {
    for (int64_t i = 0; i < in_count; i++) {
        int64_t edge = in_edges[i];
        next[place(to[edge])] += shmem_int64_g(&share[place(from[edge])], owner(from[edge]));
    }
}

static void by_atomics(void) {
    for (int64_t v = 0; v < own_count(); v++)
        for (int64_t edge = first_edge[v]; edge < first_edge[v + 1]; edge++)
            shmem_int64_atomic_add(&next[place(to[edge])], share[v], owner(to[edge]));
    shmem_quiet();
}

static void add(int64_t *sum, int64_t amount) {
    *sum += amount;
}
RPC_ASYNC(add, (int64_t * sum, int64_t amount), (sum, amount))

// Waits until the other PEs have run all calls that this PE has sent. A PE runs the calls of one caller in the order in
// which they were sent. So this function sends one call with an answer to each PE: when the answer arrives, all earlier
// calls have run.
static void await_calls(void) {
    for (int pe = 0; pe < pes; pe++)
        if (pe != me) add_rpc(shmemx_global(next, pe), 0);
}

// Sends a call without an answer for each edge to another PE. Only the PE that has a vertex is allowed to change the
// vertex's sum, because the sum has no lock. So a caller that finds a queue full must wait for a free slot and not run
// the function itself (SHMEMX_RPC_WAIT). And a PE that adds to its own sums masks calls meanwhile.
static void by_calls(void) {
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    for (int64_t v = 0; v < own_count(); v++)
        for (int64_t edge = first_edge[v]; edge < first_edge[v + 1]; edge++) {
            int64_t *sum = shmemx_global(&next[place(to[edge])], owner(to[edge]));
            if (owner(to[edge]) != me) {
                add_post(sum, share[v]);
                continue;
            }
            shmemx_rpc_mask();
            add(sum, share[v]);
            shmemx_rpc_unmask();
        }
    await_calls();
}

struct piece {
    int64_t place, amount;
};

static void add_all(int64_t *sums, const void *block, size_t bytes) {
    const struct piece *pieces = block;
    for (size_t i = 0; i < bytes / sizeof *pieces; i++) sums[pieces[i].place] += pieces[i].amount;
}
RPC_BLOCK(add_all)

#define PIECES (SHMEMX_RPC_BLOCK_BYTES / sizeof(struct piece))
static struct piece (*outgoing)[PIECES]; // one block for each PE
static size_t *gathered;

static void send(int pe) {
    if (pe == me) shmemx_rpc_mask();
    shmemx_rpc_post(add_all, (int64_t *)shmemx_global(next, pe), (const void *)outgoing[pe],
                    gathered[pe] * sizeof(struct piece));
    if (pe == me) shmemx_rpc_unmask();
    gathered[pe] = 0;
}

static void by_blocks(void) {
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    for (int64_t v = 0; v < own_count(); v++)
        for (int64_t edge = first_edge[v]; edge < first_edge[v + 1]; edge++) {
            int pe = owner(to[edge]);
            outgoing[pe][gathered[pe]++] = (struct piece){place(to[edge]), share[v]};
            if (gathered[pe] == PIECES) send(pe);
        }
    for (int pe = 0; pe < pes; pe++)
        if (gathered[pe] > 0) send(pe);
    await_calls();
}

// -- Rounds ------------------------------------------------------------------------------------------------------------

static int64_t unspread, all_unspread; // symmetric: rank of vertices without outgoing edges; all vertices share it
static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Runs `rounds` rounds. `spread` is one of the four ways. Returns the seconds that this PE spent in `spread` and in the
// barrier after it, over all rounds.
static double go(int rounds, void (*spread)(void)) {
    double seconds = 0;
    for (int64_t v = 0; v < own_count(); v++) rank_of[v] = WHOLE / vertices;
    for (int round = 0; round < rounds; round++) {
        unspread = 0;
        for (int64_t v = 0; v < own_count(); v++) {
            int64_t degree = first_edge[v + 1] - first_edge[v];
            share[v] = degree > 0 ? rank_of[v] / 100 * 85 / degree : 0;
            if (degree == 0) unspread += rank_of[v] / 100 * 85;
            next[v] = 0;
        }
        shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, &all_unspread, &unspread, 1);
        shmem_barrier_all();
        double began = seconds_now();
        spread();
        shmem_barrier_all();
        seconds += seconds_now() - began;
        for (int64_t v = 0; v < own_count(); v++)
            rank_of[v] = next[v] + WHOLE / 100 * 15 / vertices + all_unspread / vertices;
        shmem_barrier_all();
    }
    return seconds;
}

static void find_own_edges(void) {
    first_edge = must(calloc((size_t)own_count() + 1, sizeof *first_edge));
    in_edges = must(malloc((size_t)edges * sizeof *in_edges));
    int64_t edge = 0;
    while (edge < edges && from[edge] < first_own()) edge++;
    for (int64_t v = 0; v < own_count(); v++) {
        first_edge[v] = edge;
        while (edge < edges && from[edge] == first_own() + v) edge++;
    }
    first_edge[own_count()] = edge;
    for (edge = 0; edge < edges; edge++)
        if (owner(to[edge]) == me) in_edges[in_count++] = edge;
}

static void print_first(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) fail(path, strerror(errno));
    char(*names)[80] = must(calloc((size_t)vertices, sizeof *names));
    for (int64_t v = 0; v < vertices; v++)
        if (fscanf(file, "%79s", names[v]) != 1) fail(path, "has too few names");
    fclose(file);
    int64_t *all = must(malloc((size_t)vertices * sizeof *all));
    for (int64_t v = 0; v < vertices; v++) all[v] = shmem_int64_g(&rank_of[place(v)], owner(v));
    printf("graph_rpc: first");
    for (int i = 0; i < 5 && i < vertices; i++) {
        int64_t best = 0;
        for (int64_t v = 1; v < vertices; v++)
            if (all[v] > all[best]) best = v;
        printf("%s %s %.4f", i ? "," : "", names[best], (double)all[best] / (double)WHOLE);
        all[best] = -1;
    }
    printf("\n");
    free(all);
    free(names);
}

int main(int argument_count, char **arguments) {
    static const struct {
        const char *name;
        void (*spread)(void);
    } ways[] = {{"reading", by_reading}, {"atomics", by_atomics}, {"calls", by_calls}, {"blocks", by_blocks}};
    static int64_t differing, all_differing;
    shmem_init();
    me = shmem_my_pe(), pes = shmem_n_pes();
    if (argument_count < 2) fail("usage", "graph_rpc GRAPH.mtx [NAMES [ROUNDS]]");
    int rounds = argument_count > 3 ? atoi(arguments[3]) : 20;
    read_graph(arguments[1]);
    per_pe = (vertices + pes - 1) / pes;
    find_own_edges();
    rank_of = must(shmem_calloc((size_t)per_pe, sizeof *rank_of));
    share = must(shmem_calloc((size_t)per_pe, sizeof *share));
    next = must(shmem_calloc((size_t)per_pe, sizeof *next));
    outgoing = must(calloc((size_t)pes, sizeof *outgoing)), gathered = must(calloc((size_t)pes, sizeof *gathered));
    int64_t *expected = must(malloc((size_t)per_pe * sizeof *expected));

    if (me == 0)
        printf("graph_rpc: %lld vertices, %lld edges, %d PEs, %d rounds\n", (long long)vertices, (long long)edges, pes,
               rounds);
    for (int way = 0; way < 4; way++) {
        double seconds = go(rounds, ways[way].spread);
        if (way == 0) memcpy(expected, rank_of, (size_t)per_pe * sizeof *expected);
        differing = 0;
        for (int64_t v = 0; v < own_count(); v++) differing += rank_of[v] != expected[v];
        shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, &all_differing, &differing, 1);
        if (me == 0)
            printf("graph_rpc: %-8s %7.1f ns an edge, %s\n", ways[way].name,
                   seconds * 1e9 / (double)edges / (rounds > 0 ? rounds : 1), all_differing ? "WRONG" : "right");
        if (all_differing) shmem_global_exit(1);
    }
    if (me == 0 && argument_count > 2) print_first(arguments[2]);
    shmem_finalize();
    return 0;
}
