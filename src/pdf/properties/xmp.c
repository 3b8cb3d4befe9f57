#include "pdf/properties/xmp.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/num.h"
#include "base/utf8.h"

#define MAX_DEPTH 64
#define MAX_NAME  200
#define RDF       "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

struct name_space {
    char *prefix, *uri;
    int depth; /* of the element that declares it */
};

/* Which element an open tag is for the reader. */
enum place { OUTSIDE, IN_RDF, IN_DESCRIPTION, IN_PROPERTY, IN_VALUE };

struct element {
    char name[MAX_NAME];
    enum place place;
};

struct reader {
    struct xmp *xmp;
    const char *text;
    size_t n, at;
    struct element open[MAX_DEPTH];
    int depth;
    struct name_space *spaces;
    size_t n_spaces, cap;
    struct buf value; /* of the current property */
    struct buf item;  /* text that may be an item of its list */
    bool listed;      /* the current property has items */
    struct xmp_property current;
    bool found, failed;
};

static char *copy_text(const char *text, size_t n)
{
    char *copy = malloc(n + 1);

    if (copy) {
        memcpy(copy, text, n);
        copy[n] = '\0';
    }
    return copy;
}

/* The namespace of a prefix (n bytes; none: the default one), or "". */
static const char *space_of(const struct reader *r, const char *prefix, size_t n)
{
    for (size_t i = r->n_spaces; i-- > 0;)
        if (strlen(r->spaces[i].prefix) == n && memcmp(r->spaces[i].prefix, prefix, n) == 0)
            return r->spaces[i].uri;
    return "";
}

/* Splits "dc:title" into its namespace and its local name. */
static const char *local_name(const struct reader *r, const char *name, const char **uri)
{
    const char *colon = strchr(name, ':');

    *uri = space_of(r, name, colon ? (size_t) (colon - name) : 0);
    return colon ? colon + 1 : name;
}

static bool skip_past(struct reader *r, const char *end)
{
    const char *found = memmem(r->text + r->at, r->n - r->at, end, strlen(end));

    if (!found)
        return false;
    r->at = (size_t) (found - r->text) + strlen(end);
    return true;
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->n && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
        r->at++;
}

static bool read_xml_name(struct reader *r, char out[static MAX_NAME])
{
    size_t n = 0;

    while (r->at < r->n && r->text[r->at] && !strchr(" \t\r\n=/>\"'<", r->text[r->at])) {
        if (n + 1 >= MAX_NAME)
            return false;
        out[n++] = r->text[r->at++];
    }
    out[n] = '\0';
    return n > 0;
}

/* One reference, such as &amp; or &#xE4;. */
static bool put_reference(struct buf *out, const char *name, size_t n)
{
    static const struct {
        const char *name;
        char is;
    } known[] = { { "lt", '<' }, { "gt", '>' }, { "amp", '&' }, { "quot", '"' }, { "apos", '\'' } };
    uint32_t code = 0;
    bool hex = n > 2 && name[1] == 'x';
    char bytes[4];

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == n && memcmp(known[i].name, name, n) == 0) {
            buf_putc(out, known[i].is);
            return true;
        }
    if (n < 2 || n > 9 || name[0] != '#')
        return false;
    for (size_t i = hex ? 2 : 1; i < n; i++) {
        int digit = num_hex_digit(name[i]);

        if (digit < 0 || (!hex && digit > 9))
            return false;
        code = code * (hex ? 16 : 10) + (uint32_t) digit;
    }
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return false;
    buf_put(out, bytes, utf8_encode(code, bytes));
    return true;
}

static bool put_escaped(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *end;

        if (text[i] != '&') {
            buf_putc(out, text[i]);
            continue;
        }
        end = memchr(text + i, ';', n - i);
        if (!end || !put_reference(out, text + i + 1, (size_t) (end - text) - i - 1))
            return false;
        i = (size_t) (end - text);
    }
    return true;
}

static void keep(struct reader *r, const struct xmp_property *property)
{
    struct xmp *x = r->xmp;

    if (!property->uri || !property->name || !property->value || x->n >= XMP_PROPERTIES ||
        !LIST_ROOM(x->items, x->n, x->cap)) {
        free(property->uri);
        free(property->name);
        free(property->value);
        r->failed = true;
        return;
    }
    x->items[x->n++] = *property;
}

static void declare(struct reader *r, const char *prefix, const char *uri)
{
    if (!LIST_ROOM(r->spaces, r->n_spaces, r->cap)) {
        r->failed = true;
        return;
    }
    struct name_space *space = &r->spaces[r->n_spaces++];
    *space = (struct name_space){ strdup(prefix), strdup(uri), r->depth };
    r->failed |= !space->prefix || !space->uri;
}

