#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshcc.sh BIN ROOT: oshcc --machine riscv-16 compiles and links in one step and in two, and refuses what these cores do
# not have. Programs that jump to a null pointer, store through one, or do not fit are told so.
set -eu
PATH=$1:$PATH
root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "oshcc: $*" >&2
    exit 1
}
# refuses TEXT COMMAND...: the command fails and says TEXT
refuses() {
    wanted=$1
    shift
    if "$@" >out 2>&1; then fail "did not fail: $*"; fi
    grep -q -e "$wanted" out || fail "$*: does not say '$wanted': $(cat out)"
}

hello=$root/bench/shmem/hello.c
oshcc --machine riscv-16 -Os -c "$hello" -o hello.o
oshcc --machine riscv-16 hello.o -o hello.elf
oshrun --machine riscv-16 -n 2 hello.elf | sort >out
printf 'hello from PE %d of 2\n' 0 1 | cmp - out || fail "$(cat out)"

cp "$hello" hello.c
echo 'static_assert(sizeof(long) == 4);' >>hello.c
oshc++ --machine riscv-16 -std=c++20 -c hello.c -o hello.o
oshc++ --machine riscv-16 hello.o -o hello.elf
oshrun --machine riscv-16 -n 2 hello.elf | sort >out
printf 'hello from PE %d of 2\n' 0 1 | cmp - out || fail "C++: $(cat out)"
printf '#include <vector>\nint main() {\n}\n' >vector.cpp
refuses "vector.cpp includes <vector>, but there is no C++ library for the cores of riscv-16" oshc++ --machine riscv-16 vector.cpp
refuses "RISC-V cores do not support it" oshcc --machine riscv-16 --header-only "$hello" -o other.elf
refuses "do not fit a core's memory" oshcc --machine riscv-16 -Wl,--defsym=__skerry_stack_bytes=0xf800 "$hello" -o other.elf
refuses "is a program for RISC-V cores: oshrun --machine" oshrun -n 1 ./hello.elf

mistakes=$root/test/chip/mistakes
oshcc --machine riscv-16 -O1 -g "$mistakes/null_store.c" -o null_store.elf
refuses "store of 4 bytes at 0x00000000 <skerry_jump_to_0>" oshrun --machine riscv-16 -n 1 null_store.elf
oshcc --machine riscv-16 -O1 -g "$mistakes/null_call.c" -o null_call.elf
refuses "pc 0x00000000 <skerry_jump_to_0>" oshrun --machine riscv-16 -n 1 --max-cycles 1000000 null_call.elf
oshcc --machine riscv-16 -O1 -g "$mistakes/hang.c" -o hang.elf
refuses "> at hang.c:18: polls" oshrun --machine riscv-16 -n 1 hang.elf
oshcc --machine riscv-16 -O1 -g "$mistakes/wait.c" -o wait.elf
refuses "deadlock in cycle" oshrun --machine riscv-16 -n 2 --max-cycles 10000000 wait.elf
if grep '<\$' out; then fail "names a mark of the assembler"; fi

# An access to a PE that the job does not have.
cat >absent.c <<'C'
#include <shmem.h>
static int word;
int main(int argc, char **argv) {
    shmem_init();
    int pe = 9;
    if (argc > 1 && argv[1][0] == 'p') shmem_int_p(&word, 1, pe);
    if (argc > 1 && argv[1][0] == 'g') word = shmem_int_g(&word, pe);
    if (argc > 1 && argv[1][0] == 'a') shmem_int_atomic_inc(&word, pe);
    shmem_finalize();
    return 0;
}
C
oshcc --machine riscv-16 -O1 -g absent.c -o absent.elf
for operation in p g a; do
    refuses "at 0xfff.*where no memory is (a PE that the job does not have?)" oshrun --machine riscv-16 -n 4 absent.elf $operation
done
oshrun --machine riscv-16 -n 16 --quiet absent.elf p || fail "PE 9 of 16"
for pe in 9 99 -1 16; do # --check finds every number
    sed "s/pe = 9/pe = $pe/" absent.c >checked.c
    oshcc --machine riscv-16 --check -O1 -g checked.c -o checked.elf
    for operation in p g a; do
        refuses "^skerry: PE [0-3]: a put, get or atomic: pe $pe: the job has PEs 0 to 3" \
            oshrun --machine riscv-16 -n 4 checked.elf $operation
    done
done
oshcc --machine riscv-16 --check -O1 -g absent.c -o checked.elf
oshrun --machine riscv-16 -n 16 --quiet checked.elf p || fail "PE 9 of 16, with --check"
oshrun --machine riscv-16 -n 4 --quiet absent.elf none || fail "no access"

# A remote procedure that waits: the report names the rule.
cat >waits_inside.c <<'C'
#include <shmem.h>
#include <shmemx.h>
static int word;
static int barrier_inside(int *at) {
    shmem_barrier_all();
    return *at;
}
RPC(barrier_inside)
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) barrier_inside_rpc(shmem_ptr(&word, 1));
    shmem_barrier_all();
    shmem_int_wait_until(&word, SHMEM_CMP_NE, 0);
    shmem_finalize();
    return 0;
}
C
oshcc --machine riscv-16 -O1 -g waits_inside.c -o waits_inside.elf
refuses "deadlock in cycle" oshrun --machine riscv-16 -n 3 --max-cycles 10000000 waits_inside.elf
[ "$(grep -c "in a call for another PE: a remote procedure must not wait" out)" = 1 ] || fail "$(cat out)"
grep -q "0x809 .*a remote procedure must not wait" out || fail "not PE 1: $(cat out)"

cat >deep.c <<'C'
static int deep(volatile int *above, int n) {
    volatile int room[100] = {*above};
    return n ? deep(room, n - 1) + room[n] : room[0];
}
int main(void) {
    volatile int one = 1;
    return deep(&one, 50) == 0;
}
C
oshcc --machine riscv-16 -O1 -g deep.c -o deep.elf
refuses "stack overflow.*-Wl,--defsym=__skerry_stack_bytes=BYTES sets the size" oshrun --machine riscv-16 -n 1 deep.elf
oshcc --machine riscv-16 -O1 -g deep.c -Wl,--defsym=__skerry_stack_bytes=0x8000 -o deep.elf
oshrun --machine riscv-16 -n 1 --quiet deep.elf || fail "a stack of 32 KB is not enough"

# An exception in a program with interrupts is reported at its own place too.
cat >exception.c <<'C'
#include <shmem.h>
#include <shmemx.h>
static void handler(void) {
}
int main(void) {
    shmem_init();
    shmemx_on_interrupt(0, handler);
    shmemx_interrupt(shmem_my_pe(), 0);
    __asm__ volatile("unimp");
    return 0;
}
C
oshcc --machine riscv-16 -O1 -g exception.c -o exception.elf
refuses "<main+.*at exception.c:9" oshrun --machine riscv-16 -n 1 --max-cycles 1000000 exception.elf
