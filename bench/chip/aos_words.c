// SPDX-License-Identifier: BSD-3-Clause
// Repeats, on a chip, the measurements of figure 4 and of table 2 of Hascoet et al. (2017;
// ../segments/segments_words.h). 1 to 16 PEs act while the other PEs wait at a barrier. For comparison, measures
// hand-written code without segments. In the rows whose names end with by_hand each addition uses TESTSET (the chip's
// atomic instruction), a load and two stores. In the rows `mailboxes` mailboxes (struct mailbox) replace the queues.
#include "chip.h"
#define SEGMENTS_PES_MOST 16
#include "../segments/segments_words.h"

#define WORD_TURNS 32
#define QUEUE_TURNS 8
#define SLOT 256

// Memory of this PE's queue, and later of its mailboxes. The alignment is 8 bytes: these cores have no cache lines.
static char memory[4160] __attribute__((aligned(8)));
static int64_t word[2];
static uint64_t hand_word;
static uint32_t hand_lock;
static int me, pes;

static const uint8_t counts[] = {1, 2, 4, 8, 16};

#define MEASURE(NAME, ACTIVE, STATEMENT)                                                                               \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me < (ACTIVE)) cycles = CYCLES(STATEMENT);                                                                 \
        shmem_barrier_all();                                                                                           \
        note(NAME, ACTIVE, WORD_TURNS, cycles);                                                                        \
    } while (0)

static void must_hold(bool holds) {
    if (!holds || failures) shmem_global_exit(4);
}

// -- Figure 4 ----------------------------------------------------------------------------------------------------------

// words_there[pe] and locks_there[pe] are the addresses of the word and the lock of PE `pe`.
static uint64_t *words_there[SEGMENTS_PES_MOST];
static uint32_t *locks_there[SEGMENTS_PES_MOST];

static void __attribute__((noinline)) add_by_hand(bool spread) {
    int target = spread ? me : pes - 1;
    for (int i = 0; i < WORD_TURNS; i++) {
        volatile uint64_t *there = words_there[target];
        volatile uint32_t *lock = locks_there[target];
        uint32_t taken, zero = 0;
        do {
            taken = 1;
            __asm__ volatile("testset %0, [%1, %2]" : "+r"(taken) : "r"(lock), "r"(zero) : "memory", "cc");
        } while (taken);
        *there += 1;
        *lock = 0;
        if (spread) target = right_of(target);
    }
}

static void measure_figure4(void) {
    for (int pe = 0; pe < pes; pe++) {
        words_there[pe] = shmem_ptr(&hand_word, pe);
        locks_there[pe] = shmem_ptr(&hand_lock, pe);
    }
    for (unsigned c = 0; c < sizeof counts; c++) {
        int active = counts[c];
        MEASURE("post_spread", active, post_words(true, WORD_TURNS));
        MEASURE("post_central", active, post_words(false, WORD_TURNS));
        MEASURE("fetch_spread", active, fetch_words(true, WORD_TURNS));
        MEASURE("fetch_central", active, fetch_words(false, WORD_TURNS));
        tell_added();
        shmem_barrier_all();
        must_hold(me != 0 || has_all_added());
        MEASURE("spread_by_hand", active, add_by_hand(true));
        MEASURE("central_by_hand", active, add_by_hand(false));
    }
}

// -- Table 2 -----------------------------------------------------------------------------------------------------------

// A mailbox has a message and, after the message, the message's number, which counts from 1. PE 0 has one mailbox for
// each worker. A worker uses only its first mailbox, for the messages of PE 0.
struct mailbox {
    char message[SLOT - 8];
    volatile uint32_t number;
    uint32_t pad;
};

static struct mailbox *mailbox(int place) {
    return (struct mailbox *)(void *)memory + place;
}

static void mail(int to, int place, const char *message, uint32_t bytes, uint32_t number) {
    struct mailbox *box = mailbox(place);
    shmem_putmem(box->message, message, bytes, to);
    ((struct mailbox *)shmem_ptr(box, to))->number = number;
}

static void receive(int place, char *message, uint32_t bytes, uint32_t number) {
    while (mailbox(place)->number != number) continue;
    skerry_copy(message, mailbox(place)->message, bytes);
}

static void lead_by_mail(int workers, uint32_t bytes) {
    static uint32_t numbers[SEGMENTS_PES_MOST];
    char message[SLOT];
    for (int worker = 1; worker <= workers; worker++) mail(worker, 0, message, bytes, numbers[worker] = 1);
    for (int open = workers; open > 0;)
        for (int worker = 1; worker <= workers; worker++) {
            if (mailbox(worker)->number != numbers[worker]) continue;
            receive(worker, message, bytes, numbers[worker]);
            if (++numbers[worker] <= QUEUE_TURNS) mail(worker, 0, message, bytes, numbers[worker]);
            else open--;
        }
}

static void work_by_mail(uint32_t bytes) {
    char message[SLOT];
    for (uint32_t number = 1; number <= QUEUE_TURNS; number++) {
        receive(0, message, bytes, number);
        mail(0, me, message, bytes, number);
    }
}

#define MEASURE_LED(NAME, LEAD, WORK)                                                                                  \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me == 0) cycles = CYCLES(LEAD);                                                                            \
        else if (me <= workers) WORK;                                                                                  \
        shmem_barrier_all();                                                                                           \
        note(NAME, workers, bytes, cycles);                                                                            \
    } while (0)

static void measure_table2(void) {
    static const uint8_t workers_of[] = {1, 2, 4, 8, 15}, bytes_of[] = {16, 32, 64, 128, 248};
    for (unsigned w = 0; w < sizeof workers_of && workers_of[w] < pes; w++)
        for (unsigned i = 0; i < sizeof bytes_of; i++) {
            int workers = workers_of[w];
            uint32_t bytes = bytes_of[i];
            MEASURE_LED("queues", lead(workers, bytes, QUEUE_TURNS), work(bytes, QUEUE_TURNS));
        }
    must_hold(true);
    for (unsigned w = 0; w < sizeof workers_of && workers_of[w] < pes; w++)
        for (unsigned i = 0; i < sizeof bytes_of; i++) {
            int workers = workers_of[w];
            uint32_t bytes = bytes_of[i];
            shmem_barrier_all();
            for (int place = 0; place < 16; place++) mailbox(place)->number = 0;
            MEASURE_LED("mailboxes", lead_by_mail(workers, bytes), work_by_mail(bytes));
        }
}

int main(void) {
    shmem_init();
    timer_start();
    segments_begin();
    me = segments_me;
    pes = segments_pes;
    make_words(word);
    make_queues(memory, 16);
    shmem_barrier_all();
    measure_figure4();
    measure_table2();
    must(aos_finalize());
    must_hold(true);
    tell();
    shmem_finalize();
    return 0;
}
