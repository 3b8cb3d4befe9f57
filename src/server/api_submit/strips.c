#include "server/api_submit/strips.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "base/system/crew.h"
#include "base/system/log.h"
#include "declare/value/file_kind.h"
#include "server/api_submit/reference.h"

#define STRIP_PAGES 20
#define STRIPS      400    /* that are kept or drawn */
#define OF_ACCOUNT  8      /* that wait */
#define TURNS       64     /* draws that are remembered, so that accounts take turns */
#define IDLE_MS     600000 /* after its last request a strip is dropped */
#define RUN_MS      20000

struct waiter {
    struct waiter *next;
    size_t page;
    void (*ready)(void *arg, const struct strips_picture *picture, const struct err *err);
    void *arg;
};

enum state { STRIP_WAITS, STRIP_DRAWN, STRIP_KEPT };

struct strip {
    struct strip *next;
    struct strips_order order; /* page: the first of the strip */
    enum state state;
    int64_t asked; /* counts up: of an account, what was asked for last is drawn first */
    int64_t used_ms;
    bool gone; /* its document was deleted while it was drawn */
    struct waiter *waiters;
    int fd;
    int64_t bytes;
    size_t n; /* pictures */
    struct {
        int64_t offset, bytes;
    } at[STRIP_PAGES];
};

struct strips {
    struct api *api;
    struct crew *crew;
    int cancel; /* eventfd */
    int64_t keep;
    pthread_mutex_t lock; /* guards what follows */
    struct strip *list;
    size_t n;
    int64_t bytes, asked;
    int64_t turns[TURNS]; /* accounts of the last draws, a ring */
    size_t n_turns;
    size_t of_account; /* draws of one account at a time: a thread is left for others */
    bool stopped;
};

static const char *const tools[] = { [STRIPS_SIZES] = "page-sizes",
                                     [STRIPS_PICTURES] = "page-pictures",
                                     [STRIPS_WORDS] = "page-words",
                                     [STRIPS_OUTLINE] = "page-words" };

/* The strip that a page belongs to: small pictures come many at a time, large ones alone. */
static size_t strip_length(const struct strips_order *order)
{
    if (order->what == STRIPS_SIZES || order->what == STRIPS_OUTLINE || *order->password)
        return 1;
    if (order->what == STRIPS_WORDS)
        return STRIP_PAGES;
    return order->width <= 320 ? STRIP_PAGES : order->width <= 700 ? 4 : 1;
}

static void strip_free(struct strip *strip)
{
    if (strip->fd >= 0)
        close(strip->fd);
    explicit_bzero(strip->order.password, sizeof strip->order.password);
    free(strip);
}

/* Takes a strip out of the list. */
static void unlink_strip(struct strips *strips, struct strip *strip)
{
    for (struct strip **at = &strips->list; *at; at = &(*at)->next) {
        if (*at == strip) {
            *at = strip->next;
            strips->n--;
            strips->bytes -= strip->bytes;
            return;
        }
    }
}

/* Drops kept strips that are idle, and the least used ones until there is room. */
static void make_room(struct strips *strips)
{
    int64_t now = clock_mono_ms();

    for (;;) {
        struct strip *oldest = NULL;

        for (struct strip *s = strips->list; s; s = s->next)
            if (s->state == STRIP_KEPT && (!oldest || s->used_ms < oldest->used_ms))
                oldest = s;
        if (!oldest || (strips->bytes <= strips->keep && strips->n < STRIPS &&
                        now - oldest->used_ms < IDLE_MS))
            return;
        unlink_strip(strips, oldest);
        strip_free(oldest);
    }
}

static struct strip *find_strip(struct strips *strips, const struct strips_order *order,
                                size_t first)
{
    for (struct strip *s = strips->list; s; s = s->next)
        if (!s->gone && s->order.page == first && s->order.what == order->what &&
            s->order.width == order->width && s->order.account == order->account &&
            strcmp(s->order.source, order->source) == 0 &&
            strcmp(s->order.password, order->password) == 0)
            return s;
    return NULL;
}