/* Attributes of a start tag; their text is not decoded yet. */
struct attribute {
    char name[MAX_NAME];
    size_t begin, value, value_end, end;
};

static bool read_attribute(struct reader *r, struct attribute *a)
{
    char quote;
    const char *end;

    a->begin = r->at;
    skip_blanks(r);
    if (!read_xml_name(r, a->name))
        return false;
    skip_blanks(r);
    if (r->at >= r->n || r->text[r->at++] != '=')
        return false;
    skip_blanks(r);
    quote = r->at < r->n ? r->text[r->at++] : '\0';
    if (quote != '"' && quote != '\'')
        return false;
    end = memchr(r->text + r->at, quote, r->n - r->at);
    if (!end)
        return false;
    a->value = r->at;
    a->value_end = (size_t) (end - r->text);
    a->end = r->at = a->value_end + 1;
    return true;
}

/* An attribute of rdf:Description is a property, too. */
static bool keep_attribute(struct reader *r, const struct attribute *a)
{
    const char *uri, *name = local_name(r, a->name, &uri);
    struct buf value = BUF_EMPTY;
    struct xmp_property property = { .begin = a->begin, .end = a->end };

    if (!put_escaped(&value, r->text + a->value, a->value_end - a->value)) {
        buf_free(&value);
        return false;
    }
    if (!strchr(a->name, ':') || strcmp(uri, RDF) == 0 || strncmp(a->name, "xml:", 4) == 0) {
        buf_free(&value);
        return true;
    }
    property.uri = strdup(uri);
    property.name = strdup(name);
    property.value = value.len ? buf_take(&value) : strdup("");
    buf_free(&value);
    keep(r, &property);
    return !r->failed;
}

static enum place element_place(struct reader *r, const char *tag, size_t begin)
{
    enum place above = r->depth > 1 ? r->open[r->depth - 2].place : OUTSIDE;
    const char *uri, *name = local_name(r, tag, &uri);
    bool rdf = strcmp(uri, RDF) == 0;

    if (above == OUTSIDE)
        return rdf && strcmp(name, "RDF") == 0 ? IN_RDF : OUTSIDE;
    if (above == IN_RDF)
        return rdf && strcmp(name, "Description") == 0 ? IN_DESCRIPTION : IN_VALUE;
    if (above != IN_DESCRIPTION) {
        r->listed |= rdf && strcmp(name, "li") == 0;
        r->item.len = 0;
        return IN_VALUE;
    }
    r->current = (struct xmp_property){ .uri = strdup(uri), .name = strdup(name), .begin = begin };
    r->listed = false;
    r->value.len = r->item.len = 0;
    return IN_PROPERTY;
}

static void end_item(struct reader *r)
{
    if (r->value.len > 0)
        buf_putc(&r->value, XMP_LIST);
    buf_put(&r->value, r->item.len ? r->item.data : "", r->item.len);
    r->item.len = 0;
}

static void end_property(struct reader *r)
{
    struct buf *from = r->listed ? &r->value : &r->item;

    r->current.end = r->at;
    r->current.value = copy_text(from->len ? from->data : "", from->len);
    keep(r, &r->current);
    r->current = (struct xmp_property){ 0 };
}

/* The end tag of the innermost element, which ends at r->at; it begins at `begin`. */
static void close_element(struct reader *r, size_t begin)
{
    const struct element *element = &r->open[r->depth - 1];
    const char *uri, *name = local_name(r, element->name, &uri), *colon;

    if (element->place == IN_VALUE && strcmp(uri, RDF) == 0 && strcmp(name, "li") == 0)
        end_item(r);
    if (element->place == IN_PROPERTY)
        end_property(r);
    if (element->place == IN_RDF && !r->found) {
        colon = strchr(element->name, ':');
        r->found = true;
        r->xmp->insert = begin;
        if (colon && (size_t) (colon - element->name) + 2 <= sizeof r->xmp->prefix)
            memcpy(r->xmp->prefix, element->name, (size_t) (colon - element->name) + 1);
    }
    while (r->n_spaces > 0 && r->spaces[r->n_spaces - 1].depth == r->depth) {
        r->n_spaces--;
        free(r->spaces[r->n_spaces].prefix);
        free(r->spaces[r->n_spaces].uri);
    }
    r->depth--;
}

/* Declarations of namespaces come first: attributes before them may use them. */
static bool read_declarations(struct reader *r)
{
    for (;;) {
        struct attribute a = { .begin = 0 };
        struct buf uri = BUF_EMPTY;

        skip_blanks(r);
        if (r->at >= r->n)
            return false;
        if (r->text[r->at] == '>' || r->text[r->at] == '/')
            return !r->failed;
        if (!read_attribute(r, &a))
            return false;
        if (strcmp(a.name, "xmlns") != 0 && strncmp(a.name, "xmlns:", 6) != 0)
            continue;
        if (put_escaped(&uri, r->text + a.value, a.value_end - a.value))
            declare(r, a.name[5] ? a.name + 6 : "", buf_text(&uri));
        buf_free(&uri);
    }
}

