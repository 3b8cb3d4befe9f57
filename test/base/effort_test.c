#include "base/effort.h"

#include <math.h>
#include <pthread.h>

#include "tap.h"

static void *elsewhere(void *unused)
{
    (void) unused;
    return effort_spend(2 * EFFORT_JOB / 3) ? (void *) "granted" : NULL;
}

int main(void)
{
    pthread_t thread;
    void *granted = NULL;

    effort_begin(1);
    ok(effort_spend(EFFORT_PAGE), "a page has its allowance");
    ok(effort_used().job == 0, "the allowance is not the job's");
    ok(effort_spend(EFFORT_JOB / 2), "beyond it the job pays");
    ok(effort_used().job == EFFORT_JOB / 2 && effort_used().page == EFFORT_PAGE + EFFORT_JOB / 2,
       "both are counted");
    effort_begin(0.5);
    ok(effort_spend(EFFORT_PAGE / 2) && effort_used().job == EFFORT_JOB / 2,
       "half a page has half an allowance");
    pthread_create(&thread, NULL, elsewhere, NULL);
    pthread_join(thread, &granted);
    ok(!granted && effort_is_spent(), "all threads share what the job has");
    ok(effort_used().job == EFFORT_JOB / 2, "what was refused is not taken");
    ok(effort_spend(EFFORT_JOB / 4), "less than that is granted");

    effort_reset();
    ok(!effort_is_spent() && effort_used().job == 0, "the next job begins anew");
    ok(!effort_spend(EFFORT_JOB + 1), "who never began a page has no allowance");
    effort_reset();
    ok(effort_spend_on(EFFORT_BYTE * 1000, 1000) && effort_used().job == 0,
       "bytes pay for their own work");
    ok(effort_spend_on(EFFORT_BYTE * 1000 + 7, 1000) && fabs(effort_used().job - 7) < 0.5,
       "beyond it the job pays");
    ok(effort_spend(-5) && effort_spend(NAN) && fabs(effort_used().job - 7) < 0.5,
       "no work costs nothing");
    effort_allow(1e6);
    ok(effort_spend(EFFORT_JOB + EFFORT_BYTE * 999999), "bytes of input add to what the job has");
    ok(!effort_spend(INFINITY), "endless work is refused");
    return done_testing();
}
