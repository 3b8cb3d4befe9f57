#include "compress/fonts/descriptor.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/num.h"
#include "base/scope.h"

#define DESCRIPTOR_TAG 7 /* bytes: "ABCDEF+" */

/* Replaces n bytes at `at` by `text`, and moves the references after them. */
static bool replace_text(struct descriptors *d, uint32_t node, size_t at, size_t n,
                         const char *text)
{
    struct compact *value = node_values_edit(d->values, node);
    struct buf changed = BUF_EMPTY;
    size_t length = strlen(text);

    if (!value)
        return false;
    buf_put(&changed, value->text.data, at);
    buf_put(&changed, text, length);
    buf_put(&changed, value->text.data + at + n, value->text.len - at - n);
    if (changed.failed || changed.len > UINT32_MAX) {
        buf_free(&changed);
        return false;
    }
    buf_free(&value->text);
    value->text = changed;
    for (size_t i = 0; i < value->n_refs; i++)
        if (value->refs[i].at >= at + n)
            value->refs[i].at = (uint32_t) (value->refs[i].at - n + length);
    return true;
}

bool descriptor_open(struct descriptors *d, const struct equal_objects *objects,
                     struct node_values *values)
{
    *d = (struct descriptors){ objects, values, calloc(objects->graph->n, sizeof *d->of) };
    return d->of != NULL;
}

void descriptor_close(struct descriptors *d)
{
    free(d->of);
    *d = (struct descriptors){ 0 };
}

/* The target of the reference after `before`; GRAPH_NONE if there is none. */
static uint32_t target_after(const struct descriptors *d, uint32_t node, const char *before)
{
    const struct compact *value = node_values_of(d->values, node);
    size_t n = strlen(before);

    for (size_t i = 0; i < value->n_refs; i++) {
        const struct compact_ref *ref = &value->refs[i];

        if (ref->target != COMPACT_NULL && ref->at >= n &&
            memcmp(value->text.data + ref->at - n, before, n) == 0)
            return d->objects->of[ref->target].same;
    }
    return GRAPH_NONE;
}

/* "/FontFile 12 0 R" says "/FontFile3 12 0 R" while that is CFF. */
static bool follow_program(struct descriptors *d, uint32_t node, size_t ref, bool is_cff)
{
    static const char type1[] = "/FontFile ", cff[] = "/FontFile3 ";
    const char *from = is_cff ? type1 : cff;
    const struct compact *value = node_values_of(d->values, node);
    size_t at = value->refs[ref].at, n = strlen(from);

    if (at < n || memcmp(value->text.data + at - n, from, n) != 0)
        return true;
    return replace_text(d, node, at - n, n, is_cff ? cff : type1);
}

static bool follow_programs(struct descriptors *d, uint32_t node)
{
    size_t n = d->objects->graph->nodes[node].value.n_refs;

    for (size_t i = 0; i < n; i++) {
        uint32_t to = d->objects->graph->nodes[node].value.refs[i].target;
        const struct descriptor *program;
        bool is_cff;

        if (to == COMPACT_NULL)
            continue;
        program = &d->of[d->objects->of[to].same];
        is_cff = program->change == FONT_CONVERTED;
        if (program->is_cff != is_cff && !follow_program(d, node, i, is_cff))
            return false;
    }
    return true;
}

static uint32_t program_of(const struct descriptors *d, uint32_t descriptor)
{
    static const char *const keys[] = { "/FontFile ", "/FontFile2 ", "/FontFile3 " };
    uint32_t program = GRAPH_NONE;

    for (size_t i = 0; i < COUNT(keys) && descriptor != GRAPH_NONE && program == GRAPH_NONE; i++)
        program = target_after(d, descriptor, keys[i]);
    return program;
}

static bool mentions(const struct descriptors *d, uint32_t node, const char *key)
{
    const struct buf *text = &node_values_of(d->values, node)->text;

    return text->data && memmem(text->data, text->len, key, strlen(key));
}

