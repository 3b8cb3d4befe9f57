#include "pdf/properties/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/forms/sigfields.h"
#include "pdf/properties/pdf_date.h"

#define CODED 0x2182 /* before the four digits of a character that XML names do not have */

const char *const metadata_names[METADATA_KEYS] = { "title",   "author",   "subject", "keywords",
                                                    "creator", "producer", "created", "modified" };

/* Where each value is. */
static const struct place {
    const char *info, *uri, *name;
    enum { PLAIN, LANGUAGES, PEOPLE, DATE } kind;
} places[METADATA_KEYS] = {
    { "/Title", XMP_DC, "title", LANGUAGES },
    { "/Author", XMP_DC, "creator", PEOPLE },
    { "/Subject", XMP_DC, "description", LANGUAGES },
    { "/Keywords", XMP_PDF, "Keywords", PLAIN },
    { "/Creator", XMP_BASIC, "CreatorTool", PLAIN },
    { "/Producer", XMP_PDF, "Producer", PLAIN },
    { "/CreationDate", XMP_BASIC, "CreateDate", DATE },
    { "/ModDate", XMP_BASIC, "ModifyDate", DATE },
};

static int set_text(char **to, const char *text, struct err *err)
{
    free(*to);
    *to = text && *text ? strdup(text) : NULL;
    return text && *text && !*to ? pdf_doc_no_memory(err) : 0;
}

/* Blanks and line breaks at the ends are of the XML, and not of the value. */
static void trim(struct buf *text)
{
    size_t begin = text->len ? strspn(text->data, " \t\r\n") : 0;

    while (text->len > begin && strchr(" \t\r\n", text->data[text->len - 1]))
        text->data[--text->len] = '\0';
    if (begin > 0)
        buf_drop(text, begin);
}

/* The items of a list as one text; of alternatives by language the first one. */
static int set_items(char **to, const char *items, bool first, const char *divider, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    for (; *items && !(first && *items == XMP_LIST); items++) {
        if (*items == XMP_LIST)
            buf_puts(&text, divider);
        else
            buf_putc(&text, *items);
    }
    trim(&text);
    return text.failed ? pdf_doc_no_memory(err) : set_text(to, buf_text(&text), err);
}

static int set_xmp(struct metadata *m, enum metadata_key key, const char *value, struct err *err)
{
    char **to = &m->keys[key].xmp, date[PDF_DATE];

    if (!value)
        return 0;
    if (places[key].kind != DATE)
        return set_items(to, value, places[key].kind == LANGUAGES, "; ", err);
    /* The same spelling for the same date. */
    if (!pdf_date_from_iso(value, date) || !pdf_date_to_iso(date, date)) {
        m->bad_date = true;
        return 0;
    }
    return set_text(to, date, err);
}

static struct metadata_custom *custom_of(struct metadata *m, const char *name)
{
    for (size_t i = 0; i < m->n_custom; i++)
        if (strcmp(m->custom[i].name, name) == 0)
            return &m->custom[i];
    if (m->n_custom >= METADATA_CUSTOM || !LIST_ROOM(m->custom, m->n_custom, m->cap))
        return NULL;
    struct metadata_custom *one = &m->custom[m->n_custom];
    *one = (struct metadata_custom){ .name = strdup(name) };
    m->n_custom += one->name != NULL;
    return one->name ? one : NULL;
}

static int too_many(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document has more than %d custom properties",
                   METADATA_CUSTOM);
}

/* The name that was coded for XML. */
static void decode_name(const char *coded, struct buf *name)
{
    size_t n = strlen(coded), at = 0;

    while (at < n) {
        uint32_t c = utf8_next(coded, n, &at);
        char digits[5] = "";

        if (c == CODED && n - at >= 4) {
            memcpy(digits, coded + at, 4);
            c = (uint32_t) strtoul(digits, NULL, 16);
            at += 4;
        }
        if (c > 0)
            utf8_put(c, name);
    }
}

