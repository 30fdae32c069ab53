// SPDX-License-Identifier: BSD-3-Clause
// Implements dependences between the tasks of one parent. In this file a record (struct omp_dependence) represents a
// task. A record can exist longer than its task: it is freed when its task has finished and no address refers to the
// record.
//
// For each address that depend clauses name, two groups of records are kept: the last group and the group before it.
// * A group is one task that writes, several tasks that read, or several tasks with inoutset. The tasks of a group do
//   not depend on one another.
// * Each task of the last group depends on all tasks of the group before it.
// * The next task that names the address joins the last group, or begins a new group after it.
// * Tasks with mutexinoutset run in the order in which they were made, like tasks with inout.
#include "../sync/mutex.h"
#include "../sync/wait.h"
#include "block.h"
#include "group.h"

struct link {
    struct link *next;
    struct omp_dependence *dependent;
};

#define OWN_LINKS 2

// A record represents a task with depend clauses. A record can also represent a thread that waits at a taskwait with a
// depend clause, or at an undeferred task. A record lies in a block of the memory for tasks (block.h). Its field
// `block` must have the same offset as in every other block.
struct omp_dependence {
    // Protects `finished` and `dependents`. The thread that runs the parent adds dependents. The thread that finishes
    // the record's task removes them.
    _Alignas(SKERRY_LINE) uint32_t lock;
    uint32_t references;
    // Number of unfinished tasks for which the record's task waits, plus 1 while its depend clauses are being
    // processed. The thread that lowers this number to 0 makes the task ready.
    uint32_t awaited;
    int32_t eventcount; // eventcount of the waiting thread, if `task` is NULL
    uint16_t links;     // number of own_links in use; each of them is in `dependents` of a record that this one awaits
    bool finished;
    struct omp_task *task; // NULL: the record represents a waiting thread (taskwait depend, undeferred tasks)
    struct link *dependents;
    struct link own_links[OWN_LINKS];
    // Fills the record up to the offset OMP_BLOCK_PLACE. The fields above have 16 bytes and the size of 7 pointers.
    unsigned char unused[OMP_BLOCK_PLACE - 16 - 7 * sizeof(void *)];
    struct omp_block block;
};
_Static_assert(offsetof(struct omp_dependence, block) == OMP_BLOCK_PLACE, "as in every block");

enum kind { KIND_IN = 1, KIND_OUT, KIND_INOUT, KIND_MUTEXINOUTSET, KIND_INOUTSET };

#define OWN_ITEMS 2

struct list {
    struct omp_dependence **more; // array of all records, if there were ever more than OWN_ITEMS; else NULL
    struct omp_dependence *own[OWN_ITEMS];
    uint32_t count, room;
};

struct address {
    struct address *next;
    const void *address;
    enum kind kind; // kind of the last group; KIND_OUT means a task that runs alone
    uint32_t last;  // index of the last group in `groups`; the group before it has the other index
    struct list groups[2];
};

#define BUCKETS_BITS 6 // log2 of the number of buckets of a new table; the table grows with the number of addresses

// Hash table of the addresses that the depend clauses of one parent's tasks name.
struct omp_addresses {
    struct address **buckets;
    uint32_t bits, count;
    struct address all; // groups of tasks that depend on all memory (omp_all_memory)
};

static void *take(size_t bytes) {
    void *memory = skerry_memory_take(bytes, _Alignof(max_align_t));
    if (!memory) skerry_stop("libgomp: GOMP_task: no memory for dependences");
    __builtin_memset(memory, 0, bytes);
    return memory;
}

// -- Records -----------------------------------------------------------------------------------------------------------

static struct omp_dependence *record_new(struct omp_thread *self, struct omp_task *task, uint32_t awaited) {
    struct omp_dependence *record = omp_block_take(self, sizeof *record);
    record->lock = 0;
    record->references = 1;
    record->awaited = awaited;
    record->finished = false;
    record->links = 0;
    record->task = task;
    record->dependents = NULL;
    return record;
}

static void drop(struct omp_thread *self, struct omp_dependence *record) {
    if (__atomic_sub_fetch(&record->references, 1, __ATOMIC_ACQ_REL) == 0) omp_block_give(self, &record->block);
}

