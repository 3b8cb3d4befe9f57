#include "server/dispatch/places.h"

#include <stdlib.h>

struct place {
    bool taken;
    int64_t account;            /* whose job runs in it; 0: none yet */
    int64_t since;              /* when the job began, or when a further place was left */
    struct store_choice choice; /* of a further place */
    int64_t *passed;            /* its accounts, owned */
};

struct places {
    int workers;
    struct place *list; /* the further ones are the last two: for short jobs, for other accounts */
};

enum { SHORT, OTHER, FURTHER };

struct places *places_new(int workers, struct err *err)
{
    struct places *places = calloc(1, sizeof *places);
    int64_t *passed = calloc((size_t) workers + FURTHER, sizeof *passed);

    if (places)
        places->list = calloc((size_t) workers + FURTHER, sizeof *places->list);
    if (!places || !places->list || !passed) {
        err_sys(err, "places");
        free(passed);
        places_free(places);
        return NULL;
    }
    places->workers = workers;
    places->list[workers + SHORT].choice.brief = true;
    places->list[workers + OTHER].passed = passed;
    places->list[workers + OTHER].choice.passed = passed;
    return places;
}

void places_free(struct places *places)
{
    if (places && places->list)
        free(places->list[places->workers + OTHER].passed);
    if (places)
        free(places->list);
    free(places);
}

bool places_is_further(const struct places *places, int place)
{
    return place >= places->workers;
}

bool places_are_full(const struct places *places)
{
    for (int i = 0; i < places->workers; i++)
        if (!places->list[i].taken)
            return false;
    return true;
}

static bool are_stuck(const struct places *places, int64_t now)
{
    for (int i = 0; i < places->workers; i++) {
        const struct place *place = &places->list[i];

        if (!place->taken || place->account == 0 || now - place->since < PLACES_STUCK_MS)
            return false;
    }
    return places->workers > 0;
}

static bool is_open(const struct places *places, int place, int64_t now)
{
    const struct place *p = &places->list[place];

    if (p->taken || !places_is_further(places, place))
        return !p->taken;
    return are_stuck(places, now) && now - p->since >= PLACES_RETRY_MS;
}

/* The accounts that hold a place. */
static void note_holders(struct places *places)
{
    struct place *other = &places->list[places->workers + OTHER];

    other->choice.n_passed = 0;
    for (int i = 0; i < places->workers + OTHER; i++)
        if (places->list[i].taken && places->list[i].account)
            other->passed[other->choice.n_passed++] = places->list[i].account;
}

int places_claim(struct places *places, int64_t now)
{
    for (int i = 0; i < places->workers + FURTHER; i++) {
        if (!is_open(places, i, now))
            continue;
        places->list[i].taken = true;
        places->list[i].account = 0;
        if (i == places->workers + OTHER)
            note_holders(places);
        return i;
    }
    return -1;
}

const struct store_choice *places_choice(struct places *places, int place)
{
    return places_is_further(places, place) ? &places->list[place].choice : NULL;
}

void places_begin(struct places *places, int place, int64_t account, int64_t now)
{
    places->list[place].account = account;
    places->list[place].since = now;
}

void places_leave(struct places *places, int place, int64_t now)
{
    struct place *p = &places->list[place];

    /* Where a job was, there may be more: the place is not left closed. */
    p->since = p->account ? now - PLACES_RETRY_MS : now;
    p->taken = false;
    p->account = 0;
}
