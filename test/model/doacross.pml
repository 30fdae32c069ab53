// SPDX-License-Identifier: BSD-3-Clause
// Progress of a row of iterations (src/omp/work_sharing/doacross.c) if its counters do not fit into one word. One
// thread runs the iterations of three dimensions in order. After each iteration it stores its progress, the innermost
// dimension first. A waiter reads the outermost dimension first. Each store and each load is a step of its own, in this
// order, because the stores are releases and the loads acquires.
// Checked: a waiter that goes on has waited for an iteration that has run; no waiter waits for ever.
// Mistakes that must be found:
//     -DOUTER_FIRST   the outermost dimension is stored first
//     -DINNER_FIRST   the innermost dimension is read first
// check: holds
// check: fails -DOUTER_FIRST
// check: fails -DINNER_FIRST
#define COUNT 3 // iterations of the innermost dimension; the other two have 2
#define ITERATIONS (2 * 2 * COUNT)
#define outer(number) ((number) / (2 * COUNT))
#define middle(number) ((number) / COUNT % 2)
#define inner(number) ((number) % COUNT)

byte row[3];
byte posted; // number of iterations that have run
bool has_ended;

active proctype poster() {
    byte number = 0;
    do
    :: number < ITERATIONS ->
        posted = number + 1; // the iteration has run; its results are visible from here on
#ifdef OUTER_FIRST
        row[0] = outer(number) + 1;
        row[1] = middle(number) + 1;
        row[2] = inner(number) + 1;
#else
        row[2] = inner(number) + 1;
        row[1] = middle(number) + 1;
        row[0] = outer(number) + 1;
#endif
        number++
    :: else -> has_ended = true; break
    od
}

#define LOOK(counter, wanted)                                                                                        \
    come = counter;                                                                                                    \
    if                                                                                                                 \
    :: come > wanted + 1 -> has_passed = true; is_known = true                                                         \
    :: come < wanted + 1 -> is_known = true                                                                            \
    :: else                                                                                                            \
    fi

active proctype waiter() {
    byte number, come, inmost, amid;
    bool has_passed = false, is_known = false, is_last_look;
    select (number : 0 .. ITERATIONS - 1);
    do
    :: has_passed -> break
    :: else ->
        is_last_look = has_ended;
        is_known = false;
#ifdef INNER_FIRST
        inmost = row[2];
        amid = row[1];
        LOOK(row[0], outer(number));
        if
        :: !is_known -> LOOK(amid, middle(number))
        :: else
        fi;
        if
        :: !is_known -> LOOK(inmost, inner(number))
        :: else
        fi;
#else
        LOOK(row[0], outer(number));
        if
        :: !is_known -> LOOK(row[1], middle(number))
        :: else
        fi;
        if
        :: !is_known -> LOOK(row[2], inner(number))
        :: else
        fi;
#endif
        has_passed = has_passed || !is_known;
        assert(has_passed || !is_last_look)
    od;
    assert(posted > number)
}
