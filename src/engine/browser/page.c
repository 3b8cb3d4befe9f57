#include "engine/browser/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/scope.h"

#define LOAD_MS 30000 /* a page must have loaded by then */
#define BUSY_MS 10000 /* that scripts of the page may hold up an expression of ours */
#define POLL_MS 20
#define LISTED  150 /* characters of addresses in a message */

static bool equals(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void note_error(struct page *page, const char *text)
{
    if (page->errors++ == 0)
        snprintf(page->first_error, sizeof page->first_error, "%.*s", (int) strcspn(text, "\n"),
                 text);
}

/* A target: the first page of our context is ours, others were made by it. A worker waits for the
 * debugger, for ever. A window would hold up the page that has opened it if it waited, too: it goes
 * on, but no request of it is answered. */
static void on_target(struct page *page, const json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");

    if (!equals(devtools_text(target, "type"), "page"))
        return;
    if (*page->context.id && !equals(devtools_text(target, "browserContextId"), page->context.id)) {
        devtools_send(&page->devtools, "", "Target.closeTarget",
                      json_pack("{ss}", "targetId", devtools_text(target, "targetId")));
        return;
    }
    if (*page->session) {
        page->windows++;
        devtools_send(&page->devtools, devtools_text(params, "sessionId"),
                      "Runtime.runIfWaitingForDebugger", NULL);
        return;
    }
    snprintf(page->session, sizeof page->session, "%s", devtools_text(params, "sessionId"));
    snprintf(page->frame, sizeof page->frame, "%s", devtools_text(target, "targetId"));
}

/* What Chromium showed before has a loader of its own. */
static void on_lifecycle(struct page *page, const json_t *params)
{
    const char *name = devtools_text(params, "name");

    if (!equals(devtools_text(params, "frameId"), page->frame) ||
        equals(devtools_text(params, "loaderId"), page->blank))
        return;
    page->loaded = page->loaded || equals(name, "load");
    page->idle = page->idle || equals(name, "networkIdle");
}

/* A frame or picture with an address of the machine is refused before it is asked for. */
static void on_entry(struct page *page, const json_t *entry)
{
    static const char local[] = "Not allowed to load local resource: ";
    const char *text = devtools_text(entry, "text");

    if (strncmp(text, local, sizeof local - 1) == 0)
        requests_miss(&page->requests, text + sizeof local - 1, "files of the server are not read",
                      false);
}

static void on_event(void *arg, const char *session, const char *method, json_t *params)
{
    struct page *page = arg;

    /* What a window or the page of an earlier job says is not about ours. */
    if (*session && *page->session && !equals(session, page->session) &&
        !equals(method, "Page.javascriptDialogOpening"))
        return;
    if (equals(method, "Fetch.requestPaused"))
        requests_answer(&page->requests, session, params);
    else if (equals(method, "Target.attachedToTarget"))
        on_target(page, params);
    else if (equals(method, "Page.lifecycleEvent"))
        on_lifecycle(page, params);
    else if (equals(method, "Inspector.targetCrashed") || equals(method, "Target.targetCrashed"))
        page->crashed = true;
    else if (equals(method, "Page.javascriptDialogOpening")) {
        page->dialogs++;
        devtools_send(&page->devtools, session, "Page.handleJavaScriptDialog",
                      json_pack("{sb}", "accept", false));
    } else if (equals(method, "Log.entryAdded"))
        on_entry(page, json_object_get(params, "entry"));
    else if (equals(method, "Runtime.exceptionThrown"))
        note_error(page, devtools_text(json_object_get(json_object_get(params, "exceptionDetails"),
                                                       "exception"),
                                       "description"));
}

static int crashed(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "the browser's process that shows the page ended: it needed more memory than it "
                   "may have, or a fault of the browser");
}

static int not_fetched(const struct page *page, struct err *err)
{
    return err_field(err, ERR_FETCH_FAILED, "url", "the page could not be fetched: %s",
                     page->requests.fault);
}

