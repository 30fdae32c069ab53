// SPDX-License-Identifier: BSD-3-Clause
// Random calls on two heaps at different bases beside a plain list of what should be live: content is kept, nothing overlaps,
// both heaps give the same offsets, failures are justified, and any address is told for what it is.
// heap_fuzz [SEED [ROUNDS]]. Compiled with HEAP_SMALL it is heap_small_fuzz.
#include "../../src/heap/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD sizeof(size_t)
// Of a block: the word before it, its least size with that, what it takes at the heap's end.
#define HEADER (HEAP_SMALL ? 0 : WORD)
#define SMALLEST ((HEAP_SMALL ? 2 : 4) * WORD)
#define RANGE (HEAP_SMALL ? 2 * WORD : 0)
#define SLOTS 300
#define STEPS 3000
#define ALIGNED ((size_t)1 << 20)

static uint64_t seed, state;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: seed %llu: not so: %s\n", __FILE__, __LINE__, (unsigned long long)seed,            \
                    #condition);                                                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

// xorshift64*
static size_t random_below(size_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 0x2545f4914f6cdd1du) >> 20) % limit;
}

struct slot {
    size_t offset;   // 0: none
    size_t bytes;    // as asked for
    size_t capacity; // as heap_block_size says
    size_t tag;      // what it is filled with
};

struct model {
    struct heap heaps[2];
    unsigned char *memory[2]; // as given by posix_memalign
    unsigned char *bases[2];
    size_t bytes, phase, live;
    struct slot slots[SLOTS];
};

// As simple as heap_copy allows: right for overlapping ranges only when it moves down.
static void move_bytes(void *to, const void *from, size_t bytes) {
    unsigned char *target = to;
    const unsigned char *source = from;
    CHECK(target < source || target >= source + bytes);
    for (size_t i = 0; i < bytes; i++) target[i] = source[i];
}

static unsigned char content(size_t tag, size_t i) {
    return (unsigned char)(tag * 37 + i * 11 + (i >> 7));
}

static void fill(struct model *model, struct slot *slot) {
    slot->tag = random_below(1000);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < slot->bytes; i++) model->bases[side][slot->offset + i] = content(slot->tag, i);
}

static void check_content(const struct model *model, const struct slot *slot, size_t bytes) {
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < bytes; i++) CHECK(model->bases[side][slot->offset + i] == content(slot->tag, i));
}

// Where the free range that follows the live block ending at `end` itself ends: the next live block's start, or the heap's.
static size_t next_start(const struct model *model, size_t end) {
    size_t next = model->heaps[0].end - (model->live + 1) * RANGE;
    for (size_t i = 0; i < SLOTS; i++)
        if (model->slots[i].offset >= end && model->slots[i].offset < next) next = model->slots[i].offset;
    return next;
}

// What is left free before an aligned block must itself be large enough for a block.
static bool room_after(const struct model *model, size_t end, size_t bytes, size_t alignment) {
    size_t next = next_start(model, end), start = end + HEADER;
    size_t gap = (0 - (model->phase + start)) & (alignment - 1);
    if (gap != 0 && gap < SMALLEST) gap += alignment;
    size_t needed = bytes < SMALLEST - HEADER ? SMALLEST - HEADER : bytes;
    return next > start + HEADER && gap <= next - start - HEADER && next - start - HEADER - gap >= needed;
}

// True if some gap between live blocks could hold such a block.
static bool room_somewhere(const struct model *model, size_t bytes, size_t alignment) {
    alignment = alignment < 2 * WORD ? 2 * WORD : alignment;
    for (size_t i = 0; HEAP_SMALL && i < SLOTS; i++) // no room for one more range
        if (model->slots[i].offset != 0 &&
            model->slots[i].offset + model->slots[i].capacity > model->heaps[0].end - (model->live + 1) * RANGE)
            return false;
    if (room_after(model, model->heaps[0].first - HEADER, bytes, alignment)) return true;
    for (size_t i = 0; i < SLOTS; i++) {
        const struct slot *slot = &model->slots[i];
        if (slot->offset != 0 && room_after(model, slot->offset + slot->capacity, bytes, alignment)) return true;
    }
    return false;
}

