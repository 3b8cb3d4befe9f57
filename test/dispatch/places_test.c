/* Which places a dispatcher may use while long jobs hold all ordinary ones. */
#include "server/dispatch/places.h"

#include "tap.h"

#define ANNA 1
#define BERT 2

static bool passes(const struct store_choice *choice, int64_t account)
{
    for (size_t i = 0; i < choice->n_passed; i++)
        if (choice->passed[i] == account)
            return true;
    return false;
}

static struct places *full(void)
{
    struct err err;
    struct places *places = places_new(2, &err);

    for (int64_t i = 0; i < 2; i++)
        places_begin(places, places_claim(places, 0), ANNA, i * 500);
    return places;
}

static void test_ordinary(void)
{
    struct err err;
    struct places *places = places_new(2, &err);
    int first = places_claim(places, 0), second;

    ok(!places_are_full(places), "one of two places is free");
    second = places_claim(places, 0);
    ok(places_are_full(places) && first != second, "two places are for two jobs");
    ok(!places_is_further(places, first) && !places_choice(places, second),
       "they are for every job");
    is_int(places_claim(places, 99999), -1,
           "no further place is open while a place has no job yet");
    places_leave(places, first, 0);
    is_int(places_claim(places, 0), first, "a place that was left is free");
    places_free(places);
}

static void test_further(void)
{
    struct places *places = full();
    const struct store_choice *choice;
    int brief, other;

    is_int(places_claim(places, 500 + PLACES_STUCK_MS - 1), -1,
           "no further place is open before all jobs have run for a while");
    brief = places_claim(places, 500 + PLACES_STUCK_MS);
    choice = places_choice(places, brief);
    ok(places_is_further(places, brief) && choice && choice->brief && choice->n_passed == 0,
       "then one for short jobs is");
    places_begin(places, brief, BERT, 3000);
    other = places_claim(places, 3000);
    choice = places_choice(places, other);
    ok(places_is_further(places, other) && choice && !choice->brief, "and one for other accounts");
    ok(passes(choice, ANNA) && passes(choice, BERT), "which hold no place");
    is_int(places_claim(places, 99999), -1, "there are no more");
    places_free(places);
}

static void test_retry(void)
{
    struct places *places = full();
    int brief = places_claim(places, 5000), other = places_claim(places, 5000);

    places_leave(places, brief, 5000);
    places_leave(places, other, 5000);
    is_int(places_claim(places, 5000 + PLACES_RETRY_MS - 1), -1,
           "a further place for which there was no job is not tried again at once");
    is_int(places_claim(places, 5000 + PLACES_RETRY_MS), brief, "it is a little later");
    places_begin(places, brief, BERT, 6000);
    places_leave(places, brief, 6000);
    is_int(places_claim(places, 6000), brief, "after a job it is tried at once");
    places_free(places);
}

static void test_none(void)
{
    struct err err;
    struct places *places = places_new(0, &err);

    is_int(places_claim(places, 99999), -1, "a server that runs no jobs has no places");
    places_free(places);
}

/* While a job lacks room on the disk, jobs run one at a time. */
static void test_lacking(void)
{
    struct err err;
    struct places *places = places_new(2, &err);
    char id[ID_TEXT];
    int place;

    ok(places_lack(places, "a"), "the first job that lacks room is the first");
    ok(!places_lack(places, "b") && !places_lack(places, "a"), "a further one is not");
    is_int(places_lacking(places), 2, "a job that lacks room again is counted once");
    place = places_claim(places, 0);
    ok(place >= 0, "while jobs lack room, one may begin");
    places_begin(places, place, ANNA, 0);
    is_int(places_claim(places, 99999), -1, "and no other one, nor in a further place");
    places_leave(places, place, 1);
    ok(places_claim(places, 2) >= 0, "the next one may begin after it");
    ok(!places_forget(places, "a") && !places_forget(places, "c"),
       "others lack room when one has ended");
    ok(places_claim(places, 3) < 0, "jobs run one at a time until then");
    ok(places_forget(places, "b"), "the last one that lacked room is the last");
    ok(places_claim(places, 4) >= 0, "then all places are open again");
    for (int i = 0; i < PLACES_LACKING + 1; i++) {
        snprintf(id, sizeof id, "%d", i);
        places_lack(places, id);
    }
    is_int(places_lacking(places), PLACES_LACKING, "only the first PLACES_LACKING jobs are known");
    is_str(places_lacking_at(places, 1), "1", "one of them is found by its number");
    places_free(places);
}

int main(void)
{
    test_lacking();
    test_ordinary();
    test_further();
    test_retry();
    test_none();
    return done_testing();
}
