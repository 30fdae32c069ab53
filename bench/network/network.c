// SPDX-License-Identifier: BSD-3-Clause
// Compares OpenSHMEM's operations between two nodes with bare UCP (the interface of UCX) between the same processes.
// The batches of Skerry and of bare UCP alternate, so other activity of the machine slows both equally. PEs 0 and 1
// must be on different nodes:
//     SKERRY_NODES=2 UCX_TLS=tcp,self oshrun -n 2 network [--rounds N] [NAME...]
// Prints a line for each contender of a figure, and a line for each required ratio; times are in ns for an operation:
//     time FIGURE BYTES CONTENDER MEDIAN QUARTILE1 QUARTILE3 BATCHES
//     ratio FIGURE BYTES REFERENCE MEDIAN QUARTILE1 QUARTILE3 MOST
// A ratio is Skerry's time divided by the reference's time in the same round. MOST is the largest ratio that is
// allowed.
#include "../limits/ucp.h"

#include <limits.h>
#include <shmem.h>

#include "arguments.h"

enum { ROUNDS_MAX = 1000, CONTENDERS_MAX = 3, WARM_TURNS = 4, MANY = 1000 };
#define BATCH_NANOSECONDS 2e6

struct contender {
    const char *name;
    void (*first)(const struct contender *, long count);  // on PE 0
    void (*second)(const struct contender *, long count); // on PE 1; NULL: PE 1 waits
    long bytes;
    double operations; // in one turn; 0 means 1
    double most;       // largest allowed ratio of Skerry's time to this contender's; the first contender is Skerry
    struct limit bare;
    long count;
    double *samples; // ROUNDS_MAX of them
};

struct figure {
    const char *name;
    long bytes;
    struct contender contenders[CONTENDERS_MAX];
};

// Symmetric objects. Each word has a cache line of its own.
static _Alignas(64) long order[8]; // PE 0 writes it on PE 1: figure, contender, number of turns
static _Alignas(64) long turn; // number of the newest batch; PE 0 writes it on PE 1, which answers with the same number
static _Alignas(64) long flag, word;
static _Alignas(64) long has_finished; // number of batches in which PE 1 computes and which PE 0 has finished
static _Alignas(64) uint64_t signal_word;
static _Alignas(64) long words[MANY];
static char *buffer, *source; // symmetric
static int me;

// -- Skerry ------------------------------------------------------------------------------------------------------------

static long exchanged; // number of the last exchange; equal on both PEs between batches

static void p_wait(const struct contender *contender, long count) {
    (void)contender;
    for (const long last = exchanged + count; exchanged < last;) {
        exchanged++;
        if (me == 0) shmem_long_p(&flag, exchanged, 1);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, exchanged);
        if (me == 1) shmem_long_p(&flag, exchanged, 0);
    }
    if (me == 1) shmem_quiet();
}

static void put_signal(const struct contender *contender, long count) {
    for (const long last = exchanged + count; exchanged < last;) {
        exchanged++;
        for (int pe = 0; pe < 2; pe++) {
            if (pe == me)
                shmem_putmem_signal(buffer, source, (size_t)contender->bytes, &signal_word, (uint64_t)exchanged,
                                    SHMEM_SIGNAL_SET, 1 - me);
            else shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, (uint64_t)exchanged);
        }
    }
    if (me == 1) shmem_quiet();
}

static void p_quiet(const struct contender *contender, long count) {
    (void)contender;
    for (long i = 0; i < count; i++) {
        shmem_long_p(&word, i, 1);
        shmem_quiet();
    }
}

static void g(const struct contender *contender, long count) {
    (void)contender;
    for (long i = 0; i < count; i++) (void)shmem_long_g(&word, 1);
}

static void fetch_add(const struct contender *contender, long count) {
    (void)contender;
    for (long i = 0; i < count; i++) (void)shmem_long_atomic_fetch_add(&word, 1, 1);
}

