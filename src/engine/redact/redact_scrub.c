#include "engine/redact/redact_scrub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/redact/redact_known.h"
#include "pdf/redact/redact_rename.h"
#include "syntax/pdf/literal.h"

struct scrub {
    struct redact_frame *f;
    struct lex lex;
    const unsigned char *copied; /* what lies before it is in `out`, or was left out */
    struct lex_token *held;      /* the operands since the last operator */
    size_t n, cap;
    struct scrub_name {
        char was[REDACT_NAME], is[REDACT_NAME];
    } * names;
    size_t n_names, cap_names;
    struct buf *out;
    bool changed;
};

static bool has_words(const struct redact_edit *edit, const char *text, size_t n)
{
    return redact_words_search(edit->elsewhere, text, n) != SIZE_MAX;
}

static void copy_until(struct scrub *s, const unsigned char *end)
{
    if (end > s->copied)
        buf_put(s->out, s->copied, (size_t) (end - s->copied));
    s->copied = end;
}

/* Writes something in place of bytes of the content. */
static void put_instead(struct scrub *s, const unsigned char *at, size_t n, const char *text)
{
    copy_until(s, at);
    buf_puts(s->out, text);
    s->copied = at + n;
    s->changed = true;
}

/* Comments before a token, or at the end. */
static void scrub_comments(struct scrub *s, const unsigned char *from, const unsigned char *end)
{
    while (from < end && (from = memchr(from, '%', (size_t) (end - from)))) {
        const unsigned char *last = from;

        while (last < end && *last != '\n' && *last != '\r')
            last++;
        if (has_words(s->f->edit, (const char *) from, (size_t) (last - from)))
            put_instead(s, from, (size_t) (last - from), " ");
        from = last;
    }
}

/* A resource with this name, in any category, gets another one. */
static bool rename_resource(struct scrub *s, const char *was, char is[static REDACT_NAME])
{
    static const char *const categories[] = { "/Font",    "/XObject", "/ExtGState", "/ColorSpace",
                                              "/Pattern", "/Shading", "/Properties" };
    bool any = false;

    for (size_t i = 0; i < COUNT(categories); i++) {
        AUTO_OBJ struct obj all = obj_key(redact_frame_resources(s->f), categories[i]);
        AUTO_OBJ struct obj value = obj_key(all, was);

        if (obj_is_null(value))
            continue;
        if (any)
            redact_frame_add_as(s->f, categories[i], value, is);
        else
            redact_frame_add(s->f, categories[i], value, is);
        redact_frame_forget(s->f, categories[i], was);
        any = true;
    }
    return any;
}

/* The name in place of one that has a text. */
static const char *other_name(struct scrub *s, const char *was)
{
    AUTO_BUF struct buf said = BUF_EMPTY, text = BUF_EMPTY, escaped = BUF_EMPTY;
    struct scrub_name *name;

    for (size_t i = 0; i < s->n_names; i++)
        if (strcmp(s->names[i].was, was) == 0)
            return s->names[i].is;
    if (!LIST_ROOM(s->names, s->n_names, s->cap_names)) {
        s->f->edit->no_memory = true;
        return "/***";
    }
    name = &s->names[s->n_names++];
    snprintf(name->was, sizeof name->was, "%s", was);
    if (rename_resource(s, was, name->is))
        return name->is;
    redact_rename_say(was + 1, strlen(was + 1), &said);
    redact_words_replace(s->f->edit->elsewhere, buf_text(&said), said.len, &text);
    literal_put_name(&escaped, buf_text(&text));
    snprintf(name->is, sizeof name->is, "/%s",
             escaped.len && escaped.len < REDACT_NAME - 2
                 ? buf_text(&escaped) + (*escaped.data == '/')
                 : "***");
    return name->is;
}

static void scrub_name(struct scrub *s, const struct lex_token *token)
{
    AUTO_BUF struct buf said = BUF_EMPTY;
    char name[REDACT_NAME];
    size_t n;

    if (token->n >= sizeof name)
        return;
    n = lex_name(token, name);
    name[n] = '\0';
    redact_rename_say(name + 1, n - 1, &said);
    if (n > 1 && has_words(s->f->edit, buf_text(&said), said.len) &&
        !redact_known_name(name + 1, n - 1))
        put_instead(s, token->at, token->n, other_name(s, name));
}

/* A string that no glyphs are shown by. */
static void scrub_string(struct scrub *s, const struct lex_token *token)
{
    struct redact_edit *edit = s->f->edit;
    AUTO_FREE char *bytes = malloc(token->n + 1);
    AUTO_BUF struct buf text = BUF_EMPTY, coded = BUF_EMPTY;
    size_t n;

    if (!bytes) {
        edit->no_memory = true;
        return;
    }
    n = lex_string(token, bytes);
    AUTO_OBJ struct obj string = obj_new_string(edit->doc->q, bytes, n);
    const char *utf8 = qpdf_oh_get_binary_utf8_value(string.q, string.oh, &n);
    if (redact_words_replace(edit->elsewhere, utf8, n, &text) == 0)
        return;
    AUTO_OBJ struct obj other = { edit->doc->q,
                                  qpdf_oh_new_unicode_string(edit->doc->q, buf_text(&text)) };
    buf_puts(&coded, obj_text(other));
    put_instead(s, token->at, token->n, buf_text(&coded));
}

/* Whether the operator takes strings whose codes are shown. */
static bool shows(const struct lex_token *op)
{
    return lex_is(op, "Tj") || lex_is(op, "TJ") || lex_is(op, "'") || lex_is(op, "\"");
}

