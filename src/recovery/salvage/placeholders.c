#include "recovery/salvage/placeholders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/inflate_repair/zstream.h"
#include "recovery/mend/content_mend.h"
#include "recovery/objects/references.h"
#include "recovery/objects/stream.h"
#include "recovery/salvage/resources.h"
#include "syntax/pdf/lex.h"

/* of a rectangle that is a page */
#define BOX_BEFORE 200  /* bytes of content before it */
#define BOX_ORIGIN 2    /* points from 0 */
#define BOX_LEAST  100  /* points */
#define BOX_MOST   5000 /* points */

struct placeholders {
    struct objects *objects;
    struct pages *pages;
    struct resources *resources;
    struct err *err;
};

static int add_text(struct objects *objects, uint32_t number, const char *text, struct err *err)
{
    size_t at = objects->text.len;

    buf_puts(&objects->text, text);
    return objects_add(objects, number, 0, at, true, err) ? 0 : -1;
}

static bool has_word(const struct buf *content, const char *word)
{
    size_t n = strlen(word);
    const char *at = content->data, *end = at + content->len;

    while (at && (at = memmem(at, (size_t) (end - at), word, n))) {
        if ((at == content->data || lex_is_space((unsigned char) at[-1])) &&
            (at + n == end || lex_is_space((unsigned char) at[n])))
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

        odd += (c < 32 && !lex_is_space(c)) || c >= 127;
    }
    return odd < looked / 3 && ((has_word(content, "BT") && has_word(content, "ET")) ||
                                (has_word(content, "cm") && has_word(content, "Do")) ||
                                (has_word(content, "re") && has_word(content, "f")));
}

/* By any dictionary: a glyph of a Type 3 font reads like the content of a page. An array may be a
 * list of contents whose page is gone. */
static void mark_used(const struct placeholders *s, unsigned char *used, size_t n)
{
    for (size_t i = 0; i < s->objects->n; i++) {
        struct text text = objects_text(s->objects, &s->objects->list[i]);

        if (!s->objects->list[i].dead && text_is_dict(text))
            references_mark(text, used, n);
    }
    for (size_t i = 0; i < s->pages->n; i++) {
        const struct object *page = objects_find(s->objects, s->pages->numbers[i]);
        struct text contents =
            page ? objects_key(s->objects, objects_text(s->objects, page), "/Contents")
                 : (struct text){ 0 };

        if (text_is_array(contents))
            references_mark(contents, used, n);
    }
}

static bool pack_placeholder(const struct buf *plain, bool flate, struct buf *out)
{
    if (flate)
        return zstream_pack(plain->data, plain->len, out);
    buf_put(out, plain->data, plain->len);
    return !out->failed;
}

/* Damaged streams that were not known as content when streams were repaired
 * (recovery/salvage/repair_streams.h). */
static int clean_content(struct placeholders *s, struct object *object, struct buf *content)
{
    AUTO_BUF struct buf clean = BUF_EMPTY, packed = BUF_EMPTY;
    struct text dict = objects_text(s->objects, object);

    if (!stream_is_plain(s->objects, dict) || dict_has(dict, "/DecodeParms") ||
        content_sound(content->data, content->len))
        return 0;
    if (!content_mend(content->data, content->len, true, &clean) ||
        !pack_placeholder(&clean, stream_filter(s->objects, dict).at != NULL, &packed))
        return err_set(s->err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    free(object->mended);
    object->mended_n = packed.len;
    object->mended = (unsigned char *) buf_take(&packed);
    buf_free(content);
    *content = clean;
    clean = BUF_EMPTY;
    return 0;
}

/* The page's size: many programs begin with a clip that is the page, before anything else moves or
 * scales what is drawn. */
static void write_box(const struct buf *content, struct buf *page)
{
    const unsigned char *begin = (const unsigned char *) buf_text(content);
    struct lex lex = { begin, begin + content->len };
    struct lex_token token;
    double box[4] = { 0 };
    int n = 0;

    while (lex_next(&lex, &token) && token.at - begin <= BOX_BEFORE && !lex_is(&token, "re")) {
        if (lex_is(&token, "cm"))
            return;
        if (token.kind != LEX_NUMBER) {
            n = 0;
            continue;
        }
        memmove(box, box + 1, sizeof box - sizeof *box);
        box[3] = lex_number(&token, NULL);
        n++;
    }
    if (n >= 4 && lex_is(&token, "re") && fabs(box[0]) < BOX_ORIGIN && fabs(box[1]) < BOX_ORIGIN &&
        box[2] > BOX_LEAST && box[3] > BOX_LEAST && box[2] < BOX_MOST && box[3] < BOX_MOST)
        buf_printf(page, "/MediaBox [0 0 %.3f %.3f] ", box[0] + box[2], box[1] + box[3]);
}

/* A page for content that no page names. */
static int adopt_content(struct placeholders *s, size_t index)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_BUF struct buf page = BUF_EMPTY;
    struct object *object = &s->objects->list[index];
    uint32_t number;

    if (!stream_unpack(s->objects, object, &content) || !looks_like_content(&content))
        return 0;
    if (clean_content(s, object, &content) < 0)
        return -1;
    buf_printf(&page, "<</Type /Page /Contents %u 0 R ", object->number);
    write_box(&content, &page);
    buf_puts(&page, "/Resources ");
    if (resources_write(s->resources, &content, &page) < 0)
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

static int adopt_contents(struct placeholders *s)
{
    AUTO_FREE unsigned char *used = calloc(s->objects->numbers + 1, 1);
    size_t n = s->objects->n;

    if (!used)
        return err_set(s->err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    mark_used(s, used, s->objects->numbers);
    for (size_t i = 0; i < n; i++) {
        const struct object *object = &s->objects->list[i];

        if (object->dead || !object->is_stream || used[object->number] ||
            !may_be_content(objects_text(s->objects, object)))
            continue;
        if (adopt_content(s, i) < 0)
            return -1;
    }
    return 0;
}

int placeholders_add(struct objects *objects, struct pages *pages, struct err *err)
{
    AUTO_RESOURCES struct resources resources = { .objects = objects, .err = err };
    struct placeholders s = {
        .objects = objects, .pages = pages, .resources = &resources, .err = err
    };

    /* Content of its own is only looked for where pages are known to be missing. */
    if (!pages->complete && adopt_contents(&s) < 0)
        return -1;
    return resources_complete(&resources, pages);
}