int page_wait(struct page *page, const bool *flag, int64_t until_ms, struct err *err)
{
    while (!*flag && !page->crashed && !page->requests.fault)
        if (!devtools_wait(&page->devtools, until_ms) && clock_mono_ms() >= until_ms)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the page was not loaded within %d s",
                           LOAD_MS / 1000);
    if (page->requests.fault)
        return not_fetched(page, err);
    return page->crashed ? crashed(err) : 0;
}

/* A page that leads to another one by itself (meta refresh) does so while it is being examined. */
static bool has_moved(const struct err *err)
{
    return strstr(err->msg, "navigated") != NULL;
}

json_t *page_evaluate(struct page *page, const char *expression, struct err *err)
{
    json_t *result, *value;

    page->devtools.until_ms = clock_mono_ms() + BUSY_MS;
    do
        result = devtools_call(&page->devtools, page->session, "Runtime.evaluate",
                               json_pack("{ss sb si}", "expression", expression, "returnByValue",
                                         true, "timeout", LOAD_MS),
                               err);
    while (!result && !page->crashed && has_moved(err) &&
           clock_mono_ms() < page->devtools.until_ms);
    if (page->crashed) {
        crashed(err);
        json_decref(result);
        return NULL;
    }
    if (!result)
        return NULL;
    value = json_incref(json_object_get(json_object_get(result, "result"), "value"));
    if (json_object_get(result, "exceptionDetails") || !value) {
        err_set(err, ERR_INTERNAL, "the page could not be examined");
        json_decref(value);
        value = NULL;
    }
    json_decref(result);
    return value;
}

static void command(struct page *page, const char *method, json_t *params)
{
    devtools_send(&page->devtools, page->session, method, params);
}

/* The same for each run: 2020-01-01T00:00:00Z, which goes on by a millisecond whenever it is asked
 * for, and the numbers of a generator (xorshift) that begins with 1. */
static const char fixed[] =
    "(() => { let ms = 1577836800000, x = 1; const Real = Date;"
    " const now = () => ms++;"
    " const next = () => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return x >>> 0; };"
    " Date = class Date extends Real { constructor(...a) { if (a.length) super(...a);"
    " else super(now()); } static now() { return now(); } };"
    " Performance.prototype.now = () => now() - 1577836800000;"
    " Math.random = () => next() / 4294967296;"
    " Crypto.prototype.getRandomValues = (a) => { const b = new Uint8Array(a.buffer, a.byteOffset,"
    " a.byteLength); for (let i = 0; i < b.length; i++) b[i] = next(); return a; };"
    " })()";

static int set_up(struct page *page, struct err *err)
{
    const struct page_options *o = page->options;
    json_t *tree;

    command(page, "Inspector.enable", NULL);
    command(page, "Page.enable", NULL);
    command(page, "Log.enable", NULL);
    command(page, "Page.setLifecycleEventsEnabled", json_pack("{sb}", "enabled", true));
    command(page, "Fetch.enable", json_pack("{s[{ss}]}", "patterns", "urlPattern", "*"));
    command(page, "Target.setAutoAttach",
            json_pack("{sb sb sb}", "autoAttach", true, "waitForDebuggerOnStart", true, "flatten",
                      true));
    command(page, "Emulation.setDeviceMetricsOverride",
            json_pack("{sI sI sf sb}", "width", (json_int_t) o->width, "height",
                      (json_int_t) o->height, "deviceScaleFactor", o->pixel_ratio, "mobile",
                      false));
    command(page, "Emulation.setEmulatedMedia",
            json_pack("{ss s[{ss ss}]}", "media", o->media, "features", "name",
                      "prefers-color-scheme", "value", o->colorScheme));
    if (o->javascript)
        command(page, "Runtime.enable", NULL);
    else
        command(page, "Emulation.setScriptExecutionDisabled", json_pack("{sb}", "value", true));
    if (o->deterministic)
        command(page, "Page.addScriptToEvaluateOnNewDocument", json_pack("{ss}", "source", fixed));
    command(page, "Runtime.runIfWaitingForDebugger", NULL);
    /* The process that shows the page answers commands in their order: all were carried out. */
    tree = devtools_call(&page->devtools, page->session, "Page.getFrameTree", NULL, err);
    if (!tree)
        return -1;
    snprintf(
        page->blank, sizeof page->blank, "%s",
        devtools_text(json_object_get(json_object_get(tree, "frameTree"), "frame"), "loaderId"));
    json_decref(tree);
    page->loaded = page->idle = false;
    return 0;
}

