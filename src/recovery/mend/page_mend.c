#include "recovery/mend/page_mend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recovery/mend/resource_names.h"
#include "recovery/objects/stream.h"

#define ALIKE 0.03 /* of the proportions */

static int no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
}

struct contents {
    const struct objects *objects;
    struct buf list; /* of references to streams */
    bool odd;        /* something else was among them, or nothing is at a reference */
    bool wrong;      /* something else was */
    bool damaged;    /* one of them was mended */
};

static bool add_content(void *arg, struct text value)
{
    struct contents *c = arg;
    uint32_t number = text_ref(value);
    const struct object *object = objects_find(c->objects, number);

    if (object && object->is_stream) {
        buf_put(&c->list, value.at, value.n);
        buf_putc(&c->list, ' ');
        c->damaged = c->damaged || object->mended;
    } else {
        c->odd = true;
        if (object || number == 0)
            c->wrong |= !text_is(object ? objects_text(c->objects, object) : value, "null");
    }
    return true;
}

static void add_contents(struct contents *c, struct text page)
{
    struct text value = dict_find(page, "/Contents");
    struct text list = objects_resolve(c->objects, value);

    if (text_is_array(list))
        dict_walk_array(list, add_content, c);
    else if (value.at)
        add_content(c, value);
}

static const char *const contents_only[] = { "/Contents", NULL };

/* `wrong` is counted up. */
static int mend_contents(struct objects *objects, uint32_t number, size_t *wrong, struct err *err)
{
    AUTO_BUF struct buf extra = BUF_EMPTY;
    struct contents contents = { .objects = objects };
    int done = 0;

    add_contents(&contents, objects_dict(objects, number));
    *wrong += contents.wrong;
    if (contents.odd) {
        objects_find(objects, number)->damaged = true;
        if (contents.list.len > 0)
            buf_printf(&extra, "/Contents [%.*s]", (int) contents.list.len, contents.list.data);
        if (contents.list.failed || extra.failed ||
            !objects_change(objects, objects_find(objects, number), contents_only, text_of(&extra)))
            done = no_memory(err);
    }
    buf_free(&contents.list);
    return done;
}

int page_mend_contents(struct objects *objects, const struct pages *pages, size_t *wrong,
                       struct err *err)
{
    *wrong = 0;
    for (size_t i = 0; i < pages->n; i++)
        if (mend_contents(objects, pages->numbers[i], wrong, err) < 0)
            return -1;
    return 0;
}

struct box {
    int n;
    double at[4];
};

static bool keep_number(void *arg, struct text value)
{
    struct box *box = arg;
    char number[40];

    snprintf(number, sizeof number, "%.*s", (int) value.n, value.at);
    if (box->n < 4)
        box->at[box->n] = strtod(number, NULL);
    box->n++;
    return true;
}

/* The one image of the page that it does not draw. */
struct scans {
    const struct objects *objects;
    const struct buf *drawn; /* names */
    size_t drawings, n;
    char name[NAMED_BYTES];
    uint64_t width, height;
};

static bool keep_image(void *arg, struct text key, struct text value)
{
    struct scans *scans = arg;
    const struct object *object = objects_find(scans->objects, text_ref(value));
    struct text dict = object ? objects_text(scans->objects, object) : (struct text){ 0 };
    char name[NAMED_BYTES + 1];

    if (key.n >= NAMED_BYTES)
        return true;
    snprintf(name, sizeof name, "%.*s ", (int) key.n, key.at);
    if (scans->drawn->data && memmem(scans->drawn->data, scans->drawn->len, name, strlen(name))) {
        scans->drawings++;
    } else if (dict_name_is(dict, "/Subtype", "/Image") &&
               text_number(objects_key(scans->objects, dict, "/Width"), &scans->width) &&
               text_number(objects_key(scans->objects, dict, "/Height"), &scans->height)) {
        snprintf(scans->name, sizeof scans->name, "%.*s", (int) key.n, key.at);
        scans->n++;
    }
    return true;
}

static bool fills(const struct scans *scans, const struct box *box)
{
    double width = fabs(box->at[2] - box->at[0]), height = fabs(box->at[3] - box->at[1]);

    return box->n == 4 && width > 0 && height > 0 && scans->width > 0 && scans->height > 0 &&
           fabs((double) scans->width * height / ((double) scans->height * width) - 1) < ALIKE;
}

/* A stream of its own, before the rest. */
static int draw_scan(struct objects *objects, uint32_t page, const struct scans *scans,
                     const struct box *box, const struct buf *list, struct err *err)
{
    AUTO_BUF struct buf content = BUF_EMPTY, extra = BUF_EMPTY;
    uint32_t number = objects_new_number(objects);
    size_t text = objects->text.len;
    struct object *object;

    buf_printf(&content, "q %g 0 0 %g %g %g cm %s Do Q\n", fabs(box->at[2] - box->at[0]),
               fabs(box->at[3] - box->at[1]), fmin(box->at[0], box->at[2]),
               fmin(box->at[1], box->at[3]), scans->name);
    buf_printf(&extra, "/Contents [%u 0 R %.*s]", number, (int) list->len, list->data);
    buf_puts(&objects->text, "<<>>");
    if (content.failed || !objects_add(objects, number, 0, text, true, err))
        return content.failed ? no_memory(err) : -1;
    object = objects_find(objects, number);
    object->is_stream = true;
    object->mended_n = content.len;
    object->mended = (unsigned char *) buf_take(&content);
    return object->mended && !extra.failed &&
                   objects_change(objects, objects_find(objects, page), contents_only,
                                  text_of(&extra))
               ? 0
               : no_memory(err);
}

static int mend_scan(struct objects *objects, const struct pages *pages, size_t i,
                     const struct buf *list, struct err *err)
{
    AUTO_BUF struct buf shown = BUF_EMPTY, drawn = BUF_EMPTY;
    const struct object *page = objects_find(objects, pages->numbers[i]), *by;
    struct scans scans = { .objects = objects, .drawn = &drawn };
    struct box box = { 0 };

    stream_contents(objects, page, &shown);
    if (shown.data)
        resource_names_list(&shown, " Do", 0, &drawn);
    dict_walk(
        objects_key(objects, pages_inherited(objects, pages, i, "/Resources", &by), "/XObject"),
        keep_image, &scans);
    dict_walk_array(pages_inherited(objects, pages, i, "/MediaBox", &by), keep_number, &box);
    return scans.drawings == 0 && scans.n == 1 && fills(&scans, &box)
               ? draw_scan(objects, pages->numbers[i], &scans, &box, list, err)
               : 0;
}

int page_mend_scans(struct objects *objects, const struct pages *pages, struct err *err)
{
    int done = 0;

    for (size_t i = 0; i < pages->n && done == 0; i++) {
        struct contents contents = { .objects = objects };

        add_contents(&contents, objects_dict(objects, pages->numbers[i]));
        if (contents.damaged && !contents.list.failed)
            done = mend_scan(objects, pages, i, &contents.list, err);
        buf_free(&contents.list);
    }
    return done;
}
