// SPDX-License-Identifier: BSD-3-Clause
// A master and workers that communicate by remote queues. Each worker has a queue for its jobs, and all workers send
// their answers to one queue of the master. Jobs take different times, so the master sends a worker its next job when
// the worker has answered.
//     master_worker_aos [LIMIT]: counts the primes below LIMIT
#include <aos.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { answers_id = 1000, jobs_id = 2000 }; // a worker's queue has number jobs_id + PE

struct job {
    int64_t begin, end; // begin == end: there are no more jobs
};
struct answer {
    int32_t worker;
    int32_t jobs; // number of jobs that the worker has done so far
    int64_t primes;
};

static void must(int outcome, const char *what) {
    if (outcome == AOS_SUCCESS) return;
    fprintf(stderr, "master_worker_aos: PE %d: %s: %s\n", aos_my_pe(), what, aos_error_text(outcome));
    exit(1);
}

static int64_t count_primes(const struct job *job) {
    int64_t count = 0;
    for (int64_t number = job->begin < 2 ? 2 : job->begin; number < job->end; number++) {
        int64_t divisor = 2;
        while (divisor * divisor <= number && number % divisor != 0) divisor++;
        count += divisor * divisor > number;
    }
    return count;
}

static void work(int me) {
    aos_queue_t jobs, answers;
    struct answer answer = {.worker = me};
    must(aos_queue_create(&jobs, (uint64_t)(jobs_id + me), sizeof(struct job), 1, NULL, NULL), "a queue for jobs");
    must(aos_queue_clone(&answers, answers_id, 0), "the master's queue");
    must(aos_enqueue(&answers, &answer, sizeof answer), "to say that it is there");
    for (;;) {
        aos_message_t message;
        must(aos_dequeue_begin(&jobs, &message), "a job");
        const struct job *job = message.data; // reads the job in the queue, without a copy
        int is_last = job->begin == job->end;
        if (!is_last) answer.primes = count_primes(job);
        must(aos_dequeue_end(&jobs, &message), "a job");
        if (is_last) break;
        answer.jobs++;
        must(aos_enqueue(&answers, &answer, sizeof answer), "an answer");
    }
    must(aos_queue_destroy(&jobs), "a queue for jobs");
}

static int64_t lead(int pes, int64_t limit, int64_t step) {
    aos_queue_t answers, *jobs = calloc((size_t)pes, sizeof *jobs);
    int64_t primes = 0, next = 0;
    must(aos_queue_create(&answers, answers_id, sizeof(struct answer), 16, NULL, NULL), "the queue for answers");
    for (int worker = 1; worker < pes; worker++)
        must(aos_queue_clone(&jobs[worker], (uint64_t)(jobs_id + worker), 0), "a worker's queue");
    for (int busy = pes - 1; busy > 0;) {
        struct answer answer;
        must(aos_dequeue(&answers, &answer, sizeof answer, NULL), "an answer");
        primes += answer.primes;
        struct job job = {next, next + step < limit ? next + step : limit};
        next = job.end;
        must(aos_enqueue(&jobs[answer.worker], &job, sizeof job), "a job");
        if (job.begin == job.end) {
            printf("master_worker_aos: worker %d did %d jobs\n", answer.worker, answer.jobs);
            busy--;
        }
    }
    must(aos_queue_destroy(&answers), "the queue for answers");
    free(jobs);
    return primes;
}

int main(int argument_count, char **arguments) {
    int64_t limit = argument_count > 1 ? atoll(arguments[1]) : 1000000;
    must(aos_init(0), "aos_init");
    int me = aos_my_pe(), pes = aos_pe_count(), wrong = 0;
    if (me > 0) {
        work(me);
    } else {
        int64_t primes = pes > 1 ? lead(pes, limit, 10000) : count_primes(&(struct job){0, limit});
        wrong = limit == 1000000 && primes != 78498;
        printf("master_worker_aos: %lld primes below %lld, %d workers%s\n", (long long)primes, (long long)limit,
               pes - 1, wrong ? ": WRONG" : "");
    }
    must(aos_finalize(), "aos_finalize");
    return wrong;
}
