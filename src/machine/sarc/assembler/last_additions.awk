# SPDX-License-Identifier: BSD-3-Clause
# Replaces the last atomic addition of a construct's function by a call of skerry_omp_post_last (src/omp/near_post.c), in the
# compiler's assembly code for RISC-V. If the variable `by` is "tree", large teams call skerry_omp_add_last (src/omp/near_sum.c)
# instead. The compiler puts each construct's body into a function NAME._omp_fn.N. If such a function ends with
# `amoadd.w zero,VALUE,0(ADDRESS)`, and after it only restores registers and returns, then the return becomes a jump to one of these
# functions, which has the address and the value as arguments and returns to the caller. The code does this only if the word
# skerry_omp_post, or skerry_omp_sum, of the thread is not 0, and passes this word as the third argument. Otherwise it executes
# the addition as before. A thread has at most one of the two words.
#
# Between the two may stand directives, comments and labels for the debugger, but no label that code can jump to.

function flush_held(  i) {
    for (i = 1; i <= count; i++) print held[i]
    count = 0
}

# Prints the instructions that jump to `label` if the thread's word `name` is not 0. Its value is in the register `sum` then.
function print_test(name, label) {
    print "\tlui\t" sum ",%tprel_hi(" name ")"
    print "\tadd\t" sum "," sum ",tp,%tprel_add(" name ")"
    print "\tlw\t" sum ",%tprel_lo(" name ")(" sum ")"
    print "\tbnez\t" sum "," label
}

# Prints the instructions at `label`, which call the function and return to the caller of the construct's function.
function print_call(name, label,  i) {
    print label ":"
    if (location != "") print location
    print_arguments(address, value)
    print "\tmv\ta2," sum
    for (i = 2; i <= count; i++) if (held[i] !~ /^\.L|^\t\.(loc|cfi)/) print held[i]
    print "\ttail\t" name
}

# Prints the instructions that move the address and the value into the registers of the first two arguments.
function print_arguments(address, value) {
    if (value == "a0" && address == "a1") {
        print "\tmv\tt2,a0"
        print "\tmv\ta0,a1"
        print "\tmv\ta1,t2"
        return
    }
    if (value == "a0") print "\tmv\ta1,a0"
    if (address != "a0") print "\tmv\ta0," address
    if (value != "a0" && value != "a1") print "\tmv\ta1," value
}

/^[^ \t#.][^ \t]*:/ { flush_held(); location = ""; is_construct = ($1 ~ /_omp_fn\.[0-9]+[^:]*:$/) }
/^\t\.size\t/ { flush_held(); is_construct = 0 }

# The last source line. Its label for the debugger can be defined only once.
/^\t\.loc / && count == 0 { location = $0; sub(/ view .*/, "", location) }

is_construct && /^\tamoadd\.w[ \t]+zero,[a-z0-9]+,0\([a-z0-9]+\)$/ {
    flush_held()
    split($2, parts, /[,()]/)
    value = parts[2]
    address = parts[4]
    held[++count] = $0
    next
}

count == 0 { print; next }

# Directives, comments and the debugger's labels.
/^[ \t]*(#.*)?$/ || /^\t\.(loc|cfi_[a-z_]+)([ \t]|$)/ || /^\.L[A-Z][A-Z]*[0-9]+:$/ { held[++count] = $0; next }
/^\tl(w|d)\t(ra|s[0-9]+),[0-9]+\(sp\)$/ || /^\tfl(w|d)\tfs[0-9]+,[0-9]+\(sp\)$/ { held[++count] = $0; next }
/^\taddi?\tsp,sp,[0-9]+$/ { held[++count] = $0; next }
/^\t(ret|jr\tra)$/ {
    sum = value != "t1" && address != "t1" ? "t1" : value != "t2" && address != "t2" ? "t2" : "t3"
    labels++
    if (by == "tree") print_test("skerry_omp_sum", ".Lskerry_sum" labels)
    print_test("skerry_omp_post", ".Lskerry_add" labels)
    for (i = 1; i <= count; i++) print held[i]
    print
    if (by == "tree") print_call("skerry_omp_add_last", ".Lskerry_sum" labels)
    print_call("skerry_omp_post_last", ".Lskerry_add" labels)
    count = 0
    next
}
{ flush_held(); print }
END { flush_held() }
