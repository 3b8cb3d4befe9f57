#include "pdf/redact/redact_hits.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "declare/value/json_text.h"

#define FAR 1e6 /* coordinates beyond it are refused */

static int no_room(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "there are more hits than can be handled");
}

void redact_hits_free(struct redact_hits *hits)
{
    for (size_t i = 0; i < hits->n; i++) {
        free(hits->items[i].quads);
        free((void *) (uintptr_t) hits->items[i].text);
    }
    free(hits->items);
    *hits = (struct redact_hits){ 0 };
}

int redact_hits_add(struct redact_hits *hits, const struct redact_hit *hit, struct err *err)
{
    struct redact_hit copy = *hit;
    const char *text, *context;
    char *texts;
    size_t n;

    if (hits->n >= REDACT_HITS_MOST || hit->n_quads > REDACT_HITS_QUADS ||
        !LIST_ROOM(hits->items, hits->n, hits->cap))
        return no_room(err);
    text = hit->text ? hit->text : "";
    context = hit->context ? hit->context : "";
    n = strlen(text) + 1;
    texts = malloc(n + strlen(context) + 1);
    copy.quads = calloc(hit->n_quads + 1, sizeof *copy.quads);
    if (!texts || !copy.quads) {
        free(texts);
        free(copy.quads);
        return no_room(err);
    }
    copy.text = memcpy(texts, text, n);
    copy.context = memcpy(texts + n, context, strlen(context) + 1);
    if (hit->n_quads)
        memcpy(copy.quads, hit->quads, hit->n_quads * sizeof *copy.quads);
    if (!*copy.id)
        snprintf(copy.id, sizeof copy.id, "%zu", hits->n + 1);
    hits->items[hits->n++] = copy;
    return 0;
}

struct redact_quad redact_hits_box(double x0, double y0, double x1, double y1)
{
    double l = fmin(x0, x1), r = fmax(x0, x1), b = fmin(y0, y1), t = fmax(y0, y1);

    return (struct redact_quad){ { l, t, r, t, l, b, r, b } };
}

struct reader {
    struct redact_hits *hits;
    const char *name;
    size_t index;
    struct err *err;
};

static int refuse_hit(const struct reader *r, const char *what)
{
    return err_field(r->err, ERR_INVALID_PARAMETER, r->name, "%s[%zu] %s", r->name, r->index, what);
}

static bool read_numbers(json_t *array, double *out, size_t n)
{
    if (json_array_size(array) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        json_t *number = json_array_get(array, i);

        out[i] = json_number_value(number);
        if (!json_is_number(number) || !(fabs(out[i]) <= FAR))
            return false;
    }
    return true;
}

static int read_quads(const struct reader *r, json_t *json, struct redact_hit *hit)
{
    json_t *box = json_object_get(json, "box"), *quads = json_object_get(json, "quads");
    size_t n = json_array_size(quads);
    double b[4];

    if ((box && quads) || (quads && !json_is_array(quads)) || n > REDACT_HITS_QUADS)
        return refuse_hit(r, "must have \"quads\", a list of areas, or \"box\"");
    hit->quads = calloc(n + 1, sizeof *hit->quads);
    if (!hit->quads)
        return no_room(r->err);
    if (box) {
        if (!read_numbers(box, b, 4) || b[0] == b[2] || b[1] == b[3])
            return refuse_hit(
                r, "has a \"box\" that is not four numbers, x0, y0, x1, y1, with an area");
        hit->quads[hit->n_quads++] = redact_hits_box(b[0], b[1], b[2], b[3]);
    }
    for (size_t i = 0; i < n; i++)
        if (!read_numbers(json_array_get(quads, i), hit->quads[hit->n_quads++].at, 8))
            return refuse_hit(r, "has an area in \"quads\" that is not eight numbers");
    return 0;
}

static bool copy_word(json_t *json, const char *member, char *out, size_t cap)
{
    json_t *value = json_object_get(json, member);
    const char *text = json_string_value(value);

    if (!value)
        return true;
    if (!text || strlen(text) >= cap)
        return false;
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static int read_members(const struct reader *r, json_t *json, struct redact_hit *hit)
{
    json_t *page = json_object_get(json, "page"), *text = json_object_get(json, "text");
    json_t *context = json_object_get(json, "context");
    json_int_t number = json_integer_value(page);

    if (!json_is_object(json))
        return refuse_hit(r, "must be an object");
    if (!copy_word(json, "id", hit->id, sizeof hit->id) ||
        !copy_word(json, "kind", hit->kind, sizeof hit->kind))
        return refuse_hit(r, "has an \"id\" or \"kind\" that is not a short text");
    if (page && (!json_is_integer(page) || number < 0 || number > 10000000))
        return refuse_hit(r, "has a \"page\" that is not a number from 1");
    if ((text && !json_is_string(text)) || (context && !json_is_string(context)))
        return refuse_hit(r, "has a \"text\" or \"context\" that is not a text");
    if (read_quads(r, json, hit) < 0)
        return -1;
    hit->page = (size_t) number;
    if (hit->n_quads && !hit->page)
        return refuse_hit(r, "has an area and no \"page\"");
    if (!hit->n_quads && !*(text ? json_string_value(text) : ""))
        return refuse_hit(r, "has neither an area nor a text");
    if (!*hit->kind)
        snprintf(hit->kind, sizeof hit->kind, "%s", text ? "text" : "region");
    hit->text = text ? json_string_value(text) : "";
    hit->context = context ? json_string_value(context) : "";
    return redact_hits_add(r->hits, hit, r->err);
}

int redact_hits_read(struct redact_hits *hits, const char *name, const char *text, struct err *err)
{
    json_t *json = json_text_read(name, text, err);
    json_t *array = json_is_object(json) ? json_object_get(json, "hits") : json;
    int done = 0;

    if (!json)
        return -1;
    if (!json_is_array(array))
        done = err_field(err, ERR_INVALID_PARAMETER, name, "%s must be a list in JSON", name);
    for (size_t i = 0; i < json_array_size(array) && done == 0; i++) {
        struct reader r = { .hits = hits, .name = name, .index = i, .err = err };
        struct redact_hit hit = { 0 };

        done = read_members(&r, json_array_get(array, i), &hit);
        free(hit.quads);
    }
    json_decref(json);
    return done;
}

static json_t *hit_json(const struct redact_hit *hit)
{
    json_t *out = json_object(), *quads = json_array();

    json_object_set_new(out, "id", json_string(hit->id));
    json_object_set_new(out, "kind", json_string(hit->kind));
    if (hit->page)
        json_object_set_new(out, "page", json_integer((json_int_t) hit->page));
    for (size_t i = 0; i < hit->n_quads; i++) {
        json_t *quad = json_array();

        for (int k = 0; k < 8; k++)
            json_array_append_new(quad, json_real(round(hit->quads[i].at[k] * 1000) / 1000));
        json_array_append_new(quads, quad);
    }
    json_object_set_new(out, "quads", quads);
    json_object_set_new(out, "text", json_string(hit->text));
    json_object_set_new(out, "context", json_string(hit->context));
    return out;
}

int redact_hits_write(const struct redact_hits *hits, struct buf *out, struct err *err)
{
    buf_puts(out, "[");
    for (size_t i = 0; i < hits->n; i++) {
        json_t *json = hit_json(&hits->items[i]);
        char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(10));

        json_decref(json);
        if (!text)
            return no_room(err);
        buf_puts(out, i ? ",\n" : "\n");
        buf_puts(out, text);
        free(text);
    }
    buf_puts(out, "\n]");
    return out->failed ? no_room(err) : 0;
}
