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
    ok(effort_spend(EFFORT_PAGE), "a page's allowance can be spent");
    ok(effort_used().job == 0, "spending the allowance does not use the job's budget");
    ok(effort_spend(EFFORT_JOB / 2), "work beyond the allowance uses the job's budget");
    ok(effort_used().job == EFFORT_JOB / 2 && effort_used().page == EFFORT_PAGE + EFFORT_JOB / 2,
       "work of the page and of the job is counted");
    effort_begin(0.5);
    ok(effort_spend(EFFORT_PAGE / 2) && effort_used().job == EFFORT_JOB / 2,
       "half a page has half an allowance");
    pthread_create(&thread, NULL, elsewhere, NULL);
    pthread_join(thread, &granted);
    ok(!granted && effort_is_spent(), "a thread without allowance cannot exceed the job's budget");
    ok(effort_used().job == EFFORT_JOB / 2, "refused work is not counted");
    ok(effort_spend(EFFORT_JOB / 4), "work within the remaining budget is granted after a refusal");

    effort_reset();
    ok(!effort_is_spent() && effort_used().job == 0, "effort_reset restores the budget");
    ok(!effort_spend(EFFORT_JOB + 1), "a thread that began no page has no allowance");
    effort_reset();
    ok(effort_spend_on(EFFORT_BYTE * 1000, 1000) && effort_used().job == 0,
       "work within the free amount of its bytes is not charged");
    ok(effort_spend_on(EFFORT_BYTE * 1000 + 7, 1000) && fabs(effort_used().job - 7) < 0.5,
       "work beyond the free amount of its bytes is charged");
    ok(effort_spend(-5) && effort_spend(NAN) && fabs(effort_used().job - 7) < 0.5,
       "negative or undefined work is not charged");
    effort_allow(1e6);
    ok(effort_spend(EFFORT_JOB + EFFORT_BYTE * 999999), "bytes of input increase the job's budget");
    ok(!effort_spend(INFINITY), "endless work is refused");
    return done_testing();
}
