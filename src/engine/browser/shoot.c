#include "engine/browser/shoot.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scope.h"
#include "engine/browser/render.h"

#define SIDE_MOST   16384 /* pixels: what Chromium draws on one surface */
#define PIXELS_MOST 1e8
#define SHOOT_MS    120000

struct area {
    double x, y, width, height; /* in CSS pixels */
};

/* Reads four numbers, or finds that there is no such element. */
static int read_area(const json_t *value, struct area *area, struct err *err)
{
    const json_t *numbers = value;

    if (json_array_size(numbers) != 4)
        return err_field(err, ERR_INVALID_PARAMETER, "selector",
                         json_is_array(numbers) ? "fits no element of the page"
                                                : "is not a CSS selector");
    area->x = json_number_value(json_array_get(numbers, 0));
    area->y = json_number_value(json_array_get(numbers, 1));
    area->width = json_number_value(json_array_get(numbers, 2));
    area->height = json_number_value(json_array_get(numbers, 3));
    if (!(area->width >= 1) || !(area->height >= 1))
        return err_field(err, ERR_INVALID_PARAMETER, "selector",
                         "fits an element that is not seen");
    return 0;
}

static int find_area(struct page *page, const struct shoot_options *o, struct area *area,
                     struct err *err)
{
    AUTO_BUF struct buf expression = BUF_EMPTY;
    json_t *quoted = json_string(o->selector ? o->selector : ""), *value;
    AUTO_FREE char *text = quoted ? json_dumps(quoted, JSON_ENCODE_ANY) : NULL;
    int read;

    json_decref(quoted);
    if (o->selector)
        buf_printf(&expression,
                   "(() => { try { const e = document.querySelector(%s); if (!e) return [];"
                   " const r = e.getBoundingClientRect();"
                   " return [r.x + scrollX, r.y + scrollY, r.width, r.height]; }"
                   " catch { return 0; } })()",
                   text ? text : "''");
    else if (o->fullPage)
        buf_puts(&expression, "(() => { const e = document.documentElement;"
                              " return [0, 0, Math.max(e.scrollWidth, 1),"
                              " Math.max(e.scrollHeight, 1)]; })()");
    else
        buf_puts(&expression, "[scrollX, scrollY, innerWidth, innerHeight]");
    value = page_evaluate(page, buf_text(&expression), err);
    if (!value)
        return -1;
    read = read_area(value, area, err);
    json_decref(value);
    return read;
}

static int check_size(const struct area *area, double ratio, struct err *err)
{
    double width = ceil(area->width * ratio), height = ceil(area->height * ratio);

    if (width <= SIDE_MOST && height <= SIDE_MOST && width * height <= PIXELS_MOST)
        return 0;
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "the picture would have %.0f by %.0f pixels: at most %d on a side, and %.0f "
                   "million in all, are possible",
                   width, height, SIDE_MOST, PIXELS_MOST / 1e6);
}

static int write_picture(const json_t *shot, const char *path, struct err *err)
{
    AUTO_CLOSE int out = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

    if (out < 0)
        return err_sys(err, "the picture");
    return devtools_write(json_object_get(shot, "data"), out, err);
}

static int shoot(struct page *page, const struct shoot_options *o, struct err *err)
{
    struct area area = { 0 };
    json_t *shot;
    int written;

    if (find_area(page, o, &area, err) < 0 || check_size(&area, o->pixelRatio, err) < 0)
        return -1;
    if (o->transparent)
        devtools_send(&page->devtools, page->session, "Emulation.setDefaultBackgroundColorOverride",
                      json_pack("{s{si si si si}}", "color", "r", 0, "g", 0, "b", 0, "a", 0));
    page->devtools.until_ms = clock_mono_ms() + SHOOT_MS;
    shot = devtools_call(&page->devtools, page->session, "Page.captureScreenshot",
                         json_pack("{ss sb s{sf sf sf sf si}}", "format", "png",
                                   "captureBeyondViewport", true, "clip", "x", area.x, "y", area.y,
                                   "width", area.width, "height", area.height, "scale", 1),
                         err);
    if (!shot)
        return -1;
    written = write_picture(shot, page->run->output, err);
    json_decref(shot);
    return written < 0 ? -1 : tool_done(page->run, 0, err);
}

static int shoot_page(struct tool_run *run, struct assets *assets, const char *address,
                      const struct shoot_options *o, const struct page_options *options,
                      struct err *err)
{
    __attribute__((cleanup(page_close))) struct page page;

    if (page_open(&page, run, options, assets, address, err) < 0)
        return -1;
    tool_progress(run, 0.5);
    if (page_warn(&page, err) < 0 ||
        page_check_missing(&page, strcmp(o->onMissing, "fail") == 0, err) < 0)
        return -1;
    if (shoot(&page, o, err) < 0)
        return -1;
    page_leave(&page);
    page_left(&page);
    return 0;
}

static int set_options(const struct shoot_options *o, struct page_options *page, struct err *err)
{
    *page = (struct page_options){ .javascript = o->javascript,
                                   .deterministic = o->deterministic,
                                   .media = o->media,
                                   .colorScheme = o->colorScheme,
                                   .waitFor = o->waitFor,
                                   .pixel_ratio = o->pixelRatio };
    return render_viewport(o->viewport, page, err);
}

int shoot_files(struct tool_run *run, const struct shoot_options *o, struct err *err)
{
    struct page_options page;
    struct assets *assets;
    int done;

    if (set_options(o, &page, err) < 0)
        return -1;
    assets = assets_open(run->inputs, run->n_inputs, assets_html, err);
    if (!assets)
        return -1;
    done = shoot_page(run, assets, assets_start(assets), o, &page, err);
    assets_free(assets);
    return done;
}

int shoot_address(struct tool_run *run, const struct shoot_options *o, const char *url,
                  struct err *err)
{
    struct page_options page;

    return set_options(o, &page, err) < 0 ? -1 : shoot_page(run, NULL, url, o, &page, err);
}
