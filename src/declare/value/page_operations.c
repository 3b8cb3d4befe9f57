#include "declare/value/page_operations.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/json_text.h"
#include "declare/value/page_list.h"
#include "declare/value/text.h"

#define FIELD 64
#define SHOWN 48
#define FAR   PAPER_POINT_MAX

static const char *const kinds[] = { "crop",   "resize", "scale",   "nup",     "booklet",
                                     "blank",  "delete", "reorder", "reverse", "duplicate",
                                     "poster", "split",  "compose", NULL };

enum key_type {
    KEY_LIST,
    KEY_NUMBER,
    KEY_WHOLE,
    KEY_BOOL,
    KEY_BOX,
    KEY_MARGINS,
    KEY_PAPER,
    KEY_WORD
};

#define ON(kind) (1U << PAGE_##kind)

/* A key of operations: where its value goes, to which kinds of operation it belongs, and which of
 * them need it. */
struct key {
    const char *name;
    enum key_type type;
    unsigned kinds, needed;
    size_t offset;
    double least, most;
    const char *words[2]; /* KEY_WORD: false and true */
};

#define AT(member) offsetof(struct page_operation, member)

static const struct key keys[] = {
    { "pages",
      KEY_LIST,
      ON(CROP) | ON(RESIZE) | ON(SCALE) | ON(DELETE) | ON(REORDER) | ON(DUPLICATE) | ON(POSTER) |
          ON(SPLIT) | ON(COMPOSE),
      ON(DELETE) | ON(REORDER),
      AT(pages),
      0,
      0,
      { NULL } },
    { "after", KEY_LIST, ON(BLANK), ON(BLANK), AT(after), 0, 0, { NULL } },
    { "source", KEY_LIST, ON(COMPOSE), 0, AT(source), 0, 0, { NULL } },
    { "box", KEY_BOX, ON(CROP), 0, AT(box), 0, FAR, { NULL } },
    { "margins", KEY_MARGINS, ON(CROP), 0, AT(margins), 0, FAR, { NULL } },
    { "auto", KEY_BOOL, ON(CROP), 0, AT(automatic), 0, 0, { NULL } },
    { "padding", KEY_NUMBER, ON(CROP), 0, AT(padding), 0, FAR, { NULL } },
    { "size",
      KEY_PAPER,
      ON(RESIZE) | ON(NUP) | ON(BOOKLET) | ON(BLANK) | ON(POSTER),
      ON(RESIZE),
      AT(paper),
      0,
      0,
      { NULL } },
    { "fit", KEY_WORD, ON(RESIZE), 0, AT(stretch), 0, 0, { "contain", "stretch" } },
    { "factor", KEY_NUMBER, ON(SCALE), ON(SCALE), AT(factor), 0.01, 100, { NULL } },
    { "columns",
      KEY_WHOLE,
      ON(NUP) | ON(POSTER),
      ON(NUP) | ON(POSTER),
      AT(columns),
      1,
      20,
      { NULL } },
    { "rows", KEY_WHOLE, ON(NUP) | ON(POSTER), ON(NUP) | ON(POSTER), AT(rows), 1, 20, { NULL } },
    { "count", KEY_WHOLE, ON(BLANK) | ON(DUPLICATE), 0, AT(count), 1, 100, { NULL } },
    { "gap", KEY_NUMBER, ON(NUP) | ON(BOOKLET), 0, AT(gap), 0, 1000, { NULL } },
    { "margin", KEY_NUMBER, ON(NUP) | ON(BOOKLET), 0, AT(margin), 0, 1000, { NULL } },
    { "overlap", KEY_NUMBER, ON(POSTER), 0, AT(overlap), 0, 1000, { NULL } },
    { "at", KEY_NUMBER, ON(SPLIT), 0, AT(at), 0.1, 0.9, { NULL } },
    { "order", KEY_WORD, ON(NUP), 0, AT(by_columns), 0, 0, { "rows", "columns" } },
    { "direction",
      KEY_WORD,
      ON(NUP) | ON(BOOKLET) | ON(SPLIT),
      0,
      AT(right_to_left),
      0,
      0,
      { "ltr", "rtl" } },
    { "every", KEY_BOOL, ON(SPLIT), 0, AT(every), 0, 0, { NULL } },
    { "place", KEY_WORD, ON(COMPOSE), 0, AT(under), 0, 0, { "over", "under" } },
};

struct reader {
    struct page_operation *op;
    json_t *json;
    char field[PAGE_OPERATIONS_FIELD]; /* "operations[2]" */
    struct err *err;
};