static struct link *link_new(struct omp_dependence *dependent) {
    if (dependent->links < OWN_LINKS) return &dependent->own_links[dependent->links++];
    return take(sizeof(struct link));
}

static void link_free(struct link *link) {
    const struct omp_dependence *dependent = link->dependent;
    if (link < dependent->own_links || link >= dependent->own_links + OWN_LINKS) skerry_memory_give(link);
}

// Adds a dependence: the task of `dependent` must wait until the task of `record` has finished. Does nothing if the
// task of `record` has already finished.
static void await(struct omp_dependence *record, struct omp_dependence *dependent) {
    if (record == dependent) return;
    if (__atomic_load_n(&record->finished, __ATOMIC_ACQUIRE)) {
        // skerry_sees tells the race detector that the finished task happened before this point. This thread publishes
        // `dependent` later, so the finished task also happened before the task of `dependent`.
        skerry_sees(record);
        return;
    }
    omp_mutex_take(&record->lock);
    if (!record->finished) {
        struct link *link = link_new(dependent);
        __atomic_fetch_add(&dependent->awaited, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dependent->references, 1, __ATOMIC_RELAXED);
        *link = (struct link){record->dependents, dependent};
        // The store is atomic, because skerry_omp_expect_dependents reads the word without the lock.
        __atomic_store_n(&record->dependents, link, __ATOMIC_RELAXED);
    } else skerry_sees(record);
    omp_mutex_give(&record->lock);
}

// -- Addresses ---------------------------------------------------------------------------------------------------------

static struct list *last_of(struct address *address) {
    return &address->groups[address->last];
}

static struct list *before_of(struct address *address) {
    return &address->groups[1 - address->last];
}

static struct omp_dependence **items_of(struct list *list) {
    return list->more ? list->more : list->own;
}

static bool is_full(const struct list *list) {
    return list->count == (list->more ? list->room : OWN_ITEMS);
}

static void list_add(struct list *list, struct omp_dependence *record) {
    if (is_full(list)) {
        uint32_t room = 4 * list->count;
        struct omp_dependence **items = take(room * sizeof *items);
        __builtin_memcpy(items, items_of(list), list->count * sizeof *items);
        skerry_memory_give(list->more);
        list->more = items;
        list->room = room;
    }
    __atomic_fetch_add(&record->references, 1, __ATOMIC_RELAXED);
    items_of(list)[list->count++] = record;
}

static void list_clear(struct omp_thread *self, struct list *list) {
    for (uint32_t i = 0; i < list->count; i++) drop(self, items_of(list)[i]);
    list->count = 0;
}

// Removes the records of finished tasks from a list. Without this removal, the list of an address that many tasks read
// would grow for ever.
static void list_forget_finished(struct omp_thread *self, struct list *list) {
    struct omp_dependence **items = items_of(list);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (__atomic_load_n(&items[i]->finished, __ATOMIC_ACQUIRE)) {
            skerry_sees(items[i]);
            drop(self, items[i]);
        } else items[kept++] = items[i];
    }
    list->count = kept;
}

static void await_list(struct list *list, struct omp_dependence *dependent) {
    for (uint32_t i = 0; i < list->count; i++) await(items_of(list)[i], dependent);
}

static void address_clear(struct omp_thread *self, struct address *address) {
    for (uint32_t i = 0; i < 2; i++) {
        list_clear(self, &address->groups[i]);
        skerry_memory_give(address->groups[i].more);
    }
}

static struct address **bucket_of(const struct omp_addresses *addresses, const void *at) {
    // The factor is 2^64 divided by the golden ratio, which is usual for such a hash: the upper bits of the product
    // depend on all bits of `at`.
    uint64_t hash = (uint64_t)(uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15);
    return &addresses->buckets[hash >> (64 - addresses->bits)];
}

static void grow(struct omp_addresses *addresses) {
    struct address **old = addresses->buckets;
    size_t count = old ? (size_t)1 << addresses->bits : 0;
    addresses->bits = old ? addresses->bits + 2 : BUCKETS_BITS;
    addresses->buckets = take(sizeof *old << addresses->bits);
    for (size_t i = 0; i < count; i++)
        while (old[i]) {
            struct address *address = old[i], **bucket = bucket_of(addresses, address->address);
            old[i] = address->next;
            address->next = *bucket;
            *bucket = address;
        }
    skerry_memory_give(old);
}

