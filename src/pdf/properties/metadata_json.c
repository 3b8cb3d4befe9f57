#include "pdf/properties/metadata_json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

static void set_string(json_t *object, const char *name, const char *text)
{
    if (text)
        json_object_set_new(object, name, json_string(text));
}

json_t *metadata_json_values(const struct metadata *m)
{
    json_t *out = json_object(), *custom = json_object();

    for (int i = 0; i < METADATA_KEYS; i++)
        set_string(out, metadata_names[i], metadata_holds(&m->keys[i]));
    for (size_t i = 0; i < m->n_custom; i++)
        set_string(custom, m->custom[i].name, metadata_holds(&m->custom[i].value));
    json_object_set_new(out, "custom", custom);
    return out;
}

static const char *claim(const struct metadata *m, const char *uri, const char *name)
{
    const char *value = xmp_find(&m->xmp, uri, name);

    return value ? value : "";
}

json_t *metadata_json_claims(const struct metadata *m)
{
    json_t *out = json_array();
    const char *part = claim(m, XMP_PDFA, "part"), *x = claim(m, XMP_X, "GTS_PDFXVersion");
    const char *level = claim(m, XMP_PDFA, "conformance"), *ua = claim(m, XMP_PDFUA, "part");
    char text[64];

    if (*part) {
        snprintf(text, sizeof text, "PDF/A-%.8s%c", part, tolower((unsigned char) *level));
        json_array_append_new(out, json_string(text));
    }
    if (*ua) {
        snprintf(text, sizeof text, "PDF/UA-%.8s", ua);
        json_array_append_new(out, json_string(text));
    }
    if (*x)
        json_array_append_new(out, json_string(x));
    return out;
}

static json_t *list_of(const char *value)
{
    json_t *out = json_array();

    while (*value) {
        const char *end = strchr(value, XMP_LIST);
        size_t n = end ? (size_t) (end - value) : strlen(value);

        json_array_append_new(out, json_stringn(value, n));
        value += n + (end != NULL);
    }
    return out;
}

/* All properties of the packet, also those that have no equal in Info. */
static json_t *xmp_json(const struct metadata *m)
{
    json_t *out = json_array();

    for (size_t i = 0; i < m->xmp.n; i++) {
        const struct xmp_property *one = &m->xmp.items[i];
        bool list = strchr(one->value, XMP_LIST) != NULL;

        json_array_append_new(out, json_pack("{s:s, s:s, s:o}", "namespace", one->uri, "name",
                                             one->name, "value",
                                             list ? list_of(one->value) : json_string(one->value)));
    }
    return out;
}

static void add_difference(json_t *list, const char *name, const struct metadata_value *value)
{
    if (!metadata_agrees(value))
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", name, "info", value->info,
                                              "xmp", value->xmp));
}

int metadata_json_dump(json_t *json, struct buf *out, struct err *err)
{
    AUTO_FREE char *text = json ? json_dumps(json, JSON_INDENT(1)) : NULL;

    json_decref(json);
    if (!text)
        return pdf_doc_no_memory(err);
    buf_puts(out, text);
    buf_putc(out, '\n');
    return out->failed ? pdf_doc_no_memory(err) : 0;
}

int metadata_json_write(const struct metadata *m, struct buf *out, struct err *err)
{
    json_t *json = metadata_json_values(m), *differences = json_array();

    for (int i = 0; i < METADATA_KEYS; i++)
        add_difference(differences, metadata_names[i], &m->keys[i]);
    for (size_t i = 0; i < m->n_custom; i++)
        add_difference(differences, m->custom[i].name, &m->custom[i].value);
    json_object_set_new(json, "format", json_string("platen-metadata"));
    json_object_set_new(json, "conformance", metadata_json_claims(m));
    json_object_set_new(json, "differences", differences);
    json_object_set_new(json, "xmp", xmp_json(m));
    return metadata_json_dump(json, out, err);
}