static int read_xmp(struct metadata *m, struct err *err)
{
    for (int key = 0; key < METADATA_KEYS; key++)
        if (set_xmp(m, (enum metadata_key) key,
                    xmp_find(&m->xmp, places[key].uri, places[key].name), err) < 0)
            return -1;
    const char *subjects = xmp_find(&m->xmp, XMP_DC, "subject");
    if (subjects && !m->keys[METADATA_KEYWORDS].xmp &&
        set_items(&m->keys[METADATA_KEYWORDS].xmp, subjects, false, ", ", err) < 0)
        return -1;
    for (size_t i = 0; i < m->xmp.n; i++) {
        const struct xmp_property *property = &m->xmp.items[i];
        AUTO_BUF struct buf name = BUF_EMPTY;
        struct metadata_custom *custom;

        if (strcmp(property->uri, XMP_PDFX) != 0)
            continue;
        decode_name(property->name, &name);
        custom = custom_of(m, buf_text(&name));
        if (!custom)
            return too_many(err);
        if (set_items(&custom->value.xmp, property->value, false, "; ", err) < 0)
            return -1;
    }
    return 0;
}

/* Control characters, which XML does not have, become blanks, so that one of them does not lose all
 * that the packet says. */
static void mend_packet(unsigned char *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (data[i] < ' ' && data[i] != '\t' && data[i] != '\r' && data[i] != '\n')
            data[i] = ' ';
}

static int read_packet(struct metadata *m, qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj stream = obj_key(root, "/Metadata");
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!obj_is_stream(stream))
        return 0;
    if (obj_stream_data(stream, &data, &n))
        mend_packet(data, n);
    if (!data || !xmp_read(&m->xmp, (char *) data, n)) {
        xmp_free(&m->xmp);
        m->unreadable = true;
        return 0;
    }
    m->packet = (char *) data;
    m->packet_n = n;
    data = NULL;
    return read_xmp(m, err);
}

static enum metadata_key key_of(const char *info)
{
    int key = 0;

    while (key < METADATA_KEYS && strcmp(places[key].info, info) != 0)
        key++;
    return (enum metadata_key) key;
}

static int read_info(struct metadata *m, qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(q);
    AUTO_OBJ struct obj info = obj_key(trailer, "/Info");
    AUTO_KEYS char **keys = obj_keys(info);

    for (size_t i = 0; keys && keys[i]; i++) {
        enum metadata_key key = key_of(keys[i]);
        AUTO_OBJ struct obj value = obj_key(info, keys[i]);
        const char *text = sigfields_text(value);
        struct metadata_custom *custom;
        char date[PDF_DATE];

        if (!obj_is_string(value) || strcmp(keys[i], "/Trapped") == 0)
            continue;
        if (key < METADATA_KEYS) {
            if (places[key].kind == DATE) {
                bool is_date = pdf_date_to_iso(text, date);

                m->bad_date |= *text && !is_date;
                text = is_date ? date : "";
            }
            if (set_text(&m->keys[key].info, text, err) < 0)
                return -1;
            continue;
        }
        if (!utf8_is_valid(keys[i], strlen(keys[i])) || strlen(keys[i]) > METADATA_NAME)
            continue;
        custom = custom_of(m, keys[i] + 1);
        if (!custom)
            return too_many(err);
        if (set_text(&custom->value.info, text, err) < 0)
            return -1;
    }
    return 0;
}

int metadata_read(struct metadata *m, qpdf_data q, struct err *err)
{
    *m = (struct metadata){ 0 };
    return read_packet(m, q, err) < 0 ? -1 : read_info(m, q, err);
}

void metadata_free(struct metadata *m)
{
    for (int i = 0; i < METADATA_KEYS; i++) {
        free(m->keys[i].info);
        free(m->keys[i].xmp);
    }
    for (size_t i = 0; i < m->n_custom; i++) {
        free(m->custom[i].name);
        free(m->custom[i].value.info);
        free(m->custom[i].value.xmp);
    }
    free(m->custom);
    xmp_free(&m->xmp);
    free(m->packet);
    *m = (struct metadata){ 0 };
}

