#include "write/json/layer.h"

#include <math.h>
#include <stdio.h>

#include "write/json/emit.h"
#include "write/json/outline.h"
#include "write/json/parts.h"
#include "write/json/seen.h"

#define SCAN 0.5F /* part of a page that pictures cover if it is a scan */

static int open_layer(void *to, const struct document_facts *facts,
                      const struct numbering *numbering, struct err *err)
{
    struct layer *layer = to;

    (void) numbering;
    (void) err;
    layer->facts = facts;
    return 0;
}

static void put_layer_word(const struct reading *r, size_t at, bool first, struct buf *out)
{
    emit_open(out, '{');
    r->scratch->len = 0;
    reading_put_word(r, r->words[at].word, r->scratch);
    emit_key(out, "text");
    emit_text(out, buf_text(r->scratch), r->scratch->len);
    emit_key(out, "box");
    emit_box(out, &r->words[at].box);
    if (!first && !reading_is_apart(r, at)) {
        emit_key(out, "joined");
        emit_bool(out, true);
    }
    emit_close(out, '}');
}

static void put_layer_line(const struct reading *r, const struct reading_line *line,
                           struct buf *out)
{
    const struct word *word = r->words[line->from].word;
    int direction = seen_direction(r->content, word);

    emit_open(out, '{');
    emit_key(out, "words");
    emit_open(out, '[');
    for (size_t i = line->from; i < line->from + line->n; i++)
        put_layer_word(r, i, i == line->from, out);
    emit_close(out, ']');
    if (direction) {
        emit_key(out, "rotation");
        emit_integer(out, direction);
    }
    if (seen_is_vertical(r->content, word)) {
        emit_key(out, "vertical");
        emit_bool(out, true);
    }
    if (line->rtl) {
        emit_key(out, "rightToLeft");
        emit_bool(out, true);
    }
    emit_close(out, '}');
}

/* Whether a page without any text, seen or not, is mostly covered by pictures. */
static bool is_scan(const struct page_content *content)
{
    struct area all = { 0, 0, content->width, content->height };
    float covered = 0;

    if (content->n_glyphs > 0 || content->n_unreadable > 0)
        return false;
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct area *picture = &content->pictures[i].area;
        float width = fminf(picture->x1, all.x1) - fmaxf(picture->x0, all.x0);
        float height = fminf(picture->y1, all.y1) - fmaxf(picture->y0, all.y0);

        if (width > 0 && height > 0)
            covered += width * height;
    }
    return covered > SCAN * all.x1 * all.y1;
}

static int put_layer(const struct page *page, const struct page_content *content,
                     struct arena *arena, struct buf *scratch, struct buf *out, struct err *err)
{
    struct area box = seen_page(content);
    struct reading r;

    if (setjmp(arena->full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", content->number + 1);
    r = reading_make(arena, scratch, page, content);
    emit_open(out, '{');
    emit_key(out, "page");
    emit_integer(out, (long long) content->number + 1);
    emit_key(out, "width");
    emit_number(out, box.x1);
    emit_key(out, "height");
    emit_number(out, box.y1);
    emit_key(out, "lines");
    emit_open(out, '[');
    for (size_t i = 0; i < r.n_lines; i++)
        put_layer_line(&r, &r.lines[i], out);
    emit_close(out, ']');
    parts_links(content, out);
    if (is_scan(content)) {
        emit_key(out, "scan");
        emit_bool(out, true);
    }
    emit_close(out, '}');
    buf_putc(out, '\n');
    return 0;
}

static int write_file(const char *path, const struct buf *text, struct err *err)
{
    FILE *file;
    bool whole;

    if (text->failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the page is too large");
    file = path ? fopen(path, "wbe") : NULL;
    if (!file)
        return err_sys(err, "result");
    whole = fwrite(text->data, 1, text->len, file) == text->len;
    return fclose(file) == 0 && whole ? 0 : err_sys(err, "result");
}

static int write_layer_page(void *to, const struct page *page, const struct page_content *content,
                            struct err *err)
{
    struct layer *layer = to;
    struct buf out = BUF_EMPTY, scratch = BUF_EMPTY;
    struct arena arena = { 0 };
    int done = put_layer(page, content, &arena, &scratch, &out, err);

    if (done == 0)
        done = write_file(layer->begin(layer->hand), &out, err);
    if (done == 0)
        done = layer->end(layer->hand, content->number, err);
    arena_free(&arena);
    buf_free(&scratch);
    buf_free(&out);
    return done;
}

static int end_layer(void *to, const struct header_sets *headers, const struct page_font *fonts,
                     struct err *err)
{
    struct layer *layer = to;
    struct buf out = BUF_EMPTY;
    int done;

    (void) headers;
    (void) fonts;
    if (!layer->outline_path)
        return 0;
    emit_open(&out, '{');
    emit_key(&out, "outline");
    emit_open(&out, '[');
    for (size_t i = 0; i < layer->facts->n_outline; i++) {
        emit_open(&out, '{');
        outline_put(&out, &layer->facts->outline[i]);
        emit_close(&out, '}');
    }
    emit_close(&out, ']');
    emit_close(&out, '}');
    buf_putc(&out, '\n');
    done = write_file(layer->outline_path, &out, err);
    buf_free(&out);
    return done;
}

struct writer layer_writer(struct layer *layer)
{
    return (struct writer){ open_layer, write_layer_page, end_layer, layer };
}
