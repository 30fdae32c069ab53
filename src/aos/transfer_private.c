// SPDX-License-Identifier: BSD-3-Clause
// Does large puts to and gets from private memory of other PEs behind the program, if they have an event. The transfers
// are in a list, oldest first, and are moved in pieces. Two kinds of threads take pieces from the first transfer of the
// list: the copy thread of the machine (skerry_copy_thread_notify), and threads that wait for a transfer. So a wait for an
// event needs no more time than a transfer without an event, even if the copy thread finds no processor. The model is
// test/model/copy_thread.pml.
//
// own_lock protects all variables of this file. A thread holds it only to take a piece or to end one, not while it moves
// the piece. Why the data is complete when the event happens:
// * A thread counts its piece (`moving`) when it takes it. A transfer from which all pieces are taken leaves the list.
// * The thread that ends the last piece of a transfer which has left the list ends the transfer. Exactly one thread does,
//   because the count and the list are changed under the lock.
// * Each other thread has moved its pieces before it took the lock to end them. So the thread that ends the transfer, which
//   took the lock later, and all who see the event, also see these pieces.
//
// Order (Hascoet et al. 2017, section 5.4):
// * Transfers end in another order than they began, because two threads move them. So the replies of puts are in the list
//   of puts (reply.c), which makes the events of puts happen in order.
// * While puts are behind the program, each put to private memory with an event joins the list, whatever its size.
// * Atomics on a segment wait until the earlier puts to its owner have ended (skerry_aos_order_private_puts). A thread that
//   reads 0 there by its acquire load sees that these puts have ended.
// * Fences wait until all transfers with the owner have ended.
#include "transfer_private.h"

#if SKERRY_PRIVATE_MEMORY

// Sizes in bytes from which on a transfer goes on behind the program, inside the node and with another node. Chosen by
// bench/network/hidden.c (--private): the call takes 3 us, and a transfer inside the node 6 us for 64 KB and 25 us for 256 KB.
// Between nodes 16 KB take 50 us and more.
#define WORTH 262144
#define FAR_WORTH 32768
// Size of a piece. A thread that waits for a piece of another thread waits for at most a piece.
#define PIECE 131072
#define FAR_PIECE (4 * SKERRY_AOS_FAR_PIECE)
// Size of the first piece, which the call itself moves, inside the node. So the call finds wrong addresses, and a kernel
// that refuses cross-memory access. In the second case the whole transfer is done by the call.
#define FIRST 4096

#define TRANSFERS_MAX 64 // number of bits of `in_use`

struct transfer {
    struct skerry_aos_move move; // `shape` points to the next field
    struct skerry_aos_shape shape;
    uintptr_t plane, line, byte; // begin of the next piece
    uint32_t moving;             // number of pieces that threads have taken and not ended
    bool is_listed;              // in the list of transfers from which pieces can be taken
    int error;                   // of the first piece that failed
    uint32_t reply;              // number of the reply
    uint32_t next;               // in the list; number, from 1; 0: none
    // For messages about errors
    const char *routine;
    aos_segment_t segment;
    uint64_t offset;
    uintptr_t bytes;
};

static struct transfer transfers[TRANSFERS_MAX];
static uint32_t first, last; // of the list; numbers, from 1; 0: the list is empty
static uint64_t in_use;      // one bit for each of `transfers`
static uint64_t failed;      // one bit for each that has failed, and whose error no routine has returned
struct skerry_aos_behind skerry_aos_behind;

static void lock(void) {
    skerry_aos_lock_at_once(&skerry_aos.area->own_lock, skerry_my_pe());
}

static void unlock(void) {
    skerry_aos_unlock(&skerry_aos.area->own_lock, skerry_my_pe());
}

// Adds `change` to a number that other threads read without the lock. The caller holds the lock.
static void add(uint32_t *count, uint32_t change) {
    __atomic_store_n(count, *count + change, __ATOMIC_RELEASE);
}

static void count(int pe, bool put, uint32_t change) {
    add(&skerry_aos_behind.all, change);
    add(&skerry_aos_behind.of_pe[pe], change);
    if (put) add(&skerry_aos_behind.puts_to[pe], change);
}

static uint64_t bit_of(const struct transfer *transfer) {
    return UINT64_C(1) << (transfer - transfers);
}

// -- Pieces ------------------------------------------------------------------------------------------------------------

// Removes the first transfer from the list: all its pieces are taken. The caller holds the lock.
static void unlist(struct transfer *transfer) {
    transfer->is_listed = false;
    first = transfer->next;
}

