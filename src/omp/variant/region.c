// SPDX-License-Identifier: BSD-3-Clause
// Implements the variants of parallel regions and barriers that are not the default (variant.h). The master (the thread
// that begins the region) sends the region's function and data through queues. Threads report the end of a region by
// flags. A lock protects the counter of a barrier.
#include "variant.h"

#include "../../primitive/mailbox.h"
#include "../../primitive/queue.h"
#include "../sync/mutex.h"
#include "../sync/wait.h"

struct descriptor {
    omp_function *function;
    void *data;
    struct omp_team *team;
};

#define DESCRIPTORS 2 // slots of the queue: only one message is in it at a time, but a queue needs two slots

// Sends a region's descriptor (its function and data) to thread `to`. Only the calling thread forks regions for `to`.
// The calling thread therefore creates the queue at its first call, and no other thread sends to this queue.
void skerry_omp_descriptor_send(struct omp_thread *to, omp_function *function, void *data, struct omp_team *team,
                                uint32_t thread_number) {
    struct skerry_queue *queue = to->descriptors;
    if (!queue)
        __atomic_store_n(&to->descriptors, queue = skerry_omp_queue_new(DESCRIPTORS, sizeof(struct descriptor), false),
                         __ATOMIC_RELEASE);
    struct skerry_queue_end end;
    skerry_queue_open(&end, queue, to->number);
    // No wait for a free slot is needed: the region whose descriptor was sent last has ended, so the queue is empty.
    skerry_word ticket = skerry_queue_take_ticket(&end);
    struct descriptor *message = (struct descriptor *)(void *)skerry_queue_slot_of(&end, ticket)->message;
    *message = (struct descriptor){function, data, team};
    skerry_queue_publish(&end, ticket, thread_number);
}

bool skerry_omp_descriptor_receive(struct omp_thread *self) {
    struct skerry_queue *queue = __atomic_load_n(&self->descriptors, __ATOMIC_ACQUIRE);
    struct skerry_queue_slot *slot = queue ? skerry_queue_first(queue) : NULL;
    if (!slot) return false;
    const struct descriptor *message = (const struct descriptor *)(const void *)slot->message;
    self->box.function = message->function;
    self->box.data = message->data;
    self->box.team = message->team;
    self->box.thread_number = slot->note;
    skerry_queue_release(queue);
    return true;
}

void skerry_omp_flag_set(struct omp_team *team, struct omp_member *member) {
    skerry_store_release(&member->joined, member->joined + 1, team->eventcount);
}

void skerry_omp_flags_await(struct omp_thread *self, struct omp_team *team) {
    team->to_join++;
    for (uint32_t i = 1; i < team->threads; i++)
        OMP_HELP_UNTIL(self, team, skerry_reached(&omp_member(team, i)->joined, team->to_join));
}

skerry_word skerry_omp_arrive_locked(struct omp_team *team) {
    omp_mutex_take(&team->arrival_lock);
    skerry_word arrived = team->arrived + 1;
    __atomic_store_n(&team->arrived, arrived, __ATOMIC_RELEASE);
    omp_mutex_give(&team->arrival_lock);
    return arrived;
}
