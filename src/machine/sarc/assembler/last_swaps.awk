# SPDX-License-Identifier: BSD-3-Clause
# Replaces the reductions with which a construct's function ends by a call of skerry_omp_reduce_last (src/omp/near_reduction.c),
# in the compiler's assembly code for RISC-V. The compiler makes a reduction of one variable of 4 bytes a loop, if it is not a sum
# of integers:
#     load the variable; compute its address        in any order, possibly with other computations
#     label: one operation on it and a value of the thread
#     compare-swap (LR and SC in one line); jump back if it has failed
#     restore registers; return
# or, in any function, before a barrier: then the last line is
#     call GOMP_barrier                             possibly after computations with registers that keep their values across calls
# and the called function skerry_omp_reduce_barrier (src/omp/near_reduce_barrier.c), which executes the barrier too.
# The function jumps to a second version in place of the load, if the word skerry_omp_swap of the thread is not 0. The second
# version passes the address, the value and the kind of the operation. Anything else stays as it is.

function words_of(line) { split(line, w, /[ \t,]+/); return w[2] }
function is_code(line) { return line ~ /^\t([a-z]| 1: lr)/ }
function uses_reserved(line) { return line ~ /[\t,(](t[0-6]|ft9)([,)]|$)/ }

# Returns the index of the next line of code or label after (step 1) or before (step -1) line i.
function next_code(i, step) {
    do i += step
    while (i > 0 && i <= count && !is_code(held[i]) && held[i] !~ /^(\.L[0-9]+| 1):/)
    return i
}

# Returns 1 if a branch jumps over one instruction to the label in line i, as for a maximum.
function skips_to(i,  parts) {
    split(held[next_code(next_code(i, -1), -1)], parts, /[ \t,]+/)
    return parts[2] ~ /^b/ && parts[5] ":" == held[i]
}

# Sets kind and value (the thread's register) of the operation in the lines between the label `head` and the compare-swap `swap`.
# `old` has the variable's value, `result` its new value. `address` can be computed there too. Returns 0 if they are no such operation.
function find_operation(head, swap, old, result, address,  i, n, line, name, a, is_more) {
    n = 0
    computed = ""
    for (i = next_code(head, 1); i < swap; i = next_code(i, 1)) {
        if (index(held[i], "\taddi\t" address ",") == 1 && computed == "") computed = held[i] # of a static variable
        else if (++n <= 4) body[n] = held[i]
        else return 0
    }
    if (uses_reserved(computed)) return 0
    uses_saved = 0
    for (i = 1; i <= n; i++) {
        if (uses_reserved(body[i])) return 0
        if (body[i] ~ /^\t[a-z.]+\tf?s[0-9]/ && body[i] !~ /^\tb/) uses_saved = 1
        operands[i] = split(body[i], w, /[ \t,]+/)
        op[i, 0] = w[2]; op[i, 1] = w[3]; op[i, 2] = w[4]; op[i, 3] = w[5]
    }
    if (n == 1 && op[1, 0] in integer_kinds && op[1, 1] == result) {
        value = op[1, 2] == old ? op[1, 3] : op[1, 2]
        kind = integer_kinds[op[1, 0]]
        return (op[1, 2] == old) != (op[1, 3] == old) && value ~ /^[sa][0-9]+$/
    }
    if (n == 3 && op[1, 0] == "fmv.w.x" && op[1, 2] == old && op[2, 0] in float_kinds && op[3, 0] == "fmv.x.w" && op[3, 1] == result &&
        op[3, 2] == op[2, 1]) {
        a = op[1, 1]
        value = op[2, 2] == a ? op[2, 3] : op[2, 2]
        kind = float_kinds[op[2, 0]]
        return (op[2, 2] == a) != (op[2, 3] == a)
    }
    # mv result,P; branch x,y,label; mv result,Q; label:
    if (n != 4 || op[1, 0] != "mv" || op[3, 0] != "mv" || op[1, 1] != result || op[3, 1] != result || body[4] != op[2, 3] ":") return 0
    if (op[2, 0] !~ /^b[lg][te]u?$/ || (op[2, 1] == old) == (op[2, 2] == old)) return 0
    value = op[2, 1] == old ? op[2, 2] : op[2, 1]
    if ((op[1, 2] == old) == (op[3, 2] == old) || value !~ /^[sa][0-9]+$/) return 0
    copied = op[1, 2] == old ? op[3, 2] : op[1, 2] # must be the same as `value`
    # With a branch if x > y, the result is P: the maximum if P is x.
    is_more = (op[2, 0] ~ /^bg/) == ((op[1, 2] == old) == (op[2, 1] == old))
    kind = op[2, 0] ~ /u$/ ? (is_more ? 8 : 9) : (is_more ? 6 : 7)
    return 1
}

