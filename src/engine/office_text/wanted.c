#include "engine/office_text/wanted.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "engine/office_parts/rels.h"
#include "engine/office_parts/xml_tag.h"
#include "engine/office_text/folded.h"
#include "engine/office_text/slides.h"

#define PART_BYTES  (256U << 20) /* the most XML that a document may have */
#define LEAST       3            /* letters of a word */
#define PLACE_BYTES 40

/* A part that is read. */
struct reading {
    const struct wanted *what;
    wanted_word *each;
    void *arg;
    const struct buf *styles; /* of a text document, or NULL */
    bool slide;
    char place[PLACE_BYTES];
    const char *end;
    int fields;                    /* that are open */
    bool in_properties;            /* of a paragraph: they say nothing of its text */
    bool hidden, hidden_paragraph; /* the run and the paragraph that are open */
};

static size_t n_letters(const char *word, size_t n)
{
    size_t letters = 0;

    for (size_t i = 0; i < n; i++)
        letters += ((unsigned char) word[i] & 0xc0) != 0x80;
    return letters;
}

static void put_words(const struct reading *reading, const char *text, size_t n)
{
    const char *word;
    size_t at = 0, bytes;
    bool plain;

    while ((bytes = folded_next_word(text, n, &at, &word, &plain))) {
        bool entity = word > text && (word[-1] == '&' || word[-1] == '#');

        if (plain && !entity && n_letters(word, bytes) >= LEAST)
            reading->each(reading->arg, word, bytes, reading->place);
    }
}

/* Goes to the end of the element whose tag was read. */
static void skip_element(struct xml_tag *tag, const char *end)
{
    int depth = tag->empty ? 0 : 1;

    while (depth > 0 && xml_tag_next(tag, end))
        depth += tag->closing ? -1 : !tag->empty;
}

static bool is_on(const struct xml_tag *tag)
{
    size_t n = 0;
    const char *value = xml_tag_attribute(tag, "val", &n);

    return !value || !((n == 1 && *value == '0') || (n == 5 && memcmp(value, "false", 5) == 0) ||
                       (n == 3 && memcmp(value, "off", 3) == 0));
}

static bool value_is(const struct xml_tag *tag, const char *name, const char *value)
{
    size_t n = 0;
    const char *found = xml_tag_attribute(tag, name, &n);

    return found && n == strlen(value) && memcmp(found, value, n) == 0;
}

/* Whether a style (ECMA-376-1, 17.7.4.17) hides what has it. */
static bool hides(const struct buf *styles, const struct xml_tag *use)
{
    struct xml_tag tag = { .end = buf_text(styles) };
    const char *end = tag.end + styles->len;
    size_t n = 0, bytes = 0;
    const char *id = xml_tag_attribute(use, "val", &n);
    bool inside = false;

    while (id && xml_tag_next(&tag, end)) {
        const char *found;

        if (xml_tag_is(&tag, "style")) {
            found = tag.closing ? NULL : xml_tag_attribute(&tag, "styleId", &bytes);
            inside = found && bytes == n && memcmp(found, id, n) == 0;
        } else if (inside && xml_tag_is(&tag, "vanish") && is_on(&tag)) {
            return true;
        }
    }
    return false;
}

/* What is printed nowhere, or is there a second time: the form of a drawing for older programs, and
 * text that was moved from here. */
static bool is_not_printed(const struct reading *reading, const struct xml_tag *tag)
{
    return xml_tag_is(tag, "Fallback") || xml_tag_is(tag, "moveFrom") ||
           (reading->slide && xml_tag_is(tag, "fld"));
}

/* Shapes that are hidden (20.1.2.2.8, 19.3.1.12). */
static bool hides_shape(const struct xml_tag *tag)
{
    return (xml_tag_is(tag, "cNvPr") || xml_tag_is(tag, "docPr")) &&
           (value_is(tag, "hidden", "1") || value_is(tag, "hidden", "true"));
}

static void skip_shape(struct xml_tag *tag, const char *end)
{
    while (xml_tag_next(tag, end))
        if (tag->closing && (xml_tag_is(tag, "sp") || xml_tag_is(tag, "graphicFrame") ||
                             xml_tag_is(tag, "grpSp") || xml_tag_is(tag, "drawing")))
            return;
}

static void read_field_tag(struct reading *reading, const struct xml_tag *tag)
{
    if (xml_tag_is(tag, "fldSimple") && !tag->empty)
        reading->fields += tag->closing ? -1 : 1;
    else if (xml_tag_is(tag, "fldChar") && value_is(tag, "fldCharType", "begin"))
        reading->fields++;
    else if (xml_tag_is(tag, "fldChar") && value_is(tag, "fldCharType", "end"))
        reading->fields--;
}

/* What is said of the paragraph and the run (17.3.1.26, 17.3.2.28). */
static void read_properties(struct reading *reading, const struct xml_tag *tag)
{
    if (xml_tag_is(tag, "p")) {
        reading->hidden_paragraph = false;
    } else if (xml_tag_is(tag, "pPr")) {
        reading->in_properties = !tag->closing && !tag->empty;
    } else if (xml_tag_is(tag, "r")) {
        reading->hidden = false;
    } else if (xml_tag_is(tag, "pStyle") && reading->styles) {
        reading->hidden_paragraph = hides(reading->styles, tag);
    } else if (!reading->in_properties && xml_tag_is(tag, "vanish")) {
        reading->hidden = is_on(tag);
    } else if (!reading->in_properties && xml_tag_is(tag, "rStyle") && reading->styles) {
        reading->hidden = hides(reading->styles, tag);
    } else {
        read_field_tag(reading, tag);
    }
}

