#include "engine/office_parts/fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "engine/office_parts/bookmarks.h"
#include "engine/office_parts/field_code.h"
#include "engine/office_parts/rewrite.h"
#include "engine/office_parts/xml_tag.h"

#define DEPTH      32 /* of fields in fields; Word has 20 */
#define PART_BYTES (256U << 20)
#define CODE_BYTES 4096

/* What becomes blanks where a field is replaced by its result. */
struct range {
    size_t from, to;
};

struct field {
    struct buf code;
    size_t first;    /* of its ranges */
    bool in_code;    /* before the mark that begins the result */
    bool has_result; /* that shows something */
    bool simple;     /* one element */
    bool broken;     /* begins and ends in different elements */
    bool unclosed;   /* LibreOffice shows nothing of what comes after its code */
};

struct reading {
    const struct bookmarks *bookmarks;
    bool stored;
    struct buf *part;
    struct field fields[DEPTH];
    size_t depth, beyond; /* fields inside those of the last depth */
    struct range *ranges;
    size_t n_ranges, cap;
    bool changed, failed;
};

static void add_range(struct reading *r, const char *from, const char *to)
{
    if (r->n_ranges == r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 64;
        struct range *ranges = reallocarray(r->ranges, cap, sizeof *ranges);

        if (!ranges) {
            r->failed = true;
            return;
        }
        r->ranges = ranges;
        r->cap = cap;
    }
    r->ranges[r->n_ranges++] = (struct range){ .from = (size_t) (from - r->part->data),
                                               .to = (size_t) (to - r->part->data) };
}

static bool is_in_code(const struct reading *r)
{
    for (size_t i = 0; i < r->depth; i++)
        if (r->fields[i].in_code)
            return true;
    return false;
}

static void begin_field(struct reading *r, bool simple)
{
    if (r->depth == DEPTH) {
        r->beyond++;
        return;
    }
    r->fields[r->depth++] =
        (struct field){ .first = r->n_ranges, .in_code = !simple, .simple = simple };
}

static bool is_replaced(const struct reading *r, const struct field *field)
{
    if (field->broken || field->code.failed || r->failed)
        return false;
    return field->unclosed ||
           (field->has_result && field_code_shows_stored(&field->code, r->bookmarks, r->stored));
}

/* A field in the code of another one stays or goes with it. */
static void end_field(struct reading *r)
{
    struct field *field = &r->fields[r->depth - 1];

    bool replaced;

    r->depth--;
    if (!is_in_code(r)) {
        replaced = is_replaced(r, field);
        for (size_t i = field->first; replaced && i < r->n_ranges; i++) {
            memset(r->part->data + r->ranges[i].from, ' ', r->ranges[i].to - r->ranges[i].from);
            r->changed = true;
        }
        r->n_ranges = field->first;
    }
    buf_free(&field->code);
}

/* Goes on to the end of the element whose tag this is; *inner: where its content begins. */
static bool to_element_end(struct xml_tag *tag, const char *end, const char **inner)
{
    const struct xml_tag open = *tag;
    size_t depth = 1;

    *inner = tag->end;
    while (!open.empty && depth > 0) {
        if (!xml_tag_next(tag, end))
            return false;
        if (tag->name_bytes == open.name_bytes &&
            memcmp(tag->name, open.name, open.name_bytes) == 0)
            depth += tag->closing ? (size_t) -1 : !tag->empty;
    }
    return true;
}

static bool has_value(const struct xml_tag *tag, const char *name, const char *value)
{
    size_t n = 0;
    const char *found = xml_tag_attribute(tag, name, &n);

    return found && n == strlen(value) && memcmp(found, value, n) == 0;
}

/* The marks of complex fields (17.16.18). */
static bool read_mark(struct reading *r, struct xml_tag *tag, const char *end)
{
    const struct xml_tag open = *tag;
    bool begins = has_value(&open, "fldCharType", "begin");
    bool ends = has_value(&open, "fldCharType", "end");
    const char *inner;

    if (!to_element_end(tag, end, &inner))
        return false;
    if (begins)
        begin_field(r, false);
    if (r->depth == 0 || r->beyond > 0 || r->fields[r->depth - 1].simple) {
        r->beyond -= ends && r->beyond > 0;
        return true;
    }
    add_range(r, open.begin, tag->end);
    if (has_value(&open, "fldCharType", "separate"))
        r->fields[r->depth - 1].in_code = false;
    if (ends)
        end_field(r);
    return true;
}

static void put_code(struct field *field, const char *at, const char *end)
{
    for (; at < end && field->code.len < CODE_BYTES; at++)
        if (end - at >= 6 && memcmp(at, "&quot;", 6) == 0) {
            buf_putc(&field->code, '"');
            at += 5;
        } else {
            buf_putc(&field->code, *at);
        }
}

