// SPDX-License-Identifier: BSD-3-Clause
// The FPU multiplies integers in a mode of its own, which a field of the register CONFIG selects. A function that
// multiplies must restore the mode that its caller had. GCC 12 for Epiphany, unless it is mended (toolchain/epiphany.sh),
// forgets to load a register that the restoring code uses, or overwrites the saved mode, in functions of which only some
// paths multiply. What such a function leaves in CONFIG depends on what the registers contained before. So this test
// calls each function with all bits set in all registers.
#include <stdint.h>
#include <stdio.h>

// Fills the registers, calls function(a, b, c), and returns the bits of CONFIG that the call has changed.
uint32_t changed_by(void (*function)(uint32_t a, uint32_t b, uint32_t c), uint32_t a, uint32_t b, uint32_t c);

#define KEPT "4,5,6,7,8,9,10,11,14,15,32,33,34,35,36,37,38,39,40,41,42,43"
#define FILLED                                                                                                         \
    "3,4,5,6,7,8,9,10,11,15,17,18,19,20,21,22,23,24,25,26,27,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,"   \
    "50,51,52,53,54,55,56,57,58,59,60,61,62,63"
__asm__(".section .text.changed_by,\"ax\"\n"
        ".balign 4\n"
        ".global _changed_by\n"
        "_changed_by:\n"
        "sub sp, sp, #256\n"
        ".irp n," KEPT "\nstr r\\n, [sp, #\\n + 2]\n.endr\n"
        "movfs r12, config\n"
        "str r12, [sp, #2]\n"
        "mov r12, r0\n"
        "mov r0, r1\n"
        "mov r1, r2\n"
        "mov r2, r3\n"
        "mov r16, #0xffff\n"
        "movt r16, #0xffff\n"
        ".irp n," FILLED "\nmov r\\n, r16\n.endr\n"
        "jalr r12\n"
        "movfs r0, config\n"
        "ldr r1, [sp, #2]\n"
        "movts config, r1\n"
        "eor r0, r0, r1\n"
        ".irp n," KEPT "\nldr r\\n, [sp, #\\n + 2]\n.endr\n"
        "add sp, sp, #256\n"
        "rts\n"
        ".text");

static volatile uint32_t result;
static uint32_t config_in_call;

static __attribute__((noinline)) void called(uint32_t value) {
    __asm__ volatile("movfs %0, config" : "=r"(config_in_call));
    result = value;
}

// The path that multiplies and the path that does not meet where the mode is restored.
static __attribute__((noinline)) void one_path(uint32_t a, uint32_t b, uint32_t c) {
    if (!c) return;
    result = a * b;
}

static __attribute__((noinline)) void in_a_loop(uint32_t a, uint32_t b, uint32_t c) {
    for (; c; c--) result = a *= b;
}

// The second product has its own switch of the mode, because not all paths to it have a first product.
static __attribute__((noinline)) void two_products(uint32_t a, uint32_t b, uint32_t c) {
    if (a > 1) b = (a - 1) * b;
    if (c > 1) b += a * (c - 1);
    result = b;
}

// A call follows paths with and without products.
static __attribute__((noinline)) void call_after(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t product;
    if (!a || !b) return;
    if (!__builtin_mul_overflow(a, b, &product) && c) product *= c;
    called(product);
}

static __attribute__((noinline)) void product_and_sum(uint32_t a, uint32_t b, uint32_t c) {
    union {
        uint32_t bits;
        float number;
    } sum = {.number = 1.5f};
    if (c) a *= b;
    for (; c; c--) sum.number += 2.5f;
    result = sum.bits + a;
}

static const struct {
    const char *name;
    void (*function)(uint32_t a, uint32_t b, uint32_t c);
    uint32_t a, b, c, result;
} calls[] = {
    {"one_path, not taken", one_path, 3, 5, 0, 0},
    {"one_path", one_path, 3, 5, 1, 15},
    {"in_a_loop, no round", in_a_loop, 3, 5, 0, 0},
    {"in_a_loop", in_a_loop, 3, 5, 3, 375},
    {"two_products, none", two_products, 1, 5, 1, 5},
    {"two_products, the first", two_products, 3, 5, 1, 10},
    {"two_products, the second", two_products, 1, 5, 7, 11},
    {"two_products, both", two_products, 3, 5, 7, 28},
    {"call_after, no product", call_after, 0, 5, 7, 0},
    {"call_after, small", call_after, 3, 5, 7, 105},
    {"call_after, large", call_after, 70000, 5, 7, 2450000},
    {"call_after, too large", call_after, 70000, 70000, 7, 605032704},
    {"call_after, one product", call_after, 70000, 5, 0, 350000},
    {"product_and_sum, neither", product_and_sum, 3, 5, 0, 0x3fc00003},
    {"product_and_sum", product_and_sum, 3, 5, 2, 0x40d0000f},
};

int main(void) {
    int wrong = 0;
    uint32_t before;
    __asm__ volatile("movfs %0, config" : "=r"(before));
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        result = 0;
        config_in_call = before;
        uint32_t changed = changed_by(calls[i].function, calls[i].a, calls[i].b, calls[i].c);
        if (!changed && config_in_call == before && result == calls[i].result) continue;
        wrong++;
        printf("%s: result %lx instead of %lx; bits of CONFIG changed: %lx, in the call: %lx\n", calls[i].name,
               (unsigned long)result, (unsigned long)calls[i].result, (unsigned long)changed,
               (unsigned long)(config_in_call ^ before));
    }
    return wrong != 0;
}
