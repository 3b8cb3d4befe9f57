#include "salvage/stand_in.h"

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

/* A font that is gone: Helvetica shows the words where the codes are letters. */
static bool check_font(void *cls, struct text key, struct text value)
{
    struct stand_in *s = cls;
    uint32_t number = text_ref(value);

    (void) key;
    if (number && !objects_find(s->objects, number))
        s->failed = add_text(s->objects, number, FONT, s->err);
    return s->failed == 0;
}

/* A copy, because adding objects moves what texts point to. */
static bool copy_text(struct text value, struct buf *copy)
{
    buf_put(copy, value.at, value.n);
    return !copy->failed;
}

static void check_fonts(struct stand_in *s, struct text resources)
{
    AUTO_BUF struct buf fonts = BUF_EMPTY;
    struct text value = objects_key(s->objects, resources, "/Font");

    if (value.at && copy_text(value, &fonts))
        dict_walk((struct text){ fonts.data, fonts.len }, check_font, s);
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

/* Resources that give every font named in the content a stand-in. */
static void write_resources(struct stand_in *s, const struct buf *content, struct buf *out)
{
    AUTO_BUF struct buf fonts = BUF_EMPTY;
    char *name, *state = NULL;

    buf_puts(out, "<</Font <<");
    list_names(content, " Tf", 1, &fonts);
    buf_putc(&fonts, '\0');
    for (name = fonts.data ? strtok_r(fonts.data, " ", &state) : NULL; name;
         name = strtok_r(NULL, " ", &state))
        buf_printf(out, "%s %s ", name, FONT);
    buf_puts(out, ">> >>");
    (void) s;
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
    write_resources(s, &content, &page);
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

int stand_in(struct objects *objects, struct pages *pages, struct err *err)
{
    struct stand_in s = { objects, pages, err, 0 };

    /* Content of its own is only looked for where pages are known to be missing. */
    if ((pages->n == 0 || !pages->intact) && adopt_contents(&s) < 0)
        return -1;
    for (size_t i = 0; i < objects->n && !s.failed; i++) {
        const struct object *object = &objects->list[i];
        struct text dict = object_text(objects, object);

        if (object->dead || !text_is_dict(dict))
            continue;
        check_fonts(&s, objects_key(objects, dict, "/Resources"));
        if (!s.failed && dict_has(dict, "/Font") && dict_has(dict, "/ProcSet"))
            check_fonts(&s, object_text(objects, &objects->list[i]));
    }
    return s.failed;
}
