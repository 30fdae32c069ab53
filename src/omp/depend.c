// SPDX-License-Identifier: BSD-3-Clause
// Dependences between the tasks of one parent. For each address in their depend clauses the parent's thread keeps two
// groups of tasks. The last group has the tasks that may run together: one that writes, several that read, or a set of
// inoutset. The members of the last group depend on the group before it. The next task that names the address joins the
// last group, or depends on it and begins a new one. A record stands for a task here and outlives it. It is freed when
// its task has finished and no address refers to it any more.
//     record.lock       guards finished and dependents: the parent's thread adds dependents, the thread that finishes
//                       the task takes them
//     record.awaited    number of tasks that the task still waits for, plus one while it is being entered. The thread
//                       that lowers it to 0 makes the task ready
// Tasks with mutexinoutset run in the order in which they were made, as with inout.
#include "block.h"
#include "group.h"
#include "mutex.h"
#include "wait.h"

struct link {
    struct link *next;
    struct omp_dependence *dependent;
};

#define OWN_LINKS 2

// A record. It is in a block of the tasks' memory, so `block` has the offset that all blocks share.
struct omp_dependence {
    _Alignas(SKERRY_LINE) uint32_t lock;
    uint32_t references;
    uint32_t awaited;
    int32_t eventcount; // of the waiting thread, if there is no task
    uint16_t links;     // own_links in use: each is in the list of a record that this one waits for
    bool finished;
    struct omp_task *task; // NULL: a thread itself waits (taskwait depend, undeferred tasks)
    struct link *dependents;
    struct link own_links[OWN_LINKS];
    uint64_t unused[3];
    struct omp_block block;
};
_Static_assert(offsetof(struct omp_dependence, block) == OMP_BLOCK_PLACE, "as in every block");

enum kind { KIND_IN = 1, KIND_OUT, KIND_INOUT, KIND_MUTEXINOUTSET, KIND_INOUTSET };

#define OWN_ITEMS 2

struct list {
    struct omp_dependence **more; // all records, once there were more than OWN_ITEMS; else NULL
    struct omp_dependence *own[OWN_ITEMS];
    uint32_t count, room;
};

struct address {
    struct address *next;
    const void *address;
    enum kind kind; // of the last group; KIND_OUT stands for all kinds that run alone
    uint32_t last;  // index of the last group; the other one is the group before
    struct list groups[2];
};

#define BUCKETS_BITS 6 // for the first table; it grows with the number of addresses

// The addresses of one parent.
struct omp_addresses {
    struct address **buckets;
    uint32_t bits, count;
    struct address all; // tasks that depend on all memory
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

// Makes `dependent` wait until `record` has finished.
static void await(struct omp_dependence *record, struct omp_dependence *dependent) {
    if (record == dependent) return;
    if (__atomic_load_n(&record->finished, __ATOMIC_ACQUIRE)) {
        skerry_sees(record); // the task does so, too: this thread publishes it afterwards
        return;
    }
    omp_mutex_take(&record->lock);
    if (!record->finished) {
        struct link *link = link_new(dependent);
        __atomic_fetch_add(&dependent->awaited, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&dependent->references, 1, __ATOMIC_RELAXED);
        *link = (struct link){record->dependents, dependent};
        __atomic_store_n(&record->dependents, link, __ATOMIC_RELAXED); // other threads also read it without the lock
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

// Removes the records that have finished: an address that is used for long may have many readers.
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
    // The factor is 2^64 divided by the golden ratio: the upper bits of the product depend on all bits of `at`.
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

// Removes the addresses whose tasks have all finished: no later task depends on these. So the table of a loop over many
// addresses has only those of unfinished tasks.
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

// Enters a record at an address: it waits for the tasks before it. is_entered is false for a record that only waits,
// for which no later task waits.
static void enter_at(struct omp_thread *self, struct address *address, struct omp_dependence *record, enum kind kind,
                     bool is_entered) {
    if (kind == KIND_INOUT || kind == KIND_MUTEXINOUTSET) kind = KIND_OUT;
    struct list *last = last_of(address);
    bool joins = last->count && address->kind == kind && kind != KIND_OUT;
    await_list(joins ? before_of(address) : last, record);
    if (!is_entered) return;
    if (last->count && items_of(last)[last->count - 1] == record) {
        // The task names this address twice, and by different kinds if it uses depend objects, which the compiler lists
        // last. It then waits for all tasks before it, and all tasks after it wait for it.
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

// Forms of the compiler's list. Until OpenMP 4.5: number of addresses, number of those that are written, addresses.
// Since then: 0, number of addresses, numbers of out and inout, of mutexinoutset and of in, then the addresses in this
// order, then pointers to depend objects of two words each, address and kind.
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

// omp_all_memory is the address NULL. Its task depends on all tasks before, and all tasks after it depend on it.
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

// Called when the task begins. Fetches the link to its first dependent, which another thread has written, while the
// task runs.
void skerry_omp_expect_dependents(const struct omp_task *task) {
    skerry_sees(task->depends); // written by the tasks that this one depended on
    const struct link *link = __atomic_load_n(&task->depends->dependents, __ATOMIC_RELAXED);
    if (link) __builtin_prefetch(link, 1);
}

// Called when the task has finished. Makes its dependents ready if they wait for no other task.
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

// Waits until a task with these dependences could run.
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
