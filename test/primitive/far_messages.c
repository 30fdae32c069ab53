// SPDX-License-Identifier: BSD-3-Clause
// Messages between nodes: a handler runs once for each message, in the order of the sender's puts, atomics and
// messages; its answer comes back, or only that of a refusal; messages of all sizes up to the largest; a put that
// leaves at once. With one node the program ends at once, because there is no PE to send to.
// skip: epiphany example (their jobs have one node)
// pes: 2 4 7
#include "../shmem/test.h"

#define ASKED 0
#define SENT 1
#define REQUESTED 2
#define ROUNDS 300

static uint64_t counters[16];            // symmetric: element i is added to by messages of PE i
static uint64_t word, flag, replies[16]; // symmetric
static uint64_t refusal;                 // symmetric: the place for the answer to a request

struct question {
    uint64_t round, word;
    uint8_t data[SKERRY_FAR_MESSAGE_MAX - 16];
};

// Answers with the word that the sender has put before, and with the sum of the message's data.
static size_t answer_question(int pe, int from, const void *message, size_t bytes, void *answer) {
    const struct question *question = message;
    uint64_t *words = answer, sum = 0;
    for (size_t i = 0; i < bytes - offsetof(struct question, data); i++) sum += question->data[i];
    uint64_t *there = skerry_global(&word, pe);
    words[0] = __atomic_load_n(there, __ATOMIC_ACQUIRE);
    words[1] = sum;
    words[2] = (uint64_t)pe << 32 | (uint32_t)from;
    for (size_t i = 3; i < question->round % (SKERRY_FAR_ANSWER_MAX / 8 + 1); i++) words[i] = i;
    size_t count = question->round % (SKERRY_FAR_ANSWER_MAX / 8 + 1);
    return (count < 3 ? 3 : count) * sizeof *words;
}

static size_t count_message(int pe, int from, const void *message, size_t bytes, void *answer) {
    uint64_t *counter = skerry_global(&counters[from], pe);
    (void)answer;
    if (bytes != 8 || *(const uint64_t *)message != *counter) {
        fprintf(stderr, "message of PE %d out of order\n", from);
        abort();
    }
    __atomic_store_n(counter, *counter + 1, __ATOMIC_RELEASE);
    return 0;
}

// Only PE 0 asks, so that the word at the target is the one that it has put.
static void ask_in_turn(int pe) {
    static struct question question;
    uint64_t answer[SKERRY_FAR_ANSWER_MAX / 8];
    for (uint64_t round = 0; round < ROUNDS; round++) {
        size_t data = round == 0 ? 0 : round == 1 ? sizeof question.data : (size_t)(round * 97 % sizeof question.data);
        uint64_t sum = 0;
        question.round = round;
        for (size_t i = 0; i < data; i++) sum += question.data[i] = (uint8_t)(round * 7 + i);
        shmem_uint64_p(&word, round + 1, pe);
        size_t size = skerry_far_ask(pe, ASKED, &question, offsetof(struct question, data) + data, answer);
        size_t count = round % (SKERRY_FAR_ANSWER_MAX / 8 + 1);
        REQUIRE(size == (count < 3 ? 3 : count) * 8, "round %lu: the answer has %zu bytes", (unsigned long)round, size);
        REQUIRE(answer[0] == round + 1, "round %lu: the message overtook a put (%lu)", (unsigned long)round,
                (unsigned long)answer[0]);
        REQUIRE(answer[1] == sum, "round %lu: the data of the message has changed", (unsigned long)round);
        REQUIRE(answer[2] == ((uint64_t)pe << 32 | (uint32_t)me), "round %lu: target or sender", (unsigned long)round);
        for (size_t i = 3; i < count; i++) REQUIRE(answer[i] == i, "word %zu of the answer", i);
    }
}

// Everybody sends to every far PE. After a quiet all handlers have run.
static void send_to_all(void) {
    for (uint64_t round = 0; round < ROUNDS; round++)
        for (int pe = 0; pe < pes; pe++)
            if (!skerry_is_near(pe)) skerry_far_send(pe, SENT, &round, sizeof round);
    shmem_quiet();
    for (int pe = 0; pe < pes; pe++)
        if (!skerry_is_near(pe))
            REQUIRE(shmem_uint64_g(&counters[me], pe) == ROUNDS,
                    "not all messages were handled before the quiet returned");
}

// Answers every second message. The others it puts only into the target's memory.
static size_t refuse_second(int pe, int from, const void *message, size_t bytes, void *answer) {
    uint64_t round;
    (void)bytes;
    memcpy(&round, message, sizeof round);
    __atomic_store_n((uint64_t *)skerry_global(&counters[from], pe), round, __ATOMIC_RELEASE);
    round += 1000;
    memcpy(answer, &round, sizeof round);
    return round % 2 ? sizeof round : 0;
}

static void request(int pe) {
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        skerry_far_request(pe, REQUESTED, &round, sizeof round, &refusal);
        if (round % 2) shmem_uint64_wait_until(&refusal, SHMEM_CMP_EQ, round + 1000);
        else
            while (shmem_uint64_g(&counters[me], pe) != round) continue;
        REQUIRE(refusal == (round % 2 ? round : round - 1) + 1000, "round %lu: an answer came that was empty",
                (unsigned long)round);
    }
}

// PE 0 puts at once and then computes; the far PE waits for the word.
static void put_now(int pe) {
    if (me == 0) {
        uint64_t value = 7;
        skerry_far_put_now(&flag, &value, sizeof value, pe);
        static volatile uint64_t *answer = replies;
        struct timespec now, began;
        clock_gettime(CLOCK_MONOTONIC, &began);
        do {
            clock_gettime(CLOCK_MONOTONIC, &now); // a plain load, no wait: only the helper thread lands the answer
            REQUIRE(now.tv_sec - began.tv_sec < 20, "the put did not leave at once");
        } while (!answer[0]);
    } else if (me == pe) {
        shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 7);
        uint64_t value = 1;
        skerry_far_put_now(&replies[0], &value, sizeof value, 0);
    }
}

int main(void) {
    skerry_far_on_message(ASKED, answer_question);
    skerry_far_on_message(SENT, count_message);
    skerry_far_on_message(REQUESTED, refuse_second);
    test_begin();
    REQUIRE(pes <= 16, "made for up to 16 PEs");
    REQUIRE(skerry_has_far_pes() == !(skerry_is_near(0) && skerry_is_near(pes - 1)), "far PEs");
    if (skerry_has_far_pes()) {
        if (me == 0)
            for (int pe = 0; pe < pes; pe++)
                if (!skerry_is_near(pe)) ask_in_turn(pe);
        shmem_barrier_all();
        send_to_all();
        shmem_barrier_all();
        request(skerry_is_near(pes - 1) ? 0 : pes - 1);
        shmem_barrier_all();
        put_now(pes - 1);
    }
    shmem_barrier_all();
    return test_end();
}
