# SPDX-License-Identifier: BSD-3-Clause
# Replaces the reductions with which a construct's function ends by a call of skerry_omp_reduce_last (src/omp/near_reduction.c),
# and those before a barrier by a call of skerry_omp_reduce_barrier (src/omp/near_reduce_barrier.c), in the compiler's assembly
# code for RISC-V. The compiler makes a reduction of a double, or of several variables, a section:
#     call GOMP_atomic_start
#     for each variable: load it, perform an operation on it and a register of the thread, store it
#     tail GOMP_atomic_end          or a call, and the function's return
# Between these are instructions that restore registers, and instructions that compute the thread's values. The section gets a
# second version, to which the function jumps if the word skerry_omp_reduction of the thread is not 0. It computes the values,
# passes them to skerry_omp_reduce_last with the addresses of the variables and the kinds of the operations, restores the
# registers, and returns to the caller from there.
#
# In any function the section can also be followed by a call of GOMP_barrier, GOMP_loop_end or GOMP_sections_end. Then the second
# version calls skerry_omp_reduce_barrier, which executes the barrier too, and goes on behind that call. A register that keeps its
# value across a call must have the same value there in both versions, so it must not contain what the section has loaded.
#
# A section with anything else stays as it is. The second version keeps addresses and values in the registers of
# `address_register` and `value_register`, so a section that uses them stays as it is too.

function give_up(  i) {
    for (i = 1; i <= count; i++) print held[i]
    count = in_section = has_line = 0
}

function begin_section() {
    in_section = 1
    has_line = 0
    is_ended = locations = restores = computed = is_returning = 0
    skip_label = ""
    split("", expression)
    split("", location_of)
    split("", kind_of)
    split("", restored)
}

# What a register contains: "IN" a value that the second version has too, "HI symbol", "LOAD number" a variable, "RESULT number
# kind" a variable's new value, "OTHER" something else.
function of(register) { return register in expression ? expression[register] : "IN" }
function is_saved(register) { return register ~ /^f?s[0-9]+$/ } # across calls
function is_known(operand) { return operand !~ /[%()]/ && of(operand) == "IN" }
function compute(line) { computing[++computed] = line }

# Returns the number of the variable that an access to OFFSET(BASE) means, or 0 if this is not known.
function location(offset, base, width,  parts, name, register) {
    split(of(base), parts, " ")
    if (parts[1] == "HI" && offset == "%lo(" parts[2] ")") name = parts[2]
    else if (parts[1] == "IN" && offset ~ /^%lo\(.*\)$/) name = substr(offset, 5, length(offset) - 5)
    else if (parts[1] == "IN" && offset ~ /^-?[0-9]+$/ && base ~ /^[sa][0-9]+$/) name = offset " " base " " version[base]
    else return 0
    if (!(name in location_of)) {
        if (locations == 3) return 0
        location_of[name] = ++locations
        width_of[locations] = width
        register = address_register[locations]
        if (parts[1] == "IN") compute("\taddi\t" register "," base "," offset)
        else compute("\tlui\t" register ",%hi(" name ")\n\taddi\t" register "," register ",%lo(" name ")")
    }
    return width_of[location_of[name]] == width ? location_of[name] : 0
}

# Notes that `register` is the result of an operation on a variable and a value of the thread.
function operate(register, kind, first, second,  a, b, number, from) {
    split(of(first), a, " ")
    split(of(second), b, " ")
    if (a[1] == "LOAD" && b[1] == "IN") { number = a[2]; from = second }
    else if (b[1] == "LOAD" && a[1] == "IN") { number = b[2]; from = first }
    else return 0
    if (width_of[number] != (kind >= 32 ? "d" : kind >= 16 ? "f" : "w")) return 0
    if (from ~ /^-?[0-9]+$/) compute("\tli\t" value_register[number] "," from)
    else if (kind < 16) compute("\tmv\t" value_register[number] "," from)
    else compute("\tfmv." (kind < 32 ? "s" : "d") "\t" float_register[number] "," from)
    expression[register] = "RESULT " number " " kind
    version[register]++
    return 1
}

