/*
 * article: an HTML page for paper, made of Markdown: CommonMark 0.29 with the tables, task lists,
 * strikethrough, autolinks and footnotes of GitHub Flavored Markdown, mathematics between $ or $$,
 * and front matter in YAML, of which the title and the language are used.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct article_options {
    const char *title; /* used if the text has neither front matter with one nor a heading */
    bool contents;     /* a table of contents, after the heading of level 1 that begins the text */
    int depth;         /* of the table of contents: levels of headings, 1 to 6 */
    bool math;         /* $...$ is mathematics */
    bool html;         /* HTML in the text is HTML, without <script>, <style> and the other tags
                        * that GitHub Flavored Markdown filters; else it is shown as text */
    bool style;        /* the page has the default style */
    const char *css;   /* more style, after it; n_css bytes of UTF-8 */
    size_t n_css;
    /* Receives what was not shown as it was meant: a code, and a sentence. */
    void (*warn)(void *hand, const char *code, const char *sentence);
    void *hand;
};

#define ARTICLE_BYTES 20000000 /* longest text */

/* Appends the page of n bytes of Markdown. Bytes that are not UTF-8 are replaced, with a warning.
 * ERR_LIMIT_EXCEEDED: the text is longer than ARTICLE_BYTES. */
int article_write(const char *text, size_t n, const struct article_options *options,
                  struct buf *html, struct err *err);