// Removes each address whose tasks have all finished. No later task has to wait for these tasks. In a loop over many
// addresses the table therefore contains only the addresses of unfinished tasks.
static void forget_finished(struct omp_thread *self, struct omp_addresses *addresses) {
    for (size_t i = 0; i < (size_t)1 << addresses->bits; i++)
        for (struct address **place = &addresses->buckets[i]; *place;) {
            struct address *address = *place;
            list_forget_finished(self, last_of(address));
            list_forget_finished(self, before_of(address));
            if (address->groups[0].count || address->groups[1].count) {
                place = &address->next;
                continue;
            }
            *place = address->next;
            address_clear(self, address);
            skerry_memory_give(address);
            addresses->count--;
        }
}

static struct address *find(struct omp_thread *self, struct omp_addresses *addresses, const void *at) {
    for (struct address *address = *bucket_of(addresses, at); address; address = address->next)
        if (address->address == at) return address;
    if (addresses->count >> addresses->bits >= 2) {
        forget_finished(self, addresses);
        if (addresses->count >> addresses->bits >= 1) grow(addresses);
    }
    addresses->count++;
    struct address *address = take(sizeof *address), **bucket = bucket_of(addresses, at);
    address->address = at;
    address->next = *bucket;
    *bucket = address;
    return address;
}

// Makes a record wait for the earlier tasks that conflict with it at an address. If is_entered is true, also adds the
// record to the groups of this address. Later tasks then wait for the record's task. is_entered is false for a record
// that represents a waiting thread, because no later task depends on a waiting thread.
static void enter_at(struct omp_thread *self, struct address *address, struct omp_dependence *record, enum kind kind,
                     bool is_entered) {
    if (kind == KIND_INOUT || kind == KIND_MUTEXINOUTSET) kind = KIND_OUT;
    struct list *last = last_of(address);
    bool joins = last->count && address->kind == kind && kind != KIND_OUT;
    await_list(joins ? before_of(address) : last, record);
    if (!is_entered) return;
    if (last->count && items_of(last)[last->count - 1] == record) {
        // The task names this address twice. If the second kind differs and the first kind is not KIND_OUT, the task
        // becomes a group of its own: it waits for all tasks before it, and all tasks after it wait for it. Only depend
        // objects cause this case. The compiler lists all written addresses before the addresses that are only read,
        // and lists depend objects after both.
        if (address->kind == KIND_OUT || address->kind == kind) return;
        kind = KIND_OUT;
    }
    if (joins) {
        if (is_full(last)) list_forget_finished(self, last);
    } else {
        list_clear(self, before_of(address));
        address->last = 1 - address->last;
        address->kind = kind;
    }
    list_add(last_of(address), record);
}

// -- What the compiler lists -------------------------------------------------------------------------------------------

// One entry of the list of dependences that a compiled program passes. The list has one of two forms:
// * OpenMP 4.5: the number of addresses, the number of written addresses, and then the addresses.
// * OpenMP 5.0: 0, the number of all entries, and the numbers of addresses of three kinds: out and inout,
//   mutexinoutset, in. The addresses follow in this order, and then pointers to depend objects.
// A depend object has two words: an address and a kind.
struct entry {
    const void *address;
    enum kind kind;
};

static size_t count_of(void **list) {
    return (size_t)(list[0] ? list[0] : list[1]);
}

static struct entry entry_of(void **list, size_t i) {
    if (list[0]) return (struct entry){list[2 + i], i < (size_t)list[1] ? KIND_OUT : KIND_IN};
    size_t outs = (size_t)list[2], sets = outs + (size_t)list[3], ins = sets + (size_t)list[4];
    void *word = list[5 + i];
    if (i >= ins) {
        void **object = word;
        return (struct entry){object[0], (enum kind)(uintptr_t)object[1]};
    }
    return (struct entry){word, i < outs ? KIND_OUT : i < sets ? KIND_MUTEXINOUTSET : KIND_IN};
}

