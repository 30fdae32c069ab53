// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for remote procedure calls. A remote procedure call moves the arguments of
// a function from the registers of one PE to those of another PE. Then it moves the result back. ../call.h includes
// this file after the machine's own header (SKERRY_CALL_HEADER). The protocols of the calls are in src/rpc.
//
// Two terms of this file:
// * Thunk: a few instructions that the program calls in place of a remote function. The thunk leaves the arguments in
//   their registers. It puts the address of an object that identifies the function into another register. Then it jumps
//   to an entry.
// * Entry: the function of the library to which thunks jump.
#ifndef SKERRY_MACHINE_CONTRACT_CALL_H
#define SKERRY_MACHINE_CONTRACT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Each machine with remote procedure calls defines these macros:
//     SKERRY_CALL_RINGS     1: src/rpc/ring sends and runs the calls, by a ring of calls in the memory of each PE.
//                           0: src/rpc/queue sends and runs the calls, by queues in the memory of each PE. Such a machine
//                           also has requests (interrupt.h).
//     SKERRY_THUNK(NAME, OBJECT, ENTRY)           defines a thunk. The arguments are texts: the thunk's name, an
//                           assembler expression for the object's address, the entry's name.
//     SKERRY_CALL_INTEGERS  number of registers with integers and pointers that a call sends. oshcc reads this macro.
//     SKERRY_CALL_REALS     number of registers with floating-point numbers that a call sends. 0: floating-point numbers
//                           are in the registers with integers. oshcc reads this macro.
//     SKERRY_CALL_NOTE(FUNCTION, KIND, BYTES)     an expression that a program evaluates before it calls an entry of
//                           SKERRY_KEEP_ENTRY (below). The expression stores in the object FUNCTION what this entry must
//                           know about the function's result, which has kind KIND and BYTES bytes.
#if !defined(SKERRY_CALL_RINGS) || !defined(SKERRY_THUNK) || !defined(SKERRY_CALL_NOTE) ||                             \
    !defined(SKERRY_CALL_INTEGERS) || !defined(SKERRY_CALL_REALS)
#error "the machine does not define all macros for remote procedure calls that contract/call.h lists"
#endif

// Kinds of results. On some machines the kind of a result determines in which registers the calling convention returns
// the result.
enum skerry_call_kind {
    SKERRY_CALL_NOTHING,
    SKERRY_CALL_INTEGER, // an integer or a pointer
    SKERRY_CALL_REAL,    // a floating-point number, except long double
    SKERRY_CALL_LONG_REAL,
    SKERRY_CALL_COMPLEX,
    SKERRY_CALL_OTHER // structs and vectors: only the compiler can tell in which registers they are
};

// If `pointer` is a global address in this PE's memory, returns the address by which this PE itself accesses the byte.
// Returns any other pointer unchanged.
void *skerry_own_address(const volatile void *pointer);

#if !SKERRY_CALL_RINGS

// The machine defines two structs. They hold the contents of all registers in which the calling convention passes
// values:
//     struct skerry_arguments   the arguments. Arguments on the stack are not transferred.
//     struct skerry_results     the results, and after them, in the same cache line, the words `number` and `note`.
//                               src/rpc/queue stores these two words after the results (primitive/mailbox.h).
//
// The machine also defines two macros:
//     SKERRY_CALL_STRUCT_BYTES           size in bytes of the largest struct that is passed in registers
//     SKERRY_CALL_STACKED(KIND, BYTES)   number of values of a result that the convention leaves on a stack of registers,
//                                        such as the x87 stack. 0: there is no such stack.
//
// A machine with little memory also defines SHMEMX_RPC_EVENTS and SHMEMX_RPC_BLOCK_BYTES (src/rpc/rpc.h), and two numbers
// of calls that can wait in a queue: SKERRY_RPC_DEPTH_MAX at most, and SKERRY_RPC_DEPTH_DEFAULT if the user says nothing.
//
// Only the library uses the following macros. Their arguments are names of functions. `function` is the object whose
// address the thunk has put into a register. The object begins with the address of the remote function's code.
//     SKERRY_CALL_ENTRY(NAME, CALL)                   defines an entry. If the first argument is a global address in
//                                                     another PE's memory, the entry calls CALL(function, arguments,
//                                                     results) and returns these results. If not, the entry jumps to
//                                                     the function.
//     SKERRY_CHECKED_ENTRY(NAME, CHECK, CALL_ENTRY)   defines an entry that calls CHECK(function, arguments), which
//                                                     returns `function`. Then the entry does what CALL_ENTRY does.
//     SKERRY_KEEP_ENTRY(NAME, KEEP)                   defines an entry that calls only KEEP(function, arguments), which
//                                                     saves both for a later call. The entry has the function's type,
//                                                     but the program ignores the entry's result.
//     SKERRY_SYMBOL(NAME)                             gives a declared object or function this name in object files

// The type of the elements of `integers` in struct skerry_arguments: the contents of one register.
typedef __typeof__(((struct skerry_arguments *)0)->integers[0]) skerry_call_integer;