/* Answers all who wait for a strip. Not under the lock. */
static void answer_waiters(struct waiter *waiters, const struct strip *strip, const struct err *err)
{
    while (waiters) {
        struct waiter *next = waiters->next;
        size_t i = strip ? waiters->page - strip->order.page : 0;
        struct err beyond;

        if (!err && i < strip->n) {
            struct strips_picture picture = { strip->fd, strip->at[i].offset, strip->at[i].bytes };

            waiters->ready(waiters->arg, &picture, NULL);
        } else {
            err_set(&beyond, ERR_PAGE_OUT_OF_RANGE, "the document has no page %zu",
                    waiters->page + 1);
            waiters->ready(waiters->arg, NULL, err ? err : &beyond);
        }
        free(waiters);
        waiters = next;
    }
}

/* Opens the document as a file of its own. */
static int open_source(struct api *api, const struct strips_order *order, struct err *err)
{
    struct references named;
    unsigned char head[FILE_KIND_HEAD];
    const char *kind = NULL;
    AUTO_CLOSE int fd = -1;
    ssize_t n;
    int done;

    if (reference_list_open(api->store, api->blobs, order->account, order->source, "", SIZE_MAX,
                            &named, err) < 0)
        return -1;
    n = fdio_read_at(named.fd, head, sizeof head, named.list[0].offset, err);
    if (n > 0)
        kind = file_kind_of(head, (size_t) n);
    done = n < 0 ? -1 : 0;
    if (done == 0 && (!kind || strcmp(kind, "pdf") != 0))
        done = err_set(err, ERR_UNSUPPORTED_FILE_TYPE, "only pages of PDF files can be shown");
    if (done == 0 && named.n == 1 && named.list[0].offset == 0) {
        fd = named.fd;
        named.fd = -1;
    } else if (done == 0) {
        done = reference_fetch(api->blobs, named.fd, named.list[0].offset, named.list[0].bytes, &fd,
                               err);
    }
    reference_list_close(&named);
    return done < 0 ? -1 : scope_take_fd(&fd);
}

/* Takes the pictures over from what the worker says. */
static void note_outputs(struct strip *strip, const struct worker_result *result)
{
    for (; strip->n < result->n_outputs && strip->n < STRIP_PAGES; strip->n++) {
        strip->at[strip->n].offset = result->outputs[strip->n].offset;
        strip->at[strip->n].bytes = result->outputs[strip->n].bytes;
        strip->bytes += result->outputs[strip->n].bytes;
    }
}

static int draw_strip(struct strips *strips, struct strip *strip, struct err *err)
{
    struct api *api = strips->api;
    const struct strips_order *order = &strip->order;
    AUTO_CLOSE int input = open_source(api, order, err);
    AUTO_CLOSE int output = input < 0 ? -1 : blob_stage(api->blobs, err);
    AUTO_CLOSE int scratch = output < 0 ? -1 : blob_stage(api->blobs, err);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    const char *name = "", *tool = tools[order->what];
    char width[16], pages[64];
    struct param_input params[3];
    size_t n = 0;
    struct worker *worker;
    enum worker_end end;

    if (scratch < 0)
        return -1;
    if (!catalog_find(api->catalog, tool, &worker) || worker_is_absent(worker))
        return err_set(err, ERR_OVERLOADED, "this server cannot draw pages now");
    snprintf(width, sizeof width, "%d", order->width);
    snprintf(pages, sizeof pages, "%zu-%zu", order->page + 1, order->page + strip_length(order));
    if (order->what == STRIPS_PICTURES)
        params[n++] = (struct param_input){ "width", width };
    if (order->what == STRIPS_PICTURES || order->what == STRIPS_WORDS)
        params[n++] = (struct param_input){ "pages", pages };
    if (order->what == STRIPS_OUTLINE)
        params[n++] = (struct param_input){ "outline", "true" };
    if (*order->password)
        params[n++] = (struct param_input){ "inputPassword", order->password };
    struct worker_job job = { .id = "pages",
                              .tool = tool,
                              .stem = "page",
                              .params = params,
                              .n_params = n,
                              .inputs = &input,
                              .input_names = &name,
                              .n_inputs = 1,
                              .output = output,
                              .scratch = scratch,
                              .limits = { .run_ms = RUN_MS,
                                          .memory_bytes = config->job_memory,
                                          .output_bytes = strips->keep },
                              .no_digests = true,
                              .cancel = strips->cancel };
    end = worker_run(worker, &job, &result, err);
    if (end == WORKER_CANCELLED)
        return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
    if (end == WORKER_LOST)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the page cannot be drawn");
    if (end != WORKER_DONE)
        return -1;
    note_outputs(strip, &result);
    strip->fd = scope_take_fd(&output);
    return 0;
}

