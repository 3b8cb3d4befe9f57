#include "base/effort.h"

#include <stdatomic.h>

static _Atomic double allowed;   /* what the job may use beyond EFFORT_JOB */
static _Atomic double taken;     /* what was used of the job's budget */
static _Atomic double page_most; /* the most that any page has used so far */
static atomic_bool spent;
static _Thread_local double allowance, page_used;

void effort_allow(double bytes)
{
    atomic_store(&allowed, atomic_load(&allowed) + EFFORT_BYTE * bytes);
}

void effort_begin(double share)
{
    allowance = EFFORT_PAGE * (share < 0 ? 0 : share > 1 ? 1 : share);
    page_used = 0;
}

/* False: the budget does not have as much left. */
static bool spend_budget(double units)
{
    double before = atomic_load(&taken);

    do {
        if (before + units > EFFORT_JOB + atomic_load(&allowed))
            return false;
    } while (!atomic_compare_exchange_weak(&taken, &before, before + units));
    return true;
}

static void note_page(void)
{
    double before = atomic_load(&page_most);

    while (page_used > before && !atomic_compare_exchange_weak(&page_most, &before, page_used))
        continue;
}

bool effort_spend(double units)
{
    if (!(units > 0))
        return true;
    if (units <= allowance) {
        allowance -= units;
    } else if (spend_budget(units - allowance)) {
        allowance = 0;
    } else {
        atomic_store(&spent, true);
        return false;
    }
    page_used += units;
    note_page();
    return true;
}

bool effort_spend_on(double units, size_t bytes)
{
    return effort_spend(units - EFFORT_BYTE * (double) bytes);
}

bool effort_is_spent(void)
{
    return atomic_load(&spent);
}

struct effort_used effort_used(void)
{
    return (struct effort_used){ .page = atomic_load(&page_most), .job = atomic_load(&taken) };
}

void effort_reset(void)
{
    atomic_store(&allowed, 0);
    atomic_store(&taken, 0);
    atomic_store(&page_most, 0);
    atomic_store(&spent, false);
    allowance = page_used = 0;
}