/* The program of a font, composite or not, or of a descriptor. */
static uint32_t find_program(const struct descriptors *d, uint32_t node)
{
    uint32_t font = node;

    if (mentions(d, node, "/DescendantFonts")) {
        uint32_t list = target_after(d, node, "/DescendantFonts ");

        font = list == GRAPH_NONE ? target_after(d, node, "/DescendantFonts[")
                                  : target_after(d, list, "[");
    } else if (mentions(d, node, "/FontFile")) {
        return mentions(d, node, "/FontDescriptor<") ? GRAPH_NONE : program_of(d, node);
    } else if (!mentions(d, node, "/FontDescriptor ") ||
               !(mentions(d, node, "/Widths") || mentions(d, node, "/CIDSystemInfo"))) {
        return GRAPH_NONE; /* readers may know the widths by its name */
    }
    return font == GRAPH_NONE ? GRAPH_NONE
                              : program_of(d, target_after(d, font, "/FontDescriptor "));
}

static bool is_tagged(const char *name)
{
    return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == DESCRIPTOR_TAG - 1 &&
           name[DESCRIPTOR_TAG - 1] == '+';
}

/* A list of glyphs that says more than there are now is wrong; none is not (table 120). */
static bool drop_glyph_list(struct descriptors *d, uint32_t node, const struct descriptor *program)
{
    static const char key[] = "/CharSet(";
    const struct buf *text = &node_values_of(d->values, node)->text;
    const char *list = text->data ? memmem(text->data, text->len, key, strlen(key)) : NULL;
    size_t n = strlen(key);

    if (!list || !program || program->change == FONT_WHOLE)
        return true;
    for (; list[n] && list[n] != ')'; n++)
        if (list[n] == '\\' && list[n + 1])
            n++;
    return !list[n] || replace_text(d, node, (size_t) (list - text->data), n + 1, "");
}

static bool follow_name(struct descriptors *d, uint32_t node)
{
    static const char *const keys[] = { "/BaseFont/", "/FontName/" };
    uint32_t found = find_program(d, node);
    const struct descriptor *program = found == GRAPH_NONE ? NULL : &d->of[found];
    struct descriptor *own = &d->of[node];

    if (!drop_glyph_list(d, node, program))
        return false;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const struct buf *text = &node_values_of(d->values, node)->text;
        const char *key =
            text->data ? memmem(text->data, text->len, keys[i], strlen(keys[i])) : NULL;
        size_t at = key ? (size_t) (key - text->data) + strlen(keys[i]) : 0;

        if (!key)
            continue;
        if (own->tagged && !replace_text(d, node, at, DESCRIPTOR_TAG, ""))
            return false;
        text = &node_values_of(d->values, node)->text;
        own->tagged = program && *program->tag && !is_tagged(text->data + at);
        return !own->tagged || replace_text(d, node, at, 0, program->tag);
    }
    return true;
}

bool descriptor_follow(struct descriptors *d)
{
    const struct graph *graph = d->objects->graph;

    for (uint32_t i = 0; i < graph->n; i++)
        if (!graph->nodes[i].stream && !follow_programs(d, i))
            return false;
    for (uint32_t i = 0; i < graph->n; i++) {
        d->of[i].is_cff = d->of[i].change == FONT_CONVERTED;
        if (!graph->nodes[i].stream &&
            (mentions(d, i, "/FontDescriptor") || mentions(d, i, "/DescendantFonts") ||
             mentions(d, i, "/FontFile")) &&
            !follow_name(d, i))
            return false;
    }
    return true;
}

void descriptor_note(struct descriptors *d, uint32_t program, enum font_change change,
                     const struct buf *data)
{
    struct descriptor *own = &d->of[program];
    char digest[DIGEST_TEXT];

    own->change = change;
    *own->tag = '\0';
    if (!data)
        return;
    digest_text(data->data, data->len, digest);
    for (size_t i = 0; i < DESCRIPTOR_TAG - 1; i++)
        own->tag[i] =
            (char) ('A' +
                    (num_hex_digit(digest[2 * i]) * 16 + num_hex_digit(digest[2 * i + 1])) % 26);
    memcpy(own->tag + DESCRIPTOR_TAG - 1, "+", 2);
}
