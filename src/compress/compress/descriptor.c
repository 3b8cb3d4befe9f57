#include "compress/compress/descriptor.h"

#include <string.h>

#include "base/digest.h"
#include "base/num.h"
#include "base/scope.h"

#define DESCRIPTOR_TAG 7 /* bytes: "ABCDEF+" */

/* Replaces n bytes at `at` by `text`, and moves the references after them. */
static bool replace(struct compact *value, size_t at, size_t n, const char *text)
{
    struct buf changed = BUF_EMPTY;
    size_t length = strlen(text);

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

/* The target of the reference after `before`; NULL if there is none. */
static struct object *target(const struct inventory *objects, const struct object *object,
                             const char *before)
{
    const struct compact *value = &object->value;
    size_t n = strlen(before);

    for (size_t i = 0; i < value->n_refs; i++) {
        const struct compact_ref *ref = &value->refs[i];

        if (ref->target != COMPACT_NULL && ref->at >= n &&
            memcmp(value->text.data + ref->at - n, before, n) == 0)
            return &objects->list[objects->list[ref->target].same];
    }
    return NULL;
}

/* "/FontFile 12 0 R" says "/FontFile3 12 0 R" while that is CFF. */
static bool follow_program(struct object *object, size_t ref, bool is_cff)
{
    static const char type1[] = "/FontFile ", cff[] = "/FontFile3 ";
    const char *from = is_cff ? type1 : cff;
    size_t at = object->value.refs[ref].at, n = strlen(from);

    if (at < n || memcmp(object->value.text.data + at - n, from, n) != 0)
        return true;
    return replace(&object->value, at - n, n, is_cff ? cff : type1);
}

static bool follow_programs(struct inventory *objects, struct object *object)
{
    for (size_t i = 0; i < object->value.n_refs; i++) {
        uint32_t to = object->value.refs[i].target;
        const struct object *program = to == COMPACT_NULL ? NULL : &objects->list[to];

        if (!program)
            continue;
        program = &objects->list[program->same];
        if (program->told != (program->font == FONT_CONVERTED) &&
            !follow_program(object, i, program->font == FONT_CONVERTED))
            return false;
    }
    return true;
}

static const struct object *program_of(const struct inventory *objects,
                                       const struct object *descriptor)
{
    static const char *const keys[] = { "/FontFile ", "/FontFile2 ", "/FontFile3 " };
    const struct object *program = NULL;

    for (size_t i = 0; i < COUNT(keys) && descriptor && !program; i++)
        program = target(objects, descriptor, keys[i]);
    return program;
}

static bool has(const struct object *object, const char *key)
{
    const struct buf *text = &object->value.text;

    return text->data && memmem(text->data, text->len, key, strlen(key));
}

/* The program of a font, composite or not, or of a descriptor. */
static const struct object *find_program(const struct inventory *objects,
                                         const struct object *object)
{
    const struct object *font = object, *list;

    if (has(object, "/DescendantFonts")) {
        font = target(objects, object, "/DescendantFonts[");
        list = target(objects, object, "/DescendantFonts ");
        if (list)
            font = target(objects, list, "[");
    } else if (has(object, "/FontFile")) {
        return has(object, "/FontDescriptor<") ? NULL : program_of(objects, object);
    } else if (!has(object, "/FontDescriptor ") ||
               !(has(object, "/Widths") || has(object, "/CIDSystemInfo"))) {
        return NULL; /* readers may know the widths by its name */
    }
    return font ? program_of(objects, target(objects, font, "/FontDescriptor ")) : NULL;
}

static bool is_tagged(const char *name)
{
    return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == DESCRIPTOR_TAG - 1 &&
           name[DESCRIPTOR_TAG - 1] == '+';
}

/* A list of glyphs that says more than there are now is wrong; none is not (table 120). */
static bool drop_glyph_list(struct object *object, const struct object *program)
{
    static const char key[] = "/CharSet(";
    const struct buf *text = &object->value.text;
    const char *list = text->data ? memmem(text->data, text->len, key, strlen(key)) : NULL;
    size_t n = strlen(key);

    if (!list || !program || program->font == FONT_WHOLE)
        return true;
    for (; list[n] && list[n] != ')'; n++)
        if (list[n] == '\\' && list[n + 1])
            n++;
    return !list[n] || replace(&object->value, (size_t) (list - text->data), n + 1, "");
}

static bool follow_name(struct inventory *objects, struct object *object)
{
    static const char *const keys[] = { "/BaseFont/", "/FontName/" };
    const struct object *program = find_program(objects, object);
    const struct buf *text = &object->value.text;

    if (!drop_glyph_list(object, program))
        return false;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const char *key =
            text->data ? memmem(text->data, text->len, keys[i], strlen(keys[i])) : NULL;
        size_t at = key ? (size_t) (key - text->data) + strlen(keys[i]) : 0;

        if (!key)
            continue;
        if (object->tagged && !replace(&object->value, at, DESCRIPTOR_TAG, ""))
            return false;
        object->tagged = program && *program->tag && !is_tagged(text->data + at);
        return !object->tagged || replace(&object->value, at, 0, program->tag);
    }
    return true;
}

bool descriptor_follow(struct inventory *objects)
{
    for (size_t i = 0; i < objects->n; i++)
        if (!objects->list[i].stream && !follow_programs(objects, &objects->list[i]))
            return false;
    for (size_t i = 0; i < objects->n; i++) {
        struct object *object = &objects->list[i];

        object->told = object->font == FONT_CONVERTED;
        if (!object->stream &&
            (has(object, "/FontDescriptor") || has(object, "/DescendantFonts") ||
             has(object, "/FontFile")) &&
            !follow_name(objects, object))
            return false;
    }
    return true;
}

void descriptor_tag(struct object *program, const struct buf *data)
{
    char digest[DIGEST_TEXT];

    digest_text(data->data, data->len, digest);
    for (size_t i = 0; i < DESCRIPTOR_TAG - 1; i++)
        program->tag[i] =
            (char) ('A' +
                    (num_hex_digit(digest[2 * i]) * 16 + num_hex_digit(digest[2 * i + 1])) % 26);
    memcpy(program->tag + DESCRIPTOR_TAG - 1, "+", 2);
}
