/*
 * crowd: a thousand servers that share a store, simulated: the claims, leases and ends of SQLite in
 * memory, a clock that is simulated, and servers that stop, freeze and come back by chance.
 *
 *     bench/crowd SERVERS SECONDS JOBS_A_SECOND LOOKERS SEED
 *
 * A server does two jobs at a time, renews their leases each second, looks for jobs each 2.5 s and,
 * as by NOTIFY, when one has come: about LOOKERS of them then (server/dispatch/pulse.h), or all.
 * One of a thousand servers a second is killed, and one freezes for longer than its lease. Prints
 * what a store is asked each second, how long jobs waited, and whether each was ended once.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "data/store/store.h"
#include "memory_store.h"

#define START    1800000000000
#define LEASE_MS 30000
#define IDLE_MS  2500
#define BUSY_MS  1000
#define DOWN_MS  5000
#define SLOTS    2
#define ACCOUNTS 100
#define MONTH    1798761600000

enum kind { ARRIVE, BEAT, END, FAULT, SWEEP };

struct event {
    int64_t at;
    enum kind kind;
    int server, slot, epoch;
};

struct slot {
    char id[ID_TEXT];
    int32_t attempt; /* 0: free */
};

struct server {
    struct slot slots[SLOTS];
    int epoch;            /* another for each start: events of an earlier one do not count */
    int64_t frozen_until; /* it does nothing before */
};

static struct {
    struct store *store;
    struct server *servers;
    struct event *heap;
    size_t n_heap, room;
    int n_servers, rate, lookers;
    int64_t now, accounts[ACCOUNTS];
    uint64_t chance;
    long long puts, claims, empty, beats, ends, lost, sweeps, kills, freezes, waited, done;
} sim;

static _Noreturn void give_up(const struct err *err)
{
    fprintf(stderr, "crowd: %s\n", err->msg);
    exit(1);
}

/* xorshift64: the same numbers from the same seed. */
static int64_t chance(int64_t below)
{
    sim.chance ^= sim.chance << 13;
    sim.chance ^= sim.chance >> 7;
    sim.chance ^= sim.chance << 17;
    return (int64_t) (sim.chance >> 11) % below;
}

static void swap(size_t a, size_t b)
{
    struct event kept = sim.heap[a];

    sim.heap[a] = sim.heap[b];
    sim.heap[b] = kept;
}

static void add(int64_t at, enum kind kind, int server, int slot)
{
    if (sim.n_heap == sim.room) {
        sim.room = sim.room ? sim.room * 2 : 1024;
        sim.heap = reallocarray(sim.heap, sim.room, sizeof *sim.heap);
        if (!sim.heap)
            exit(1);
    }
    int epoch = server < 0 ? 0 : sim.servers[server].epoch;
    size_t i = sim.n_heap++;
    sim.heap[i] = (struct event){ at, kind, server, slot, epoch };
    for (; i > 0 && sim.heap[i].at < sim.heap[(i - 1) / 2].at; i = (i - 1) / 2)
        swap(i, (i - 1) / 2);
}

static struct event take(void)
{
    struct event first = sim.heap[0];
    size_t i = 0;

    sim.heap[0] = sim.heap[--sim.n_heap];
    for (;;) {
        size_t least = i;

        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < sim.n_heap && sim.heap[child].at < sim.heap[least].at)
                least = child;
        if (least == i)
            return first;
        swap(i, least);
        i = least;
    }
}

/* Claims for its free slots until nothing waits. */
static void look(int number)
{
    struct server *server = &sim.servers[number];
    struct err err;

    for (int i = 0; i < SLOTS; i++) {
        AUTO_JOB struct job job = { 0 };

        if (server->slots[i].attempt)
            continue;
        int found = store_claim(sim.store, sim.now, LEASE_MS, NULL, &job, &err);
        if (found < 0)
            give_up(&err);
        sim.claims++;
        sim.empty += !found;
        if (!found)
            return;
        sim.waited += sim.now - job.run_at;
        memcpy(server->slots[i].id, job.id, ID_TEXT);
        server->slots[i].attempt = job.attempt;
        add(sim.now + 100 + chance(1800), END, number, i);
    }
}

static void arrive(void)
{
    static char text[] = "{}", list[] = "[]";
    const struct store_terms terms = { MONTH, INT64_MAX, INT64_MAX, INT64_MAX, NULL, NULL, NULL };
    struct job job = { .key_id = sim.accounts[chance(ACCOUNTS)],
                       .tool = "rotate",
                       .stem = text,
                       .params_json = text,
                       .inputs_json = list,
                       .n_inputs = 1,
                       .input_bytes = 1000,
                       .cost_ms = 100 + chance(1800),
                       .created_at = sim.now,
                       .run_at = sim.now };
    struct store_receipt receipt;
    struct err err;

    id_new(job.id);
    if (store_put(sim.store, &job, &terms, &receipt, &err) < 0)
        give_up(&err);
    sim.puts++;
    add(sim.now + 1 + chance(2000 / sim.rate + 1), ARRIVE, -1, 0);
    for (int i = 0; i < sim.n_servers; i++) /* all hear of it; pulse.c */
        if (sim.servers[i].frozen_until <= sim.now && chance(sim.n_servers) < sim.lookers)
            look(i);
}