// Both sides' answers as one offset; 0 for NULL.
static size_t same_offset(const struct model *model, void *const blocks[2]) {
    CHECK((blocks[0] == NULL) == (blocks[1] == NULL));
    if (blocks[0] == NULL) return 0;
    size_t offset = (size_t)((unsigned char *)blocks[0] - model->bases[0]);
    CHECK(offset == (size_t)((unsigned char *)blocks[1] - model->bases[1]));
    return offset;
}

static void accept(struct model *model, struct slot *slot, size_t offset, size_t bytes) {
    slot->offset = offset;
    slot->bytes = bytes;
    slot->capacity = skerry_heap_block_size(&model->heaps[0], model->bases[0] + offset);
    CHECK(slot->capacity >= bytes && offset + slot->capacity <= model->heaps[0].end - HEADER);
    for (size_t i = 0; i < SLOTS; i++) {
        const struct slot *other = &model->slots[i];
        CHECK(other == slot || other->offset == 0 || other->offset + other->capacity + HEADER <= offset ||
              offset + slot->capacity + HEADER <= other->offset);
    }
}

static size_t random_size(const struct model *model) {
    if (random_below(200) == 0) return SIZE_MAX - random_below(100);
    size_t limit = (size_t)16 << random_below(16);
    return 1 + random_below(limit < model->bytes ? limit : model->bytes);
}

static void step_allocate(struct model *model, struct slot *slot) {
    size_t bytes = random_size(model);
    size_t alignment = random_below(4) ? 0 : (size_t)1 << random_below(random_below(8) ? 12 : 8 * WORD);
    void *blocks[2];
    for (int side = 0; side < 2; side++) blocks[side] = skerry_heap_allocate(&model->heaps[side], bytes, alignment);
    size_t offset = same_offset(model, blocks);
    if (offset == 0) {
        CHECK(!room_somewhere(model, bytes, alignment));
        return;
    }
    size_t expected = alignment < 2 * WORD ? 2 * WORD : alignment;
    CHECK((model->phase + offset) % expected == 0);
    CHECK(expected > ALIGNED || (uintptr_t)blocks[0] % expected == 0);
    accept(model, slot, offset, bytes);
    fill(model, slot);
    model->live++;
}

static void step_free(struct model *model, struct slot *slot) {
    check_content(model, slot, slot->bytes);
    for (int side = 0; side < 2; side++) {
        unsigned char *block = model->bases[side] + slot->offset;
        CHECK(skerry_heap_free(&model->heaps[side], block) == HEAP_FAULT_NONE);
        CHECK(skerry_heap_free(&model->heaps[side], block) == HEAP_FAULT_FREE);
    }
    slot->offset = 0;
    model->live--;
}

static void step_resize(struct model *model, struct slot *slot) {
    size_t bytes = random_below(3) ? random_size(model) : slot->bytes + random_below(200);
    void *blocks[2];
    for (int side = 0; side < 2; side++)
        blocks[side] = skerry_heap_resize(&model->heaps[side], model->bases[side] + slot->offset, bytes, move_bytes);
    size_t offset = same_offset(model, blocks);
    if (offset == 0) {
        CHECK(bytes > slot->capacity && !room_somewhere(model, bytes, 0));
        check_content(model, slot, slot->bytes);
        return;
    }
    CHECK(bytes > slot->capacity || offset == slot->offset);
    size_t kept = bytes < slot->bytes ? bytes : slot->bytes;
    accept(model, slot, offset, bytes);
    check_content(model, slot, kept);
    fill(model, slot);
}

// What the list says about an offset. A block reaches up to the next one's start, the header between them included.
static enum heap_fault expected_fault(const struct model *model, size_t place) {
    const struct heap *heap = &model->heaps[0];
    if (place < heap->first || place >= heap->end) return HEAP_FAULT_OUTSIDE;
    for (size_t i = 0; i < SLOTS; i++) {
        const struct slot *slot = &model->slots[i];
        if (slot->offset != 0 && place >= slot->offset && place < slot->offset + slot->capacity + HEADER)
            return place == slot->offset ? HEAP_FAULT_NONE : HEAP_FAULT_INSIDE;
    }
    return HEAP_FAULT_FREE;
}

