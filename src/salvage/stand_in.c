#include "salvage/stand_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "salvage/stream.h"
#include "salvage/syntax.h"

#define FONT      "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>"
#define NAMES_MAX 500

struct stand_in {
    struct objects *objects;
    struct pages *pages;
    struct err *err;
    int failed;
    uint32_t form; /* one that draws nothing, 0: not made yet */
};

static struct text dict_of(const struct objects *objects, uint32_t number)
{
    const struct object *object = objects_find(objects, number);

    return object ? object_text(objects, object) : (struct text){ 0 };
}

static int add_text(struct objects *objects, uint32_t number, const char *text, struct err *err)
{
    size_t at = objects->text.len;

    buf_puts(&objects->text, text);
    return objects_add(objects, number, 0, at, true, err) ? 0 : -1;
}

static int add_form(struct stand_in *s, uint32_t number)
{
    if (add_text(s->objects, number, "<</Type /XObject /Subtype /Form /BBox [0 0 0 0]>>", s->err) <
        0)
        return -1;
    objects_find(s->objects, number)->is_stream = true;
    return 0;
}

/* A font that is gone: Helvetica shows the words where the codes are letters. */
static bool check_font(void *cls, struct text key, struct text value)
{
    struct stand_in *s = cls;
    uint32_t number = text_ref(value);

    (void) key;
    if (number && !text_is_dict(dict_of(s->objects, number)))
        s->failed = add_text(s->objects, number, FONT, s->err);
    return s->failed == 0;
}

/* A picture or form that is gone: one that draws nothing, so that readers do not complain. */
static bool check_xobject(void *cls, struct text key, struct text value)
{
    struct stand_in *s = cls;
    uint32_t number = text_ref(value);

    const struct object *there = objects_find(s->objects, number);

    (void) key;
    if (number && (!there || !there->is_stream))
        s->failed = add_form(s, number);
    return s->failed == 0;
}

/* A copy, because adding objects moves what texts point to. */
static bool copy_text(struct text value, struct buf *copy)
{
    buf_put(copy, value.at, value.n);
    return !copy->failed;
}

static void check_category(struct stand_in *s, struct text resources, const char *category,
                           bool (*check)(void *cls, struct text key, struct text value))
{
    AUTO_BUF struct buf copy = BUF_EMPTY;
    struct text value = objects_key(s->objects, resources, category);

    if (value.at && !s->failed && copy_text(value, &copy))
        dict_walk((struct text){ copy.data, copy.len }, check, s);
}

static void check_resources(struct stand_in *s, struct text resources)
{
    AUTO_BUF struct buf copy = BUF_EMPTY;

    if (!resources.at || !copy_text(resources, &copy))
        return;
    resources = (struct text){ copy.data, copy.len };
    check_category(s, resources, "/Font", check_font);
    check_category(s, resources, "/XObject", check_xobject);
}

/* Names before an operator, as in "/F1 12 Tf" and "/Im1 Do". */
static void list_names(const struct buf *content, const char *operator_, int operands,
                       struct buf *names)
{
    size_t n = strlen(operator_), found = 0;
    const char *at = content->data, *end = at + content->len;

    while (found < NAMES_MAX && (at = memmem(at, (size_t) (end - at), operator_, n))) {
        const char *from = at;
        int left = operands;

        at += n;
        while (from > content->data && left >= 0) {
            while (from > content->data && syntax_is_space((unsigned char) from[-1]))
                from--;
            while (from > content->data && syntax_is_regular((unsigned char) from[-1]))
                from--;
            left--;
        }
        if (from > content->data && from[-1] == '/') {
            size_t length = strcspn(from, " \t\r\n\f[]<>()/%");
            const char *before;

            if (length == 0 || length > 60)
                continue;
            buf_putc(names, '/');
            buf_put(names, from, length);
            buf_putc(names, ' ');
            /* once each */
            before = memmem(names->data, names->len - length - 2, from, length);
            if (before && before[-1] == '/' && before[length] == ' ')
                names->len -= length + 2;
            else
                found++;
        }
    }
}

static void write_category(const struct buf *content, const char *operator_, int operands,
                           const char *value, struct buf *out)
{
    AUTO_BUF struct buf names = BUF_EMPTY;
    char *name, *state = NULL;

    list_names(content, operator_, operands, &names);
    buf_putc(&names, '\0');
    for (name = names.data ? strtok_r(names.data, " ", &state) : NULL; name;
         name = strtok_r(NULL, " ", &state))
        buf_printf(out, "%s %s ", name, value);
}

/* Resources that give every font and picture named in the content a stand-in. */
static int write_resources(struct stand_in *s, const struct buf *content, struct buf *out)
{
    char form[20];

    if (!s->form) {
        s->form = objects_new_number(s->objects);
        if (add_form(s, s->form) < 0)
            return -1;
    }
    snprintf(form, sizeof form, "%u 0 R", s->form);
    buf_puts(out, "<</Font <<");
    write_category(content, " Tf", 1, FONT, out);
    buf_puts(out, ">> /XObject <<");
    write_category(content, " Do", 0, form, out);
    buf_puts(out, ">> >>");
    return 0;
}

static bool has_word(const struct buf *content, const char *word)
{
    size_t n = strlen(word);
    const char *at = content->data, *end = at + content->len;

    while (at && (at = memmem(at, (size_t) (end - at), word, n))) {
        if ((at == content->data || syntax_is_space((unsigned char) at[-1])) &&
            (at + n == end || syntax_is_space((unsigned char) at[n])))
            return true;
        at += n;
    }
    return false;
}

