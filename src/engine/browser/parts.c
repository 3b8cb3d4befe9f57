#include "engine/browser/parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "declare/tool_run/page_service.h"
#include "sandbox/protocol/page_ask.h"

void parts_forget(struct part *part)
{
    free(part->id);
    free(part->session);
    free(part->address);
    free(part->type);
    free(part->headers);
    buf_free(&part->response);
}

void parts_free(struct parts *parts)
{
    for (size_t i = 0; i < parts->n; i++)
        parts_forget(&parts->items[i]);
    free(parts->items);
    buf_free(&parts->piece);
}

/* Ends one of them: what comes of it may ask for others. */
static void end_part(struct parts *parts, size_t i, const char *why)
{
    struct part part = parts->items[i];

    parts->in_flight -= part.asked;
    parts->n--;
    memmove(parts->items + i, parts->items + i + 1, (parts->n - i) * sizeof part);
    parts->arrived(parts->arg, &part, why);
    parts_forget(&part);
}

static void ask_more(struct parts *parts)
{
    struct err err;

    for (size_t i = 0; i < parts->n && parts->in_flight < PAGE_AT_ONCE;) {
        struct part *part = &parts->items[i];

        if (!part->asked) {
            const struct page_ask ask = { ++parts->number, part->head };

            if (page_ask_send(parts->sock, &ask, part->address, part->headers, &err) < 0) {
                end_part(parts, i, err.msg);
                continue;
            }
            part->number = ask.number;
            part->asked = true;
            parts->in_flight++;
        }
        i++;
    }
}

void parts_add(struct parts *parts, struct part *part)
{
    if (parts->n == parts->cap) {
        size_t cap = parts->cap ? parts->cap * 2 : 32;
        struct part *items = realloc(parts->items, cap * sizeof *items);

        if (!items)
            _exit(EXIT_FAILURE);
        parts->items = items;
        parts->cap = cap;
    }
    parts->items[parts->n++] = *part;
    ask_more(parts);
}

void parts_read(struct parts *parts)
{
    struct page_piece piece;
    struct err err;
    size_t i = 0;

    if (page_ask_read(parts->sock, &piece, &parts->piece, &err) < 0)
        _exit(EXIT_FAILURE);
    while (i < parts->n && (!parts->items[i].asked || parts->items[i].number != piece.number))
        i++;
    if (i == parts->n)
        return;
    if (piece.kind == PAGE_PIECE_DATA) {
        buf_put(&parts->items[i].response, parts->piece.data, parts->piece.len);
        return;
    }
    end_part(parts, i, piece.kind == PAGE_PIECE_FAILED ? buf_text(&parts->piece) : NULL);
    ask_more(parts);
}
