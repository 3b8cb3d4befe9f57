#include "base/system/relay.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#define N 200

/* What the threads share, and what the test looks at afterwards. */
static atomic_int states, made, closed, cleared;
static atomic_int asked; /* things that were asked for */
static atomic_int ahead; /* the farthest that one was made before it was asked for */

struct own {
    size_t n;
};

struct thing {
    size_t number;
    char *text;
};

static void note(int distance)
{
    int farthest = ahead;

    while (distance > farthest && !atomic_compare_exchange_weak(&ahead, &farthest, distance))
        ;
}

static int make(const void *arg, void *own, size_t number, void *out, struct err *err)
{
    struct own *state = own;
    struct thing *thing = out;

    if (state->n++ == 0)
        states++;
    made++;
    note((int) number - asked + 1);
    if (number % 7 == 3)
        usleep(500); /* later ones are ready before */
    free(thing->text);
    thing->text = strdup(arg);
    thing->number = number;
    return number == 50 ? err_set(err, ERR_CORRUPT_FILE, "thing %zu", number) : 0;
}

static void close_own(const void *arg, void *own)
{
    (void) arg, (void) own;
    closed++;
}

static void clear(void *out)
{
    struct thing *thing = out;

    free(thing->text);
    cleared++;
}

static struct relay *start(size_t n, int threads)
{
    struct relay_work work = { .name = "test",
                               .stack_bytes = 1 << 20,
                               .n = n,
                               .state_bytes = sizeof(struct own),
                               .item_bytes = sizeof(struct thing),
                               .arg = "shared",
                               .make = make,
                               .close = close_own,
                               .clear = clear };
    struct err err;

    states = made = closed = cleared = asked = ahead = 0;
    return relay_start(&work, threads, &err);
}

static void all(int threads)
{
    struct relay *relay = start(N, threads);
    bool in_order = true, told = false;
    struct err err;
    void *out;

    for (size_t i = 0; i < N; i++) {
        asked++;
        int done = relay_next(relay, &out, &err);
        struct thing *thing = out;

        in_order = in_order && thing->number == i && strcmp(thing->text, "shared") == 0;
        told = told || (i == 50 && done < 0 && strcmp(err.msg, "thing 50") == 0);
        in_order = in_order && (done < 0) == (i == 50);
    }
    relay_free(relay);
    ok(in_order, "%d threads make things in order", threads);
    ok(told, "an item that failed is reported in its place in the order");
    is_int(made, N, "each item is made once");
    is_int(closed, threads < RELAY_THREADS ? threads : RELAY_THREADS, "every thread ends");
    is_int(cleared, 2 * closed, "the state of each thread is cleared");
    ok(ahead <= 2 * closed, "no more items are made ahead than there are places");
    ok(states <= closed && states > 0, "each thread has its own state");
}

static void left(void)
{
    struct relay *relay = start(N, 2);
    struct err err;
    void *out;

    asked += 2;
    relay_next(relay, &out, &err);
    relay_next(relay, &out, &err);
    relay_free(relay);
    ok(made < N, "after an end no further items are made");
    relay_free(start(0, 3));
    is_int(made, 0, "no item is made of an empty list");
    relay_free(NULL);
}

int main(void)
{
    all(1);
    all(3);
    all(40);
    left();
    return done_testing();
}