static size_t drawn_now(const struct strips *strips, int64_t account)
{
    size_t n = 0;

    for (const struct strip *s = strips->list; s; s = s->next)
        n += s->state == STRIP_DRAWN && s->order.account == account;
    return n;
}

/* How many draws have begun since the account's last one. */
static size_t since_turn(const struct strips *strips, int64_t account)
{
    size_t n = 0;

    while (n < TURNS && n < strips->n_turns &&
           strips->turns[(strips->n_turns - 1 - n) % TURNS] != account)
        n++;
    return n < strips->n_turns ? n : TURNS;
}

/* Whether a is drawn before b. Accounts take turns, or one that asks without a pause would keep all
 * others from ever being drawn. */
static bool precedes(const struct strips *strips, const struct strip *a, const struct strip *b)
{
    size_t drawn_a = drawn_now(strips, a->order.account);
    size_t drawn_b = drawn_now(strips, b->order.account);
    size_t since_a = since_turn(strips, a->order.account);
    size_t since_b = since_turn(strips, b->order.account);

    if (drawn_a != drawn_b)
        return drawn_a < drawn_b;
    return since_a != since_b ? since_a > since_b : a->asked > b->asked;
}

/* Under the lock: takes the strip that is drawn next; NULL: none waits. */
static struct strip *next_waiting(struct strips *strips)
{
    struct strip *next = NULL;

    for (struct strip *s = strips->list; s; s = s->next)
        if (s->state == STRIP_WAITS && drawn_now(strips, s->order.account) < strips->of_account &&
            (!next || precedes(strips, s, next)))
            next = s;
    if (next) {
        next->state = STRIP_DRAWN;
        strips->turns[strips->n_turns++ % TURNS] = next->order.account;
    }
    return next;
}

/* Draws the next strip. False: none may be drawn now. */
static bool work_on_next(struct strips *strips)
{
    struct strip *strip;
    struct waiter *waiters;
    struct err err;
    int done;

    pthread_mutex_lock(&strips->lock);
    strip = next_waiting(strips);
    pthread_mutex_unlock(&strips->lock);
    if (!strip)
        return false;
    done = draw_strip(strips, strip, &err);
    pthread_mutex_lock(&strips->lock);
    strips->bytes += strip->bytes;
    strip->used_ms = clock_mono_ms();
    /* No other thread frees it while it is STRIP_DRAWN, and others may still ask for it. */
    while ((waiters = strip->waiters) != NULL) {
        strip->waiters = NULL;
        pthread_mutex_unlock(&strips->lock);
        answer_waiters(waiters, strip, done < 0 ? &err : NULL);
        pthread_mutex_lock(&strips->lock);
    }
    if (done < 0 || strip->gone || strips->stopped || *strip->order.password) {
        unlink_strip(strips, strip);
        strip_free(strip);
    } else {
        strip->state = STRIP_KEPT;
    }
    make_room(strips);
    pthread_mutex_unlock(&strips->lock);
    return true;
}

/* One task was added for each strip. Some strips have been dropped since; others waited until their
 * account had no more than its share. */
static void work_on_strips(void *arg)
{
    while (work_on_next(arg))
        continue;
}

/* A new strip in the list; `dropped` is one that gives way to it, or NULL. NULL: all strips are in
 * use.
 */
static struct strip *add_strip(struct strips *strips, const struct strips_order *order,
                               size_t first, struct strip **dropped)
{
    struct strip *strip, *oldest = NULL;
    size_t waiting = 0;

    *dropped = NULL;
    make_room(strips);
    for (struct strip *s = strips->list; s; s = s->next) {
        if (s->state != STRIP_WAITS || s->order.account != order->account)
            continue;
        waiting++;
        if (!oldest || s->asked < oldest->asked)
            oldest = s;
    }
    if (waiting >= OF_ACCOUNT) {
        unlink_strip(strips, oldest);
        *dropped = oldest;
    }
    strip = strips->n < STRIPS && !strips->stopped ? calloc(1, sizeof *strip) : NULL;
    if (!strip)
        return NULL;
    strip->order = *order;
    strip->order.page = first;
    strip->fd = -1;
    strip->next = strips->list;
    strips->list = strip;
    strips->n++;
    return strip;
}