static bool held_have_words(const struct scrub *s, const struct lex_token *op)
{
    AUTO_BUF struct buf said = BUF_EMPTY;
    const unsigned char *begin = s->n ? s->held[0].at : op->at;

    redact_scrub_said(s->f->edit->doc, begin, (size_t) (op->at + op->n - begin), &said);
    return has_words(s->f->edit, buf_text(&said), said.len);
}

/* `op`: NULL at the end of the content. */
static void scrub_operands(struct scrub *s, const struct lex_token *op)
{
    bool known =
        op && (lex_is_operator(op) || lex_is(op, "BI") || lex_is(op, "ID") || lex_is(op, "EI"));

    if (op && !known && held_have_words(s, op)) {
        const unsigned char *begin = s->n ? s->held[0].at : op->at;

        put_instead(s, begin, (size_t) (op->at + op->n - begin), " ");
    }
    for (size_t i = 0; i < s->n && (!op || known); i++) {
        if (s->held[i].kind == LEX_NAME)
            scrub_name(s, &s->held[i]);
        else if ((s->held[i].kind == LEX_STRING || s->held[i].kind == LEX_HEX) &&
                 !(op && shows(op)))
            scrub_string(s, &s->held[i]);
    }
    s->n = 0;
}

static void scrub_all(struct scrub *s)
{
    const unsigned char *last = s->lex.at;
    struct lex_token token;

    while (lex_next(&s->lex, &token) && !s->f->edit->no_memory) {
        scrub_comments(s, last, token.at);
        if (token.kind == LEX_WORD && !lex_is_constant(&token)) {
            scrub_operands(s, &token);
            if (lex_is(&token, "ID"))
                lex_image(&s->lex, &token);
        } else if (LIST_ROOM(s->held, s->n, s->cap)) {
            s->held[s->n++] = token;
        } else {
            s->f->edit->no_memory = true;
        }
        last = s->lex.at;
    }
    scrub_comments(s, last, s->lex.end);
    scrub_operands(s, NULL);
    copy_until(s, s->lex.end);
}

bool redact_scrub_content(struct redact_frame *f, const unsigned char *data, size_t n,
                          struct buf *out)
{
    const struct redact_edit *edit = f->edit;
    struct scrub s = { .f = f, .lex = lex_of(data, n), .copied = data, .out = out };
    AUTO_BUF struct buf said = BUF_EMPTY;

    if (!edit->elsewhere || !edit->elsewhere->n || edit->read || edit->measuring)
        return false;
    redact_scrub_said(edit->doc, data, n, &said);
    if (!has_words(edit, buf_text(&said), said.len))
        return false;
    scrub_all(&s);
    free(s.held);
    free(s.names);
    f->edit->no_memory |= out->failed;
    return s.changed;
}

/* Appends a string as it is coded, and to `texts` what it says as text, if that differs. */
static void say_string(struct pdf_doc *doc, const struct lex_token *token, struct buf *out,
                       struct buf *texts)
{
    AUTO_FREE char *bytes = malloc(token->n + 1);
    size_t n = bytes ? lex_string(token, bytes) : 0;
    bool ascii = true;

    for (size_t i = 0; i < n; i++)
        ascii &= bytes[i] >= ' ' && bytes[i] < 0x7f;
    if (n)
        buf_put(out, bytes, n);
    if (ascii)
        return;
    AUTO_OBJ struct obj string = obj_new_string(doc->q, bytes, n);
    const char *text = qpdf_oh_get_binary_utf8_value(string.q, string.oh, &n);
    buf_put(texts, text, n);
    buf_putc(texts, '\n');
}

static void say_token(struct pdf_doc *doc, const struct lex_token *token, struct buf *out,
                      struct buf *texts)
{
    char name[REDACT_NAME];
    size_t n = 0;

    if (token->kind == LEX_STRING || token->kind == LEX_HEX) {
        say_string(doc, token, out, texts);
    } else if (token->kind == LEX_NAME && token->n < sizeof name) {
        n = lex_name(token, name);
        if (n > 1 && !redact_known_name(name + 1, n - 1))
            redact_rename_say(name + 1, n - 1, out);
    } else if (token->kind == LEX_WORD && !lex_is_constant(token)) {
        if (!lex_is_operator(token))
            buf_put(out, token->at, token->n);
        /* The codes of glyphs are no text of a document. */
        if (!shows(token))
            buf_put(out, buf_text(texts), texts->len);
        texts->len = 0;
    }
    buf_putc(out, '\n');
}

void redact_scrub_said(struct pdf_doc *doc, const unsigned char *data, size_t n, struct buf *out)
{
    struct lex lex = lex_of(data, n);
    struct lex_token token;
    AUTO_BUF struct buf texts = BUF_EMPTY;
    const unsigned char *last = data;
    bool more = true;

    while (more) {
        more = lex_next(&lex, &token);
        const unsigned char *end = more ? token.at : lex.end;

        if (end > last && memchr(last, '%', (size_t) (end - last))) {
            buf_put(out, last, (size_t) (end - last));
            buf_putc(out, '\n');
        }
        if (more)
            say_token(doc, &token, out, &texts);
        if (more && lex_is(&token, "ID") && lex_image(&lex, &token))
            buf_putc(out, '\n');
        last = lex.at;
    }
    buf_put(out, buf_text(&texts), texts.len);
    out->failed |= texts.failed;
}
