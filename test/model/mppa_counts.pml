// SPDX-License-Identifier: BSD-3-Clause
// The loop in which the server of a cluster of the MPPA (src/machine/mppa/server.c, run_jobs) executes jobs. A tag counts the
// jobs that have arrived, modulo RANGE. While a function of a remote procedure call waits, the server executes further jobs in an
// inner call of the loop, which can go on for any time, because senders send more jobs meanwhile. The outer call then continues.
// Checked: the server executes a job only when it has arrived, and each job once.
// Mistakes that must be found:
//     -DOLD_COUNT  the outer call loads the count only when it has executed all jobs of the last count
// check: holds
// check: fails -DOLD_COUNT
#define JOBS 12
#define CREDIT 2
#define RANGE 8 // of the count; half of it is more than the jobs that can be without an answer

byte sent, transfers; // the second one is modulo RANGE
byte done;

active proctype sender() {
    do
    :: sent == JOBS -> break
    :: atomic { sent < JOBS && sent - done < CREDIT -> sent++; transfers = (transfers + 1) % RANGE }
    od
}

inline execute_job() {
    assert(done < sent);
    done++
}

active proctype server() {
    byte arrived, inner;
    do
    :: done == JOBS -> break
    :: done < JOBS && transfers != done % RANGE ->
        arrived = transfers;
        do
        :: execute_job();
           if
           :: skip // the job waited for nothing
           :: do
              :: inner = transfers;
                 if
                 :: inner == done % RANGE -> break
                 :: else -> execute_job()
                 fi
              od
           fi;
#ifdef OLD_COUNT
           if // the difference as a signed number
           :: (arrived + 2 * RANGE - done % RANGE) % RANGE > 0 && (arrived + 2 * RANGE - done % RANGE) % RANGE < RANGE / 2
           :: else -> break
           fi
#else
           arrived = transfers;
           if
           :: arrived == done % RANGE -> break
           :: else
           fi
#endif
        od
    od;
    assert(done == sent)
}
