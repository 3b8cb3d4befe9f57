#include "image/svg/svg_references.h"

#include <expat.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/scope.h"
#include "declare/value/text.h"

#define PIECE (1 << 20) /* bytes that are passed to the parser at once */

struct reading {
    XML_Parser parser;
    struct svg_references *found;
    size_t depth;
    bool too_deep, in_style;
    struct buf style;
};

/* The name without the prefix of its namespace. */
static const char *local(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon ? colon + 1 : name;
}

static bool is_animation_name(const char *name, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool begins_like(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

static void add_address(struct svg_references *found, const char *address, size_t n)
{
    if (found->n[SVG_OUTSIDE]++ == 0)
        text_for_message(address, n, found->outside, sizeof found->outside);
}

/* An address of `n` bytes: of a part of the file itself, of data, or outside. */
static void look_at_address(struct svg_references *found, const char *address, size_t n)
{
    static const char *const drawn[] = { "data:image/png", "data:image/jpeg", "data:image/jpg",
                                         "data:text/", NULL };

    while (n > 0 && strchr(" \t\r\n", *address)) {
        address++;
        n--;
    }
    if (n == 0 || *address == '#')
        return;
    if (n < 5 || !begins_like(address, "data:")) {
        add_address(found, address, n);
        return;
    }
    for (size_t i = 0; drawn[i]; i++)
        if (begins_like(address, drawn[i]))
            return;
    found->n[SVG_PICTURE]++;
}

/* The addresses in a text of CSS: url(...) and @import "...". */
static void look_at_css(struct svg_references *found, const char *css)
{
    for (const char *at = css; (at = strcasestr(at, "url(")) != NULL;) {
        size_t n;

        at += strlen("url(");
        at += strspn(at, " \t\r\n\"'");
        n = strcspn(at, "\"')");
        look_at_address(found, at, n);
        at += n;
    }
    for (const char *at = css; (at = strcasestr(at, "@import")) != NULL;) {
        at += strlen("@import");
        at += strspn(at, " \t\r\n");
        if (*at == '"' || *at == '\'') {
            at++;
            look_at_address(found, at, strcspn(at, "\"'"));
        }
    }
}

static void add_fonts(struct svg_references *found, const char *list, size_t n)
{
    char kept[SVG_LIST];

    snprintf(kept, sizeof kept, "%.*s", n < SVG_LIST ? (int) n : SVG_LIST, list);
    for (size_t i = 0; i < found->n_fonts; i++)
        if (strcmp(found->fonts[i], kept) == 0)
            return;
    if (found->n_fonts < SVG_LISTS)
        memcpy(found->fonts[found->n_fonts++], kept, sizeof kept);
}

/* The list at the end of the value of `font`: what follows the size, which alone begins with a
 * digit or a point. Empty if the value is a keyword. */
static const char *list_of_font(const char *value, size_t n, size_t *length)
{
    size_t at = 0;

    while (at < n) {
        bool is_size = strchr("0123456789.", value[at]) != NULL;
        size_t word = strcspn(value + at, " \t\r\n");

        at += word < n - at ? word : n - at;
        at += strspn(value + at, " \t\r\n");
        if (is_size && (at >= n || value[at] != '/'))
            break;
    }
    *length = at < n ? n - at : 0;
    return value + at;
}

/* The fonts that a text of CSS names. */
static void look_at_fonts(struct svg_references *found, const char *css)
{
    for (const char *at = css; (at = strcasestr(at, "font")) != NULL;) {
        bool family;
        size_t n;

        at += strlen("font");
        family = begins_like(at, "-family");
        at += family ? strlen("-family") : 0;
        at += strspn(at, " \t\r\n");
        if (*at != ':')
            continue;
        at++;
        at += strspn(at, " \t\r\n");
        n = strcspn(at, ";}!");
        if (!family)
            at = list_of_font(at, n, &n);
        if (n > 0)
            add_fonts(found, at, n);
        at += n;
    }
}

static void begin_element(void *arg, const XML_Char *element, const XML_Char **attributes)
{
    static const char *const animations[] = { "animate",          "animateColor", "animateMotion",
                                              "animateTransform", "set",          NULL };
    struct reading *reading = arg;
    struct svg_references *found = reading->found;
    const char *name = local(element);
    bool link = strcmp(name, "a") == 0, script = strcmp(name, "script") == 0;

    reading->too_deep = ++reading->depth > SVG_DEPTH;
    if (reading->too_deep)
        XML_StopParser(reading->parser, XML_FALSE);
    found->n[SVG_SCRIPT] += script;
    found->n[SVG_ANIMATION] += is_animation_name(name, animations);
    found->n[SVG_TEXT] += strcmp(name, "text") == 0;
    found->n[SVG_FOREIGN] += strcmp(name, "foreignObject") == 0;
    reading->in_style = strcmp(name, "style") == 0;
    for (size_t i = 0; attributes[i]; i += 2) {
        const char *key = attributes[i], *value = attributes[i + 1];

        if (strcmp(key, "font-family") == 0 && *value)
            add_fonts(found, value, strlen(value));
        else if (strcmp(key, "style") == 0)
            look_at_fonts(found, value);
        if (strcmp(local(key), "href") != 0)
            look_at_css(found, value);
        else if (link)
            found->n[SVG_LINK]++;
        else if (!script)
            look_at_address(found, value, strlen(value));
    }
}

static void end_element(void *arg, const XML_Char *element)
{
    struct reading *reading = arg;

    (void) element;
    reading->depth--;
    if (reading->in_style && reading->style.len > 0 && !reading->style.failed) {
        look_at_css(reading->found, buf_text(&reading->style));
        look_at_fonts(reading->found, buf_text(&reading->style));
    }
    buf_drop(&reading->style, reading->style.len);
    reading->in_style = false;
}

static void add_style_text(void *arg, const XML_Char *text, int n)
{
    struct reading *reading = arg;

    if (reading->in_style && n > 0)
        buf_put(&reading->style, text, (size_t) n);
}

/* <?xml-stylesheet href="..."?> */
static void look_at_instruction(void *arg, const XML_Char *target, const XML_Char *data)
{
    struct reading *reading = arg;
    const char *at = strcmp(target, "xml-stylesheet") == 0 ? strstr(data, "href=") : NULL;

    if (!at || !at[strlen("href=")])
        return;
    at += strlen("href=") + 1;
    look_at_address(reading->found, at, strcspn(at, "\"'"));
}

static void look_at_entity(void *arg, const XML_Char *name, int parameter, const XML_Char *value,
                           int n, const XML_Char *base, const XML_Char *address,
                           const XML_Char *public_id, const XML_Char *notation)
{
    struct reading *reading = arg;

    (void) name, (void) parameter, (void) value, (void) n, (void) base, (void) public_id;
    (void) notation;
    if (address)
        look_at_address(reading->found, address, strlen(address));
}

int svg_references_find(const void *data, size_t n, struct svg_references *found, struct err *err)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    struct reading reading = { .parser = parser, .found = found, .style = BUF_EMPTY };
    bool more = true;

    *found = (struct svg_references){ .n = { 0 } };
    if (!parser)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the file needs more memory than a job may use");
    XML_SetUserData(parser, &reading);
    XML_SetElementHandler(parser, begin_element, end_element);
    XML_SetCharacterDataHandler(parser, add_style_text);
    XML_SetProcessingInstructionHandler(parser, look_at_instruction);
    XML_SetEntityDeclHandler(parser, look_at_entity);
    for (size_t at = 0; more && at < n; at += PIECE) {
        size_t piece = n - at < PIECE ? n - at : PIECE;

        more = XML_Parse(parser, (const char *) data + at, (int) piece, at + piece == n) ==
               XML_STATUS_OK;
    }
    XML_ParserFree(parser);
    buf_free(&reading.style);
    return reading.too_deep
               ? err_set(err, ERR_LIMIT_EXCEEDED,
                         "the SVG file has elements more than %d levels deep", SVG_DEPTH)
               : 0;
}
