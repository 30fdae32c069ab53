// SPDX-License-Identifier: BSD-3-Clause
// Keeps the table that finds a function by its number. A call carries a number made of the function's name and the name
// of its file. Each PE has a table from numbers to its own addresses. The address of a function can differ between PEs
// for two reasons:
// * The system can place the program and its libraries at random addresses.
// * A PE can have loaded a library that another PE has not loaded.
// Constructors insert functions, destructors remove them, and the thread that runs calls reads the table. A program
// must not unload a library while a call of one of the library's functions is under way.
#include "internal.h"

#define PLACES 1024

static struct skerry_function *table[PLACES];

// Returns the number of a function: an FNV-1a hash of its name and its file's name, never 0.
static uint32_t number_of(const struct skerry_function *function) {
    uint32_t number = 2166136261u;
    for (const char *at = function->name; *at; at++) number = (number ^ (uint8_t)*at) * 16777619u;
    for (const char *at = function->file; *at; at++) number = (number ^ (uint8_t)*at) * 16777619u;
    return number ? number : 1;
}

static bool are_equal(const char *left, const char *right) {
    while (*left && *left == *right) left++, right++;
    return *left == *right;
}

struct skerry_function *skerry_rpc_find(uint32_t id) {
    struct skerry_function *at = __atomic_load_n(&table[id % PLACES], __ATOMIC_ACQUIRE);
    while (at && at->id != id) at = at->next;
    return at;
}

// Ends the job with an error message, because two functions have the same number.
static SKERRY_NORETURN void refuse(const struct skerry_function *function, const struct skerry_function *other) {
    const char *const pieces[] = {"RPC: calls cannot distinguish this function from ", other->name, " of ", other->file,
                                  ", because the hashes of their names are equal: rename one of them"};
    char text[512];
    size_t length = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        for (const char *at = pieces[i]; *at && length < sizeof text - 1; at++) text[length++] = *at;
    text[length] = 0;
    skerry_fail(function->name, text);
}

void skerry_rpc_register(struct skerry_function *function) {
    uint32_t id = number_of(function);
    const struct skerry_function *other = skerry_rpc_find(id);
    // The program and a shared library can contain copies of the same function, for example of a static library that
    // both contain. Copies are not an error: they have the same number, and a call runs one of them.
    if (other && !(are_equal(other->name, function->name) && are_equal(other->file, function->file)))
        refuse(function, other);
    function->id = id;
    function->next = table[id % PLACES];
    __atomic_store_n(&table[id % PLACES], function, __ATOMIC_RELEASE);
    skerry_rpc_begin();
}

void skerry_rpc_unregister(struct skerry_function *function) {
    struct skerry_function **at = &table[function->id % PLACES];
    while (*at && *at != function) at = &(*at)->next;
    if (*at) __atomic_store_n(at, function->next, __ATOMIC_RELEASE);
}
