#include "pdf/properties/info_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/outline.h"
#include "pdf/document/tags.h"
#include "pdf/forms/sigfields.h"
#include "pdf/object/idmap.h"
#include "pdf/properties/json_values.h"

#define MAX_LAYERS 10000
#define MAX_FIELDS 200000
#define MAX_DEPTH  64
#define MAX_ROLES  500000 /* elements whose role is looked at */

static const char *cipher(struct obj encrypt, long long version)
{
    AUTO_OBJ struct obj filters = obj_key(encrypt, "/CF");
    AUTO_OBJ struct obj used = obj_key(encrypt, "/StmF");
    size_t n;
    const char *name = obj_is_name(used) ? obj_bytes(used, &n) : "/StdCF";
    AUTO_OBJ struct obj filter = obj_key(filters, name);

    if (version < 4)
        return "RC4";
    if (strcmp(name, "/Identity") == 0)
        return "none";
    return obj_key_is(filter, "/CFM", "/AESV3")   ? "AES-256"
           : obj_key_is(filter, "/CFM", "/AESV2") ? "AES-128"
                                                  : "RC4";
}

json_t *info_parts_encryption(const struct pdf_doc *doc)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj encrypt = obj_key(trailer, "/Encrypt");
    AUTO_OBJ struct obj metadata = obj_key(encrypt, "/EncryptMetadata");
    qpdf_data q = doc->q;
    long long version = 0, revision = 0, bits = 0;
    bool of_metadata = true;

    if (!doc->encrypted)
        return json_pack("{s:b}", "encrypted", 0);
    obj_key_int(encrypt, "/V", &version);
    obj_key_int(encrypt, "/R", &revision);
    obj_is_bool(metadata, &of_metadata);
    if (!obj_key_int(encrypt, "/Length", &bits))
        bits = version >= 5 ? 256 : version == 4 ? 128 : 40;
    return json_pack("{s:b, s:s, s:I, s:I, s:b, s:s, s:{s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b}}",
                     "encrypted", 1, "algorithm", cipher(encrypt, version), "keyBits",
                     (json_int_t) (version >= 5 ? 256 : bits), "revision", (json_int_t) revision,
                     "metadataEncrypted", of_metadata, "openedAs",
                     doc->opened_as_owner ? "owner" : "user", "permissions", "print",
                     qpdf_allow_print_low_res(q), "printHighQuality", qpdf_allow_print_high_res(q),
                     "copy", qpdf_allow_extract_all(q), "accessibility",
                     qpdf_allow_accessibility(q), "modify", qpdf_allow_modify_other(q), "annotate",
                     qpdf_allow_modify_annotation(q), "fillForms", qpdf_allow_modify_form(q),
                     "assemble", qpdf_allow_modify_assembly(q));
}

/* Whether the signature is about the file up to its end: nothing was added later. */
static bool covers_all(struct obj value, int64_t bytes)
{
    AUTO_OBJ struct obj range = obj_key(value, "/ByteRange");
    AUTO_OBJ struct obj from = obj_item(range, obj_count(range) - 2);
    AUTO_OBJ struct obj length = obj_item(range, obj_count(range) - 1);
    long long a, b, end;

    return obj_count(range) >= 4 && obj_is_int(from, &a) && obj_is_int(length, &b) &&
           !__builtin_add_overflow(a, b, &end) && end == bytes;
}

static json_t *signature_json(const struct sigfield *field, int64_t bytes)
{
    json_t *out =
        json_pack("{s:s, s:b}", "field", field->name, "signed", obj_is_dict(field->value) ? 1 : 0);

    if (!obj_is_dict(field->value))
        return out;
    json_values_set_name(out, "subFilter", field->value, "/SubFilter");
    json_values_set_text(out, "name", field->value, "/Name");
    json_values_set_text(out, "reason", field->value, "/Reason");
    json_values_set_text(out, "location", field->value, "/Location");
    json_values_set_date(out, "signedAt", field->value, "/M");
    json_object_set_new(out, "timestamp",
                        json_boolean(obj_key_is(field->value, "/SubFilter", "/ETSI.RFC3161")));
    json_object_set_new(out, "coversFile", json_boolean(covers_all(field->value, bytes)));
    return out;
}

