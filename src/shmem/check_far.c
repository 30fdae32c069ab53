// SPDX-License-Identifier: BSD-3-Clause
// Checks collectives of groups with members on several nodes, by messages. No PE polls the memory of another node.
// 1. The leader of each node but the first (the first of the group's members there) sends ARRIVE to member 0 when all
//    members on its node have arrived. The process that handles this message on the node of member 0 counts it:
//    - at the record that member 0 has published for this group,
//    - or in a slot, if member 0 has not arrived.
//    If all slots have arrivals of other groups, it refuses the message, and the leader sends it again some time later.
// 2. Member 0 waits until the counts at its record and in the slots of its group are together the number of the other
//    nodes. It frees the slots, sets its record to COMPLETE, and sends RELEASE with its record to the leaders.
// 3. The process that handles RELEASE copies the record to the memory of the leader, which waits for it.
//
// Why every arrival is counted once, and for the right collective (test/model/check_nodes.pml):
// * A group has at most one collective at a time at a member: a leader sends ARRIVE for the next one only after RELEASE, and
//   member 0 sends RELEASE only after it has freed the slots and set its record to COMPLETE. So a slot, and a record in
//   the state ARRIVED, always belong to the collective of the message.
// * A slot or record of the group is not freed, or complete, before the arrival of the message is counted. So it cannot
//   change between the comparison with the message's group and the addition. The handler compares the number of uses
//   before and after it has read the group, because another slot or record can change meanwhile.
// * Two handlers, or a handler and member 0, can miss each other's slot or record. Then the group has two slots, or a slot
//   and a record. Member 0 adds all of them, at each step of its wait.
// * If all slots are in use, member 0 still gets the arrivals of the group of its own record. So no PE waits for a free
//   slot for ever.
#include "check_record.h"

#define MESSAGE 5                      // number of the messages (skerry_far_on_message)
#define FIRST_DELAY_NANOSECONDS 100000 // time before the leader sends a refused message again; it doubles each time
#define LAST_DELAY_NANOSECONDS 10000000

enum kind { ARRIVE, RELEASE, FIND, FIND_ANY };
enum reply { NONE, RELEASED, REFUSED }; // values of the word `reply` of a leader

struct message {
    uint64_t kind;
    struct skerry_check_record record; // of the sender
};
_Static_assert(sizeof(struct message) <= SKERRY_FAR_MESSAGE_MAX, "a record is one message");
_Static_assert(sizeof(struct skerry_check_record) <= SKERRY_FAR_ANSWER_MAX, "a record is an answer");

// -- Arrivals, at the node of member 0 ---------------------------------------------------------------------------------

#define SLOT_STATES UINT64_C(3)

static int slots_of(const struct skerry_check_board *board) {
    return (int)__atomic_load_n(&board->used_slots, __ATOMIC_ACQUIRE);
}

// Returns true if a slot has arrivals of the group of a record. Another process can free and use the slot during this
// call, if it is the slot of another group. Then its state has changed.
static bool is_slot_of(const struct skerry_check_slot *slot, const struct skerry_check_record *record) {
    const uint64_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
    if ((state & SLOT_STATES) != SKERRY_CHECK_ARRIVED) return false;
    return SKERRY_CHECK_SAME_GROUP(slot, record) && __atomic_load_n(&slot->state, __ATOMIC_RELAXED) == state;
}

