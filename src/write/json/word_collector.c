#include "write/json/word_collector.h"

#include <string.h>

#include "base/list.h"
#include "write/json/reading.h"
#include "write/json/seen.h"

#define SOFT_HYPHEN "\xc2\xad"
#define HYPHEN      "\xe2\x80\x90"

static int open_collector(void *to, const struct document_facts *facts,
                          const struct numbering *numbering, struct err *err)
{
    (void) to, (void) facts, (void) numbering, (void) err;
    return 0;
}

static int end_collector(void *to, const struct header_sets *headers, const struct page_font *fonts,
                         struct err *err)
{
    (void) to, (void) headers, (void) fonts, (void) err;
    return 0;
}

static bool is_edge(const struct reading_block *block)
{
    return block->kind == READING_HEADER || block->kind == READING_FOOTER;
}

/* Whether all characters of a word are those of the number of its page or of all pages. */
static bool is_page_number(const struct word *word)
{
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (!(word->glyphs[i].flags & (GLYPH_NUMBER | GLYPH_TOTAL)))
            return false;
    return word->n_glyphs > 0;
}

static bool is_ideographic(uint32_t c)
{
    return is_cjk(c) && !is_hangul(c);
}

static bool is_divided(const struct word *word)
{
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (!is_ideographic(word->glyphs[i].code))
            return false;
    return word->n_glyphs > 1;
}

static bool collect_word(struct text_words *list, uint32_t flags, struct area box)
{
    if (list->n_words == TEXT_WORDS_MOST || list->texts.len > UINT32_MAX - 65536 ||
        !LIST_ROOM(list->words, list->n_words, list->cap_words))
        return false;
    list->words[list->n_words++] = (struct listed_word){ .text = (uint32_t) list->texts.len,
                                                         .page = (uint32_t) list->n_pages - 1,
                                                         .flags = flags,
                                                         .box = box };
    return true;
}

static bool ends_with(const struct buf *buf, const char *text)
{
    size_t n = strlen(text);

    return buf->len > n && memcmp(buf->data + buf->len - n, text, n) == 0;
}

/* Removes the hyphen at which a line break divides the last word, if the next one begins with a
 * small letter. */
static bool drop_hyphen(struct buf *texts, const struct word *next)
{
    size_t n = ends_with(texts, SOFT_HYPHEN) ? 2 : ends_with(texts, HYPHEN) ? 3 : 0;
    uint32_t c = next->n_glyphs ? next->glyphs[0].code : 0;

    if (n == 0 && ends_with(texts, "-"))
        n = 1;
    if (n == 0 || !((c >= 'a' && c <= 'z') || (c >= 0xdf && c <= 0x24f) || c >= 0x370))
        return false;
    texts->len -= n;
    texts->data[texts->len] = '\0';
    return true;
}

/* Adds each character of a word by itself, with its share of the width. */
static bool add_characters(struct text_words *list, const struct reading *reading,
                           const struct word *word, uint32_t flags, struct area box)
{
    float width = area_width(&box) / (float) word->n_glyphs;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        struct word one = *word;
        struct area part = box;

        one.glyphs += i;
        one.n_glyphs = 1;
        part.x0 = box.x0 + width * (float) i;
        part.x1 = part.x0 + width;
        if (!collect_word(list, flags, part))
            return false;
        reading_put_word(reading, &one, &list->texts);
        buf_putc(&list->texts, '\0');
        flags &= ~(uint32_t) WORD_BREAK;
    }
    return true;
}

/* Whether word `at` continues the one before it, which is in the list. */
static bool continues_word(const struct reading *r, const struct reading_line *line, size_t at,
                           bool first_line)
{
    const struct word *word = r->words[at].word, *before;

    if (first_line && at == line->from)
        return false;
    before = r->words[at - 1].word;
    if (is_ideographic(word->glyphs[0].code) ||
        is_ideographic(before->glyphs[before->n_glyphs - 1].code))
        return false;
    return at > line->from && !reading_is_apart(r, at);
}

static bool collect_line(struct text_words *list, const struct reading *r,
                         const struct reading_line *line, const struct reading_block *block,
                         bool first_line)
{
    for (size_t i = line->from; i < line->from + line->n; i++) {
        const struct word *word = r->words[i].word;
        bool first = first_line && i == line->from;
        bool number = is_page_number(word);
        uint32_t flags = (is_edge(block) || number ? WORD_EDGE : 0U) | (first ? WORD_BREAK : 0U) |
                         (number ? WORD_NUMBER : 0U);
        bool joined;

        if (word->n_glyphs == 0)
            continue;
        if (is_divided(word)) {
            if (!add_characters(list, r, word, flags, r->words[i].box))
                return false;
            continue;
        }
        /* The text of the list ends with that of the last word and a NUL. */
        joined = list->texts.len > 0 && continues_word(r, line, i, first_line);
        if (list->texts.len > 0 && !first) {
            list->texts.len--;
            joined = joined || (i == line->from && drop_hyphen(&list->texts, word));
            if (!joined)
                list->texts.len++;
        }
        if (!collect_word(list, joined ? (flags & WORD_EDGE) | WORD_PIECE : flags, r->words[i].box))
            return false;
        reading_put_word(r, word, &list->texts);
        buf_putc(&list->texts, '\0');
        if (joined)
            list->words[list->n_words - 1].text = (uint32_t) list->texts.len - 1;
    }
    return true;
}

static int add_page(struct text_words *list, struct arena *arena, struct buf *scratch,
                    const struct page *page, const struct page_content *content, struct err *err)
{
    struct reading r;

    if (setjmp(arena->full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", content->number + 1);
    r = reading_make(arena, scratch, page, content);
    for (size_t b = 0; b < r.n_blocks; b++)
        for (size_t l = 0; l < r.blocks[b].n; l++)
            if (!collect_line(list, &r, &r.lines[r.blocks[b].from + l], &r.blocks[b], l == 0))
                return err_set(err, ERR_LIMIT_EXCEEDED,
                               "at page %zu the document has more words than can be compared (%u): "
                               "choose fewer pages",
                               content->number + 1, TEXT_WORDS_MOST);
    return 0;
}

static int collect_page(void *to, const struct page *page, const struct page_content *content,
                        struct err *err)
{
    struct text_words *list = to;
    struct area box = seen_page(content);
    struct buf scratch = BUF_EMPTY;
    struct arena arena = { 0 };
    int done;

    if (!LIST_ROOM(list->pages, list->n_pages, list->cap_pages))
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    list->pages[list->n_pages++] = (struct listed_page){ .number = content->number,
                                                         .width = box.x1,
                                                         .height = box.y1,
                                                         .from = (uint32_t) list->n_words };
    done = add_page(list, &arena, &scratch, page, content, err);
    list->pages[list->n_pages - 1].n =
        (uint32_t) list->n_words - list->pages[list->n_pages - 1].from;
    if (done == 0 && (list->texts.failed || scratch.failed))
        done = err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    arena_free(&arena);
    buf_free(&scratch);
    return done;
}

struct writer word_collector(struct text_words *list)
{
    return (struct writer){ open_collector, collect_page, end_collector, list };
}