# Handles one instruction of the section. Returns 0 if it is none that a reduction has.
function instruction(name, operands,  o, n, number, parts, i) {
    n = split(operands, o, ",")
    for (i = 1; i <= n; i++) if (o[i] in reserved) return 0
    if (n == 2 && o[2] ~ /^[0-9]+\(sp\)$/ && name ~ /^f?l[wd]$/ && o[1] ~ /^(ra|f?s[0-9]+)$/) {
        restored[++restores] = "\t" name "\t" operands
        expression[o[1]] = "OTHER"
        if (o[1] == "ra") is_returning = 1
        return 1
    }
    if (name ~ /^addi?$/ && n == 3 && o[1] == "sp" && o[2] == "sp" && o[3] ~ /^[0-9]+$/) {
        restored[++restores] = "\t" name "\t" operands
        is_returning = 1
        return 1
    }
    if ((is_ended && !is_saved(o[1])) || o[1] ~ /^(sp|ra|tp|gp)$/) return 0
    if (name == "lui" && n == 2 && o[2] ~ /^%hi\(.*\)$/) {
        if (is_saved(o[1])) compute("\tlui\t" operands)
        expression[o[1]] = "HI " substr(o[2], 5, length(o[2]) - 5)
        version[o[1]]++
        return 1
    }
    # A constant of the program.
    if (n == 2 && name ~ /^fl[wd]$/ && match(o[2], /^%lo\(\.LC[0-9]+\)\([a-z0-9]+\)$/)) {
        split(o[2], parts, /[()]/)
        if (of(parts[4]) != "HI " parts[2]) return 0
        compute("\tlui\t" parts[4] ",%hi(" parts[2] ")\n\t" name "\t" operands)
        expression[o[1]] = "IN"
        version[o[1]]++
        return 1
    }
    if (n == 2 && name ~ /^(lw|flw|fld|sw|fsw|fsd)$/ && match(o[2], /\([a-z0-9]+\)$/) && o[2] !~ /\(sp\)$/) {
        number = location(substr(o[2], 1, RSTART - 1), substr(o[2], RSTART + 1, RLENGTH - 2), \
                          name ~ /d$/ ? "d" : name ~ /^f/ ? "f" : "w")
        if (!number || number in kind_of) return 0
        if (name ~ /l/) {
            expression[o[1]] = "LOAD " number
            version[o[1]]++
            return 1
        }
        split(of(o[1]), parts, " ")
        if (parts[1] != "RESULT" || parts[2] != number) return 0
        kind_of[number] = parts[3]
        return 1
    }
    if (n == 3 && (name in kinds || name == "addi") && operate(o[1], kinds[name == "addi" ? "add" : name], o[2], o[3])) return 1
    # A maximum or a minimum of integers: a jump over a move.
    if (n == 3 && name ~ /^b[lg][te]u?$/ && skip_label == "") {
        split(of(o[1]), parts, " ")
        is_most = (parts[1] == "LOAD") == (name ~ /^bg/)
        compared = parts[1] == "LOAD" ? o[1] " " o[2] : o[2] " " o[1]
        is_unsigned = name ~ /u$/
        skip_label = o[3]
        is_moved = 0
        return 1
    }
    if (skip_label != "") {
        if (name != "mv" || n != 2 || is_moved || compared != o[1] " " o[2]) return 0
        is_moved = 1
        return operate(o[1], is_most ? (is_unsigned ? 8 : 6) : (is_unsigned ? 9 : 7), o[1], o[2])
    }
    # A computation without the variables, or a load of a value from the stack.
    if (!(name in pure) && !(n == 2 && o[2] ~ /^[0-9]+\(sp\)$/ && name ~ /^f?l[wd]$/ && !restores)) return 0
    if (name in pure) for (i = 2; i <= n; i++) if (!is_known(o[i])) return 0
    compute("\t" name "\t" operands)
    expression[o[1]] = "IN"
    version[o[1]]++
    return 1
}