static void count(uint64_t *nodes, uint64_t *source_bytes, const struct skerry_check_record *record) {
    __atomic_fetch_add(source_bytes, record->all_source_bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(nodes, 1, __ATOMIC_RELEASE); // member 0 reads the bytes after it has seen this number
}

static bool count_in_free_slot(struct skerry_check_board *board, const struct skerry_check_record *record) {
    for (int i = 0; i < SKERRY_CHECK_SLOTS; i++) {
        struct skerry_check_slot *slot = &board->slots[i];
        uint64_t state = __atomic_load_n(&slot->state, __ATOMIC_RELAXED);
        if ((state & SLOT_STATES) != SKERRY_CHECK_FREE) continue;
        if (!__atomic_compare_exchange_n(&slot->state, &state, state + SKERRY_CHECK_CLAIMED, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        __atomic_store_n(&slot->start, record->start, __ATOMIC_RELEASE);
        __atomic_store_n(&slot->stride, record->stride, __ATOMIC_RELEASE);
        __atomic_store_n(&slot->size, record->size, __ATOMIC_RELEASE);
        __atomic_store_n(&slot->number, record->number, __ATOMIC_RELEASE);
        slot->nodes = 1;
        slot->source_bytes = record->all_source_bytes;
        __atomic_store_n(&slot->state, state + SKERRY_CHECK_ARRIVED, __ATOMIC_RELEASE);
        skerry_check_note_use(&board->used_slots, (uint64_t)(unsigned)i + 1);
        return true;
    }
    return false;
}

// Counts an arrival for near PE `pe`. Returns false if there is no memory to count it.
static bool count_arrival(int pe, const struct skerry_check_record *record) {
    struct skerry_check_board *board = skerry_check_board_of(pe);
    for (int i = 0; i < skerry_check_records_of(board); i++) {
        if (!skerry_check_announces(&board->records[i], record, SKERRY_CHECK_ARRIVED)) continue;
        count(&board->far[i].nodes, &board->far[i].source_bytes, record);
        return true;
    }
    for (int i = 0; i < slots_of(board); i++) {
        if (!is_slot_of(&board->slots[i], record)) continue;
        count(&board->slots[i].nodes, &board->slots[i].source_bytes, record);
        return true;
    }
    return count_in_free_slot(board, record);
}

// -- Messages ----------------------------------------------------------------------------------------------------------

// Copies the record of member 0 to the memory of near PE `pe`, the leader that waits for it.
static void release(int pe, const struct skerry_check_record *record) {
    struct skerry_check_board *board = skerry_check_board_of(pe);
    struct skerry_check_record found;
    const int index = skerry_check_find(pe, record, &found);
    if (index < 0) return;
    board->far[index].first = *record;
    __atomic_store_n(&board->far[index].reply, RELEASED, __ATOMIC_RELEASE);
}

// Handles a message for near PE `pe`. Returns the number of bytes of the answer.
static size_t handle(int pe, int from, const void *data, size_t bytes, void *answer) {
    const struct message *message = data;
    const uint64_t refused = REFUSED;
    (void)from, (void)bytes;
    switch (message->kind) {
    case ARRIVE:
        if (!count_arrival(pe, &message->record)) {
            __builtin_memcpy(answer, &refused, sizeof refused);
            return sizeof refused;
        }
        break;
    case RELEASE: release(pe, &message->record); break;
    default:
        return skerry_check_find(pe, message->kind == FIND ? &message->record : 0, answer) >= 0
                   ? sizeof(struct skerry_check_record)
                   : 0;
    }
    skerry_wake(pe);
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    skerry_far_on_message(MESSAGE, handle);
}

// Sends a message to PE `pe`. If its handler refuses it, the word `reply` of this PE becomes REFUSED. The members of some
// groups count as nodes of their own (levels.h), so the PE can be near.
static void send(int pe, enum kind kind, const struct skerry_check_record *record, uint64_t *reply) {
    struct message message = {.kind = kind};
    skerry_check_copy(&message.record, record);
    if (skerry_is_near(pe)) handle(pe, skerry_my_pe(), &message, sizeof message, reply);
    else skerry_far_request(pe, MESSAGE, &message, sizeof message, reply);
}

bool skerry_check_ask_for_record(int pe, const struct skerry_check_record *of_group,
                                 struct skerry_check_record *found) {
    _Alignas(8) char answer[SKERRY_FAR_ANSWER_MAX];
    struct message message = {.kind = of_group ? FIND : FIND_ANY};
    if (of_group) message.record = *of_group;
    if (skerry_far_ask(pe, MESSAGE, &message, sizeof message, answer) == 0) return false;
    __builtin_memcpy(found, answer, sizeof *found);
    return true;
}

// -- Waiting -----------------------------------------------------------------------------------------------------------

static struct skerry_check_far *far_part(const struct skerry_check_record *mine) {
    struct skerry_check_board *board = skerry_check_board_of(skerry_my_pe());
    return &board->far[mine - board->records];
}

// Returns the number of other nodes that have arrived.
static uint64_t arrived_nodes(const struct skerry_check_record *mine) {
    const struct skerry_check_board *board = skerry_check_board_of(skerry_my_pe());
    uint64_t nodes = __atomic_load_n(&far_part(mine)->nodes, __ATOMIC_ACQUIRE);
    for (int i = 0; i < slots_of(board); i++)
        if (is_slot_of(&board->slots[i], mine)) nodes += __atomic_load_n(&board->slots[i].nodes, __ATOMIC_ACQUIRE);
    return nodes;
}

// Frees the slots of the group, and returns the sum of their bytes. All nodes have arrived.
static uint64_t take_slots(const struct skerry_check_record *mine) {
    struct skerry_check_board *board = skerry_check_board_of(skerry_my_pe());
    uint64_t bytes = 0;
    for (int i = 0; i < slots_of(board); i++) {
        struct skerry_check_slot *slot = &board->slots[i];
        if (!is_slot_of(slot, mine)) continue;
        bytes += slot->source_bytes;
        __atomic_store_n(&slot->state, slot->state + SLOT_STATES + 1 - SKERRY_CHECK_ARRIVED, __ATOMIC_RELEASE);
    }
    return bytes;
}

void skerry_check_await_nodes(struct skerry_check_record *mine, const struct skerry_group *group,
                              uint64_t *source_bytes) {
    SKERRY_PAUSE(pause);
    struct skerry_check_searches searches = {0};
    while (arrived_nodes(mine) < (uint64_t)(unsigned)group->levels->nodes - 1) {
        skerry_pause(&pause, skerry_my_pe());
        skerry_check_search_sometimes(&searches, mine);
    }
    *source_bytes += far_part(mine)->source_bytes + take_slots(mine);
}

void skerry_check_release_nodes(const struct skerry_check_record *mine, const struct skerry_group *group) {
    for (int node = 1; node < group->levels->nodes; node++)
        send(skerry_leader_pe(group, node), RELEASE, mine, &far_part(mine)->reply);
}

static void pause_for(uint64_t nanoseconds) {
    SKERRY_PAUSE(pause);
    const uint64_t began = skerry_ticks(), ticks = nanoseconds * skerry_ticks_per_second() / 1000000000u;
    while (skerry_ticks() - began < ticks) skerry_pause(&pause, skerry_my_pe());
}

// Waits for the reply to the message that this PE has sent, and returns it.
static enum reply await_reply(const uint64_t *reply, const struct skerry_check_record *mine) {
    SKERRY_PAUSE(pause);
    struct skerry_check_searches searches = {0};
    uint64_t value;
    while ((value = __atomic_load_n(reply, __ATOMIC_ACQUIRE)) == NONE) {
        skerry_pause(&pause, skerry_my_pe());
        skerry_check_search_sometimes(&searches, mine);
    }
    return (enum reply)value;
}

void skerry_check_await_first(struct skerry_check_record *mine, uint64_t source_bytes) {
    uint64_t *reply = &far_part(mine)->reply;
    struct skerry_check_record arriving;
    skerry_check_copy(&arriving, mine);
    arriving.all_source_bytes = source_bytes;
    for (uint64_t delay = FIRST_DELAY_NANOSECONDS;; delay *= delay < LAST_DELAY_NANOSECONDS ? 2 : 1) {
        __atomic_store_n(reply, NONE, __ATOMIC_RELAXED); // no message of another PE can change it now
        send(skerry_check_member(mine, 0), ARRIVE, &arriving, reply);
        if (await_reply(reply, mine) == RELEASED) return;
        pause_for(delay);
    }
}