// Adds the dependences of a task with omp_all_memory in a depend clause. The compiler passes omp_all_memory as the
// address NULL. This task depends on all earlier tasks of its parent that have depend clauses. All later tasks with
// depend clauses depend on this task.
static void enter_all_memory(struct omp_thread *self, struct omp_addresses *addresses, struct omp_dependence *record,
                             bool is_entered) {
    for (size_t i = 0; i < (size_t)1 << addresses->bits; i++)
        for (struct address *address = addresses->buckets[i]; address; address = address->next)
            enter_at(self, address, record, KIND_OUT, is_entered);
    enter_at(self, &addresses->all, record, KIND_OUT, is_entered);
}

static void enter(struct omp_thread *self, struct omp_task *parent, struct omp_dependence *record, void **list,
                  bool is_entered) {
    if (!parent->addresses) {
        if (!is_entered) return;
        parent->addresses = take(sizeof *parent->addresses);
        omp_note_extras(parent);
        omp_note_owner(self);
        grow(parent->addresses);
    }
    struct omp_addresses *addresses = parent->addresses;
    for (size_t i = 0; i < count_of(list); i++) {
        struct entry entry = entry_of(list, i);
        if (!entry.address) {
            enter_all_memory(self, addresses, record, is_entered);
            continue;
        }
        await_list(last_of(&addresses->all), record);
        enter_at(self, find(self, addresses, entry.address), record, entry.kind, is_entered);
    }
}

bool skerry_omp_depend(struct omp_thread *self, struct omp_task *task, void **list) {
    struct omp_dependence *record = record_new(self, task, 1);
    task->depends = record;
    task->has_depends = true;
    enter(self, task->parent, record, list, true);
    skerry_publishes(record);
    return __atomic_sub_fetch(&record->awaited, 1, __ATOMIC_ACQ_REL) == 0;
}

// Prefetches the link to the first task that depends on `task`. The thread that runs the task calls this function when
// the task begins. If another thread has written the link, the link's cache line must come from another processor. The
// prefetch lets the line arrive while the task runs.
void skerry_omp_expect_dependents(const struct omp_task *task) {
    skerry_sees(task->depends); // for the race detector: the tasks on which this task depended published the record
    const struct link *link = __atomic_load_n(&task->depends->dependents, __ATOMIC_RELAXED);
    if (link) __builtin_prefetch(link, 1);
}

// Called when the task has finished. Makes all tasks ready that waited only for this task.
void skerry_omp_release_dependents(struct omp_thread *self, struct omp_task *task) {
    struct omp_dependence *record = task->depends;
    omp_mutex_take(&record->lock);
    skerry_publishes(record);
    __atomic_store_n(&record->finished, true, __ATOMIC_RELEASE);
    struct link *link = record->dependents;
    __atomic_store_n(&record->dependents, NULL, __ATOMIC_RELAXED);
    omp_mutex_give(&record->lock);
    while (link) {
        struct link *next = link->next;
        struct omp_dependence *dependent = link->dependent;
        skerry_publishes(dependent);
        link_free(link);
        if (__atomic_sub_fetch(&dependent->awaited, 1, __ATOMIC_ACQ_REL) == 0) {
            if (dependent->task) skerry_omp_make_ready(self, dependent->task);
            else skerry_wake(dependent->eventcount);
        }
        drop(self, dependent);
        link = next;
    }
    drop(self, record);
}

// Waits for the unfinished tasks on which a new task with the dependences in `list` would depend. Meanwhile the thread
// runs descendants of its current task.
void skerry_omp_await(struct omp_thread *self, void **list) {
    struct omp_task *task = self->state.task;
    if (!task->addresses) return;
    struct omp_dependence *record = record_new(self, NULL, 0);
    record->eventcount = self->number;
    enter(self, task, record, list, false);
    OMP_RUN_DESCENDANTS_UNTIL(self, __atomic_load_n(&record->awaited, __ATOMIC_ACQUIRE) == 0);
    skerry_sees(record);
    drop(self, record);
}

void skerry_omp_forget_addresses(struct omp_thread *self, struct omp_task *task) {
    struct omp_addresses *addresses = task->addresses;
    for (size_t i = 0; i < (size_t)1 << addresses->bits; i++)
        while (addresses->buckets[i]) {
            struct address *address = addresses->buckets[i];
            addresses->buckets[i] = address->next;
            address_clear(self, address);
            skerry_memory_give(address);
        }
    address_clear(self, &addresses->all);
    skerry_memory_give(addresses->buckets);
    skerry_memory_give(addresses);
    task->addresses = NULL;
}