static bool read_attributes(struct reader *r, bool properties)
{
    for (;;) {
        struct attribute a = { .begin = 0 };
        size_t begin = r->at;

        skip_blanks(r);
        if (r->text[r->at] == '>' || r->text[r->at] == '/')
            return !r->failed;
        r->at = begin;
        if (!read_attribute(r, &a))
            return false;
        if (properties && strncmp(a.name, "xmlns", 5) != 0 && !keep_attribute(r, &a))
            return false;
    }
}

static bool read_start(struct reader *r, size_t begin)
{
    struct element *element;
    size_t attributes;

    if (r->depth == MAX_DEPTH)
        return false;
    element = &r->open[r->depth++];
    if (!read_xml_name(r, element->name))
        return false;
    attributes = r->at;
    if (!read_declarations(r))
        return false;
    element->place = element_place(r, element->name, begin);
    r->at = attributes;
    if (!read_attributes(r, element->place == IN_DESCRIPTION))
        return false;
    if (r->text[r->at] == '/') {
        r->at++;
        if (r->at >= r->n || r->text[r->at] != '>')
            return false;
        r->at++;
        close_element(r, begin);
        return true;
    }
    r->at++;
    return true;
}

static bool read_end(struct reader *r, size_t begin)
{
    char name[MAX_NAME];

    r->at++;
    if (!read_xml_name(r, name))
        return false;
    skip_blanks(r);
    if (r->at >= r->n || r->text[r->at++] != '>' || r->depth == 0 ||
        strcmp(r->open[r->depth - 1].name, name) != 0)
        return false;
    close_element(r, begin);
    return true;
}

static bool read_tag(struct reader *r)
{
    size_t begin = r->at++, left = r->n - r->at;
    const char *next = r->text + r->at;

    if (left >= 3 && memcmp(next, "!--", 3) == 0)
        return skip_past(r, "-->");
    if (left >= 8 && memcmp(next, "![CDATA[", 8) == 0) {
        size_t from = r->at + 8;

        if (!skip_past(r, "]]>"))
            return false;
        buf_put(&r->item, r->text + from, r->at - 3 - from);
        return true;
    }
    if (left >= 1 && *next == '?')
        return skip_past(r, "?>");
    if (left >= 1 && *next == '!') /* a document type: XMP has none */
        return false;
    if (left >= 1 && *next == '/')
        return read_end(r, begin);
    return read_start(r, begin);
}

static bool read_packet(struct reader *r)
{
    while (r->at < r->n && !r->failed) {
        const char *tag = memchr(r->text + r->at, '<', r->n - r->at);
        size_t end = tag ? (size_t) (tag - r->text) : r->n;

        if (r->depth > 0 && r->open[r->depth - 1].place >= IN_PROPERTY &&
            !put_escaped(&r->item, r->text + r->at, end - r->at))
            return false;
        r->at = end;
        if (tag && !read_tag(r))
            return false;
    }
    return r->depth == 0 && r->found && !r->failed && !r->value.failed && !r->item.failed;
}

bool xmp_read(struct xmp *xmp, const char *packet, size_t n)
{
    struct reader r = { .xmp = xmp, .text = packet, .n = n };
    bool done;

    *xmp = (struct xmp){ 0 };
    if (n >= 3 && memcmp(packet, "\xef\xbb\xbf", 3) == 0)
        r.at = 3;
    done = n <= XMP_BYTES && utf8_is_valid(packet, n) && read_packet(&r);
    for (size_t i = 0; i < r.n_spaces; i++) {
        free(r.spaces[i].prefix);
        free(r.spaces[i].uri);
    }
    free(r.spaces);
    free(r.current.uri);
    free(r.current.name);
    buf_free(&r.value);
    buf_free(&r.item);
    return done;
}

void xmp_free(struct xmp *xmp)
{
    for (size_t i = 0; i < xmp->n; i++) {
        free(xmp->items[i].uri);
        free(xmp->items[i].name);
        free(xmp->items[i].value);
    }
    free(xmp->items);
    *xmp = (struct xmp){ 0 };
}

const char *xmp_find(const struct xmp *xmp, const char *uri, const char *name)
{
    for (size_t i = 0; i < xmp->n; i++)
        if (strcmp(xmp->items[i].uri, uri) == 0 && strcmp(xmp->items[i].name, name) == 0)
            return xmp->items[i].value;
    return NULL;
}

void xmp_put_text(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (!((unsigned char) *text < ' ' && !strchr("\t\n\r", *text)))
            buf_put_markup(out, *text);
}
