/* Jobs in a minute: alone by what was counted, with other servers by permits of the store. */
#include "server/api_call/rates.h"
#include "tap.h"

static int64_t left, questions, wanted;

static int permit(struct store *store, int64_t account, int64_t limit, int64_t want,
                  struct store_permits *permits, struct err *err)
{
    (void) store, (void) account, (void) err;
    questions++;
    wanted = want;
    permits->granted = want < left ? want : left;
    left -= permits->granted;
    permits->used = limit - left;
    permits->wait_ms = permits->granted ? 0 : 30000;
    return 0;
}

static int watch(struct store *store, const char ids[][ID_TEXT], size_t n, struct store_news *news,
                 struct err *err)
{
    (void) store, (void) ids, (void) n, (void) news, (void) err;
    return 0;
}

/* How many of n jobs are accepted. */
static int64_t take(struct rates *rates, struct store *store, int64_t account, int64_t limit,
                    int64_t n, struct rates_state *state, struct err *err)
{
    int64_t accepted = 0;

    for (int64_t i = 0; i < n; i++)
        accepted += rates_count(rates, store, account, limit, state, err) == 0;
    return accepted;
}

static void test_alone(void)
{
    static const struct store_ops ops = { 0 };
    struct store store = { &ops };
    struct rates_state state;
    struct err err = { 0 };
    struct rates *rates = rates_new(&err);

    rates_look(rates, 1, 7, &state);
    ok(state.left == 7 && state.seconds == 0, "at first all is left");
    is_int(take(rates, &store, 1, 7, 20, &state, &err), 7, "of 20 jobs at once the limit is taken");
    is_int(err.code, ERR_RATE_LIMITED, "the others are refused");
    ok(state.left == 0 && state.seconds >= 59 && state.seconds <= 61,
       "one is free again in a minute (%lld s)", (long long) state.seconds);
    is_int(take(rates, &store, 2, 7, 20, &state, &err), 7, "another account has its own");
    is_int(take(rates, &store, 1025, 7, 3, &state, &err), 3, "also one in the same bucket");
    is_int(state.left, 4, "what is left is told");
    is_int(take(rates, &store, 1, 9, 20, &state, &err), 2, "a larger limit counts at once");
    is_int(take(rates, &store, 2, 3, 1, &state, &err), 0, "so does a smaller one");
    rates_free(rates);
}

static void test_shared(void)
{
    static const struct store_ops ops = { .permit = permit, .watch = watch };
    struct store store = { &ops };
    struct rates_state state;
    struct err err = { 0 };
    struct rates *rates = rates_new(&err);

    ok(store_is_shared(&store), "the store is one that servers share");
    left = 2000;
    is_int(take(rates, &store, 1, 2000, 1000, &state, &err), 1000, "permits are used");
    is_int(questions, 100, "of a large limit several are asked for at a time");
    is_int(wanted, 10, "not more than half a per cent of it");
    left = 0;
    questions = 0;
    is_int(take(rates, &store, 1, 2000, 50, &state, &err), 0, "without permits jobs are refused");
    is_int(questions, 1, "and the store is not asked for each");
    is_int(state.seconds, 30, "the wait is that which the store tells");
    left = 5;
    questions = 0;
    is_int(take(rates, &store, 2, 60, 9, &state, &err), 5, "a small limit is kept exactly");
    is_int(wanted, 1, "by one permit for each job");
    rates_free(rates);
}

int main(void)
{
    test_alone();
    test_shared();
    return done_testing();
}