/* Whether Chromium may be kept once it has shown the page. */
static bool is_kept(const struct page *page)
{
    const struct tool_run *run = page->run;

    return run->companion_kept && (!page->options->javascript || run->companion_kept_after_scripts);
}

/* Chromium has begun with an empty page, which becomes ours, unless there is to be nothing left of
 * it. */
static int find_target(struct page *page, struct err *err)
{
    int64_t until = clock_mono_ms() + LOAD_MS;
    json_t *behavior;

    page->context = (struct context){ .devtools = &page->devtools, .disposed = is_kept(page) };
    if ((page->run->companion_jobs > 0 || is_kept(page)) && context_make(&page->context, err) < 0)
        return -1;
    behavior = json_pack("{ss}", "behavior", "deny");
    if (*page->context.id)
        json_object_set_new(behavior, "browserContextId", json_string(page->context.id));
    devtools_send(&page->devtools, "", "Browser.setDownloadBehavior", behavior);
    devtools_send(&page->devtools, "", "Target.setAutoAttach",
                  json_pack("{sb sb sb}", "autoAttach", true, "waitForDebuggerOnStart", true,
                            "flatten", true));
    while (!*page->session)
        if (!devtools_wait(&page->devtools, until) && clock_mono_ms() >= until)
            return err_set(err, ERR_INTERNAL, "Chromium opens no page");
    return 0;
}

/* What of the page is still being loaded, or of the one that it led to. Pictures that would be
 * loaded when they are scrolled to are loaded now. */
static const char pending[] =
    "(() => { let n = 0; for (const i of document.images) {"
    " if (i.loading === 'lazy') i.loading = 'eager'; if (!i.complete) n++; }"
    " return n + (document.fonts.status === 'loaded' ? 0 : 1)"
    " + (document.readyState === 'complete' ? 0 : 1); })()";

static int await_parts(struct page *page, int64_t until, struct err *err)
{
    for (;;) {
        json_t *left = page_evaluate(page, pending, err);
        bool done = left && json_integer_value(left) == 0;
        bool failed = !left;

        json_decref(left);
        if (failed || done)
            return failed ? -1 : 0;
        if (clock_mono_ms() >= until)
            return err_set(err, ERR_LIMIT_EXCEEDED,
                           "pictures or fonts of the page were not loaded within %d s",
                           LOAD_MS / 1000);
        devtools_wait(&page->devtools, clock_mono_ms() + POLL_MS);
    }
}

static int await_selector(struct page *page, const char *selector, int64_t until, struct err *err)
{
    json_t *quoted = json_string(selector);
    AUTO_FREE char *text = quoted ? json_dumps(quoted, JSON_ENCODE_ANY) : NULL;
    AUTO_BUF struct buf expression = BUF_EMPTY;

    json_decref(quoted);
    buf_printf(
        &expression,
        "(() => { try { return document.querySelector(%s) ? 1 : 0 } catch { return -1 } })()",
        text ? text : "''");
    for (;;) {
        json_t *value = page_evaluate(page, buf_text(&expression), err);
        json_int_t found = json_integer_value(value);

        if (!value)
            return -1;
        json_decref(value);
        if (found < 0)
            return err_field(err, ERR_INVALID_PARAMETER, "waitFor",
                             "must be networkIdle, milliseconds or a CSS selector");
        if (found > 0)
            return 0;
        if (clock_mono_ms() >= until)
            return err_field(err, ERR_LIMIT_EXCEEDED, "waitFor",
                             "no element fitted the selector within %d s", LOAD_MS / 1000);
        devtools_wait(&page->devtools, clock_mono_ms() + POLL_MS);
    }
}