/* Whether data reads like the content of a page and not of anything else. */
static bool looks_like_content(const struct buf *content)
{
    size_t odd = 0, looked = content->len < 2000 ? content->len : 2000;

    if (content->len < 20)
        return false;
    for (size_t i = 0; i < looked; i++) {
        unsigned char c = (unsigned char) content->data[i];

        odd += (c < 32 && !syntax_is_space(c)) || c >= 127;
    }
    return odd < looked / 3 && ((has_word(content, "BT") && has_word(content, "ET")) ||
                                (has_word(content, "cm") && has_word(content, "Do")) ||
                                (has_word(content, "re") && has_word(content, "f")));
}

static void mark_ref(unsigned char *used, size_t n, struct text value)
{
    uint32_t number = text_ref(value);

    if (number && number < n)
        used[number] = 1;
}

struct uses {
    unsigned char *used;
    size_t n;
};

static bool use(void *cls, struct text value)
{
    struct uses *uses = cls;

    mark_ref(uses->used, uses->n, value);
    return true;
}

static void mark_used(const struct stand_in *s, unsigned char *used, size_t n)
{
    struct uses uses = { used, n };

    for (size_t i = 0; i < s->pages->n; i++) {
        struct text contents = dict_find(dict_of(s->objects, s->pages->numbers[i]), "/Contents");

        mark_ref(used, n, contents);
        array_walk(objects_resolve(s->objects, contents), use, &uses);
    }
}

/* A page for content that no page names. */
static int adopt_content(struct stand_in *s, const struct object *object)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_BUF struct buf page = BUF_EMPTY;
    uint32_t number;

    if (!stream_unpack(s->objects, object, &content) || !looks_like_content(&content))
        return 0;
    buf_printf(&page, "<</Type /Page /Contents %u 0 R /Resources ", object->number);
    if (write_resources(s, &content, &page) < 0)
        return -1;
    buf_puts(&page, ">>");
    if (page.failed)
        return err_set(s->err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    number = objects_new_number(s->objects);
    if (add_text(s->objects, number, page.data, s->err) < 0)
        return -1;
    return pages_add(s->pages, number, s->err);
}

static bool may_be_content(struct text dict)
{
    return !dict_has(dict, "/Type") && !dict_has(dict, "/Subtype") && !dict_has(dict, "/Length1") &&
           !dict_has(dict, "/FunctionType") && !dict_has(dict, "/ShadingType") &&
           !dict_has(dict, "/PatternType") && !dict_has(dict, "/Width");
}

static int adopt_contents(struct stand_in *s)
{
    AUTO_FREE unsigned char *used = calloc(s->objects->numbers + 1, 1);
    size_t n = s->objects->n;

    if (!used)
        return err_set(s->err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    mark_used(s, used, s->objects->numbers);
    for (size_t i = 0; i < n; i++) {
        const struct object *object = &s->objects->list[i];

        if (object->dead || !object->is_stream || used[object->number] ||
            !may_be_content(object_text(s->objects, object)))
            continue;
        if (adopt_content(s, object) < 0)
            return -1;
    }
    return 0;
}

/* Everything a page shows, one stream after the other. */
struct gather {
    struct objects *objects;
    struct buf *out;
};

static bool gather(void *cls, struct text value)
{
    struct gather *g = cls;
    AUTO_BUF struct buf one = BUF_EMPTY;
    const struct object *object = objects_find(g->objects, text_ref(value));

    if (object && object->is_stream && stream_unpack(g->objects, object, &one)) {
        buf_put(g->out, one.data, one.len);
        buf_putc(g->out, '\n');
    }
    return true;
}

static bool has_resources(const struct objects *objects, uint32_t page)
{
    for (int i = 0; i < 60 && page; i++) {
        struct text dict = dict_of(objects, page);

        if (text_is_dict(objects_key(objects, dict, "/Resources")))
            return true;
        page = dict_ref(dict, "/Parent");
    }
    return false;
}

/* Resources for pages that lost theirs. */
static int give_resources(struct stand_in *s)
{
    static const char *const without[] = { "/Resources", NULL };

    for (size_t i = 0; i < s->pages->n; i++) {
        AUTO_BUF struct buf content = BUF_EMPTY;
        AUTO_BUF struct buf extra = BUF_EMPTY;
        AUTO_BUF struct buf page = BUF_EMPTY;
        struct gather g = { s->objects, &content };
        uint32_t number = s->pages->numbers[i];
        struct text contents;

        if (has_resources(s->objects, number) || has_resources(s->objects, s->pages->parents[i]))
            continue;
        contents = dict_find(dict_of(s->objects, number), "/Contents");
        gather(&g, contents);
        array_walk(objects_resolve(s->objects, contents), gather, &g);
        buf_puts(&extra, "/Resources ");
        if (!content.data || write_resources(s, &content, &extra) < 0)
            continue;
        dict_write(&page, dict_of(s->objects, number), without, buf_text(&extra));
        if (extra.failed || page.failed)
            return err_set(s->err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
        object_rewrite(s->objects, objects_find(s->objects, number), &page);
    }
    return 0;
}

int stand_in(struct objects *objects, struct pages *pages, struct err *err)
{
    struct stand_in s = { .objects = objects, .pages = pages, .err = err };

    /* Content of its own is only looked for where pages are known to be missing. */
    if (!pages->complete && adopt_contents(&s) < 0)
        return -1;
    if (give_resources(&s) < 0)
        return -1;
    for (size_t i = 0, n = objects->n; i < n && !s.failed; i++) {
        struct text dict = object_text(objects, &objects->list[i]);

        if (!objects->list[i].dead && text_is_dict(dict))
            check_resources(&s, objects_key(objects, dict, "/Resources"));
    }
    return s.failed;
}
