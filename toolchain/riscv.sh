# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Defines how the tools for RISC-V cores are made. Compiler, assembler and linker are the distribution's packages
# (gcc-riscv64-unknown-elf, binutils-riscv64-unknown-elf). These packages have no C library, so this recipe builds
# newlib. The programs riscv32-elf-* call the distribution's programs; riscv32-elf-gcc adds the options for the kind of
# core, and the folders of newlib.
. "$here/epiphany.sh"  # how sources are unpacked and configured

components="newlib"
stages="fetch programs newlib try"
declare -i space_needed=150  # MB
declare -A seconds_of=([fetch]=3 [programs]=1 [newlib]=90 [try]=1)
declare -A files_of=([fetch]=1 [programs]=1 [newlib]=1031 [try]=1)

distribution=riscv64-unknown-elf
core="-march=rv32imafdc -mabi=ilp32d"

# -U__OPTIMIZE_SIZE__: newlib's memcpy and similar functions copy whole words. With -Os alone they would copy bytes.
target_flags="-Os -g0 -ffunction-sections -fdata-sections -U__OPTIMIZE_SIZE__"

needs() {
    local command missing=
    for command in cc make xz $distribution-gcc $distribution-as; do
        command -v "$command" >/dev/null || missing+=" $command"
    done
    [ -z "$missing" ] || fail "missing here:$missing; scripts/setup chip installs what is needed"
}

# Makes the programs. $0 in the compiler's script is its own path, so the tools can be moved. The compiler must find its
# own headers before newlib's (-idirafter), because newlib has another stdatomic.h.
stage_programs() {
    local program
    mkdir -p "$tools/bin"
    for program in ar as ld nm objcopy objdump ranlib readelf size strip; do
        printf '#!/bin/sh\nexec %s-%s "$@"\n' "$distribution" "$program" >"$tools/bin/$target-$program"
    done
    cat >"$tools/bin/$target-gcc" <<S
#!/bin/sh
folder=\$(dirname "\$(readlink -f "\$0")")/../$target
exec $distribution-gcc $core -idirafter "\$folder/include" -L"\$folder/lib" "\$@"
S
    chmod 755 "$tools/bin/$target"-*
}

# Builds newlib, and leaves out most of the parts that newlib's configuration can leave out. printf prints floating
# point only if a program is linked with -u _printf_float. Several threads of a program can call newlib, so newlib takes
# locks by the functions __retarget_lock_*, which a library of threads defines. Without such a library these functions
# do nothing.
stage_newlib() {
    configured newlib --disable-multilib --disable-libgloss --disable-newlib-supplied-syscalls \
        --enable-newlib-retargetable-locking --enable-newlib-nano-malloc --enable-newlib-nano-formatted-io \
        --enable-newlib-reent-small --enable-newlib-global-atexit --enable-lite-exit \
        --disable-newlib-fvwrite-in-streamio --disable-newlib-fseek-optimization --disable-newlib-unbuf-stream-opt \
        --disable-newlib-wide-orient CFLAGS_FOR_TARGET="$target_flags"
    make -j "$jobs" MAKEINFO=true all-target-newlib
    make MAKEINFO=true install-target-newlib
    discard newlib
}

# Tries the tools: compiles and links code that must use the core's multiply-add and its atomic addition.
stage_try() {
    cat >try.c <<'C'
#include <math.h>
#include <stdio.h>
float dot(const float *restrict a, const float *restrict b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
int count(int *word) {
    return __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
}
int main(void) {
    float a[2] = {3, 4};
    return (int)sqrtf(dot(a, a, count(&(int){2}))) + (int)sqrt(a[0]);
}
C
    "$target-gcc" -O2 -Wall -Werror -nostartfiles try.c -Wl,-e,main -nostdlib -lm -lc -lgcc -o try.elf
    "$target-objdump" -d --no-show-raw-insn try.elf >try.s
    for instruction in fmadd.s amoadd.w; do
        grep -q "[[:space:]]$instruction" try.s || fail "no $instruction in the code of try.c"
    done
    "$target-size" try.elf
}
