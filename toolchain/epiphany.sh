# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Defines how the tools are built: the stages, in the order of $stages. Each stage is a function that runs in $work and
# installs into $tools. A stage that failed or was killed is repeated as a whole. A stage that was stopped by SIGINT,
# SIGTERM or SIGHUP continues in its build folder (see `configured`).

components="binutils gcc newlib"
stages="fetch binutils gcc libgcc newlib try"
declare -i space_needed=1000  # MB; the build needs at most 450 MB at a time; the rest is a reserve

# Seconds that each stage takes on two processors, and number of files that it compiles; for the progress bar only.
declare -A seconds_of=([fetch]=10 [binutils]=60 [gcc]=360 [libgcc]=15 [newlib]=40 [try]=1)
declare -A files_of=([fetch]=1 [binutils]=322 [gcc]=1080 [libgcc]=189 [newlib]=1031 [try]=1)

# Flags of the libraries, which run on cores with 32 KB:
# * -Os makes small code. With sections for each function and object, the linker links only functions that are called.
# * -mfp-mode=caller: a function restores the mode of the floating-point unit that it has found, so it may be called in
#   every mode.
# * -mshort-calls makes direct calls.
# * -U__OPTIMIZE_SIZE__: newlib's memcpy and similar functions copy whole words. With -Os alone they would copy bytes.
target_flags="-Os -g0 -ffunction-sections -fdata-sections -mfp-mode=caller -mshort-calls -U__OPTIMIZE_SIZE__"

host_flags=(CFLAGS="-O1" CXXFLAGS="-O1")  # -O1, because most of the build's time goes into compiling the compiler

needs() {
    local command missing=
    for command in cc c++ make m4 flex bison xz; do
        command -v "$command" >/dev/null || missing+=" $command"
    done
    echo '#include <mpc.h>' | cc -E - >/dev/null 2>&1 || missing+=" mpc.h"
    [ -z "$missing" ] || fail "missing here:$missing; scripts/setup chip installs what is needed"
}

stage_fetch() {
    rm -rf tarballs
    mkdir tarballs
    for component in $components; do fetch_tarball "$component" tarballs; done
}

# unpack COMPONENT [TAR-OPTION...]: unpacks a tarball into source/COMPONENT.
unpack() {
    local component=$1
    shift
    mkdir -p "source/$component"
    tar -x -f "$(echo "tarballs/$component"-*)" -C "source/$component" --strip-components=1 "$@"
}