json_t *info_parts_signatures(struct pdf_doc *doc, int64_t bytes, bool *cut)
{
    AUTO_SIGFIELDS struct sigfields fields = { 0 };
    json_t *out = json_array();
    struct err why;

    if (sigfields_read(&fields, doc->q, &why) < 0) {
        *cut = true;
        return out;
    }
    for (size_t i = 0; i < fields.n; i++)
        json_array_append_new(out, signature_json(&fields.items[i], bytes));
    return out;
}

struct form_count {
    size_t fields, buttons, texts, choices, signatures, others;
};

static void count_field(struct form_count *count, struct obj field, const char *above, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    AUTO_OBJ struct obj type = obj_key(field, "/FT");
    char kind[8] = "";
    int n = obj_count(kids);
    bool leaf = true;
    size_t length;

    strncpy(kind, obj_is_name(type) ? obj_bytes(type, &length) : above, sizeof kind - 1);
    if (depth > MAX_DEPTH || count->fields >= MAX_FIELDS || !obj_is_dict(field))
        return;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        if (!obj_has(kid, "/T"))
            continue;
        leaf = false;
        count_field(count, kid, kind, depth + 1);
    }
    if (!leaf)
        return;
    count->fields++;
    *(strcmp(kind, "/Btn") == 0   ? &count->buttons
      : strcmp(kind, "/Tx") == 0  ? &count->texts
      : strcmp(kind, "/Ch") == 0  ? &count->choices
      : strcmp(kind, "/Sig") == 0 ? &count->signatures
                                  : &count->others) += 1;
}

json_t *info_parts_form(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj list = obj_key(form, "/Fields");
    AUTO_OBJ struct obj asked = obj_key(form, "/NeedAppearances");
    AUTO_OBJ struct obj order = obj_key(form, "/CO");
    AUTO_OBJ struct obj rendering = obj_key(root, "/NeedsRendering");
    struct form_count count = { 0 };
    bool need = false, dynamic = false;
    int n = obj_count(list);

    if (!obj_is_dict(form))
        return json_null();
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(list, i);

        count_field(&count, field, "", 0);
    }
    obj_is_bool(asked, &need);
    obj_is_bool(rendering, &dynamic);
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:b}", "fields",
                     (json_int_t) count.fields, "buttons", (json_int_t) count.buttons, "texts",
                     (json_int_t) count.texts, "choices", (json_int_t) count.choices, "signatures",
                     (json_int_t) count.signatures, "calculated", (json_int_t) obj_count(order),
                     "needAppearances", need, "xfa", obj_has(form, "/XFA"), "dynamicXfa", dynamic);
}

/* Which groups an array of the default configuration lists. */
static bool mark_groups(struct obj config, const char *key, struct idmap *marked)
{
    AUTO_OBJ struct obj list = obj_key(config, key);
    int n = obj_count(list);

    for (int i = 0; i < n && i < MAX_LAYERS; i++) {
        AUTO_OBJ struct obj group = obj_item(list, i);

        if (obj_id(group) && !idmap_add(marked, obj_id(group), 0))
            return false;
    }
    return true;
}

json_t *info_parts_layers(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj properties = obj_key(root, "/OCProperties");
    AUTO_OBJ struct obj groups = obj_key(properties, "/OCGs");
    AUTO_OBJ struct obj config = obj_key(properties, "/D");
    AUTO_IDMAP struct idmap on = { 0 };
    AUTO_IDMAP struct idmap off = { 0 };
    AUTO_IDMAP struct idmap locked = { 0 };
    bool base = !obj_key_is(config, "/BaseState", "/OFF");
    json_t *out = json_array();
    int n = obj_count(groups);

    if (!mark_groups(config, "/ON", &on) || !mark_groups(config, "/OFF", &off) ||
        !mark_groups(config, "/Locked", &locked))
        n = 0;
    for (int i = 0; i < n && i < MAX_LAYERS; i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);
        int64_t id = obj_id(group);
        bool shown = base ? !id || idmap_find(&off, id) == IDMAP_NONE
                          : id && idmap_find(&on, id) != IDMAP_NONE;
        json_t *one = json_object();

        json_values_set_text(one, "name", group, "/Name");
        json_object_set_new(one, "visible", json_boolean(shown));
        json_object_set_new(one, "locked",
                            json_boolean(id && idmap_find(&locked, id) != IDMAP_NONE));
        json_array_append_new(out, one);
    }
    return out;
}