static int await_more(struct page *page, const char *what, int64_t until, struct err *err)
{
    static const bool never = false;
    int64_t ms;

    if (!what)
        return 0;
    if (equals(what, "networkIdle"))
        return page_wait(page, &page->idle, until, err);
    if (!num_parse_i64(what, strlen(what), 0, LOAD_MS, &ms))
        return await_selector(page, what, until, err);
    page_wait(page, &never, clock_mono_ms() + ms, err);
    return page->crashed ? -1 : 0;
}

/* Of responses that are shown as they are, Chromium refuses those that it would download. */
static int check_navigation(const struct page *page, const char *fault, struct err *err)
{
    if (page->requests.fault)
        return not_fetched(page, err);
    if (!*fault)
        return 0;
    if (!page->requests.assets && equals(fault, "net::ERR_ABORTED"))
        return err_field(err, ERR_UNSUPPORTED_CONTENT, "url",
                         "at this address is a file that browsers download, not a page that they "
                         "show");
    if (!page->requests.assets)
        return err_field(err, ERR_FETCH_FAILED, "url", "the page could not be fetched: %.100s",
                         fault);
    return err_set(err, ERR_CORRUPT_FILE, "the page cannot be shown: %.100s", fault);
}

static void on_readable(void *arg)
{
    struct page *page = arg;

    parts_read(&page->requests.parts);
}

int page_open(struct page *page, struct tool_run *run, const struct page_options *options,
              struct assets *assets, const char *address, struct err *err)
{
    int64_t until = clock_mono_ms() + LOAD_MS;
    json_t *went;
    int done;

    *page = (struct page){ .run = run, .options = options };
    devtools_open(&page->devtools, run->companion, run->companion_jobs);
    page->devtools.until_ms = until;
    page->devtools.event = on_event;
    page->devtools.arg = page;
    page->requests =
        (struct requests){ .devtools = &page->devtools, .assets = assets, .frame = page->frame };
    if (!assets && !run->pages)
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "pages are not fetched here");
    if (!assets) {
        requests_fetch(&page->requests, *run->pages);
        page->devtools.other = *run->pages;
        page->devtools.readable = on_readable;
    }
    if (find_target(page, err) < 0 || set_up(page, err) < 0)
        return -1;
    context_note(&page->context);
    went = devtools_call(&page->devtools, page->session, "Page.navigate",
                         json_pack("{ss}", "url", address), err);
    if (!went)
        return -1;
    done = check_navigation(page, devtools_text(went, "errorText"), err);
    json_decref(went);
    if (done < 0)
        return -1;
    if (page_wait(page, &page->loaded, until, err) < 0)
        return -1;
    if (await_more(page, options->waitFor, until, err) < 0)
        return -1;
    if (until < clock_mono_ms() + BUSY_MS) /* waitFor has used it up */
        until = clock_mono_ms() + BUSY_MS;
    return await_parts(page, until, err);
}

void page_leave(struct page *page)
{
    if (page->windows == 0)
        context_dispose(&page->context);
}

void page_left(struct page *page)
{
    page->run->companion_clean =
        page->windows == 0 && !page->crashed && context_is_gone(&page->context);
}

void page_close(struct page *page)
{
    context_free(&page->context);
    requests_free(&page->requests);
    devtools_close(&page->devtools);
}