# mend_gcc DESCRIPTION: corrects a bug in GCC's machine description. After register allocation (reload), GCC replaces a
# division or remainder of integers by a move to r0, a move to r1 and a call. The second operand can already be in r0.
# Then the first move overwrites it, and x % y becomes x % x. The correction first copies the second operand to another
# register if it is in r0. The same bug concerns the address of the called routine. The correction copies this address
# too if it is in r0, in r1 or in the register of the first copy.
mend_gcc() {
    awk '
        /^\(define_insn_and_split "\*u?(div|mod)si3_1"/ { division = 1 }
        division && index($0, "  \"operands[5]") == 1 {
            print "  \"rtx first = gen_rtx_REG (SImode, 0), kept = gen_rtx_REG (SImode, 1);"
            print "   if (reg_overlap_mentioned_p (kept, operands[1])) kept = gen_rtx_REG (SImode, GPR_16);"
            print "   if (reg_overlap_mentioned_p (kept, operands[1])) kept = gen_rtx_REG (SImode, GPR_IP);"
            print "   if (REG_P (operands[3]) && (REGNO (operands[3]) < 2 || reg_overlap_mentioned_p (kept, operands[3]))) {"
            print "     emit_move_insn (gen_rtx_REG (SImode, GPR_18), operands[3]);"
            print "     operands[3] = gen_rtx_REG (SImode, GPR_18);"
            print "   }"
            print "   if (reg_overlap_mentioned_p (first, operands[2])) {"
            print "     emit_move_insn (kept, operands[2]);"
            print "     operands[2] = kept;"
            print "   }"
            sub(/^  "/, "   ")
            division = 0
            mended++
        }
        { print }
        END { exit mended != 4 }' "$1" >mended.md || fail "GCC describes division in another way: $1"
    mv mended.md "$1"
}

# mend_promotion HEADER: corrects another bug of GCC. GCC extends a variable to the width of a register by zeros, but it
# extends a parameter by zeros or by its sign, as the parameter's type says. If a variable is also a parameter, GCC
# assumes the wrong one of these two forms, and a negative short becomes a large number. After the correction GCC
# extends both as their types say.
mend_promotion() {
    awk '
        /^#define PROMOTE_MODE\(/ { promotion = 1 }
        promotion && /MODE == [QH]Imode|UNSIGNEDP = 1/ { mended++; next }
        /^$/ { promotion = 0 }
        { print }
        END { exit mended != 4 }' "$1" >mended.h || fail "GCC widens variables in another way: $1"
    mv mended.h "$1"
}

# mend_modes SOURCE DESCRIPTION: corrects a third bug of GCC. The FPU multiplies integers in a mode of its own. A
# function saves the register CONFIG, switches the mode by a mask, and restores the mode by another mask at its end. GCC
# places three things as late as possible, each independently: the load of each mask, and the instruction that saves
# CONFIG. So on some paths through a function the mode was restored with a mask that was not loaded, or from a register
# in which CONFIG was not saved, or CONFIG was saved a second time, after the switch. After the correction each switch
# loads its mask, and CONFIG is saved at the function's start. The field and_mask of GCC's record of the function has a
# new meaning after the correction: instead of a mask it holds the register with the saved CONFIG, as soon as there is
# such a register.
mend_modes() {
    awk '
        /^epiphany_optimize_mode_switching \(/ { choosing = 1 }
        choosing && sub(/return true;/, "return entity == EPIPHANY_MSW_ENTITY_CONFIG;") { mended++ }
        /^emit_set_fp_mode \(/ { emitting = 1 }
        emitting && sub(/mask = MACHINE_FUNCTION \(cfun\)->and_mask;/, "mask = gen_int_mode (0xfff1fffe, SImode);") { mended++ }
        emitting && sub(/mask = MACHINE_FUNCTION \(cfun\)->or_mask;/, "mask = gen_int_mode (0x00080000, SImode);") { mended++ }
        emitting && /^  mask = force_reg \(SImode, mask\);/ { mended++; next }
        emitting && /emit_insn \(gen_save_config \(save\)\);/ {
            print "\tif (MACHINE_FUNCTION (cfun)->and_mask != save)"
            print "\t  {"
            print "\t    MACHINE_FUNCTION (cfun)->and_mask = save;"
            print "\t    emit_insn_after (gen_save_config (save), BB_HEAD (single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun))));"
            print "\t  }"
            mended++
            next
        }
        /^epiphany_expand_set_fp_mode \(/ { expanding = 1 }
        expanding && sub(/mask_reg = operands\[2\];/, "mask_reg = operands[4];") { mended++ }
        expanding == 1 && /^  if \(/ { print "  emit_move_insn (mask_reg, operands[2]);"; expanding = 2; mended++ }
        /^}/ { choosing = emitting = expanding = 0 }
        { print }
        END { exit mended != 10 }' "$1" >mended.cc || fail "GCC switches modes in another way: $1"
    mv mended.cc "$1"
    awk '
        /^\(define_insn_and_split "set_fp_mode"/ { switching = 1 }
        switching && sub(/match_operand:SI 2 "gpr_operand" "r"/, "match_operand:SI 2 \"const_int_operand\" \"n\"") { mended++ }
        switching && sub(/\(clobber \(match_scratch:SI 3 "=&r"\)\)/, "& (clobber (match_scratch:SI 4 \"=\\&r\"))") { mended++ }
        /^\}\)/ { switching = 0 }
        { print }
        END { exit mended != 2 }' "$2" >mended.md || fail "GCC describes switches of modes in another way: $2"
    mv mended.md "$2"
}

# configured COMPONENT [OPTION...]: unpacks and configures COMPONENT, and changes to its build folder, in which make can
# run. If toolchain/build has stopped the last run in this stage ($in_order is yes), uses the build folder of that run.
# $left_out has options of tar that leave out parts of the sources.
configured() {
    local component=$1
    shift
    if [ "$in_order" = no ] || [ ! -e "build/$component/Makefile" ]; then
        rm -rf "source/$component" "build/$component"
        unpack "$component" "${left_out[@]}"
        if [ "$component" = gcc ]; then
            mend_gcc source/gcc/gcc/config/epiphany/epiphany.md
            mend_promotion source/gcc/gcc/config/epiphany/epiphany.h
            mend_modes "$(echo source/gcc/gcc/config/epiphany/epiphany.c*)" source/gcc/gcc/config/epiphany/epiphany.md
        fi
        mkdir -p "build/$component"
        (cd "build/$component" && "../../source/$component/configure" --target="$target" --prefix="$tools" --disable-nls "$@")
    fi
    cd "build/$component"
}

discard() {
    rm -rf "$work/source/$1" "$work/build/$1"
}

left_out=()

stage_binutils() {
    configured binutils --disable-gdb --disable-gdbserver --disable-sim --disable-werror --disable-gprof --disable-gprofng \
        --disable-readline --disable-plugins "${host_flags[@]}"
    make -j "$jobs" MAKEINFO=true
    make install-strip MAKEINFO=true
    discard binutils
}

# Builds the compiler for C only. Large parts of GCC's sources are not needed for that and are not unpacked.
stage_gcc() {
    left_out=(--exclude='*/gcc/testsuite/[!s]*' --exclude='*/gcc/po' --exclude='*/gcc/ada' --exclude='*/libgo'
        --exclude='*/libphobos' --exclude='*/libstdc++-v3' --exclude='*/libsanitizer')
    configured gcc --enable-languages=c --with-newlib --without-headers --disable-shared --disable-threads --disable-libssp \
        --disable-libgomp --disable-libquadmath --disable-libatomic --disable-libstdcxx --disable-libvtv --disable-lto \
        --disable-plugin --disable-bootstrap --disable-checking --disable-werror --disable-analyzer --disable-gcov \
        --without-isl --without-zstd "${host_flags[@]}" CFLAGS_FOR_TARGET="$target_flags"
    # Debian's tarball contains no manual. These files keep make from checking the manual against the sources.
    mkdir -p gcc/doc
    touch -d tomorrow gcc/s-tm-texi gcc/doc/tm.texi
    make -j "$jobs" all-gcc MAKEINFO=true
    make install-strip-gcc MAKEINFO=true
}

# Builds libgcc. Its makefile adds the options -O2 -g after target_flags. On the command line of the compiler, the two
# variables that are set here come after these options and so replace them.
stage_libgcc() {
    cd build/gcc
    make configure-target-libgcc
    make -j "$jobs" -C "$target/libgcc" HOST_LIBGCC2_CFLAGS="$target_flags" LIBGCC2_DEBUG_CFLAGS=
    make install-target-libgcc
    discard gcc
}

# Builds newlib, and leaves out every part that newlib's configuration can leave out. printf prints floating point only
# if a program is linked with -u __printf_float. newlib's code uses long calls, because a program can have most of
# newlib in external memory and a few of its routines in each core's memory: the distance between these two memories is
# too large for a short call.
stage_newlib() {
    configured newlib --disable-newlib-supplied-syscalls --disable-newlib-multithread --enable-newlib-nano-malloc \
        --enable-newlib-nano-formatted-io --enable-newlib-reent-small --enable-newlib-global-atexit --enable-lite-exit \
        --disable-newlib-fvwrite-in-streamio --disable-newlib-fseek-optimization --disable-newlib-unbuf-stream-opt \
        --disable-newlib-wide-orient CFLAGS_FOR_TARGET="${target_flags/-mshort-calls/-mlong-calls}"
    make -j "$jobs" MAKEINFO=true
    make install MAKEINFO=true
    discard newlib
}

# Tries the tools: compiles and links code that must use the chip's double-word loads and stores and its multiply-add.
stage_try() {
    cat >try.c <<'C'
#include <math.h>
#include <stdio.h>
float dot(const float *restrict a, const float *restrict b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
void copy(long long *to, const long long *from) {
    *to = *from;
}
int main(void) {
    float a[2] = {3, 4};
    printf("%d\n", (int)sqrtf(dot(a, a, 2)));
    return 0;
}
C
    "$target-gcc" -O2 -mfp-mode=caller -mshort-calls -Wall -Werror try.c -lm -Wl,-Ttext=0x100 -o try.elf
    "$target-objdump" -d --no-show-raw-insn try.elf >try.s
    for instruction in fmadd ldrd strd; do
        grep -q "[[:space:]]$instruction" try.s || fail "no $instruction in the code of try.c"
    done
    "$target-size" try.elf
}