# Prints the section and its second version. `line` is the instruction behind the section: the function's return, or the call of
# the function `barrier`.
function finish(line, barrier,  i, all, label, called, is_call) {
    is_call = line ~ /^\tcall\t/
    called = barrier == "" ? "skerry_omp_reduce_last" : "skerry_omp_reduce_barrier"
    for (i = 1; i <= locations && (i in kind_of); i++) all += kind_of[i] * 256 ^ (i - 1)
    if (!locations || i <= locations || (barrier == "" && !is_construct) || (is_call && is_returning)) { give_up(); print line; return }
    if (is_call) for (i in expression) if (is_saved(i) && expression[i] ~ /^(LOAD|RESULT)/) { give_up(); print line; return }
    label = ".Lskerry_reduce" ++labels
    print "\tlui\tt1,%tprel_hi(skerry_omp_reduction)"
    print "\tadd\tt1,t1,tp,%tprel_add(skerry_omp_reduction)"
    print "\tlw\tt1,%tprel_lo(skerry_omp_reduction)(t1)"
    print "\tbnez\tt1," label
    for (i = 1; i <= count; i++) print held[i]
    print line
    if (is_call) print "\tj\t.Lskerry_reduced" labels
    print label ":"
    if (source_line != "") print source_line
    for (i = 1; i <= computed; i++) print computing[i]
    for (i = 1; i <= locations; i++) {
        print "\tmv\ta" i - 1 "," address_register[i]
        if (kind_of[i] < 16) print "\tmv\ta" i + 4 "," value_register[i]
        else print "\tfmv." (kind_of[i] < 32 ? "s" : "d") "\tfa" i - 1 "," float_register[i]
    }
    print "\tmv\ta3,t1"
    print "\tli\ta4," all
    for (i = 1; i <= restores; i++) print restored[i]
    if (is_call) {
        print "\tcall\t" called
        if (barrier != "GOMP_barrier") print "\tcall\t" barrier "_nowait"
        print ".Lskerry_reduced" labels ":"
    } else print "\ttail\t" called
    count = in_section = has_line = 0
}

# The kinds of operations in src/omp/near_reduction.c.
BEGIN {
    kinds["add"] = 1; kinds["mul"] = 2; kinds["and"] = 3; kinds["or"] = 4; kinds["xor"] = 5
    kinds["max"] = 6; kinds["min"] = 7; kinds["maxu"] = 8; kinds["minu"] = 9
    kinds["fadd.s"] = 16; kinds["fmul.s"] = 17; kinds["fmax.s"] = 18; kinds["fmin.s"] = 19
    split("t2 t3 t0", address_register, " ")
    split("t4 t5 t6", value_register, " ")
    split("ft9 ft10 ft11", float_register, " ")
    split("t0 t1 t2 t3 t4 t5 t6 ft9 ft10 ft11", words, " ")
    for (i in words) reserved[words[i]] = 1
    split("add addi sub mul slli srli srai and andi or ori xor xori mv li neg not fmv.s fmv.d fmv.w.x fmv.x.w fneg.s fneg.d " \
          "fabs.s fabs.d fadd.s fadd.d fsub.s fsub.d fmul.s fmul.d fdiv.s fdiv.d fmax.s fmax.d fmin.s fmin.d fcvt.d.w fcvt.s.w " \
          "fcvt.d.wu fcvt.s.wu fcvt.d.s fcvt.s.d fmadd.s fmadd.d fmsub.s fmsub.d fnmadd.d fnmsub.d fnmadd.s fnmsub.s", words, " ")
    for (i in words) pure[words[i]] = 1
    kinds["fadd.d"] = 32; kinds["fmul.d"] = 33; kinds["fmax.d"] = 34; kinds["fmin.d"] = 35
}

/^[^ \t#.][^ \t]*:/ { give_up(); source_line = ""; is_construct = ($1 ~ /_omp_fn\.[0-9]+[^:]*:$/) }
/^\t\.size\t/ { give_up(); is_construct = 0 }

# The first source line of the section, or the last one before it. Its label for the debugger can be defined only once.
/^\t\.loc / && !has_line { source_line = $0; sub(/ view .*/, "", source_line); has_line = in_section }

/^\tcall\tGOMP_atomic_start$/ { give_up(); begin_section(); held[++count] = $0; next }
!in_section { print; next }

# Directives, comments and the debugger's labels.
/^[ \t]*(#.*)?$/ || /^\t\.(loc|cfi_[a-z_]+)([ \t]|$)/ || /^\.L[A-Z][A-Z]*[0-9]+:$/ { held[++count] = $0; next }
/^\.L[0-9]+:$/ {
    if ($1 != skip_label ":" || !is_moved) { give_up(); print; next }
    skip_label = ""
    held[++count] = $0
    next
}
/^\ttail\tGOMP_atomic_end$/ { if (skip_label == "") finish($0, ""); else { give_up(); print } next }
/^\tcall\tGOMP_(barrier|loop_end|sections_end)$/ && is_ended { finish($0, $2); next }
/^\ttail\tGOMP_barrier$/ && is_ended { finish($0, $2); next }
/^\tcall\tGOMP_atomic_end$/ && !is_ended && skip_label == "" { is_ended = 1; held[++count] = $0; next }
/^\t(ret|jr\tra)$/ { if (is_ended) finish($0, ""); else { give_up(); print } next }
/^\t[a-z.]+\t[^ \t]+$/ { if (instruction($1, $2)) { held[++count] = $0; next } }
{ give_up(); print }
END { give_up() }