/* From ids of pages to their indexes. */
static bool map_pages(struct pdf_doc *doc, struct idmap *pages)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        if (!idmap_add(pages, obj_id(page), i))
            return false;
    }
    return true;
}

json_t *info_parts_outline(struct pdf_doc *doc, struct err *err)
{
    AUTO_IDMAP struct idmap pages = { 0 };
    struct dest_names names = { 0 };
    struct outline outline = { 0 };
    size_t lost = 0;
    int depth = 0;
    json_t *out = NULL;

    if (!map_pages(doc, &pages)) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    if (dest_names_read(&names, doc->q, &pages, doc->n_pages, err) == 0 &&
        outline_read(&outline, doc->q, &names, err) == 0) {
        for (size_t i = 0; i < outline.n; i++) {
            const struct outline_entry *entry = &outline.items[i];

            depth = entry->level > depth ? entry->level : depth;
            lost += entry->dest.page == DEST_NOWHERE && !entry->heading;
        }
        out =
            json_pack("{s:I, s:i, s:I, s:I}", "items", (json_int_t) outline.n, "depth", depth,
                      "withoutPage", (json_int_t) lost, "namedDestinations", (json_int_t) names.n);
    }
    outline_free(&outline);
    dest_names_free(&names);
    return out;
}

/* How often each role is used, as the document names it. */
static json_t *count_roles(struct pdf_doc *doc, const struct tags *tags)
{
    json_t *roles = json_object();

    for (size_t i = 0; i < tags->n && i < MAX_ROLES; i++) {
        if (tags->items[i].kind != TAG_ELEMENT || !tags->items[i].id)
            continue;
        AUTO_OBJ struct obj element =
            obj_by_id(doc->q, OBJ_NUMBER(tags->items[i].id), OBJ_GEN(tags->items[i].id));
        AUTO_OBJ struct obj role = obj_key(element, "/S");
        json_t *name = json_values_name(role);
        const char *text = json_string_value(name);
        json_int_t n;

        if (text && (json_object_get(roles, text) || json_object_size(roles) < 200)) {
            n = json_integer_value(json_object_get(roles, text));
            json_object_set_new(roles, text, json_integer(n + 1));
        }
        json_decref(name);
    }
    return roles;
}

json_t *info_parts_tags(struct pdf_doc *doc, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj info = obj_key(root, "/MarkInfo");
    AUTO_OBJ struct obj marked = obj_key(info, "/Marked");
    AUTO_OBJ struct obj suspects = obj_key(info, "/Suspects");
    AUTO_IDMAP struct idmap pages = { 0 };
    struct tags tags = { 0 };
    bool is_marked = false, suspect = false;
    size_t elements = 0;
    json_t *out = NULL;

    obj_is_bool(marked, &is_marked);
    obj_is_bool(suspects, &suspect);
    if (!map_pages(doc, &pages)) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    if (tags_read(&tags, doc->q, &pages, doc->n_pages, err) == 0) {
        for (size_t i = 0; i < tags.n; i++)
            elements += tags.items[i].kind == TAG_ELEMENT;
        out =
            json_pack("{s:b, s:b, s:b, s:I, s:o}", "tagged",
                      is_marked && (elements > 0 || tags.too_many), "marked", is_marked, "suspects",
                      suspect, "elements", (json_int_t) elements, "roles", count_roles(doc, &tags));
    }
    tags_free(&tags);
    return out;
}
