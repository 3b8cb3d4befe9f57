/* written: a page that a test writes, and what becomes of it. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "layout/layout.h"
#include "letters.h"

#define SIZE 10.0F

/* A page that is written by the test, and what became of it. */
struct test_page {
    struct page_content content;
    struct arena arena;
    struct survey survey;
    struct numbering numbering;
    struct header_sets headers;
    struct page page;
};

static inline void begin(struct test_page *t)
{
    *t = (struct test_page){ .content = {
                                 .width = 600, .height = 800, .fonts = &font, .n_fonts = 1 } };
}

static inline void put_at(struct test_page *t, float x, float base, float size, const char *text)
{
    put_letters(&t->content, x, base, size, text);
}

static inline void put(struct test_page *t, float x, float base, const char *text)
{
    put_at(t, x, base, SIZE, text);
}

static inline void rule(struct test_page *t, float x0, float y0, float x1, float y1)
{
    struct page_content *content = &t->content;

    content->fills = realloc(content->fills, (content->n_fills + 1) * sizeof *content->fills);
    content->fills[content->n_fills++] = (struct fill){ .area = { x0, y0, x1 + 0.5F, y1 + 0.5F } };
}

/* layout: how, but for what is the page's own. */
static inline bool understand_as(struct test_page *t, struct layout layout)
{
    struct arena arena = { 0 };
    struct err err;
    bool good;

    layout.survey = &t->survey;
    layout.numbering = &t->numbering;
    t->survey.n_pages = 1;
    good = layout_survey(&t->survey, &arena, &t->content, &err) == 0;
    arena_free(&arena);
    survey_end(&t->survey);
    return good && layout_page(&layout, &t->arena, &t->content, &t->page, &t->headers, &err) == 0;
}

static inline bool understand(struct test_page *t)
{
    return understand_as(t, (struct layout){ 0 });
}

static inline void end(struct test_page *t)
{
    arena_free(&t->arena);
    arena_free(&t->headers.arena);
    numbering_free(&t->numbering);
    page_content_free(&t->content);
}

static inline const struct block *block(const struct test_page *t, size_t section, size_t i)
{
    static const struct block none;

    return section < t->page.n_sections && i < t->page.sections[section].blocks.n
               ? &t->page.sections[section].blocks.items[i]
               : &none;
}

static inline const char *text_of(const struct block *block)
{
    static char text[2000];
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; block->kind == BLOCK_PARAGRAPH && i < block->paragraph.n_runs; i++)
        n += (size_t) snprintf(text + n, sizeof text - n, "%s", block->paragraph.runs[i].text);
    return text;
}