// Takes the next piece of a transfer: at most `most` bytes of one line, or some whole lines of one plane. Returns false if
// it was the last one.
static bool take(struct transfer *transfer, uintptr_t most, struct skerry_aos_move *piece,
                 struct skerry_aos_shape *shape) {
    const struct skerry_aos_shape *all = &transfer->shape;
    const uintptr_t local = transfer->plane * (uintptr_t)all->local_plane + transfer->line * (uintptr_t)all->local_line;
    const uintptr_t remote =
        transfer->plane * (uintptr_t)all->remote_plane + transfer->line * (uintptr_t)all->remote_line;
    const uintptr_t bytes = all->bytes - transfer->byte, lines = all->lines - transfer->line;
    *piece = transfer->move;
    piece->shape = shape;
    piece->local += local + transfer->byte;
    piece->remote += remote + transfer->byte;
    *shape = *all;
    shape->planes = 1;
    if (transfer->byte > 0 || all->bytes > most) {
        shape->lines = 1;
        shape->bytes = bytes < most ? bytes : most;
        transfer->byte += shape->bytes;
        if (transfer->byte < all->bytes) return true;
        transfer->byte = 0;
    } else if (lines > most / all->bytes) {
        shape->lines = most / all->bytes;
    } else {
        shape->lines = lines;
    }
    transfer->line += shape->lines;
    if (transfer->line < all->lines) return true;
    transfer->line = 0;
    return ++transfer->plane < all->planes;
}

static struct transfer *take_piece(struct skerry_aos_move *piece, struct skerry_aos_shape *shape) {
    struct transfer *transfer = 0;
    lock();
    if (first) {
        transfer = &transfers[first - 1];
        transfer->moving++;
        if (!take(transfer, SKERRY_AOS_IS_FAR(transfer->move.pe) ? FAR_PIECE : PIECE, piece, shape)) unlist(transfer);
    }
    unlock();
    return transfer;
}

// Ends a transfer whose data is moved, or that has failed: wakes the owner, reports an error, and makes the event happen.
// A failed transfer keeps its place until a routine has returned the error. Another thread can do so as soon as the event
// has happened, so the fields of the transfer are not read after that.
static void end(struct transfer *transfer) {
    struct skerry_aos_reply *reply = &skerry_aos.area->replies[transfer->reply - 1];
    const int pe = transfer->move.pe, error = transfer->error;
    const bool put = transfer->move.put;
    if (put) skerry_aos_notify_put(&transfer->segment, pe);
    if (error) {
        skerry_aos_refuse(transfer->routine, error, &transfer->segment, transfer->offset, transfer->bytes);
        __atomic_store_n(&reply->error, error, __ATOMIC_RELAXED);
        lock();
        failed |= bit_of(transfer);
        unlock();
    }
    skerry_aos_end_part(reply);
    lock();
    if (!error) in_use &= ~bit_of(transfer);
    count(pe, put, 0u - 1);
    unlock();
    skerry_wake(skerry_my_pe()); // a thread that waits for the number of transfers
}

static void end_piece(struct transfer *transfer, int error) {
    lock();
    if (error && !transfer->error) transfer->error = error;
    if (error && transfer->is_listed) unlist(transfer); // it is the first one, because only the first one gives pieces
    const bool is_last = --transfer->moving == 0 && !transfer->is_listed;
    unlock();
    if (is_last) end(transfer);
}

// Moves a piece. Returns false if there is none. Called by the copy thread and by threads that wait.
static bool move_piece(void) {
    struct skerry_aos_move piece;
    struct skerry_aos_shape shape;
    bool served;
    struct transfer *transfer = take_piece(&piece, &shape);
    if (!transfer) return false;
    end_piece(transfer, skerry_aos_move_private(&piece, &served));
    return true;
}

// -- Waiting -----------------------------------------------------------------------------------------------------------

// Returns true if the number is 0. If not, first moves pieces as long as it is not.
static bool is_zero(const uint32_t *number) {
    while (SKERRY_LOAD_ACQUIRE(number) != 0)
        if (!move_piece()) return SKERRY_LOAD_ACQUIRE(number) == 0;
    return true;
}

void skerry_aos_end_behind(const uint32_t *number, uint32_t policy) {
    if (SKERRY_LOAD_ACQUIRE(number) == 0) return;
    SKERRY_AOS_WAIT_UNTIL(is_zero(number), skerry_my_pe(), policy);
}

void skerry_aos_help(const aos_event_t *event) {
    if (SKERRY_LOAD_ACQUIRE(&skerry_aos_behind.all) == 0) return;
    if (!skerry_aos.area->replies[event->reply - 1].is_transfer) return;
    while (SKERRY_LOAD_ACQUIRE((const int64_t *)event->word) < event->value && move_piece()) skerry_aos_progress();
}

// -- Errors ------------------------------------------------------------------------------------------------------------

static bool has_failed(const struct transfer *transfer) {
    return failed & bit_of(transfer);
}

// Frees the place of a failed transfer. The caller holds the lock.
static void forget(struct transfer *transfer) {
    failed &= ~bit_of(transfer);
    in_use &= ~bit_of(transfer);
}

