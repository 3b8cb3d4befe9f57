#include "write/json/chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "write/json/emit.h"
#include "write/json/parts.h"

#define TITLE 300 /* bytes of a heading in a chunk's path */

int chunks_open(struct chunks *chunks, const struct document_facts *facts,
                const struct numbering *numbering, struct err *err)
{
    struct writer writer = markdown_writer(&chunks->markdown);

    return writer.open(writer.to, facts, numbering, err);
}

static void put_path(struct buf *out, char *const *titles)
{
    emit_key(out, "headings");
    emit_open(out, '[');
    for (size_t i = 0; i < MODEL_HEADINGS; i++)
        if (titles[i])
            emit_text(out, titles[i], strlen(titles[i]));
    emit_close(out, ']');
}

static void put_places(struct buf *out, const struct chunks *chunks)
{
    emit_key(out, "places");
    emit_open(out, '[');
    for (size_t i = 0; i < chunks->n_places; i++) {
        emit_open(out, '{');
        emit_key(out, "page");
        emit_integer(out, (long long) chunks->places[i].page + 1);
        emit_key(out, "box");
        emit_box(out, &chunks->places[i].box);
        emit_close(out, '}');
    }
    emit_close(out, ']');
}

static size_t trimmed(const struct buf *text)
{
    size_t n = text->len;

    while (n > 0 && text->data[n - 1] == '\n')
        n--;
    return n;
}

void chunks_end(struct chunks *chunks)
{
    struct buf *out = &chunks->done;
    size_t n = trimmed(&chunks->text), skip = 0;

    while (skip < n && chunks->text.data[skip] == '\n')
        skip++;
    if (n > skip) {
        emit_open(out, '{');
        if (chunks->by_lines) {
            emit_key(out, "type");
            emit_text(out, "chunk", 5);
        }
        emit_key(out, "id");
        emit_text(out, chunks->id, strlen(chunks->id));
        put_path(out, chunks->titles);
        emit_key(out, "markdown");
        emit_text(out, chunks->text.data + skip, n - skip);
        put_places(out, chunks);
        emit_key(out, "blocks");
        emit_open(out, '[');
        buf_put(out, buf_text(&chunks->ids), chunks->ids.len);
        emit_close(out, ']');
        emit_close(out, '}');
        if (chunks->by_lines)
            buf_putc(out, '\n');
    }
    chunks->text.len = chunks->ids.len = chunks->n_places = 0;
    chunks->has_body = false;
}

/* The heading takes the place of those of its level and below. */
static void enter_heading(struct chunks *chunks, int level, const struct buf *title)
{
    for (size_t i = (size_t) level - 1; i < MODEL_HEADINGS; i++) {
        free(chunks->titles[i]);
        chunks->titles[i] = NULL;
    }
    chunks->titles[level - 1] = strndup(buf_text(title), title->len < TITLE ? title->len : TITLE);
}

/* Blocks of one column are one place. */
static void add_place(struct chunks *chunks, size_t page, const struct area *box)
{
    struct chunk_place *last = chunks->n_places ? &chunks->places[chunks->n_places - 1] : NULL;

    if (last && last->page == page && last->box.x0 < box->x1 && box->x0 < last->box.x1)
        area_join(&last->box, box);
    else if (LIST_ROOM(chunks->places, chunks->n_places, chunks->cap_places))
        chunks->places[chunks->n_places++] = (struct chunk_place){ page, *box };
}

static void add_block(struct chunks *chunks, const struct reading *r,
                      const struct reading_block *block)
{
    char id[PARTS_ID];

    parts_block_id(r, block, id);
    if (chunks->ids.len == 0)
        snprintf(chunks->id, sizeof chunks->id, "c-%s", id);
    emit_text(&chunks->ids, id, strlen(id));
    add_place(chunks, r->content->number, &block->box);
    chunks->has_body |= block->kind != READING_HEADING;
}

/* Items of one list are written together, with those that are within others. */
static size_t count_together(const struct reading *r, size_t at)
{
    size_t n = 1;

    while (r->blocks[at].kind == READING_ITEM && at + n < r->n_blocks &&
           r->blocks[at + n].kind == READING_ITEM && r->blocks[at].block &&
           r->blocks[at + n].block == r->blocks[at].block + n)
        n++;
    return n;
}

/* The Markdown of blocks that follow each other: the new end of what the writer has. */
static void write_markdown(struct chunks *chunks, const struct reading *r, size_t at, size_t n)
{
    struct markup *markup = &chunks->markdown.markup;
    const struct block *block = r->blocks[at].block;

    markup->body.len = 0;
    markup->fonts = r->content->fonts;
    markup->content = r->content;
    if (block) {
        markup_blocks(markup, block, n);
        return;
    }
    r->scratch->len = 0;
    reading_put_block(r, &r->blocks[at], r->scratch);
    buf_putc(&markup->body, '\n');
    buf_put(&markup->body, buf_text(r->scratch), r->scratch->len);
    buf_putc(&markup->body, '\n');
}

static void begin_heading(struct chunks *chunks, const struct reading *r,
                          const struct reading_block *block)
{
    if (chunks->has_body)
        chunks_end(chunks);
    r->scratch->len = 0;
    reading_put_block(r, block, r->scratch);
    enter_heading(chunks, block->paragraph->heading, r->scratch);
}

/* Headers, footers and pictures are in no chunk. */
static bool is_chunk_text(const struct reading_block *block)
{
    return block->n > 0 && block->kind != READING_HEADER && block->kind != READING_FOOTER &&
           block->kind != READING_FIGURE;
}

void chunks_add(struct chunks *chunks, const struct reading *r)
{
    for (size_t i = 0, n; i < r->n_blocks; i += n) {
        const struct reading_block *block = &r->blocks[i];
        const struct buf *made = &chunks->markdown.markup.body;

        n = count_together(r, i);
        if (!is_chunk_text(block))
            continue;
        if (block->kind == READING_HEADING)
            begin_heading(chunks, r, block);
        write_markdown(chunks, r, i, n);
        if (chunks->has_body && chunks->text.len + made->len > chunks->most)
            chunks_end(chunks);
        buf_put(&chunks->text, buf_text(made), made->len);
        for (size_t k = i; k < i + n; k++)
            add_block(chunks, r, &r->blocks[k]);
    }
}

void chunks_free(struct chunks *chunks)
{
    markup_free(&chunks->markdown.markup);
    for (size_t i = 0; i < MODEL_HEADINGS; i++)
        free(chunks->titles[i]);
    buf_free(&chunks->text);
    buf_free(&chunks->ids);
    buf_free(&chunks->done);
    free(chunks->places);
}