static void step_ask(const struct model *model) {
    for (int i = 0; i < 4; i++) {
        size_t place = random_below(model->bytes + 64) & (i & 1 ? ~(2 * WORD - 1) : SIZE_MAX);
        place -= i & 1 ? model->phase % (2 * WORD) : 0;
        const void *address = (const void *)((uintptr_t)model->bases[0] + place);
        CHECK(skerry_heap_check_pointer(&model->heaps[0], address) == expected_fault(model, place));
    }
}

static void check_counts(const struct model *model) {
    struct heap_statistics now[2];
    for (int side = 0; side < 2; side++) {
        CHECK(skerry_heap_verify(&model->heaps[side]));
        skerry_heap_statistics(&model->heaps[side], &now[side]);
    }
    CHECK(memcmp(&now[0], &now[1], sizeof now[0]) == 0);
    size_t used = 0;
    for (size_t i = 0; i < SLOTS; i++)
        used += model->slots[i].offset != 0 ? model->slots[i].capacity + HEADER + RANGE : 0;
    CHECK(now[0].used == used && now[0].live_blocks == model->live && now[0].free == now[0].total - used);
    CHECK(now[0].largest == 0 || room_somewhere(model, now[0].largest, 0));
    CHECK(!room_somewhere(model, now[0].largest + 1, 0));
}

static void set_up(struct model *model) {
    memset(model, 0x5a, sizeof *model);
    memset(model->slots, 0, sizeof model->slots);
    model->live = 0;
    model->bytes = 200 + random_below((size_t)256 << random_below(11));
    model->phase = random_below(2) ? 0 : random_below(5000) * 2 * WORD;
    if (HEAP_SMALL) model->phase += WORD; // so that no block has the offset 0, which is none here
    for (int side = 0; side < 2; side++) {
        // Exactly as long as the region, so that a sanitizer sees a step past its end; the second a page further on.
        size_t shift = side == 0 ? 0 : 4096;
        void *memory;
        CHECK(posix_memalign(&memory, ALIGNED, shift + model->phase + model->bytes) == 0);
        memset(memory, side == 0 ? 0xff : 0x11, shift + model->phase + model->bytes);
        model->memory[side] = memory;
        model->bases[side] = model->memory[side] + shift + model->phase;
        CHECK(skerry_heap_init(&model->heaps[side], model->bases[side], model->bytes, model->phase));
    }
}

static void round_of_steps(struct model *model) {
    set_up(model);
    struct heap_statistics empty, end;
    skerry_heap_statistics(&model->heaps[0], &empty);
    size_t filling = 5;
    for (size_t step = 0; step < STEPS; step++) {
        struct slot *slot = &model->slots[random_below(SLOTS)];
        if (step % 500 == 0) filling = 2 + random_below(8);
        if (slot->offset == 0 && random_below(10) < filling) step_allocate(model, slot);
        else if (slot->offset != 0 && random_below(10) >= filling) step_free(model, slot);
        else if (slot->offset != 0) step_resize(model, slot);
        step_ask(model);
        if (step % 16 == 0 || model->bytes < 2000) check_counts(model);
    }
    for (size_t i = 0; i < SLOTS; i++)
        if (model->slots[i].offset != 0) step_free(model, &model->slots[i]);
    check_counts(model);
    skerry_heap_statistics(&model->heaps[0], &end);
    CHECK(end.free_blocks == 1 && end.used == 0 && end.largest == empty.largest);
    for (int side = 0; side < 2; side++) free(model->memory[side]);
}

int main(int argc, char **argv) {
    static struct model model;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : 20;
    for (seed = first; seed < first + rounds; seed++) {
        state = seed * 0x9e3779b97f4a7c15u + 1;
        round_of_steps(&model);
    }
    printf("heap_fuzz: passed, %llu rounds from seed %llu\n", (unsigned long long)rounds, (unsigned long long)first);
    return 0;
}