void skerry_aos_note_told(uint32_t reply) {
    for (int i = 0; i < TRANSFERS_MAX; i++)
        if (has_failed(&transfers[i]) && transfers[i].reply == reply) forget(&transfers[i]);
}

int skerry_aos_untold_error(int pe) {
    int error = AOS_SUCCESS;
    lock();
    for (int i = 0; i < TRANSFERS_MAX && !error; i++) {
        if (!has_failed(&transfers[i]) || transfers[i].move.pe != pe) continue;
        error = transfers[i].error;
        forget(&transfers[i]);
    }
    unlock();
    return error;
}

void skerry_aos_tell_errors(void) {
    lock();
    const uint64_t untold = failed;
    unlock();
    if (!untold) return;
    const struct transfer *transfer = &transfers[__builtin_ctzll(untold)];
    skerry_aos_report(transfer->routine, transfer->error, &transfer->segment, transfer->offset, transfer->bytes);
}

// -- Beginning ---------------------------------------------------------------------------------------------------------

static bool is_worth_it(const struct skerry_aos_move *move) {
    uintptr_t bytes;
    if (move->put && __atomic_load_n(&skerry_aos.area->put_first, __ATOMIC_RELAXED) != 0) return true;
    if (__builtin_mul_overflow(move->shape->bytes, move->shape->lines, &bytes) ||
        __builtin_mul_overflow(bytes, move->shape->planes, &bytes))
        return true;
    return bytes >= (SKERRY_AOS_IS_FAR(move->pe) ? FAR_WORTH : WORTH);
}

static struct transfer *take_place(void) {
    struct transfer *transfer = 0;
    lock();
    if (~in_use) {
        transfer = &transfers[__builtin_ctzll(~in_use)];
        in_use |= bit_of(transfer);
    }
    unlock();
    return transfer;
}

static void leave_place(const struct transfer *transfer) {
    lock();
    in_use &= ~bit_of(transfer);
    unlock();
}

// Returns a place for a transfer. If all are in use, moves pieces and waits until one is free. Returns NULL if all are used
// by transfers that have failed.
static struct transfer *await_place(uint32_t policy) {
    struct transfer *place = 0;
    SKERRY_AOS_WAIT_UNTIL((place = take_place()) || SKERRY_LOAD_ACQUIRE(&skerry_aos_behind.all) == 0 ||
                              (move_piece() && (place = take_place())),
                          skerry_my_pe(), policy);
    return place;
}

static void append(struct transfer *transfer) {
    const uint32_t number = (uint32_t)(transfer - transfers) + 1;
    lock();
    transfer->is_listed = true;
    if (first) transfers[last - 1].next = number;
    else first = number;
    last = number;
    count(transfer->move.pe, transfer->move.put, 1);
    unlock();
}

// Moves the first piece of a large transfer inside the node. Returns false if the kernel refuses cross-memory access.
static bool move_first(struct transfer *transfer, int *error) {
    struct skerry_aos_move piece;
    struct skerry_aos_shape shape;
    bool served;
    take(transfer, FIRST, &piece, &shape);
    *error = skerry_aos_move_private(&piece, &served);
    return !served;
}

// Takes the reply of a transfer, makes its event, and hands the transfer to the threads that move data. Returns false if no
// reply is free.
static bool hand_over(struct transfer *transfer, aos_event_t *event) {
    uint64_t sequence;
    const struct skerry_aos_move *move = &transfer->move;
    transfer->reply = skerry_aos_take_reply_of_transfer(move->pe, move->put, 1, SKERRY_AOS_NO_CHANGE, &sequence);
    if (!transfer->reply) return false;
    skerry_aos_expect(event, transfer->reply, sequence, 0);
    append(transfer);
    if (skerry_copy_thread_notify(move_piece)) return true;
    while (move_piece()) continue; // there is no copy thread
    return true;
}

bool skerry_aos_begin_private(const char *routine, const aos_segment_t *segment, uint64_t offset, uintptr_t bytes,
                              const struct skerry_aos_move *move, aos_event_t *event, int *error) {
    *error = AOS_SUCCESS;
    if (!is_worth_it(move) || skerry_in_handler()) return false;
    struct transfer *transfer = await_place(segment->waiting);
    if (!transfer) return false;
    *transfer = (struct transfer){.move = *move,
                                  .shape = *move->shape,
                                  .routine = routine,
                                  .segment = *segment,
                                  .offset = offset,
                                  .bytes = bytes};
    transfer->move.shape = &transfer->shape;
    const bool is_large = !SKERRY_AOS_IS_FAR(move->pe) && move->shape->bytes * move->shape->lines > FIRST;
    const bool is_moved = !is_large || move_first(transfer, error);
    if (is_moved && !*error && hand_over(transfer, event)) return true;
    leave_place(transfer);
    return *error != AOS_SUCCESS;
}

#endif
