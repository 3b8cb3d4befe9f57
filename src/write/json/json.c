#include "write/json/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write/json/emit.h"
#include "write/json/outline.h"
#include "write/json/parts.h"
#include "write/json/seen.h"

#define FORMAT "platen-extract-1"

static int flush_json(struct json *json, struct err *err)
{
    struct buf *out = &json->out;

    if (out->failed || json->chunks.done.failed || json->chunks.text.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    if (out->len && fwrite(out->data, 1, out->len, json->file) != out->len)
        return err_sys(err, "result");
    out->len = 0;
    return 0;
}

static void put_json_string(struct buf *out, const char *key, const char *text)
{
    emit_key(out, key);
    emit_text(out, text, strlen(text));
}

/* A line of its own begins with what it is. */
static void begin_line(struct json *json, const char *type)
{
    emit_open(&json->out, '{');
    if (json->by_lines)
        put_json_string(&json->out, "type", type);
}

static void end_line(struct json *json)
{
    emit_close(&json->out, '}');
    if (json->by_lines)
        buf_putc(&json->out, '\n');
}

static void put_facts(struct json *json)
{
    struct buf *out = &json->out;

    if (*json->facts->title)
        put_json_string(out, "title", json->facts->title);
    if (*json->facts->language)
        put_json_string(out, "language", json->facts->language);
    emit_key(out, "pageCount");
    emit_integer(out, (long long) json->facts->n_pages);
}

static int open_json(void *to, const struct document_facts *facts,
                     const struct numbering *numbering, struct err *err)
{
    struct json *json = to;
    struct buf *out = &json->out;

    json->facts = facts;
    if (language_tags_clean(facts->language, json->language) < 0)
        *json->language = '\0';
    json->file = fopen(json->path, "wbe");
    if (!json->file)
        return err_sys(err, "result");
    json->chunks.most = json->chunk;
    json->chunks.by_lines = json->by_lines;
    if ((json->what & JSON_CHUNKS) && chunks_open(&json->chunks, facts, numbering, err) < 0)
        return -1;
    begin_line(json, "document");
    put_json_string(out, "format", FORMAT);
    if (json->by_lines) {
        put_facts(json);
        end_line(json);
        return 0;
    }
    emit_key(out, "document");
    emit_open(out, '{');
    put_facts(json);
    emit_close(out, '}');
    emit_key(out, "pages");
    emit_open(out, '[');
    return 0;
}

static void put_page_facts(struct json *json, const struct page_content *content)
{
    struct buf *out = &json->out;
    struct area page = seen_page(content);

    emit_key(out, "page");
    emit_integer(out, (long long) content->number + 1);
    emit_key(out, "width");
    emit_number(out, page.x1);
    emit_key(out, "height");
    emit_number(out, page.y1);
    if (content->damaged) {
        emit_key(out, "damaged");
        emit_bool(out, true);
    }
}

static int put_json_page(struct json *json, struct arena *arena, struct buf *scratch,
                         const struct page *page, const struct page_content *content,
                         struct err *err)
{
    struct buf *out = &json->out;
    struct reading reading;

    if (setjmp(arena->full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", content->number + 1);
    reading = reading_make(arena, scratch, page, content);
    reading.language = *json->language ? json->language : NULL;
    if (json->what & JSON_WORDS)
        parts_words(&reading, out);
    if (json->what & JSON_LINES)
        parts_lines(&reading, out);
    if (json->what & JSON_BLOCKS)
        parts_blocks(&reading, out);
    if (json->what & JSON_TABLES)
        parts_tables(&reading, out);
    if (json->what & JSON_CHUNKS)
        chunks_add(&json->chunks, &reading);
    return 0;
}

/* Chunks that are done are written when lines are, else at the end. */
static void put_done_chunks(struct json *json)
{
    struct buf *done = &json->chunks.done;

    if (!json->by_lines || !done->len)
        return;
    buf_put(&json->out, done->data, done->len);
    done->len = 0;
}

static int write_json_page(void *to, const struct page *page, const struct page_content *content,
                           struct err *err)
{
    struct json *json = to;
    struct buf *out = &json->out, scratch = BUF_EMPTY;
    struct arena arena = { 0 };
    int done;

    if (!json->by_lines)
        buf_puts(out, json->n_pages++ ? ",\n" : "\n");
    begin_line(json, "page");
    put_page_facts(json, content);
    json->n_fonts = content->n_fonts > json->n_fonts ? content->n_fonts : json->n_fonts;
    done = put_json_page(json, &arena, &scratch, page, content, err);
    if (json->what & JSON_IMAGES)
        parts_images(content, out);
    if (json->what & JSON_LINKS)
        parts_links(content, out);
    if (json->what & JSON_FIELDS)
        parts_fields(content, out);
    end_line(json);
    put_done_chunks(json);
    arena_free(&arena);
    buf_free(&scratch);
    return done < 0 ? -1 : flush_json(json, err);
}

/* The weight of a font by its name, as CSS numbers it. */
static int weight_of(const struct page_font *font)
{
    static const struct {
        const char *word;
        int weight;
    } words[] = { { "thin", 100 },      { "extralight", 200 }, { "ultralight", 200 },
                  { "semilight", 350 }, { "light", 300 },      { "semibold", 600 },
                  { "demibold", 600 },  { "demi", 600 },       { "extrabold", 800 },
                  { "ultrabold", 800 }, { "black", 900 },      { "heavy", 900 },
                  { "medium", 500 } };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasestr(font->source, words[i].word) && (words[i].weight >= 600) == font->bold)
            return words[i].weight;
    return font->bold ? 700 : 400;
}

static void put_font(struct json *json, const struct page_font *font, size_t number)
{
    struct buf *out = &json->out;

    begin_line(json, "font");
    emit_key(out, "id");
    emit_integer(out, (long long) number);
    put_json_string(out, "name", font->source);
    put_json_string(out, "family", font->family);
    emit_key(out, "weight");
    emit_integer(out, weight_of(font));
    emit_key(out, "italic");
    emit_bool(out, font->italic);
    end_line(json);
}

static void put_outline_entry(struct json *json, const struct outline_entry *entry)
{
    begin_line(json, "outline");
    outline_put(&json->out, entry);
    end_line(json);
}

/* Begins, ends an array that is a member of the one object. */
static void begin_list(struct json *json, const char *key)
{
    if (json->by_lines)
        return;
    emit_key(&json->out, key);
    emit_open(&json->out, '[');
}

static void end_list(struct json *json)
{
    if (!json->by_lines)
        emit_close(&json->out, ']');
}

static void put_outline(struct json *json)
{
    begin_list(json, "outline");
    for (size_t i = 0; i < json->facts->n_outline; i++)
        put_outline_entry(json, &json->facts->outline[i]);
    end_list(json);
}

static void put_chunks(struct json *json)
{
    struct buf *done = &json->chunks.done;

    chunks_end(&json->chunks);
    begin_list(json, "chunks");
    if (done->len)
        buf_put(&json->out, done->data, done->len);
    end_list(json);
}

/* Whether fonts are referred to. */
static bool has_styles(const struct json *json)
{
    return json->what & (JSON_WORDS | JSON_LINES | JSON_BLOCKS);
}

static int end_json(void *to, const struct header_sets *headers, const struct page_font *fonts,
                    struct err *err)
{
    struct json *json = to;
    FILE *file = json->file;

    (void) headers;
    end_list(json);
    if (has_styles(json)) {
        begin_list(json, "fonts");
        for (size_t i = 0; i < json->n_fonts; i++)
            put_font(json, &fonts[i], i);
        end_list(json);
    }
    if (json->what & JSON_OUTLINE)
        put_outline(json);
    if (json->what & JSON_CHUNKS)
        put_chunks(json);
    if (!json->by_lines)
        buf_puts(&json->out, "}\n");
    if (flush_json(json, err) < 0)
        return -1;
    json->file = NULL;
    return fclose(file) == 0 ? 0 : err_sys(err, "result");
}

struct writer json_writer(struct json *json)
{
    return (struct writer){ open_json, write_json_page, end_json, json };
}

void json_free(struct json *json)
{
    if (json->file)
        fclose(json->file);
    buf_free(&json->out);
    chunks_free(&json->chunks);
}