static void compare_swap(const struct contender *contender, long count) {
    (void)contender;
    for (long i = 0; i < count; i++) (void)shmem_long_atomic_compare_swap(&word, 1, 1, 1);
}

static void many_p(const struct contender *contender, long count) {
    (void)contender;
    for (long i = 0; i < count; i++) {
        for (int at = 0; at < MANY; at++) shmem_long_p(&words[at], at, 1);
        shmem_quiet();
    }
}

static void put(const struct contender *contender, long count) {
    for (long i = 0; i < count; i++) {
        shmem_putmem(buffer, source, (size_t)contender->bytes, 1);
        shmem_quiet();
    }
}

static void get(const struct contender *contender, long count) {
    for (long i = 0; i < count; i++) shmem_getmem(buffer, source, (size_t)contender->bytes, 1);
}

// Runs on PE 1 while PE 0 executes the batch. PE 1 only computes: it calls no routine that progresses the network.
static void compute(const struct contender *contender, long count) {
    (void)contender, (void)count;
    // The helper thread executes the operations of PE 0. So PE 0 can be one batch ahead, and the word counts the batches.
    static long batches;
    batches++;
    while (*(volatile long *)&has_finished < batches) {
    }
}

static void fetch_add_busy(const struct contender *contender, long count) {
    fetch_add(contender, count);
}

static void barrier_all(const struct contender *contender, long count) {
    (void)contender;
    for (long i = 0; i < count; i++) shmem_barrier_all();
}

static long terms[1], totals[1]; // operand and result of the measured sum

static void sum(const struct contender *contender, long count) {
    (void)contender;
    for (long i = 0; i < count; i++) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, totals, terms, 1);
}

// -- Bare UCP ----------------------------------------------------------------------------------------------------------

static void bare(const struct contender *contender, long count) {
    contender->bare.loop(&contender->bare, count);
}

static void bare_serve(const struct contender *contender, long count) {
    (void)contender, (void)count;
    serve();
}

// Sends a message to the other process and waits for the message of the other process. A barrier cannot take less time
// than this exchange.
static void bare_exchange(const struct contender *contender, long count) {
    (void)contender;
    static uint64_t expected;
    for (long i = 0; i < count; i++) {
        send_message(MESSAGE_EXCHANGE, 8);
        expected++;
        while (exchanges < expected) poll_worker(); // the other process can be one message ahead
    }
}

static uint64_t block_bytes; // symmetric
static char block[4096];     // symmetric
static void *exchange(const void *own, size_t bytes) {
    shmem_barrier_all();
    if (bytes > sizeof block) limit_fail("the size of a block");
    shmem_uint64_p(&block_bytes, bytes, 1 - me);
    shmem_putmem(block, own, bytes, 1 - me);
    shmem_barrier_all();
    void *other = malloc(block_bytes);
    if (!other) limit_fail("malloc");
    return memcpy(other, block, block_bytes);
}

// -- Figures -----------------------------------------------------------------------------------------------------------

#define SKERRY(...)                                                                                                    \
    { .name = "skerry", __VA_ARGS__ }