static bool is_visible_text(const struct reading *reading)
{
    return !reading->hidden && !reading->hidden_paragraph && reading->fields <= 0;
}

static void read_words(struct reading *reading, const struct buf *part)
{
    struct xml_tag tag = { .end = buf_text(part) };

    reading->end = tag.end + part->len;
    while (xml_tag_next(&tag, reading->end)) {
        const char *text = tag.end;

        if (tag.closing || tag.empty) {
            read_properties(reading, &tag);
        } else if (is_not_printed(reading, &tag)) {
            skip_element(&tag, reading->end);
        } else if (xml_tag_is(&tag, "t")) {
            if (is_visible_text(reading) && xml_tag_next(&tag, reading->end))
                put_words(reading, text, (size_t) (tag.begin - text));
        } else {
            read_properties(reading, &tag);
        }
        if (hides_shape(&tag))
            skip_shape(&tag, reading->end);
    }
}

/* The texts of diagrams are in a part of their own (ECMA-376-1, 21.4.2). */
static int read_diagrams(struct zip *zip, struct reading *reading, struct err *err)
{
    const char *name;

    snprintf(reading->place, sizeof reading->place, "a diagram (SmartArt)");
    for (size_t i = 0; (name = zip_name(zip, i)); i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;

        if (!strstr(name, "/diagrams/data") || !zip_is_xml(name))
            continue;
        if (zip_read(zip, name, PART_BYTES, &part, err) < 0)
            return -1;
        read_words(reading, &part);
    }
    return 0;
}

static int read_text_parts(struct zip *zip, struct reading *reading, struct err *err)
{
    static const struct {
        const char *name, *place;
    } parts[] = { { "word/document.xml", "the text" },
                  { "word/footnotes.xml", "the footnotes" },
                  { "word/endnotes.xml", "the endnotes" } };
    AUTO_BUF struct buf styles = BUF_EMPTY;

    if (zip_read(zip, "word/styles.xml", PART_BYTES, &styles, err) < 0)
        return -1;
    /* Nearly no document has such a style, and then none is looked up. */
    reading->styles = styles.len && memmem(styles.data, styles.len, "vanish", 6) ? &styles : NULL;
    for (size_t i = 0; i < COUNT(parts); i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;

        if (zip_read(zip, parts[i].name, PART_BYTES, &part, err) < 0)
            return -1;
        reading->fields = 0;
        snprintf(reading->place, sizeof reading->place, "%s", parts[i].place);
        read_words(reading, &part);
    }
    reading->styles = NULL;
    return read_diagrams(zip, reading, err);
}

/* `slide`: its part, such as ppt/slides/slide1.xml; the diagrams are in ppt/diagrams. */
static int read_slide_diagrams(struct zip *zip, struct reading *reading, const char *slide,
                               struct err *err)
{
    AUTO_BUF struct buf name = BUF_EMPTY, rels = BUF_EMPTY;
    const char *base = strrchr(slide, '/');
    struct xml_tag tag;

    if (!base)
        return 0;
    buf_printf(&name, "%.*s/_rels%s.rels", (int) (base - slide), slide, base);
    if (zip_read(zip, buf_text(&name), RELS_BYTES, &rels, err) < 0)
        return -1;
    tag = (struct xml_tag){ .end = buf_text(&rels) };
    for (const char *end = tag.end + rels.len; xml_tag_next(&tag, end);) {
        AUTO_BUF struct buf path = BUF_EMPTY, part = BUF_EMPTY;
        size_t n = 0;
        const char *target = xml_tag_attribute(&tag, "Target", &n);
        const char *file = target ? memrchr(target, '/', n) : NULL;

        if (!file || !memmem(tag.begin, (size_t) (tag.end - tag.begin), "/diagramData\"", 13))
            continue;
        buf_printf(&path, "ppt/diagrams%.*s", (int) (target + n - file), file);
        if (zip_read(zip, buf_text(&path), PART_BYTES, &part, err) < 0)
            return -1;
        read_words(reading, &part);
    }
    return 0;
}

static int read_slides(struct zip *zip, struct reading *reading, struct err *err)
{
    AUTO_SLIDES struct slides slides = { 0 };

    if (slides_list(zip, &slides, err) < 0)
        return -1;
    for (size_t i = 0; i < slides.n; i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;

        if (zip_read(zip, slides.names[i], PART_BYTES, &part, err) < 0)
            return -1;
        if (!reading->what->hidden_slides && slides_is_hidden(&part))
            continue;
        snprintf(reading->place, sizeof reading->place, "slide %zu", i + 1);
        read_words(reading, &part);
        if (read_slide_diagrams(zip, reading, slides.names[i], err) < 0)
            return -1;
    }
    return 0;
}

int wanted_words(struct zip *zip, const struct wanted *what, wanted_word *each, void *arg,
                 struct err *err)
{
    struct reading reading = { .what = what, .slide = what->slides, .each = each, .arg = arg };

    return what->slides ? read_slides(zip, &reading, err) : read_text_parts(zip, &reading, err);
}