static void beat(int number)
{
    struct server *server = &sim.servers[number];
    bool busy = false;
    int64_t pending, running;
    struct err err;

    for (int i = 0; i < SLOTS; i++) {
        struct slot *slot = &server->slots[i];

        if (slot->attempt && store_heartbeat(sim.store, slot->id, slot->attempt, sim.now + LEASE_MS,
                                             0.5, &err) != 1) {
            slot->attempt = 0;
            sim.lost++;
        }
        busy |= slot->attempt != 0;
    }
    sim.beats++;
    if (store_depth(sim.store, &pending, &running, &err) < 0)
        give_up(&err);
    if (pending)
        look(number);
    add(sim.now + (busy ? BUSY_MS : IDLE_MS), BEAT, number, 0);
}

static void end(int number, int i)
{
    static char name[] = "a.pdf", list[] = "[]";
    struct slot *slot = &sim.servers[number].slots[i];
    const struct store_end done = { .state = JOB_COMPLETED,
                                    .finished_at = sim.now,
                                    .expires_at = sim.now + 86400000,
                                    .duration_ms = 500,
                                    .output_name = name,
                                    .outputs_json = list,
                                    .warnings_json = list,
                                    .output_bytes = 1 };
    struct err err;

    if (!slot->attempt)
        return;
    int held = store_finish(sim.store, slot->id, slot->attempt, &done, &err);
    if (held < 0)
        give_up(&err);
    sim.ends++;
    sim.done += held;
    sim.lost += !held;
    slot->attempt = 0;
    look(number);
}

static void start(int number, int64_t at)
{
    struct server *server = &sim.servers[number];

    *server = (struct server){ .epoch = server->epoch + 1, .frozen_until = at };
    add(at + chance(IDLE_MS), BEAT, number, 0);
}

static void fault(void)
{
    int number = (int) chance(sim.n_servers);

    if (chance(2)) {
        sim.kills++;
        start(number, sim.now + DOWN_MS);
    } else {
        sim.freezes++;
        sim.servers[number].frozen_until = sim.now + LEASE_MS + 1000;
    }
    add(sim.now + 500, FAULT, -1, 0);
}

static void sweep(void)
{
    struct err err;

    if (store_reclaim(sim.store, sim.now, &err) < 0)
        give_up(&err);
    sim.sweeps++;
    add(sim.now + 1000, SWEEP, -1, 0);
}

static void play(const struct event *event)
{
    struct server *server = event->server < 0 ? NULL : &sim.servers[event->server];

    if (server && server->epoch != event->epoch)
        return;
    if (server && server->frozen_until > sim.now) {
        add(server->frozen_until, event->kind, event->server, event->slot);
        return;
    }
    switch (event->kind) {
    case ARRIVE:
        arrive();
        break;
    case BEAT:
        beat(event->server);
        break;
    case END:
        end(event->server, event->slot);
        break;
    case FAULT:
        fault();
        break;
    case SWEEP:
        sweep();
        break;
    }
}

static void prepare(void)
{
    struct err err;

    sim.store = memory_store_open();
    for (int i = 0; i < ACCOUNTS; i++) {
        struct key key = { .name = "crowd", .plan = "pro", .created_at = 1 };
        char text[KEY_TEXT];

        key_make(KEY_MANAGE, false, text);
        key_split(text, key.prefix, key.digest);
        if (store_key_add(sim.store, &key, &err) < 0)
            give_up(&err);
        sim.accounts[i] = key.id;
    }
    sim.now = START;
    for (int i = 0; i < sim.n_servers; i++)
        start(i, START);
    add(START, ARRIVE, -1, 0);
    add(START + 500, FAULT, -1, 0);
    add(START + 1000, SWEEP, -1, 0);
}

/* Jobs come until `until`, and what is there is done after. */
static void run(int64_t until)
{
    const int64_t last = until + 4LL * LEASE_MS;

    while (sim.n_heap && sim.now < last) {
        struct event event = take();

        sim.now = event.at;
        if (sim.now > until && (event.kind == ARRIVE || event.kind == FAULT))
            continue;
        if (sim.now > until && sim.done == sim.puts)
            break;
        play(&event);
    }
}

int main(int argc, char **argv)
{
    long numbers[5];

    for (int i = 0; i < 5; i++)
        numbers[i] = argc == 6 ? strtol(argv[i + 1], NULL, 10) : 0;
    if (numbers[0] < 1 || numbers[1] < 1 || numbers[2] < 1 || numbers[3] < 1 || numbers[4] < 1)
        return fputs("usage: crowd SERVERS SECONDS JOBS_A_SECOND LOOKERS SEED\n", stderr), 2;
    sim.n_servers = (int) numbers[0];
    sim.rate = (int) numbers[2];
    sim.lookers = (int) numbers[3];
    sim.chance = (uint64_t) numbers[4] * 0x9e3779b97f4a7c15U;
    if (!(sim.servers = calloc((size_t) sim.n_servers, sizeof *sim.servers)))
        return 1;
    prepare();
    run(START + numbers[1] * 1000);

    const double seconds = (double) numbers[1];
    printf("%d servers, %.0f s, %lld jobs, %lld kills, %lld freezes\n", sim.n_servers, seconds,
           sim.puts, sim.kills, sim.freezes);
    printf(
        "a second: %.1f submissions, %.1f ends, %.1f beats, %.1f claims, of which %.1f in vain\n",
        (double) sim.puts / seconds, (double) sim.ends / seconds, (double) sim.beats / seconds,
        (double) sim.claims / seconds, (double) sim.empty / seconds);
    printf("mean wait %.1f ms; leases lost %lld; jobs ended once: %lld of %lld\n",
           (double) sim.waited / (double) (sim.claims - sim.empty), sim.lost, sim.done, sim.puts);
    memory_store_close(sim.store);
    free(sim.servers);
    free(sim.heap);
    return sim.done == sim.puts ? 0 : 1;
}
