#include "engine/redact/redact_frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

double redact_frame_number(const struct redact_frame *f, size_t i)
{
    return i < f->n && f->operands[i].kind == LEX_NUMBER ? lex_number(&f->operands[i], NULL) : 0;
}

bool redact_frame_name(const struct redact_frame *f, size_t i, char name[static REDACT_NAME])
{
    size_t n;

    if (i >= f->n || f->operands[i].kind != LEX_NAME || f->operands[i].n >= REDACT_NAME)
        return false;
    n = lex_name(&f->operands[i], name);
    name[n] = '\0';
    return strlen(name) == n;
}

struct obj redact_frame_resources(const struct redact_frame *f)
{
    return f->own.q ? f->own : f->resources;
}

struct obj redact_frame_resource(const struct redact_frame *f, const char *category, size_t i)
{
    AUTO_OBJ struct obj all = obj_key(redact_frame_resources(f), category);
    char name[REDACT_NAME];

    return redact_frame_name(f, i, name) ? obj_key(all, name) : obj_key(all, "/");
}

/* A copy of a category of the frame's own resources, which become a copy themselves. */
static struct obj own_category(struct redact_frame *f, const char *category)
{
    if (!f->own.q)
        f->own = obj_is_dict(f->resources) ? obj_shallow_copy(f->resources)
                                           : obj_new_dict(f->edit->doc->q);
    AUTO_OBJ struct obj all = obj_key(f->own, category);
    return obj_is_dict(all) ? obj_shallow_copy(all) : obj_new_dict(f->edit->doc->q);
}

void redact_frame_add_as(struct redact_frame *f, const char *category, struct obj value,
                         const char *name)
{
    AUTO_OBJ struct obj copy = own_category(f, category);

    obj_set(copy, name, value);
    obj_set(f->own, category, copy);
}

void redact_frame_add(struct redact_frame *f, const char *category, struct obj value,
                      char name[static REDACT_NAME])
{
    AUTO_OBJ struct obj copy = own_category(f, category);

    do
        snprintf(name, REDACT_NAME, "/Rd%u", ++f->edit->named);
    while (obj_has(copy, name));
    obj_set(copy, name, value);
    obj_set(f->own, category, copy);
}

void redact_frame_forget(struct redact_frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj copy = own_category(f, category);

    obj_remove(copy, name);
    obj_set(f->own, category, copy);
}

void redact_frame_put(struct buf *out, double number)
{
    char text[40];
    size_t n;

    if (!(fabs(number) < 1e9))
        number = 0;
    n = (size_t) snprintf(text, sizeof text, "%.4f", number);
    while (text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    if (n == 2 && memcmp(text, "-0", 2) == 0)
        buf_putc(out, '0');
    else
        buf_put(out, text, n);
}

struct redact_matrix redact_frame_matrix(struct obj holder, const char *key)
{
    AUTO_OBJ struct obj array = obj_key(holder, key);
    struct redact_matrix m = REDACT_IDENTITY;

    if (obj_count(array) != 6)
        return m;
    for (int i = 0; i < 6; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        obj_is_number(item, &m.at[i]);
    }
    return m;
}

void redact_frame_copy_until(struct redact_frame *f, const unsigned char *end)
{
    if (end > f->copied)
        buf_put(&f->out, f->copied, (size_t) (end - f->copied));
    f->copied = end;
}

void redact_frame_copy(struct redact_frame *f)
{
    redact_frame_copy_until(f, f->lex.at);
}

void redact_frame_replace(struct redact_frame *f)
{
    const unsigned char *begin = f->n ? f->operands[0].at : f->lex.at;

    redact_frame_copy_until(f, begin);
    if (f->out.len && f->out.data[f->out.len - 1] > ' ')
        buf_putc(&f->out, '\n');
    f->copied = f->lex.at;
    f->changed = true;
}