// Calls the function at `code` with these arguments, and stores its results in *results. `halves` says which halves of
// the vector arguments are loaded from `vectors`. `halves` is a sum of the flags SKERRY_CALL_LOW and SKERRY_CALL_HIGH.
// The other halves are set to 0.
void skerry_apply(void (*code)(void), const skerry_call_integer *integers, const struct skerry_vectors *vectors,
                  unsigned halves, struct skerry_results *results);

// Stores the result of a call at `value`, as an object of the result's type, which has kind `kind` and `bytes` bytes.
void skerry_call_result(const struct skerry_results *results, enum skerry_call_kind kind, void *value, size_t bytes);

#else

// The machine defines SKERRY_CALL_ASSEMBLY. 1: the assembly of src/rpc/ring is written for this machine. 0: the C code
// of src/rpc/ring/portable is used instead.
#ifndef SKERRY_CALL_ASSEMBLY
#error "the machine does not define SKERRY_CALL_ASSEMBLY"
#endif

// The machine defines two structs for the registers in which its calling convention passes values. The size of each is
// a multiple of 8:
//     struct skerry_arguments   the arguments. Its array `integers` has at least four words: the registers of integers
//                               and pointers, in their order.
//     struct skerry_results     the results
// The machine also defines the type skerry_double_word, which has 8 bytes and is loaded or stored by one instruction.

// Calls the function at `code` with these arguments, and stores its results in *results.
void skerry_apply_arguments(uintptr_t code, const struct skerry_arguments *arguments, struct skerry_results *results);

// Stores the result of a call at `value`, as an object of the result's type, which has `bytes` bytes. `kind` is one of
// enum skerry_call_kind.
void skerry_call_result(const struct skerry_results *results, int kind, void *value, size_t bytes);

#if !SKERRY_CALL_ASSEMBLY

// Only the library uses the following macros. Their arguments are names of functions. `object` is the address that the
// thunk has put into a register.
//     SKERRY_RUN_ENTRY(NAME, CALL)    defines an entry that calls CALL(object, arguments, results) and returns these
//                                     results. A copy of `object` is in memory behind `arguments`.
//     SKERRY_CALL_ENTRY(NAME, CALL)   does the same if the first argument is an address in another PE's memory. If not,
//                                     the entry jumps to the function at `object`. Bit 0 of `object` is ignored.
//     SKERRY_KEEP_ENTRY(NAME, KEEP)   defines an entry that calls only KEEP(object, arguments), which saves both for a
//                                     later call. The program ignores the result of this entry.

// Makes the interrupt of this PE call `function` after the functions that skerry_on_interrupt has set, and enables this
// interrupt. Interrupts are disabled when `function` begins, and must be disabled when `function` returns. In between,
// `function` is allowed to enable interrupts. A function that `function` calls counts as part of the interrupted
// program, not as part of a handler.
void skerry_after_handlers(void (*function)(void));

#else

// The handler of the machine's interrupt first runs the functions that skerry_on_interrupt has set. Then it jumps to
// the linker's symbol __skerry_after_handlers. The linker script (src/config) gives this symbol one of two values. In a
// program that contains the code of src/rpc/ring, the value is the code that runs calls. In other programs the value is
// the end of the handler.

#endif

// The machine also defines these macros:
//     SKERRY_NEEDS_SYMBOL(name)  for use in a function. The linker adds the code that defines symbol `name` to every
//                                program that contains this function.
//     SKERRY_SYMBOL(name)        gives a declared object or function this name in object files
//     SKERRY_CALL_NAME(name, function)  only in C++: a statement that gives a function a second name in this object file
//     SKERRY_IF_LINKED           attribute of a symbol that only some programs contain. Its address is NULL in others.
//     SKERRY_LINKER_NUMBER(name, value)   at file scope: gives a symbol of the linker script this value
//     SKERRY_LINKER_DEFAULT(name, value)  does the same if no other file gives the symbol a value

// Tests and sets a word in any PE's memory by one atomic instruction. If the word is 0, sets the word to another value
// and returns true. If not, returns false. Takes one round trip to the PE that owns the word.
bool skerry_test_and_set(volatile uint32_t *word);

// Acquires a lock, which is a word in any PE's memory. On return interrupts are masked. While the function waits for
// another PE that holds the lock, interrupts are not masked. Returns the previous state of interrupts, which the caller
// passes to skerry_unmask_interrupts later.
uint32_t skerry_take_lock(volatile uint32_t *lock);

// Interrupts PE `pe`. The interrupt arrives after all earlier stores of this PE to the memory of PE `pe`.
void skerry_interrupt_core(int pe);

// Interrupts this PE. When the function returns, the handler has run. If the interrupt is masked or disabled, the
// handler runs later.
void skerry_interrupt_own_core(void);

// Returns true if this PE would take another PE's interrupt at once: the interrupt is neither masked nor disabled, and
// no handler runs.
bool skerry_can_be_interrupted(void);

// Returns true if this code was called by the handler of an interrupt.
bool skerry_in_handler(void);

// Disable and enable all interrupts of this PE. The calls do not nest: one call of skerry_enable_interrupts enables
// interrupts after any number of calls of skerry_disable_interrupts.
void skerry_disable_interrupts(void);
void skerry_enable_interrupts(void);

// Records that this PE made plain stores to memory of PE `pe`. The next skerry_quiet also waits for these stores.
void skerry_note_written(int pe);

#endif

#endif