# Tries to give the compare-swap in line `swap` a second version. Stores text to print before the line `check`, and after the
# function's return in line `last`.
function replace(swap,  parts, address, old, result, loaded, head, i, load, base, line, restores, text, location, n) {
    if (!match(held[swap], / 1: lr\.w [a-z0-9]+,0\([a-z0-9]+\); bne [a-z0-9]+,[a-z0-9]+,1f; sc\.w [a-z0-9]+,[a-z0-9]+,0\(/)) return
    split(held[swap], parts, /[ ,();]+/) # "" 1: lr.w loaded 0 address bne loaded old 1f sc.w status result 0 address
    loaded = parts[4]; address = parts[6]; old = parts[9]; result = parts[13]
    for (i = next_code(swap, -1); i > 0 && (held[i] !~ /^\.L[0-9]+:$/ || skips_to(i)); i = next_code(i, -1)) {}
    head = i
    if (head < 1 || uses_reserved(address) || !find_operation(head, swap, old, result, address)) return
    # The jump back, and the return.
    i = next_code(swap, 1)
    if (held[i] == "\tbne\t" old "," loaded ",.L" substr(held[i], length("\tbne\t" old "," loaded ",.L") + 1)) {}
    else {
        if (split(held[i], parts, /[ \t,]+/) != 4 || parts[2] != "mv" || parts[4] != old) return
        line = parts[3]
        i = next_code(i, 1)
        if (held[i] != "\tmv\t" old "," loaded) return
        i = next_code(i, 1)
        if (held[i] != "\tbne\t" line "," loaded "," substr(held[head], 1, length(held[head]) - 1)) return
    }
    for (i = next_code(i, 1); i <= count && held[i] ~ /^\t(f?l[wd]\t(ra|f?s[0-9]+),[0-9]+\(sp\)|addi\tsp,sp,[0-9]+)$/; i = next_code(i, 1))
        restores = restores held[i] "\n"
    is_barrier = 0
    later = ""
    for (; restores == "" && i <= count && held[i] ~ kept; i = next_code(i, 1)) later = later held[i] "\n"
    if (held[i] == "\tcall\tGOMP_barrier" && restores == "") {
        is_barrier = 1
        if ((old result loaded) ~ /s/ || uses_saved) return
    } else if (later != "" || !is_construct || held[i] !~ /^\t(ret|jr\tra)$/) return
    last = i
    # The load of the variable and the computation of its address, in the block before the label.
    load = base = 0
    if (computed != "") {
        split(computed, parts, /[ \t,]+/)
        base = head
        line = parts[5] "(" parts[4] ")"
    }
    for (i = next_code(head, -1); i > 0 && !(load && (base || location == "0(" address ")")); i = next_code(i, -1)) {
        if (held[i] ~ /:$/ || held[i] ~ /^\t(b|j|call|tail|ret|s[bhw]\t|fs[wd]\t|amo|fence|lr|sc)/ || uses_reserved(held[i])) return
        n = split(held[i], parts, /[ \t,]+/)
        if (parts[2] == "lw" && parts[3] == old && !load) { load = i; location = parts[4] }
        else if (parts[2] == "addi" && parts[3] == address && !base) { base = i; line = parts[5] "(" parts[4] ")" }
        else if (parts[3] == old || parts[3] == address) return
    }
    # With equal address registers the load is the first of the two. An address without offset is not computed.
    # The same part of a static variable's address is added to registers with the same other part.
    if (base && line ~ /^%lo/) { sub(/\)\(.*/, ")", line); sub(/\)\(.*/, ")", location) }
    if (!load || location != (base ? line : "0(" address ")")) return
    check = !base || load < base ? load : base
    for (i = check; i < head; i = next_code(i, 1)) if (i != load) text = text held[i] "\n"
    if (computed != "") text = text computed "\n"
    if (copied != "" && copied != value && index(text, "\tmv\t" copied "," value "\n") == 0) return
    before[check] = "\tlui\tt1,%tprel_hi(skerry_omp_swap)\n\tadd\tt1,t1,tp,%tprel_add(skerry_omp_swap)\n" \
        "\tlw\tt1,%tprel_lo(skerry_omp_swap)(t1)\n\tbnez\tt1,.Lskerry_swap" (++labels) "\n"
    text = ".Lskerry_swap" labels ":\n" text "\tmv\tt2," address "\n"
    if (kind < 16) text = text "\tmv\tt4," value "\n\tmv\ta0,t2\n\tmv\ta5,t4\n"
    else text = text "\tmv\ta0,t2\n\tfmv.s\tfa0," value "\n"
    text = text "\tmv\ta3,t1\n\tli\ta4," kind + 64 "\n" restores later
    if (!is_barrier) after[last] = text "\ttail\tskerry_omp_reduce_last\n"
    else after[last] = "\tj\t.Lskerry_swapped" labels "\n" text "\tcall\tskerry_omp_reduce_barrier\n.Lskerry_swapped" labels ":\n"
}

function flush_function(  i) {
    for (i = 1; i <= count; i++) if (held[i] ~ / lr\.w /) { copied = ""; replace(i) }
    for (i = 1; i <= count; i++) printf "%s%s\n%s", before[i], held[i], after[i]
    split("", before); split("", after)
    count = is_construct = 0
}

# The kinds of operations in src/omp/near_reduction.c; 64 more says that other threads perform them by compare-swap.
BEGIN {
    kept = "^\\t(addi?|sub|li|mv|s[lr][al]i?)\\ts[0-9]+(,(s[0-9]+|x0|zero|-?[0-9]+))+$"
    integer_kinds["add"] = 1; integer_kinds["mul"] = 2; integer_kinds["and"] = 3; integer_kinds["or"] = 4; integer_kinds["xor"] = 5
    float_kinds["fadd.s"] = 16; float_kinds["fmul.s"] = 17; float_kinds["fmax.s"] = 18; float_kinds["fmin.s"] = 19
}
/^[^ \t#.][^ \t]*:/ { flush_function(); is_construct = ($1 ~ /_omp_fn\.[0-9]+[^:]*:$/) }
{ held[++count] = $0 }
/^\t\.size\t/ { flush_function() }
END { flush_function() }
