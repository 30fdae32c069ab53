// SPDX-License-Identifier: BSD-3-Clause
// How far a row of iterations has come (src/omp/doacross.c), where its counters do not fit into one word: a thread runs the iterations of three
// dimensions in order and stores how far it has come, the innermost dimension first; a waiter reads the outermost first. Each store and
// each look is a step of its own, in this order: the stores are releases and the looks acquires. Checked: who goes on has waited for an
// iteration that has run; nobody waits for ever.
// Mistakes that must be found: -DOUTER_FIRST the outermost is stored first, -DINNER_FIRST the innermost is read first.
// check: holds
// check: fails -DOUTER_FIRST
// check: fails -DINNER_FIRST
#define COUNT 3 // iterations of a dimension; 2 of the others
#define ITERATIONS (2 * 2 * COUNT)
#define outer(number) ((number) / (2 * COUNT))
#define middle(number) ((number) / COUNT % 2)
#define inner(number) ((number) % COUNT)

byte row[3];
byte posted; // iterations
bool has_ended;

active proctype poster() {
    byte number = 0;
    do
    :: number < ITERATIONS ->
        posted = number + 1; // what it has done up to here is there to be seen
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