static int refuse_key(struct reader *reader, const char *key, const char *what)
{
    char field[2 * FIELD];

    snprintf(field, sizeof field, "%s%s%s", reader->field, *key ? "." : "", key);
    return err_field(reader->err, ERR_INVALID_PARAMETER, field, "%s %s", field, what);
}

/* A page list, or a number as JSON has them. */
static int read_list(struct reader *reader, const struct key *key, json_t *found, char **out)
{
    bool front = strcmp(key->name, "after") == 0;
    struct err why;
    char number[24];
    const char *text = json_string_value(found);

    if (json_is_integer(found)) {
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(found));
        text = number;
    }
    if (!text || json_string_length(found) > PAGE_OPERATIONS_CHARS)
        return refuse_key(reader, key->name, "must be a list of pages, such as \"1-3,7\"");
    if (!(front && strcmp(text, "0") == 0) && page_list_check(text, &why) < 0)
        return refuse_key(reader, key->name, why.msg);
    *out = strdup(text);
    return *out ? 0 : err_set(reader->err, ERR_LIMIT_EXCEEDED, "out of memory");
}

static bool number_within(json_t *found, double least, double most, double *value)
{
    double number = json_number_value(found);

    if (!json_is_number(found) || !(number >= least && number <= most))
        return false;
    *value = number;
    return true;
}

static int read_length(struct reader *reader, const struct key *key, json_t *found, double *value)
{
    char what[100];

    if (number_within(found, key->least, key->most, value))
        return 0;
    snprintf(what, sizeof what, "must be a number from %.10g to %.10g", key->least, key->most);
    return refuse_key(reader, key->name, what);
}

static int read_whole(struct reader *reader, const struct key *key, json_t *found, int64_t *value)
{
    double number;
    char what[100];

    if (json_is_integer(found) && number_within(found, key->least, key->most, &number)) {
        *value = (int64_t) number;
        return 0;
    }
    snprintf(what, sizeof what, "must be a whole number from %.10g to %.10g", key->least,
             key->most);
    return refuse_key(reader, key->name, what);
}

static bool four(json_t *found, double most, double out[4])
{
    if (json_array_size(found) != 4)
        return false;
    for (size_t i = 0; i < 4; i++)
        if (!number_within(json_array_get(found, i), 0, most, &out[i]))
            return false;
    return true;
}

static int read_box(struct reader *reader, const struct key *key, json_t *found)
{
    struct page_operation *op = reader->op;

    if (!four(found, key->most, op->box) || op->box[2] < PAPER_POINT_MIN ||
        op->box[3] < PAPER_POINT_MIN)
        return refuse_key(
            reader, key->name,
            "must be [left, top, width, height] in points from the top left corner of "
            "the page, at least 3 wide and high");
    op->has_box = true;
    return 0;
}

static int read_margins(struct reader *reader, const struct key *key, json_t *found)
{
    struct page_operation *op = reader->op;
    double same;

    if (number_within(found, 0, key->most, &same)) {
        for (int i = 0; i < 4; i++)
            op->margins[i] = same;
    } else if (!four(found, key->most, op->margins)) {
        return refuse_key(reader, key->name,
                          "must be a number of points, or [top, right, bottom, left]");
    }
    op->has_margins = true;
    return 0;
}

static int read_paper(struct reader *reader, const struct key *key, json_t *found)
{
    const char *text = json_string_value(found);
    struct paper *paper = &reader->op->paper;
    struct err why;

    if (!text || paper_parse(text, paper, &why) < 0 || paper->fit)
        return refuse_key(reader, key->name,
                          "must be a4, letter, legal, or millimetres such as \"100x150mm\"");
    reader->op->has_paper = true;
    return 0;
}

static int read_word(struct reader *reader, const struct key *key, json_t *found, bool *value)
{
    const char *text = json_string_value(found);
    char what[100];

    for (int i = 0; text && i < 2; i++)
        if (strcmp(text, key->words[i]) == 0) {
            *value = i == 1;
            return 0;
        }
    snprintf(what, sizeof what, "must be %s or %s", key->words[0], key->words[1]);
    return refuse_key(reader, key->name, what);
}