const char *metadata_holds(const struct metadata_value *value)
{
    return value->info ? value->info : value->xmp;
}

bool metadata_agrees(const struct metadata_value *value)
{
    return !value->info || !value->xmp || strcmp(value->info, value->xmp) == 0;
}

static int set_value(struct metadata_value *value, const char *text, struct err *err)
{
    return set_text(&value->info, text, err) < 0 || set_text(&value->xmp, text, err) < 0 ? -1 : 0;
}

int metadata_set(struct metadata *m, enum metadata_key key, const char *text, struct err *err)
{
    char date[PDF_DATE];

    if (places[key].kind == DATE && *text) {
        if (!pdf_date_from_iso(text, date) || !pdf_date_to_iso(date, date))
            return err_field(err, ERR_INVALID_PARAMETER, metadata_names[key],
                             "%s must be a date such as 2026-05-01 or 2026-05-01T12:00:00+02:00",
                             metadata_names[key]);
        text = date;
    }
    return set_value(&m->keys[key], text, err);
}

bool metadata_is_custom_name(const char *name)
{
    char key[METADATA_NAME + 2] = "/";
    size_t n = strlen(name);

    if (n == 0 || n > METADATA_NAME)
        return false;
    memcpy(key + 1, name, n + 1);
    for (const char *c = name; *c; c++)
        if ((unsigned char) *c < ' ' || *c == 0x7f)
            return false;
    return key_of(key) == METADATA_KEYS && strcmp(name, "Trapped") != 0;
}

int metadata_set_custom(struct metadata *m, const char *name, const char *text, struct err *err)
{
    struct metadata_custom *custom = custom_of(m, name);

    return custom ? set_value(&custom->value, text, err) : too_many(err);
}

/* A new string: PDFDocEncoding, or UTF-16 where that lacks a character. */
static void put_info(struct obj info, const char *key, const char *text)
{
    AUTO_OBJ struct obj value = { info.q, qpdf_oh_new_unicode_string(info.q, text) };

    obj_set(info, key, value);
}

static void write_info(const struct metadata *m, qpdf_data q)
{
    AUTO_OBJ struct obj trailer = obj_trailer(q);
    AUTO_OBJ struct obj old = obj_key(trailer, "/Info");
    AUTO_OBJ struct obj plain = obj_new_dict(q);
    AUTO_OBJ struct obj trapped = obj_key(old, "/Trapped");
    AUTO_OBJ struct obj info = obj_indirect(plain);
    char date[PDF_DATE];

    for (int i = 0; i < METADATA_KEYS; i++) {
        const char *text = metadata_holds(&m->keys[i]);

        if (text && places[i].kind == DATE)
            text = pdf_date_from_iso(text, date) ? date : NULL;
        if (text)
            put_info(info, places[i].info, text);
    }
    for (size_t i = 0; i < m->n_custom; i++) {
        char key[METADATA_NAME + 2] = "/";
        const char *text = metadata_holds(&m->custom[i].value);

        if (!text || strlen(m->custom[i].name) > METADATA_NAME)
            continue;
        memcpy(key + 1, m->custom[i].name, strlen(m->custom[i].name) + 1);
        put_info(info, key, text);
    }
    if (!obj_is_null(trapped))
        obj_set(info, "/Trapped", trapped);
    obj_set(trailer, "/Info", info);
}

/* A name that XML has, with the others coded, as Adobe's programs do. */
static void put_name(struct buf *out, const char *name)
{
    size_t n = strlen(name), at = 0;
    bool first = true;

    while (at < n) {
        uint32_t c = utf8_next(name, n, &at);
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool later = (c >= '0' && c <= '9') || c == '-' || c == '.';

        if (letter || (later && !first)) {
            buf_putc(out, (char) c);
        } else if (c <= 0xffff) {
            utf8_put(CODED, out);
            buf_printf(out, "%04X", c);
        }
        first = false;
    }
}

