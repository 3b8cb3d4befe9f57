#include "server/dispatch/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    bool taken;
    int64_t account;            /* whose job runs in it; 0: none yet */
    int64_t since;              /* when the job began, or when a further place was left */
    struct store_choice choice; /* of a further place */
    int64_t *passed;            /* its accounts, owned */
};

struct places {
    int workers;
    char lacking[PLACES_LACKING][ID_TEXT]; /* ids of jobs that lack room on the disk */
    size_t n_lacking;
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

/* Whether no job may begin now, because another one needs what is left of the disk. */
static bool is_reserved(const struct places *places)
{
    if (places->n_lacking == 0)
        return false;
    for (int i = 0; i < places->workers + FURTHER; i++)
        if (places->list[i].taken)
            return true;
    return false;
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
    if (is_reserved(places))
        return -1;
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

bool places_lack(struct places *places, const char *job_id)
{
    for (size_t i = 0; i < places->n_lacking; i++)
        if (strcmp(places->lacking[i], job_id) == 0)
            return false;
    if (places->n_lacking == PLACES_LACKING)
        return false;
    snprintf(places->lacking[places->n_lacking++], ID_TEXT, "%s", job_id);
    return places->n_lacking == 1;
}

bool places_forget(struct places *places, const char *job_id)
{
    for (size_t i = 0; i < places->n_lacking; i++) {
        if (strcmp(places->lacking[i], job_id) != 0)
            continue;
        places->n_lacking--;
        memmove(places->lacking[i], places->lacking[places->n_lacking], ID_TEXT);
        return places->n_lacking == 0;
    }
    return false;
}

size_t places_lacking(const struct places *places)
{
    return places->n_lacking;
}

const char *places_lacking_at(const struct places *places, size_t i)
{
    return places->lacking[i];
}
