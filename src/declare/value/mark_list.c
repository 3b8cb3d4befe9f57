#include "declare/value/mark_list.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/color.h"
#include "declare/value/json_text.h"
#include "declare/value/page_list.h"
#include "declare/value/text.h"

#define INK         0x14202e /* the colour of marks for which none is given */
#define MAX_DEGREES 360.0
#define FIELD       80
#define SHOWN       48

static const char *const types[] = { "image", "initials", "text", "tick", "cross" };

struct reader {
    struct mark *mark;
    json_t *json;
    char field[FIELD]; /* "placements[2]" */
    struct err *err;
};

static int fail(struct reader *reader, const char *key, const char *what)
{
    char field[2 * FIELD];

    snprintf(field, sizeof field, "%s%s%s", reader->field, *key ? "." : "", key);
    return err_field(reader->err, ERR_INVALID_PARAMETER, field, "%s %s", field, what);
}

static int read_number(struct reader *reader, const char *key, double least, double most,
                       bool required, double *value)
{
    json_t *found = json_object_get(reader->json, key);
    double number = json_number_value(found);
    char what[100];

    if (!found && !required)
        return 0;
    if (json_is_number(found) && number >= least && number <= most) {
        *value = number;
        return 0;
    }
    snprintf(what, sizeof what, "must be a number from %.10g to %.10g", least, most);
    return fail(reader, key, what);
}

static int read_type(struct reader *reader)
{
    const char *text = json_string_value(json_object_get(reader->json, "type"));

    for (size_t i = 0; text && i < COUNT(types); i++)
        if (strcmp(text, types[i]) == 0) {
            reader->mark->type = (enum mark_type) i;
            return 0;
        }
    return fail(reader, "type", "must be image, initials, text, tick or cross");
}

/* A number, or a text that names one page, such as "last". */
static int read_page(struct reader *reader)
{
    json_t *found = json_object_get(reader->json, "page");
    char *page = reader->mark->page;
    struct err ignored;

    if (!found) {
        memcpy(page, "last", sizeof "last");
        return 0;
    }
    if (json_is_integer(found))
        snprintf(page, MARK_LIST_PAGE, "%" JSON_INTEGER_FORMAT, json_integer_value(found));
    else if (json_is_string(found) && json_string_length(found) < MARK_LIST_PAGE)
        snprintf(page, MARK_LIST_PAGE, "%s", json_string_value(found));
    if (*page && page_list_check(page, &ignored) == 0 && !page_list_is_several(page))
        return 0;
    return fail(reader, "page", "must name one page, such as 2 or \"last\"");
}

static int read_mark_text(struct reader *reader)
{
    json_t *found = json_object_get(reader->json, "text");
    const char *text = json_string_value(found);
    size_t n;

    if (reader->mark->type != MARK_TEXT)
        return found ? fail(reader, "text", "belongs to marks of the type text only") : 0;
    if (!text || !text_count(text, json_string_length(found), &n) || n > MARK_LIST_TEXT ||
        text_is_blank(text))
        return fail(reader, "text", "must be a text of 1 to 500 characters");
    reader->mark->text = strdup(text);
    return reader->mark->text ? 0 : err_set(reader->err, ERR_LIMIT_EXCEEDED, "out of memory");
}

static int read_color(struct reader *reader)
{
    json_t *found = json_object_get(reader->json, "color");
    const char *text = json_string_value(found);

    reader->mark->color = INK;
    if (!found)
        return 0;
    if (reader->mark->type == MARK_IMAGE || reader->mark->type == MARK_INITIALS)
        return fail(reader, "color", "does not belong to a picture");
    if (text && color_parse(text, strlen(text), &reader->mark->color))
        return 0;
    return fail(reader, "color", "must be a colour such as #14202e");
}

static int check_keys(struct reader *reader)
{
    static const char *const keys[] = { "type",  "page",     "x",    "y",
                                        "width", "rotation", "text", "color" };
    const char *key;
    json_t *value;

    if (!json_is_object(reader->json))
        return fail(reader, "", "must be an object such as {\"type\":\"tick\",\"x\":60,...}");
    json_object_foreach(reader->json, key, value)
    {
        char shown[SHOWN];
        bool known = false;

        for (size_t i = 0; i < COUNT(keys); i++)
            known |= strcmp(key, keys[i]) == 0;
        if (known)
            continue;
        text_for_message(key, strlen(key), shown, sizeof shown);
        return err_field(reader->err, ERR_INVALID_PARAMETER, reader->field,
                         "%s has no key \"%s\": its keys are type, page, x, y, width, rotation, "
                         "text and color",
                         reader->field, shown);
    }
    return 0;
}

static int read_mark(struct reader *reader)
{
    struct mark *mark = reader->mark;

    if (check_keys(reader) < 0 || read_type(reader) < 0 || read_page(reader) < 0 ||
        read_number(reader, "x", 0, MARK_LIST_MOST, true, &mark->x) < 0 ||
        read_number(reader, "y", 0, MARK_LIST_MOST, true, &mark->y) < 0 ||
        read_number(reader, "width", MARK_LIST_LEAST, MARK_LIST_MOST, true, &mark->width) < 0 ||
        read_number(reader, "rotation", -MAX_DEGREES, MAX_DEGREES, false, &mark->rotation) < 0 ||
        read_mark_text(reader) < 0)
        return -1;
    return read_color(reader);
}

static int read_marks(const char *name, json_t *json, struct mark_list *out, struct err *err)
{
    size_t n = json_array_size(json);

    if (n == 0 || n > MARK_LIST_ITEMS)
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a JSON list of 1 to %d marks, such as "
                         "[{\"type\":\"tick\",\"page\":1,\"x\":60,\"y\":700,\"width\":12}]",
                         name, MARK_LIST_ITEMS);
    out->items = calloc(n, sizeof *out->items);
    if (!out->items)
        return err_set(err, ERR_LIMIT_EXCEEDED, "out of memory");
    for (; out->n < n; out->n++) {
        struct reader reader = { .mark = &out->items[out->n],
                                 .json = json_array_get(json, out->n),
                                 .err = err };

        snprintf(reader.field, sizeof reader.field, "%s[%zu]", name, out->n);
        if (read_mark(&reader) < 0) {
            out->n++; /* so that what it has is freed */
            return -1;
        }
    }
    return 0;
}

int mark_list_read(const char *name, const char *text, struct mark_list *out, struct err *err)
{
    json_t *json = json_text_read(name, text, err);
    int done;

    *out = (struct mark_list){ 0 };
    if (!json)
        return -1;
    done = read_marks(name, json, out, err);
    json_decref(json);
    return done;
}

void mark_list_free(struct mark_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->items[i].text);
    free(list->items);
    *list = (struct mark_list){ 0 };
}
