#include "engine/redact/redact_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "syntax/pdf/lex.h"

#define KNOWN  8     /* units of UTF-16 that MuPDF reads, too */
#define SPREAD 65536 /* codes of one range */

struct reading {
    struct redact_map *map;
    struct lex lex;
    bool ok;
};

static uint32_t code_value(const char *bytes, size_t n)
{
    uint32_t code = 0;

    for (size_t i = 0; i < n && i < 4; i++)
        code = code << 8 | (unsigned char) bytes[i];
    return code;
}

static void add_meaning(struct reading *r, uint32_t code, size_t n_code, const char *bytes,
                        size_t n)
{
    struct redact_map *map = r->map;
    size_t units = n / 2;

    if (units <= KNOWN || units > REDACT_MAP_TEXT || n_code == 0 || n_code > 4)
        return;
    uint16_t *text = malloc(units * sizeof *text);
    if (!text || !LIST_ROOM(map->items, map->n, map->cap)) {
        free(text);
        r->ok = false;
        return;
    }
    for (size_t i = 0; i < units; i++)
        text[i] = (uint16_t) ((unsigned char) bytes[2 * i] << 8 | (unsigned char) bytes[2 * i + 1]);
    map->items[map->n++] = (struct redact_map_entry){ code, n_code, text, units };
}

/* Reads a string of at most 2 * REDACT_MAP_TEXT bytes; false: the token is something else. */
static bool string_of(const struct lex_token *token, char bytes[static 2 * REDACT_MAP_TEXT],
                      size_t *n)
{
    if ((token->kind != LEX_HEX && token->kind != LEX_STRING) ||
        token->n > 4 * (size_t) REDACT_MAP_TEXT)
        return false;
    AUTO_FREE char *all = malloc(token->n + 1);
    *n = all ? lex_string(token, all) : 0;
    if (!all || *n > 2 * REDACT_MAP_TEXT)
        return false;
    memcpy(bytes, all, *n);
    return true;
}

/* What a range means, after its first and last code. */
static void read_range(struct reading *r, uint32_t low, uint32_t high, size_t n_code)
{
    char text[2 * REDACT_MAP_TEXT];
    struct lex_token token;
    size_t n;

    if (high < low || high - low >= SPREAD || !lex_next(&r->lex, &token))
        return;
    if (token.kind == LEX_ARRAY_BEGIN) {
        for (uint32_t code = low; lex_next(&r->lex, &token) && token.kind != LEX_ARRAY_END; code++)
            if (string_of(&token, text, &n) && code <= high)
                add_meaning(r, code, n_code, text, n);
        return;
    }
    if (!string_of(&token, text, &n) || n <= 2 * KNOWN)
        return;
    for (uint32_t code = low; code <= high && r->ok; code++) {
        add_meaning(r, code, n_code, text, n);
        if (++text[n - 1] == 0)
            text[n - 2]++;
    }
}

static void read_section(struct reading *r, bool ranges)
{
    char low[2 * REDACT_MAP_TEXT], high[2 * REDACT_MAP_TEXT];
    struct lex_token token;
    size_t n_low, n_high;

    while (r->ok && lex_next(&r->lex, &token) && string_of(&token, low, &n_low) &&
           lex_next(&r->lex, &token) && string_of(&token, high, &n_high)) {
        if (ranges)
            read_range(r, code_value(low, n_low), code_value(high, n_high), n_low);
        else
            add_meaning(r, code_value(low, n_low), n_low, high, n_high);
    }
}

bool redact_map_read(struct redact_map *map, struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    struct reading r = { .map = map, .ok = true };
    struct lex_token token;
    size_t n;

    if (!obj_is_stream(stream) || !obj_stream_data(stream, &data, &n))
        return true;
    r.lex = lex_of(data, n);
    while (r.ok && lex_next(&r.lex, &token))
        if (lex_is(&token, "beginbfchar") || lex_is(&token, "beginbfrange"))
            read_section(&r, lex_is(&token, "beginbfrange"));
    return r.ok;
}

const struct redact_map_entry *redact_map_find(const struct redact_map *map, const char *bytes,
                                               size_t n)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->items[i].n_code == n && map->items[i].code == code_value(bytes, n))
            return &map->items[i];
    return NULL;
}

void redact_map_free(struct redact_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        free(map->items[i].text);
    free(map->items);
    *map = (struct redact_map){ 0 };
}