/* Under the lock: the strip of an order, made if there is none, or why not. */
static struct strip *obtain(struct strips *strips, const struct strips_order *order, size_t first,
                            struct strip **dropped, struct err *err)
{
    struct strip *strip = find_strip(strips, order, first);

    *dropped = NULL;
    if (strip)
        return strip;
    strip = add_strip(strips, order, first, dropped);
    if (strip && crew_add(strips->crew, work_on_strips, strips) == 0)
        return strip;
    if (strip) {
        unlink_strip(strips, strip);
        strip_free(strip);
    }
    err_set(err, strips->stopped ? ERR_SHUTTING_DOWN : ERR_OVERLOADED,
            "too many pages are being drawn; try again later");
    return NULL;
}

void strips_ask(struct strips *strips, const struct strips_order *order,
                void (*ready)(void *arg, const struct strips_picture *picture,
                              const struct err *err),
                void *arg)
{
    size_t length = strip_length(order), first = order->page / length * length;
    struct waiter *waiter = calloc(1, sizeof *waiter);
    struct strip *strip, *dropped;
    struct strips_picture picture = { .fd = -1 };
    struct err err;

    if (!waiter) {
        err_sys(&err, "pages");
        ready(arg, NULL, &err);
        return;
    }
    *waiter = (struct waiter){ NULL, order->page, ready, arg };
    pthread_mutex_lock(&strips->lock);
    strip = obtain(strips, order, first, &dropped, &err);
    if (strip && strip->state == STRIP_KEPT) {
        strip->used_ms = clock_mono_ms();
        if (order->page - first < strip->n)
            picture =
                (struct strips_picture){ dup(strip->fd), strip->at[order->page - first].offset,
                                         strip->at[order->page - first].bytes };
        if (picture.fd < 0)
            err_set(&err, ERR_PAGE_OUT_OF_RANGE, "the document has no page %zu", order->page + 1);
    } else if (strip) {
        strip->asked = ++strips->asked;
        waiter->next = strip->waiters;
        strip->waiters = waiter;
        waiter = NULL;
    }
    pthread_mutex_unlock(&strips->lock);
    if (dropped) {
        struct err late;

        err_set(&late, ERR_OVERLOADED, "other pages were asked for since; ask again");
        answer_waiters(dropped->waiters, NULL, &late);
        strip_free(dropped);
    }
    if (waiter)
        ready(arg, picture.fd >= 0 ? &picture : NULL, picture.fd >= 0 ? NULL : &err);
    if (picture.fd >= 0)
        close(picture.fd);
    free(waiter);
}

void strips_forget(struct strips *strips, const char *source)
{
    size_t n = strlen(source);

    pthread_mutex_lock(&strips->lock);
    for (struct strip *s = strips->list, *next; s; s = next) {
        next = s->next;
        if (strncmp(s->order.source, source, n) != 0)
            continue;
        s->gone = true;
        if (s->state == STRIP_KEPT) {
            unlink_strip(strips, s);
            strip_free(s);
        }
    }
    pthread_mutex_unlock(&strips->lock);
}

struct strips *strips_new(struct api *api, size_t threads, int64_t keep, struct err *err)
{
    struct strips *strips = calloc(1, sizeof *strips);

    if (!strips) {
        err_sys(err, "pages");
        return NULL;
    }
    strips->api = api;
    strips->keep = keep;
    strips->of_account = threads ? threads : 1;
    pthread_mutex_init(&strips->lock, NULL);
    strips->cancel = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (strips->cancel < 0)
        err_sys(err, "eventfd");
    else
        strips->crew = crew_new("pages", strips->of_account + 1, err);
    if (!strips->crew) {
        scope_close(&strips->cancel);
        free(strips);
        return NULL;
    }
    return strips;
}

void strips_stop(struct strips *strips)
{
    uint64_t one = 1;

    if (!strips)
        return;
    pthread_mutex_lock(&strips->lock);
    strips->stopped = true;
    pthread_mutex_unlock(&strips->lock);
    if (write(strips->cancel, &one, sizeof one) < 0)
        log_warn("strips.stop_failed", KV("errno", errno));
}

void strips_free(struct strips *strips)
{
    if (!strips)
        return;
    crew_free(strips->crew);
    while (strips->list) {
        struct strip *strip = strips->list;

        unlink_strip(strips, strip);
        strip_free(strip);
    }
    close(strips->cancel);
    pthread_mutex_destroy(&strips->lock);
    free(strips);
}