/* The words of the keywords, each an item of dc:subject. */
static void put_subjects(struct buf *out, const char *text, const char *rdf)
{
    buf_printf(out, "<dc:subject><%sBag>", rdf);
    while (*text) {
        size_t n = strcspn(text, ",;");
        const char *end = text + n;
        AUTO_BUF struct buf word = BUF_EMPTY;

        while (text < end && *text == ' ')
            text++;
        while (end > text && end[-1] == ' ')
            end--;
        buf_put(&word, text, (size_t) (end - text));
        if (word.len > 0) {
            buf_printf(out, "<%sli>", rdf);
            xmp_put_text(out, buf_text(&word));
            buf_printf(out, "</%sli>", rdf);
        }
        text = end + strspn(end, " ");
        text += *text != '\0';
    }
    buf_printf(out, "</%sBag></dc:subject>", rdf);
}

static void put_property(struct buf *out, const struct place *place, const char *text,
                         const char *rdf)
{
    const char *prefix = strcmp(place->uri, XMP_DC) == 0    ? "dc"
                         : strcmp(place->uri, XMP_PDF) == 0 ? "pdf"
                                                            : "xmp";

    buf_printf(out, "<%s:%s>", prefix, place->name);
    if (place->kind == LANGUAGES)
        buf_printf(out, "<%sAlt><%sli xml:lang=\"x-default\">", rdf, rdf);
    else if (place->kind == PEOPLE)
        buf_printf(out, "<%sSeq><%sli>", rdf, rdf);
    xmp_put_text(out, text);
    if (place->kind == LANGUAGES)
        buf_printf(out, "</%sli></%sAlt>", rdf, rdf);
    else if (place->kind == PEOPLE)
        buf_printf(out, "</%sli></%sSeq>", rdf, rdf);
    buf_printf(out, "</%s:%s>\n", prefix, place->name);
}

static void put_description(const struct metadata *m, struct buf *out, const char *rdf)
{
    const char *keywords = metadata_holds(&m->keys[METADATA_KEYWORDS]);

    buf_printf(out,
               "<%sDescription %sabout=\"\" xmlns:dc=\"" XMP_DC "\" xmlns:xmp=\"" XMP_BASIC
               "\" xmlns:pdf=\"" XMP_PDF "\" xmlns:pdfx=\"" XMP_PDFX "\">\n",
               rdf, rdf);
    for (int i = 0; i < METADATA_KEYS; i++) {
        const char *text = metadata_holds(&m->keys[i]);

        if (text)
            put_property(out, &places[i], text, rdf);
    }
    if (keywords)
        put_subjects(out, keywords, rdf);
    for (size_t i = 0; i < m->n_custom; i++) {
        const char *text = metadata_holds(&m->custom[i].value);

        if (!text)
            continue;
        buf_puts(out, "<pdfx:");
        put_name(out, m->custom[i].name);
        buf_putc(out, '>');
        xmp_put_text(out, text);
        buf_puts(out, "</pdfx:");
        put_name(out, m->custom[i].name);
        buf_puts(out, ">\n");
    }
    buf_printf(out, "</%sDescription>\n", rdf);
}

/* Whether put_description writes the property. */
static bool is_managed(const struct xmp_property *property)
{
    for (int i = 0; i < METADATA_KEYS; i++)
        if (strcmp(property->uri, places[i].uri) == 0 &&
            strcmp(property->name, places[i].name) == 0)
            return true;
    return strcmp(property->uri, XMP_PDFX) == 0 ||
           (strcmp(property->uri, XMP_DC) == 0 && strcmp(property->name, "subject") == 0);
}

static int by_place(const void *a, const void *b)
{
    const struct xmp_property *one = a, *other = b;

    return one->begin < other->begin ? -1 : one->begin > other->begin;
}