#define BARE(NAME, MOST, OPERATIONS, ...)                                                                              \
    {                                                                                                                  \
        .name = NAME, .first = bare, .second = bare_serve, .most = MOST, .operations = OPERATIONS, .bare = {           \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static struct figure figures[] = {
    {"p_wait",
     8,
     {SKERRY(p_wait, p_wait, .operations = 2), BARE("ucp_put", 0.6, 2, .parameter = 8, .loop = put_echo_loop),
      BARE("ucp_message", 1.2, 2, .parameter = 8, .loop = echo_loop)}},
    {"p_quiet",
     8,
     {SKERRY(p_quiet), BARE("ucp_put_flush", 0.65, 1, .parameter = 8, .loop = put_flush_loop),
      BARE("ucp_message_answer", 1.2, 1, .parameter = 8, .loop = echo_loop)}},
    {"g", 8, {SKERRY(g), BARE("ucp_get", 1.15, 1, .parameter = 8, .loop = get_loop)}},
    {"fetch_add",
     8,
     {SKERRY(fetch_add), BARE("ucp_fetch_add", 1.15, 1, .loop = atomic_loop, .design = UCP_ATOMIC_OP_ADD)}},
    {"compare_swap",
     8,
     {SKERRY(compare_swap), BARE("ucp_compare_swap", 1.15, 1, .loop = atomic_loop, .design = UCP_ATOMIC_OP_CSWAP)}},
    {"put_signal",
     8,
     {SKERRY(put_signal, put_signal, .operations = 2, .bytes = 8),
      BARE("ucp_message", 1.2, 2, .parameter = 8, .loop = echo_loop)}},
    {"put_signal",
     512,
     {SKERRY(put_signal, put_signal, .operations = 2, .bytes = 512),
      BARE("ucp_message", 1.2, 2, .parameter = 512, .loop = echo_loop)}},
    {"put_signal",
     4096,
     {SKERRY(put_signal, put_signal, .operations = 2, .bytes = 4096),
      BARE("ucp_message", 1.2, 2, .parameter = 4096, .loop = echo_loop)}},
    {"many_p",
     8,
     {SKERRY(many_p, .operations = MANY),
      BARE("ucp_put_many", 0.1, PUTS_AT_ONCE, .parameter = 8, .loop = put_many_loop)}},
    {"put",
     (long)LARGE_BYTES,
     {SKERRY(put, .bytes = (long)LARGE_BYTES),
      BARE("ucp_put_flush", 1 / 0.95, 1, .parameter = (long)LARGE_BYTES, .loop = put_flush_loop),
      BARE("ucp_message_answer", 1 / 0.95, 1, .loop = large_echo_loop)}},
    {"get",
     (long)LARGE_BYTES,
     {SKERRY(get, .bytes = (long)LARGE_BYTES),
      BARE("ucp_get", 1 / 0.95, 1, .parameter = (long)LARGE_BYTES, .loop = get_loop),
      BARE("ucp_message_fetch", 1 / 0.95, 1, .loop = large_fetch_loop)}},
    {"barrier_all",
     0,
     {SKERRY(barrier_all, barrier_all),
      BARE("ucp_message", 1.3, 2, .parameter = 8, .loop = echo_loop),
      {.name = "ucp_exchange", .first = bare_exchange, .second = bare_exchange, .most = 1.3}}},
    {"sum",
     8,
     {SKERRY(sum, sum),
      BARE("ucp_message", 1.3, 2, .parameter = 8, .loop = echo_loop),
      {.name = "ucp_exchange", .first = bare_exchange, .second = bare_exchange, .most = 1.3}}},
    {"fetch_add_busy", 8, {SKERRY(fetch_add_busy, compute), {.name = "fetch_add", .first = fetch_add, .most = 2}}},
};
enum { FIGURES = sizeof figures / sizeof *figures };
// The samples of each contender. This array is not a member of `figures`. The program's file contains every byte of an
// initialized object such as `figures`, and would become large.
static double all_samples[FIGURES][CONTENDERS_MAX][ROUNDS_MAX];

// -- Measuring ---------------------------------------------------------------------------------------------------------

// Runs one batch on PE 0 and returns its time in ns for an operation. Meanwhile PE 1 runs `follow`, which reads the
// order and does PE 1's part of the batch.
static double batch(int figure, int index, long count) {
    static long number;
    struct contender *contender = &figures[figure].contenders[index];
    const long next[3] = {figure, index, count};
    shmem_putmem(order, next, sizeof next, 1);
    shmem_fence();
    shmem_long_p(&turn, ++number, 1);
    shmem_quiet();
    // PE 1 does nothing in some batches. Without this wait it could read the order of the next batch twice.
    shmem_long_wait_until(&turn, SHMEM_CMP_GE, number);
    contender->first(contender, WARM_TURNS);
    const double began = limit_now();
    contender->first(contender, count);
    const double took = limit_now() - began;
    if (contender->first == bare) send_message(MESSAGE_END, 0);
    if (contender->second == compute) {
        static long batches;
        shmem_long_p(&has_finished, ++batches, 1);
        shmem_quiet();
    }
    return took / (double)count / (contender->operations > 0 ? contender->operations : 1);
}

static void follow(void) {
    for (long number = 1;; number++) {
        shmem_long_wait_until(&turn, SHMEM_CMP_GE, number);
        if (order[0] < 0) return;
        const struct contender *contender = &figures[order[0]].contenders[order[1]];
        const long count = order[2] + WARM_TURNS;
        shmem_long_p(&turn, number, 0);
        shmem_quiet();
        if (contender->second) contender->second(contender, count);
    }
}

static double quantile(double *samples, int count, int quarter) {
    qsort(samples, (size_t)count, sizeof *samples, limit_compare);
    return samples[(count - 1) * quarter / 4];
}

static void print(const struct figure *figure, int rounds) {
    static double samples[ROUNDS_MAX];
    for (int i = 0; i < CONTENDERS_MAX && figure->contenders[i].name; i++) {
        const struct contender *contender = &figure->contenders[i];
        memcpy(samples, contender->samples, sizeof samples);
        printf("time %s %ld %s %.4g %.4g %.4g %d\n", figure->name, figure->bytes, contender->name,
               quantile(samples, rounds, 2), quantile(samples, rounds, 1), quantile(samples, rounds, 3), rounds);
    }
    for (int i = 1; i < CONTENDERS_MAX && figure->contenders[i].name; i++) {
        const struct contender *contender = &figure->contenders[i];
        for (int round = 0; round < rounds; round++)
            samples[round] = figure->contenders[0].samples[round] / contender->samples[round];
        printf("ratio %s %ld %s %.3f %.3f %.3f %.3f\n", figure->name, figure->bytes, contender->name,
               quantile(samples, rounds, 2), quantile(samples, rounds, 1), quantile(samples, rounds, 3),
               contender->most);
    }
    fflush(stdout);
}

static void measure(int index, int rounds) {
    struct figure *figure = &figures[index];
    int contenders = 0;
    while (contenders < CONTENDERS_MAX && figure->contenders[contenders].name) contenders++;
    for (int i = 0; i < contenders; i++) {
        struct contender *contender = &figure->contenders[i];
        contender->samples = all_samples[index][i];
        const double operations = contender->operations > 0 ? contender->operations : 1;
        for (contender->count = 1; contender->count < 100000; contender->count *= 2)
            if (batch(index, i, contender->count) * operations * (double)contender->count > BATCH_NANOSECONDS / 2)
                break;
    }
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < contenders; i++) {
            const int turned = (i + round) % contenders;
            struct contender *contender = &figure->contenders[turned];
            contender->samples[round] = batch(index, turned, contender->count);
        }
    print(figure, rounds);
}

static bool is_figure(const char *name) {
    for (int i = 0; i < FIGURES; i++)
        if (strcmp(name, figures[i].name) == 0) return true;
    return false;
}

int main(int argument_count, char **arguments) {
    const int rounds = read_arguments("network", argument_count, arguments, ROUNDS_MAX, is_figure);
    shmem_init();
    me = shmem_my_pe();
    buffer = shmem_calloc(1, LARGE_BYTES), source = shmem_calloc(1, LARGE_BYTES);
    if (shmem_n_pes() != 2 || !buffer || !source || shmem_ptr(buffer, 1 - me)) {
        if (me == 0) fprintf(stderr, "network: needs 2 PEs on 2 nodes\n");
        shmem_global_exit(2);
    }
    limit_pin(me);
    start(exchange);
    shmem_barrier_all();
    if (me == 1) {
        follow();
    } else {
        for (int i = 0; i < FIGURES; i++)
            if (is_wanted(figures[i].name)) measure(i, rounds);
        const long end = -1;
        shmem_putmem(order, &end, sizeof end, 1);
        shmem_fence();
        shmem_long_p(&turn, LONG_MAX, 1);
    }
    shmem_finalize();
    return 0;
}
