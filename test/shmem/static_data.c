// SPDX-License-Identifier: BSD-3-Clause
// Static objects of every sort are symmetric and keep what the program's text gave them: initialised and not, in functions,
// arrays, structures, aligned ones, pointers, and those of another translation unit's linkage.
// ways: 4:2:remote
#include "test.h"

struct record {
    char name[10];
    double value;
    long list[3];
};

static int zeroed[1000];
static int initialised[5] = {1, 2, 3, 4, 5};
static struct record records[2] = {{"first", 1.5, {1, 2, 3}}, {"second", 2.5, {4, 5, 6}}};
static _Alignas(4096) unsigned char page[4096];
static const char *text = "text";
static long *pointer = (long *)(void *)&zeroed[2];
long visible = 11;
static long (*function)(void);
static char one_byte = 'x';

static long eleven(void) {
    return visible;
}

static long *in_function(void) {
    static long counter = 100;
    return &counter;
}

static void require_initial_values(void) {
    for (int i = 0; i < 1000; i++) REQUIRE(zeroed[i] == 0, ".bss is not zero");
    for (int i = 0; i < 5; i++) REQUIRE(initialised[i] == i + 1, ".data lost its values");
    REQUIRE(strcmp(records[1].name, "second") == 0 && records[1].list[2] == 6, "a structure lost its values");
    REQUIRE(strcmp(text, "text") == 0 && pointer == (long *)(void *)&zeroed[2], "pointers lost their values");
    REQUIRE((uintptr_t)page % 4096 == 0, "alignment is lost");
    REQUIRE(*in_function() == 100, "a function's static lost its value");
}

int main(void) {
    require_initial_values(); // before the library is there
    zeroed[7] = 77;           // what the program did before must stay
    test_begin();
    REQUIRE(zeroed[7] == 77, "initialisation undid a store of the program");
    function = eleven;
    shmem_barrier_all();
    int to = right_of(me), from = left_of(me);
    shmem_int_p(&zeroed[999], 10 + me, to);
    shmem_int_p(&initialised[4], 20 + me, to);
    shmem_double_p(&records[1].value, 30 + me, to);
    shmem_long_p(&records[1].list[2], 40 + me, to);
    shmem_long_p(&visible, 50 + me, to);
    shmem_long_p(in_function(), 60 + me, to);
    shmem_char_p(&one_byte, (char)('A' + me), to);
    static unsigned char content[4096]; // a chip's stack has no room for it
    test_fill(content, sizeof content, (uint64_t)me);
    shmem_putmem(page, content, sizeof page, to);
    shmem_barrier_all();
    REQUIRE(zeroed[999] == 10 + from && initialised[4] == 20 + from, "arrays");
    REQUIRE(records[1].value == 30 + from && records[1].list[2] == 40 + from && records[0].list[2] == 3, "structures");
    REQUIRE(visible == 50 + from && function() == 50 + from && *in_function() == 60 + from, "longs");
    REQUIRE(one_byte == 'A' + from && test_first_wrong(page, sizeof page, (uint64_t)from) == sizeof page, "bytes");
    REQUIRE(initialised[3] == 4 && zeroed[998] == 0 && strcmp(records[1].name, "second") == 0,
            "neighbours of the words");
    shmem_barrier_all();
    return test_end();
}
