#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshcc --machine prints one line if the installation was built without the compiler for the machine's cores, or if this
# compiler does not run.
. "$(dirname "$0")/common.sh"
[ -x "$SKERRY_BIN/skerry-sim" ] || skip "this build has no simulator"

# An installation as it is without any cross compiler: the machines' scripts, but no libraries.
mkdir -p without/bin without/lib/skerry without/share/skerry
cp "$SKERRY_BIN/skerry-sim" without/bin
sed "s|^library_folder=.*|library_folder='$PWD/without/lib'|" "$SKERRY_BIN/oshcc" >without/bin/oshcc
chmod +x without/bin/oshcc
cp -r "$SKERRY_BIN/../share/skerry/machines" without/share/skerry
for place in "$SKERRY_BIN"/../lib/skerry/*.sh "$SKERRY_BIN"/../lib/skerry/*/oshcc.sh; do
    file=${place##*/lib/skerry/}
    case $file in */*) mkdir "without/lib/skerry/${file%/*}" ;; esac
    cp "$place" "without/lib/skerry/$file"
done
echo 'int main(void) { return 0; }' >a.c
# missing NAME COMPILER [OPTION...]
missing() {
    machine=$1 compiler=$2
    shift 2
    run without/bin/oshcc --machine "$machine" "$@" a.c
    expect_code 2 "--machine $machine $*"
    expect_line "oshcc: --machine $machine: this installation was built without the compiler for its cores ($compiler); make chip installs it"
}
for machine in epiphany-iii epiphany-1024; do
    missing $machine epiphany-elf-gcc
    missing $machine epiphany-elf-gcc -fopenmp
done
missing riscv-16 riscv32-elf-gcc
for machine in smp-16 sarc-4 riscv-16; do missing $machine riscv32-elf-gcc -fopenmp; done

# The compiler calls another one that is not there.
mkdir tools
printf '#!/bin/sh\nexec riscv64-of-nobody-gcc "$@"\n' >tools/riscv32-elf-gcc
chmod +x tools/riscv32-elf-gcc
for folder in riscv sarc smp; do
    : >without/lib/skerry/$folder/libskerry.a
    echo "$PWD/tools" >without/lib/skerry/$folder/tools
done
for machine in smp-16 sarc-4; do
    run without/bin/oshcc --machine "$machine" -fopenmp a.c
    expect_code 2 "--machine $machine"
    expect_line "oshcc: --machine $machine: *riscv32-elf-gcc does not run (*riscv64-of-nobody-gcc*not found*); make chip installs what is missing"
done
finish
