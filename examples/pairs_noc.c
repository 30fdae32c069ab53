// SPDX-License-Identifier: BSD-3-Clause
// Sums over all pairs of particles on a line, in a ring of clusters. Each cluster has some of the particles. Copies of all
// blocks of particles travel around the ring, and each cluster adds what the block that it has now contributes to its own
// particles. The blocks travel over the data network of the clusters without a programming model in between (mppa_noc.h):
// * A cluster has two buffers. It sends the block in one of them to the Rx tag of the other one at its right neighbour, and
//   then computes with it, while the next block arrives.
// * A word to a mailbox of the left neighbour says that a buffer is free again. So no block is overwritten.
// Build and run: oshcc --machine mppa -O2 pairs_noc.c -o pairs.elf && oshrun --machine mppa -n 16 ./pairs.elf
#include <mppa_noc.h>
#include <mppa_routing.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { particles = 64, buffers = 2, free_box = 5, first_tag = 10 };

typedef struct {
    int place, charge;
} particle;

static _Alignas(8) particle blocks[buffers][particles];
static particle own[particles];
static long long sums[particles];

// Every cluster can make every particle, so it can check its sums.
static particle make(int number) {
    return (particle){.place = (int)((unsigned)number * 2654435761u >> 16 & 0xffff), .charge = number % 7 - 3};
}

static void add_block(const particle *block) {
    for (int i = 0; i < particles; i++)
        for (int k = 0; k < particles; k++) sums[i] += (long long)block[k].charge * abs(own[i].place - block[k].place);
}

static void open_buffers(void) {
    for (unsigned b = 0; b < buffers; b++) {
        const mppa_noc_dnoc_rx_configuration_t receive = {
            .buffer_base = (uintptr_t)blocks[b],
            .buffer_size = sizeof blocks[b],
            .reload_mode = MPPA_NOC_RX_RELOAD_MODE_INCR_DATA_NOTIF,
            .activation = MPPA_NOC_ACTIVATED,
        };
        if (mppa_noc_dnoc_rx_alloc(0, first_tag + b) != MPPA_NOC_RET_SUCCESS) exit(1);
        mppa_noc_dnoc_rx_configure(0, first_tag + b, receive);
    }
    const mppa_noc_cnoc_rx_configuration_t words = {.mode = MPPA_NOC_CNOC_RX_MAILBOX};
    if (mppa_noc_cnoc_rx_alloc(0, free_box) != MPPA_NOC_RET_SUCCESS) exit(1);
    mppa_noc_cnoc_rx_configure(0, free_box, words, NULL);
}

// Returns a channel to a tag of a cluster.
static unsigned open_channel(int from, int to, unsigned tag) {
    unsigned channel;
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    MPPA_NOC_DNOC_TX_CONFIG_INITIALIZER_DEFAULT(config, 0);
    mppa_noc_dnoc_tx_alloc_auto(0, &channel, MPPA_NOC_BLOCKING);
    mppa_routing_get_dnoc_unicast_route(from, to, &config, &header);
    header._.tag = tag;
    header._.valid = 1;
    mppa_noc_dnoc_tx_configure(0, channel, header, config);
    return channel;
}

// Returns a sender to the mailbox of a cluster.
static unsigned open_sender(int from, int to) {
    unsigned sender;
    mppa_cnoc_config_t config = {0};
    mppa_cnoc_header_t header = {0};
    mppa_noc_cnoc_tx_alloc_auto(0, &sender, MPPA_NOC_BLOCKING);
    mppa_routing_get_cnoc_unicast_route(from, to, &config, &header);
    header._.tag = free_box;
    mppa_noc_cnoc_tx_configure(0, sender, config, header);
    return sender;
}

static void send_block(unsigned channel, const particle *block) {
    const mppa_dnoc_push_offset_t begin = {._ = {.offset = 0, .protocol = 1, .valid = 1}};
    mppa_noc_dnoc_tx_set_push_offset(0, channel, begin);
    mppa_noc_dnoc_tx_send_data_eot(0, channel, sizeof blocks[0], block);
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes(), right = (me + 1) % pes, left = (me + pes - 1) % pes;
    for (int i = 0; i < particles; i++) own[i] = blocks[0][i] = make(me * particles + i);
    open_buffers();
    const unsigned channels[buffers] = {open_channel(me, right, first_tag), open_channel(me, right, first_tag + 1)};
    const unsigned sender = open_sender(me, left);
    shmem_barrier_all(); // all buffers and mailboxes are open

    int free_buffers = 1; // of the right neighbour
    for (int step = 0; step < pes; step++) {
        const int here = step % buffers, next = (step + 1) % buffers;
        if (step + 1 < pes) {
            while (free_buffers == 0)
                free_buffers += mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, free_box);
            send_block(channels[next], blocks[here]);
            free_buffers--;
        }
        add_block(blocks[here]);
        if (step + 2 < pes) mppa_noc_cnoc_tx_push_eot(0, sender, 1); // the left neighbour may overwrite this block
        if (step + 1 < pes) mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_DNOC_RX, first_tag + (unsigned)next);
    }

    int wrong = 0;
    for (int i = 0; i < particles; i++) {
        long long expected = 0;
        for (int k = 0; k < pes * particles; k++) {
            const particle other = make(k);
            expected += (long long)other.charge * abs(own[i].place - other.place);
        }
        wrong += sums[i] != expected;
    }
    if (wrong) fprintf(stderr, "cluster %d: %d of %d sums are wrong\n", me, wrong, particles);
    shmem_barrier_all();
    if (me == 0) printf("%d particles in %d clusters: the first sum is %lld\n", pes * particles, pes, sums[0]);
    shmem_finalize();
    return wrong != 0;
}