static void put_packet(struct metadata *m, struct buf *out)
{
    static const char begin[] =
        "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n<rdf:RDF xmlns:rdf="
        "\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n";
    static const char end[] = "</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>";
    size_t at = 0;

    if (!m->packet) {
        buf_puts(out, begin);
        put_description(m, out, "rdf:");
        buf_puts(out, end);
        return;
    }
    if (m->xmp.n > 0)
        qsort(m->xmp.items, m->xmp.n, sizeof *m->xmp.items, by_place);
    for (size_t i = 0; i < m->xmp.n; i++) {
        const struct xmp_property *property = &m->xmp.items[i];

        /* A second rdf:RDF element would be after the place of the description. */
        if (!is_managed(property) || property->begin < at || property->end > m->xmp.insert)
            continue;
        buf_put(out, m->packet + at, property->begin - at);
        at = property->end;
    }
    buf_put(out, m->packet + at, m->xmp.insert - at);
    put_description(m, out, m->xmp.prefix);
    buf_put(out, m->packet + m->xmp.insert, m->packet_n - m->xmp.insert);
}

static int set_packet(qpdf_data q, const struct buf *packet, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);

    if (packet->failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj stream = obj_new_stream(q, buf_text(packet), packet->len);
    obj_set_name(stream, "/Type", "/Metadata");
    obj_set_name(stream, "/Subtype", "/XML");
    obj_set(root, "/Metadata", stream);
    return 0;
}

int metadata_write(struct metadata *m, struct pdf_doc *doc, struct err *err)
{
    AUTO_BUF struct buf packet = BUF_EMPTY;

    write_info(m, doc->q);
    put_packet(m, &packet);
    return set_packet(doc->q, &packet, err);
}

/* A packet with nothing but the claims of conformance, if there are any. */
static void put_claims(const struct metadata *m, struct buf *out)
{
    static const struct {
        const char *uri, *prefix;
    } claims[] = { { XMP_PDFA, "pdfaid" }, { XMP_PDFUA, "pdfuaid" }, { XMP_X, "pdfxid" } };
    bool any = false;

    for (size_t i = 0; i < m->xmp.n; i++)
        for (size_t k = 0; k < COUNT(claims); k++) {
            const struct xmp_property *property = &m->xmp.items[i];

            if (strcmp(property->uri, claims[k].uri) != 0)
                continue;
            if (!any)
                buf_puts(out, "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                              "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n<rdf:RDF xmlns:rdf="
                              "\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n");
            any = true;
            buf_printf(out, "<rdf:Description rdf:about=\"\" xmlns:%s=\"%s\"><%s:%s>",
                       claims[k].prefix, claims[k].uri, claims[k].prefix, property->name);
            xmp_put_text(out, property->value);
            buf_printf(out, "</%s:%s></rdf:Description>\n", claims[k].prefix, property->name);
        }
    if (any)
        buf_puts(out, "</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>");
}

/* Metadata of fonts, images and pages, and what programs keep for themselves. */
static size_t clear_objects(struct pdf_doc *doc)
{
    static const char *const keys[] = { "/Metadata", "/PieceInfo", "/LastModified", NULL };
    int n = pdf_doc_next_number(&(struct pdf_doc){ .q = doc->q, .miscounted = true });
    size_t removed = 0;

    for (int id = 1; id < n; id++) {
        AUTO_OBJ struct obj object = obj_by_number(doc->q, id);
        AUTO_OBJ struct obj dict = obj_is_stream(object) ? obj_dict(object) : obj_same(object);
        bool had = false;

        if (!obj_is_dict(dict) || !obj_mentions(dict, keys))
            continue;
        for (size_t i = 0; keys[i]; i++) {
            had |= obj_has(dict, keys[i]);
            if (obj_has(dict, keys[i]))
                obj_remove(dict, keys[i]);
        }
        removed += had;
    }
    return removed;
}

int metadata_clear(struct metadata *m, struct pdf_doc *doc, size_t *removed, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_BUF struct buf claims = BUF_EMPTY;

    *removed = obj_has(trailer, "/Info");
    obj_remove(trailer, "/Info");
    *removed += clear_objects(doc);
    put_claims(m, &claims);
    return claims.len || claims.failed ? set_packet(doc->q, &claims, err) : 0;
}