/* Files that came and are not pictures, and fonts that were not loaded whatever was tried. */
static const char broken[] =
    "({ images: [...document.images].filter(i => i.complete && i.currentSrc && !i.naturalWidth &&"
    " !i.naturalHeight).map(i => i.currentSrc.slice(0, 300)),"
    " fonts: [...document.fonts].filter(f => f.status === 'error').map(f => f.family) })";

/* Keeps the files of fonts that are missing only if a font of the page was not loaded. If all of
 * its files came, they are not fonts. */
static void keep_fonts(struct page *page, const json_t *failed)
{
    struct requests *requests = &page->requests;
    size_t kept = 0, files = 0, i;
    json_t *family;

    for (i = 0; i < requests->n_missing; i++) {
        struct missing *one = &requests->missing[i];

        files += one->font;
        if (one->font && json_array_size(failed) == 0) {
            free(one->address);
            free(one->why);
        } else {
            requests->missing[kept++] = *one;
        }
    }
    requests->n_missing = kept;
    json_array_foreach(failed, i, family) if (files == 0) requests_miss(
        requests, json_string_value(family), "the file of this font is not one", true);
}

static int find_broken(struct page *page, struct err *err)
{
    json_t *found = page_evaluate(page, broken, err), *one;
    size_t i;

    if (!found)
        return -1;
    json_array_foreach(json_object_get(found, "images"), i, one)
        requests_miss(&page->requests, json_string_value(one), "it is not a picture", false);
    keep_fonts(page, json_object_get(found, "fonts"));
    json_decref(found);
    return 0;
}

static const char *shown(const char *address)
{
    return assets_owns(address) ? address + strlen(ASSETS_ORIGIN) : address;
}

static void list_missing(const struct requests *requests, struct buf *out)
{
    size_t i = 0;

    for (; i < requests->n_missing && out->len < LISTED; i++)
        buf_printf(out, "%s%.80s (%s)", i ? ", " : "", shown(requests->missing[i].address),
                   requests->missing[i].why);
    if (i < requests->n_missing)
        buf_printf(out, " and %zu more", requests->n_missing - i);
}

static int warn_of_scripts(struct page *page, struct err *err)
{
    json_t *scripts = page_evaluate(page, "document.scripts.length", err);

    if (!scripts)
        return -1;
    if (json_integer_value(scripts) > 0)
        tool_warn(page->run, "scripts_not_run",
                  "the page has scripts, which were not run: javascript=true runs them");
    json_decref(scripts);
    return 0;
}

int page_warn(struct page *page, struct err *err)
{
    if (page->windows)
        tool_warn(page->run, "windows_refused",
                  "the page opened other windows, which are left out: %zu", page->windows);
    if (page->dialogs)
        tool_warn(page->run, "dialogs_dismissed",
                  "the page showed dialogs, which were dismissed: %zu", page->dialogs);
    if (page->errors)
        tool_warn(page->run, "script_errors", "scripts of the page failed (%zu): %.150s",
                  page->errors, page->first_error);
    if (page->requests.refused)
        tool_warn(
            page->run, "requests_refused",
            "the page sent requests of other kinds than GET and HEAD, which are refused (%zu): "
            "%s",
            page->requests.refused, page->requests.first_refused);
    return page->options->javascript ? 0 : warn_of_scripts(page, err);
}

int page_check_missing(struct page *page, bool fails, struct err *err)
{
    AUTO_BUF struct buf list = BUF_EMPTY;

    if (find_broken(page, err) < 0)
        return -1;
    if (page->requests.n_missing == 0)
        return 0;
    list_missing(&page->requests, &list);
    if (fails)
        return err_set(err, ERR_RESOURCE_MISSING, "parts of the page are missing: %s",
                       buf_text(&list));
    tool_figure(page->run, "missing", (int64_t) page->requests.n_missing);
    tool_warn(page->run, "resource_missing", "parts of the page are missing: %s", buf_text(&list));
    return 0;
}