static int read_operation_key(struct reader *reader, const struct key *key, json_t *found)
{
    char *place = (char *) reader->op + key->offset;

    switch (key->type) {
    case KEY_LIST:
        return read_list(reader, key, found, (char **) (void *) place);
    case KEY_NUMBER:
        return read_length(reader, key, found, (double *) (void *) place);
    case KEY_WHOLE:
        return read_whole(reader, key, found, (int64_t *) (void *) place);
    case KEY_BOOL:
        if (!json_is_boolean(found))
            return refuse_key(reader, key->name, "must be true or false");
        *(bool *) place = json_is_true(found);
        return 0;
    case KEY_BOX:
        return read_box(reader, key, found);
    case KEY_MARGINS:
        return read_margins(reader, key, found);
    case KEY_PAPER:
        return read_paper(reader, key, found);
    case KEY_WORD:
        return read_word(reader, key, found, (bool *) place);
    }
    return 0;
}

static const struct key *find_key(const char *name)
{
    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static int read_kind(struct reader *reader)
{
    const char *text = json_string_value(json_object_get(reader->json, "op"));

    for (size_t i = 0; text && kinds[i]; i++)
        if (strcmp(text, kinds[i]) == 0) {
            reader->op->kind = (enum page_operation_kind) i;
            return 0;
        }
    return refuse_key(reader, "op",
                      "must be crop, resize, scale, nup, booklet, blank, delete, reorder, reverse, "
                      "duplicate, poster, split or compose");
}

static int read_keys(struct reader *reader)
{
    unsigned kind = 1U << reader->op->kind;
    const char *name;
    json_t *value;

    json_object_foreach(reader->json, name, value)
    {
        const struct key *key = find_key(name);
        char shown[SHOWN];

        if (strcmp(name, "op") == 0)
            continue;
        if (!key || !(key->kinds & kind)) {
            text_for_message(name, strlen(name), shown, sizeof shown);
            return err_field(reader->err, ERR_INVALID_PARAMETER, reader->field,
                             "%s: the operation %s has no key \"%s\"", reader->field,
                             kinds[reader->op->kind], shown);
        }
        if (read_operation_key(reader, key, value) < 0)
            return -1;
    }
    for (size_t i = 0; i < COUNT(keys); i++)
        if ((keys[i].needed & kind) && !json_object_get(reader->json, keys[i].name))
            return refuse_key(reader, keys[i].name, "is missing");
    return 0;
}

static int read_operation(struct reader *reader)
{
    struct page_operation *op = reader->op;

    op->count = 1;
    op->at = 0.5;
    if (!json_is_object(reader->json))
        return refuse_key(reader, "", "must be an object such as {\"op\":\"reverse\"}");
    if (read_kind(reader) < 0 || read_keys(reader) < 0)
        return -1;
    if (op->kind == PAGE_CROP && op->has_box + op->has_margins + op->automatic != 1)
        return refuse_key(reader, "", "needs exactly one of box, margins and auto");
    if (op->padding > 0 && !op->automatic)
        return refuse_key(reader, "padding", "belongs to auto");
    return 0;
}

static int read_operations(const char *name, json_t *json, struct page_operations *out,
                           struct err *err)
{
    size_t n = json_array_size(json);

    if (n == 0 || n > PAGE_OPERATIONS_ITEMS)
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a JSON list of 1 to %d operations, such as "
                         "[{\"op\":\"crop\",\"margins\":36}]",
                         name, PAGE_OPERATIONS_ITEMS);
    out->items = calloc(n, sizeof *out->items);
    if (!out->items)
        return err_set(err, ERR_LIMIT_EXCEEDED, "out of memory");
    while (out->n < n) {
        struct reader reader = { .op = &out->items[out->n],
                                 .json = json_array_get(json, out->n),
                                 .err = err };

        snprintf(reader.field, sizeof reader.field, "%s[%zu]", name, out->n);
        out->n++; /* so that what it has is freed */
        if (read_operation(&reader) < 0)
            return -1;
    }
    return 0;
}

int page_operations_read(const char *name, const char *text, struct page_operations *out,
                         struct err *err)
{
    json_t *json = json_text_read(name, text, err);
    int done;

    *out = (struct page_operations){ 0 };
    if (!json)
        return -1;
    done = read_operations(name, json, out, err);
    json_decref(json);
    return done;
}

void page_operations_free(struct page_operations *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].pages);
        free(list->items[i].after);
        free(list->items[i].source);
    }
    free(list->items);
    *list = (struct page_operations){ 0 };
}

bool page_operations_have(const struct page_operations *list, enum page_operation_kind kind)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind == kind)
            return true;
    return false;
}

int page_operations_blame(const char *name, size_t i, struct err *err)
{
    if (err->code != ERR_INTERNAL && !*err->field)
        snprintf(err->field, sizeof err->field, "%s[%zu]", name, i);
    return err_wrap(err, "%s[%zu]", name, i);
}