static bool read_code(struct reading *r, struct xml_tag *tag, const char *end)
{
    const char *from = tag->begin, *inner;
    bool deleted = xml_tag_is(tag, "delInstrText");

    if (!to_element_end(tag, end, &inner))
        return false;
    if (r->depth == 0 || r->beyond > 0)
        return true;
    add_range(r, from, tag->end);
    if (!deleted && tag->begin > inner)
        put_code(&r->fields[r->depth - 1], inner, tag->begin);
    return true;
}

/* Something that is seen, `shows`: in the result of the open fields, or in the code of one. */
static void see(struct reading *r, const char *from, const char *to, bool shows)
{
    if (is_in_code(r)) {
        add_range(r, from, to);
        return;
    }
    for (size_t i = 0; shows && i < r->depth; i++)
        r->fields[i].has_result = true;
}

static bool read_text(struct reading *r, struct xml_tag *tag, const char *end)
{
    const char *from = tag->begin, *inner;

    if (!to_element_end(tag, end, &inner))
        return false;
    see(r, from, tag->end, tag->begin > inner);
    return true;
}

static void read_simple(struct reading *r, const struct xml_tag *tag)
{
    size_t n = 0;
    const char *code = xml_tag_attribute(tag, "instr", &n);

    if (tag->empty)
        return;
    if (!tag->closing) {
        begin_field(r, true);
        if (r->beyond > 0)
            return;
        add_range(r, tag->begin, tag->end);
        put_code(&r->fields[r->depth - 1], code ? code : "", code ? code + n : "");
        return;
    }
    if (r->beyond > 0) {
        r->beyond--;
        return;
    }
    /* A field of marks that begins in here and ends outside. */
    while (r->depth > 0 && !r->fields[r->depth - 1].simple) {
        r->fields[r->depth - 1].broken = true;
        end_field(r);
    }
    if (r->depth == 0)
        return;
    add_range(r, tag->begin, tag->end);
    end_field(r);
}

static bool is_one_of(const struct xml_tag *tag, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (xml_tag_is(tag, names[i]))
            return true;
    return false;
}

static bool read_tag(struct reading *r, struct xml_tag *tag, const char *end)
{
    static const char *const signs[] = { "tab", "br", "cr", "sym", "noBreakHyphen" };
    static const char *const pictures[] = { "drawing", "pict", "object" };

    if (xml_tag_is(tag, "fldSimple"))
        read_simple(r, tag);
    else if (tag->closing)
        return true;
    else if (xml_tag_is(tag, "fldChar"))
        return read_mark(r, tag, end);
    else if (xml_tag_is(tag, "instrText") || xml_tag_is(tag, "delInstrText"))
        return read_code(r, tag, end);
    else if (r->depth > 0 && xml_tag_is(tag, "t"))
        return read_text(r, tag, end);
    else if (r->depth > 0 && tag->empty && is_one_of(tag, signs, COUNT(signs)))
        see(r, tag->begin, tag->end, true);
    else if (r->depth > 0 && is_one_of(tag, pictures, COUNT(pictures)) && !is_in_code(r))
        see(r, tag->begin, tag->end, true);
    return true;
}

static bool wants_part(void *arg, const char *name)
{
    (void) arg;
    return bookmarks_in(name);
}

static bool replace_fields(void *arg, const char *name, struct buf *part)
{
    struct reading *r = arg;
    struct xml_tag tag = { .end = part->data };
    const char *end = part->data + part->len;

    (void) name;
    r->part = part;
    r->changed = false;
    r->n_ranges = 0;
    while (xml_tag_next(&tag, end))
        if (!read_tag(r, &tag, end))
            break;
    for (; r->depth > 0; end_field(r)) {
        struct field *field = &r->fields[r->depth - 1];

        field->unclosed = !field->simple && !field->in_code;
        field->broken = !field->unclosed;
    }
    r->beyond = 0;
    return r->changed;
}

int fields_keep_stored(const char *from, const char *to, bool stored, struct err *err)
{
    AUTO_BOOKMARKS struct bookmarks bookmarks = { 0 };
    struct reading reading = { .bookmarks = &bookmarks, .stored = stored };
    const struct rewrite what = {
        .part_bytes = PART_BYTES, .wants = wants_part, .change = replace_fields, .arg = &reading
    };
    bool has_fields;
    int done;

    if (bookmarks_read(from, &bookmarks, &has_fields, err) < 0)
        return -1;
    done = has_fields ? rewrite_parts(from, to, &what, err) : 0;
    free(reading.ranges);
    return reading.failed ? err_set(err, ERR_INTERNAL, "out of memory") : done;
}
