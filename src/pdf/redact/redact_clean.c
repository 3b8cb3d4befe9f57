#include "pdf/redact/redact_clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/num.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/properties/attach.h"
#include "pdf/properties/attached.h"
#include "pdf/redact/redact_disguise.h"
#include "pdf/redact/redact_keys.h"
#include "pdf/redact/redact_names.h"
#include "pdf/redact/redact_overwrite.h"
#include "pdf/redact/redact_trees.h"

#define MAX_DEPTH 60 /* of direct containers in one another */
#define MOST_DATE 24 /* bytes of a date */

struct clean {
    struct pdf_doc *doc;
    struct redact_words *words;
    const struct redact_clean_options *options;
    struct redact_cleaned *cleaned;
    bool changed; /* a string that the appearance of the object that is being visited may show */
    struct redact_place *place; /* nothing is changed: only what is found is noted here */
    int object;                 /* the number of the object that is being visited */
    struct idmap *contents;     /* the content streams, by id */
    struct redact_keys_seen *seen;
    struct redact_rename *strings; /* those that are names, which something refers to */
    bool field;                    /* the dictionary that is being visited is that of a field */
    bool named;                    /* a key or a name was seen that has a text */
};

/* Notes a place; false: the text is to be removed. */
static bool only_notes(struct clean *c, const char *what)
{
    if (c->place && !c->place->object) {
        c->place->object = c->object;
        snprintf(c->place->what, sizeof c->place->what, "%s", what);
    }
    return c->place != NULL;
}

/* Replaces the texts in bytes, also where the bytes disguise them: then the whole becomes plain. */
static size_t replace_bytes(struct clean *c, const char *bytes, size_t n, struct buf *out)
{
    AUTO_BUF struct buf plain = BUF_EMPTY;
    size_t count = redact_words_replace(c->words, bytes, n, out);

    if (!redact_disguise_plain(buf_text(out), out->len, &plain) ||
        redact_words_search(c->words, buf_text(&plain), plain.len) == SIZE_MAX)
        return count;
    out->len = 0;
    return count + redact_words_replace(c->words, buf_text(&plain), plain.len, out);
}

/* What the string says as text, and, where it is UTF-8 without a mark, as that. */
static size_t replace_text(struct clean *c, struct obj string, struct buf *out)
{
    size_t n = 0, count;
    const char *bytes = qpdf_oh_get_binary_utf8_value(string.q, string.oh, &n);

    count = replace_bytes(c, bytes, n, out);
    if (count)
        return count;
    bytes = qpdf_oh_get_binary_string_value(string.q, string.oh, &n);
    if (!utf8_is_valid(bytes, n))
        return 0;
    out->len = 0;
    return replace_bytes(c, bytes, n, out);
}

/* `spaces`: a plus sign is a space, as in the query of an address. */
static void decode_percents(const char *text, size_t n, bool spaces, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        int high = i + 2 < n ? num_hex_digit(text[i + 1]) : -1;
        int low = i + 2 < n ? num_hex_digit(text[i + 2]) : -1;

        if (text[i] == '%' && high >= 0 && low >= 0) {
            buf_putc(out, (char) (high << 4 | low));
            i += 2;
        } else {
            buf_putc(out, spaces && text[i] == '+' ? ' ' : text[i]);
        }
    }
}

/* An address with a removed text in it, as it is or in its escapes, leads nowhere. */
static bool address_names(struct clean *c, struct obj string)
{
    AUTO_BUF struct buf spaced = BUF_EMPTY, plain = BUF_EMPTY;
    size_t n = 0;
    const char *bytes = qpdf_oh_get_binary_string_value(string.q, string.oh, &n);

    decode_percents(bytes, n, true, &spaced);
    decode_percents(bytes, n, false, &plain);
    return redact_words_search(c->words, buf_text(&spaced), spaced.len) != SIZE_MAX ||
           redact_words_search(c->words, buf_text(&plain), plain.len) != SIZE_MAX ||
           redact_words_search(c->words, bytes, n) != SIZE_MAX;
}

/* Bytes that are no text. `dict` has them. */
static bool is_technical(struct obj dict, const char *key)
{
    static const char *const keys[] = { "/Lookup",   "/Registry",  "/Ordering", "/Panose",
                                        "/CheckSum", "/ByteRange", "/CharSet" };
    static const char *const locks[] = { "/U", "/O", "/UE", "/OE", "/Perms" };

    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    for (size_t i = 0; i < COUNT(locks); i++)
        if (strcmp(key, locks[i]) == 0)
            return obj_key_is(dict, "/Filter", "/Standard");
    return false;
}

/* Strings of fields and annotations that their appearances do not show: names and hints. */
static bool is_shown_string(const char *key)
{
    static const char *const keys[] = { "/TU", "/TM", "/T", "/NM", "/Subj", "/Lang" };

    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return false;
    return true;
}

/* Strings by which something else finds a destination, a file, a structure element or a field. */
static bool is_reference(const struct clean *c, const char *key)
{
    static const char *const keys[] = {
        "/D", "/Dest", "/Names", "/Limits", "/ID", "/Headers", "/T"
    };

    for (size_t i = 0; i < COUNT(keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return strcmp(key, "/T") != 0 || c->field;
    return false;
}

/* Two strings that others refer to do not become the same one. */
static void keep_apart(struct clean *c, struct obj string, struct buf *out)
{
    AUTO_BUF struct buf was = BUF_EMPTY;
    size_t n = 0;
    const char *bytes = qpdf_oh_get_binary_utf8_value(string.q, string.oh, &n);

    buf_put(&was, bytes, n);
    if (was.failed)
        c->words->failed = true;
    else
        redact_rename_apart(c->strings, buf_text(&was), out);
}

/* A date and nothing else (7.9.4). */
static bool is_date(struct obj string)
{
    size_t n = 0;
    const char *bytes = qpdf_oh_get_binary_string_value(string.q, string.oh, &n);

    if (n < 6 || bytes[0] != 'D' || bytes[1] != ':' || n > MOST_DATE)
        return false;
    for (size_t i = 2; i < n; i++)
        if (!strchr("0123456789Zz+-'", bytes[i]))
            return false;
    return true;
}

/* The string in place of one that has a removed text; null: it stays. */
static struct obj clean_string(struct clean *c, const char *key, struct obj string)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (is_date(string))
        return OBJ_NONE;
    if (strcmp(key, "/URI") == 0) {
        if (!address_names(c, string))
            return OBJ_NONE;
        if (only_notes(c, key))
            return OBJ_NONE;
        c->cleaned->links++;
        return obj_new_string(string.q, "about:blank", 11);
    }
    if (!replace_text(c, string, &out) || only_notes(c, *key ? key : "a string"))
        return OBJ_NONE;
    if (strcmp(key, "/JS") == 0) {
        c->cleaned->scripts++;
        return obj_new_string(string.q, "", 0);
    }
    if (is_reference(c, key))
        keep_apart(c, string, &out);
    c->cleaned->strings++;
    c->changed |= is_shown_string(key);
    return (struct obj){ string.q, qpdf_oh_new_unicode_string(string.q, buf_text(&out)) };
}

/* Notes whether the name, with its solidus, has one of the texts. */
static void note_name(struct clean *c, const char *name)
{
    c->named = c->named || redact_keys_have(c->seen, c->words, name);
}

static void visit(struct clean *c, struct obj value, int depth);

static void visit_array(struct clean *c, const char *key, struct obj array, int depth)
{
    AUTO_OBJ struct obj first = obj_item(array, 0);
    bool bytes =
        obj_name_is(first, "/Indexed") || obj_name_is(first, "/I") || strcmp(key, "/ID") == 0;

    for (int i = 0, n = obj_count(array); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (obj_is_string(item) && !obj_is_indirect(item)) {
            AUTO_OBJ struct obj other = bytes ? OBJ_NONE : clean_string(c, key, item);

            if (other.q)
                obj_set_item(array, i, other);
        } else if (obj_is_array(item) && !obj_is_indirect(item) && depth < MAX_DEPTH) {
            visit_array(c, key, item, depth + 1);
        } else if (!obj_is_indirect(item)) {
            visit(c, item, depth + 1);
        }
    }
}

/* A field or a node above fields, of which /T is a part of the name (12.7.4.2). */
static bool is_field(struct obj dict)
{
    return obj_has(dict, "/FT") || obj_key_is(dict, "/Subtype", "/Widget") ||
           (obj_has(dict, "/Kids") && !obj_has(dict, "/Rect"));
}

static void visit_dict(struct clean *c, struct obj dict, int depth)
{
    AUTO_KEYS char **keys = obj_keys(dict);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        note_name(c, keys[i]);
        if ((obj_is_indirect(value) && !obj_is_string(value)) || is_technical(dict, keys[i]))
            continue;
        if (obj_is_string(value)) {
            c->field = strcmp(keys[i], "/T") == 0 && is_field(dict);
            AUTO_OBJ struct obj other = clean_string(c, keys[i], value);

            if (other.q)
                obj_set(dict, keys[i], other);
        } else if (obj_is_array(value)) {
            visit_array(c, keys[i], value, depth + 1);
        } else {
            visit(c, value, depth + 1);
        }
    }
}

static void visit(struct clean *c, struct obj value, int depth)
{
    if (depth > MAX_DEPTH)
        return;
    if (obj_is_stream(value)) {
        AUTO_OBJ struct obj dict = obj_dict(value);

        visit_dict(c, dict, depth + 1);
    } else if (obj_is_dict(value)) {
        visit_dict(c, value, depth);
    } else if (obj_is_array(value)) {
        visit_array(c, "", value, depth);
    } else if (obj_is_name(value)) {
        note_name(c, redact_rename_read(value));
    }
}

/* The entries of the trailer, which counts as a part of the catalog. */
static void visit_trailer(struct clean *c)
{
    AUTO_OBJ struct obj root = obj_root(c->doc->q);
    AUTO_OBJ struct obj trailer = obj_trailer(c->doc->q);

    c->object = OBJ_NUMBER(obj_id(root));
    visit(c, trailer, 0);
}

/* What a widget or a comment shows is made of strings that have changed. */
static void drop_appearance(struct clean *c, struct obj dict)
{
    AUTO_OBJ struct obj kids = obj_key(dict, "/Kids");

    if (obj_has(dict, "/AP") && (obj_key_is(dict, "/Type", "/Annot") || obj_has(dict, "/Rect"))) {
        obj_remove(dict, "/AP");
        c->cleaned->fields++;
    }
    for (int i = 0; i < obj_count(kids) && obj_has(dict, "/FT"); i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        if (obj_has(kid, "/AP")) {
            obj_remove(kid, "/AP");
            c->cleaned->fields++;
        }
    }
}

/* Whether the text of a stream, in UTF-8 or UTF-16 or in a disguise, has one of the texts. A stream
 * that cannot be decoded has not. */
static bool stream_has(struct clean *c, struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf wide = BUF_EMPTY;
    size_t n = 0;

    if (!obj_stream_data(stream, &data, &n))
        return false;
    if (redact_words_search(c->words, (const char *) data, n) != SIZE_MAX)
        return true;
    for (size_t odd = 0; odd < 2; odd++) {
        wide.len = 0;
        for (size_t i = odd; i + 1 < n; i += 2)
            utf8_put((uint32_t) (data[i] << 8 | data[i + 1]), &wide);
        if (redact_words_search(c->words, buf_text(&wide), wide.len) != SIZE_MAX)
            return true;
    }
    wide.len = 0;
    return redact_disguise_plain((const char *) data, n, &wide) &&
           redact_words_search(c->words, buf_text(&wide), wide.len) != SIZE_MAX;
}

static void set_data(struct obj stream, const struct buf *data)
{
    AUTO_OBJ struct obj dict = obj_dict(stream);

    obj_remove(dict, "/Filter");
    obj_remove(dict, "/DecodeParms");
    obj_set_stream(stream, data->data ? data->data : "", data->len);
}

static void clean_metadata(struct clean *c, struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t n = 0;

    if (!stream_has(c, stream))
        return;
    c->cleaned->metadata++;
    if (obj_stream_data(stream, &data, &n))
        redact_words_replace(c->words, (const char *) data, n, &out);
    set_data(stream, &out);
    if (stream_has(c, stream)) {
        out.len = 0;
        set_data(stream, &out);
    }
}

/* A script that is a stream. */
static void clean_script(struct clean *c, struct obj dict)
{
    AUTO_OBJ struct obj script = obj_key(dict, "/JS");

    if (!obj_is_stream(script) || !stream_has(c, script))
        return;
    AUTO_OBJ struct obj empty = obj_new_string(dict.q, "", 0);
    obj_set(dict, "/JS", empty);
    c->cleaned->scripts++;
}

/* What a stream says besides content, metadata, scripts and attached files. */
static void clean_stream(struct clean *c, struct obj stream, struct obj dict)
{
    if (idmap_find(c->contents, obj_id(stream)) != IDMAP_NONE ||
        obj_key_is(dict, "/Type", "/Metadata") ||
        (c->options->keep_attachments && obj_key_is(dict, "/Type", "/EmbeddedFile")))
        return;
    c->cleaned->metadata += redact_overwrite_stream(c->words, stream, false) > 0;
}

static void clean_object(struct clean *c, struct obj value)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);
    bool annotation;

    c->changed = false;
    visit(c, value, 0);
    if (!obj_is_dict(dict))
        return;
    annotation = obj_has(dict, "/Rect") || obj_has(dict, "/FT");
    if (c->changed && annotation)
        drop_appearance(c, dict);
    obj_remove(dict, "/PieceInfo");
    AUTO_OBJ struct obj metadata = obj_key(dict, "/Metadata");
    if (c->options->drop_metadata)
        obj_remove(dict, "/Metadata");
    else if (obj_is_stream(metadata))
        clean_metadata(c, metadata);
    if (!c->options->drop_metadata && obj_is_stream(value) &&
        obj_key_is(dict, "/Type", "/Metadata"))
        clean_metadata(c, value);
    clean_script(c, dict);
    c->cleaned->metadata += redact_overwrite_font(c->words, dict, false);
    if (obj_is_stream(value))
        clean_stream(c, value, dict);
}

/* A file stays if it is text, and has none of the texts in it or in its name. */
static bool file_stays(struct clean *c, const struct attached_file *file)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    if (redact_words_search(c->words, file->name, strlen(file->name)) != SIZE_MAX)
        return false;
    if (!obj_is_stream(file->stream))
        return true;
    return obj_stream_data(file->stream, &data, &n) && utf8_is_valid((char *) data, n) &&
           !memchr(data, 0, n) && !(n > 4 && memcmp(data, "%PDF", 4) == 0) &&
           !stream_has(c, file->stream);
}

static int clean_files(struct clean *c, struct err *err)
{
    struct attached files = { 0 };
    size_t removed = 0;
    int done = attached_read(&files, c->doc->q, c->doc->n_pages, err);
    AUTO_FREE bool *chosen = calloc(files.n + 1, sizeof *chosen);

    if (done == 0 && !chosen)
        done = pdf_doc_no_memory(err);
    for (size_t i = 0; i < files.n && done == 0; i++)
        chosen[i] = !file_stays(c, &files.items[i]);
    if (done == 0 && files.n)
        done = attach_remove(c->doc, &files, chosen, &removed, err);
    c->cleaned->attachments += removed;
    attached_free(&files);
    return done;
}

/* The data of an XFA form, which go with the form. */
static void clean_xfa(struct clean *c)
{
    AUTO_OBJ struct obj root = obj_root(c->doc->q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj xfa = obj_key(form, "/XFA");
    bool found = obj_is_stream(xfa) && stream_has(c, xfa);

    for (int i = 0; i < obj_count(xfa); i++) {
        AUTO_OBJ struct obj part = obj_item(xfa, i);

        found |= obj_is_stream(part) && stream_has(c, part);
    }
    if (!found)
        return;
    obj_remove(form, "/XFA");
    c->cleaned->strings++;
}

static void clean_trailer(struct clean *c)
{
    AUTO_OBJ struct obj root = obj_root(c->doc->q);
    AUTO_OBJ struct obj trailer = obj_trailer(c->doc->q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");

    if (c->options->drop_metadata)
        obj_remove(trailer, "/Info");
    if (c->cleaned->fields && obj_is_dict(form)) {
        AUTO_OBJ struct obj yes = obj_parse(c->doc->q, "true");

        obj_set(form, "/NeedAppearances", yes);
    }
}

static bool add_content(struct idmap *contents, struct obj value)
{
    bool ok = true;

    if (obj_is_stream(value))
        return !obj_id(value) || idmap_add(contents, obj_id(value), 0);
    for (int i = 0; i < obj_count(value) && ok; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        ok = !obj_is_stream(item) || !obj_id(item) || idmap_add(contents, obj_id(item), 0);
    }
    return ok;
}

bool redact_clean_is_form(struct obj value)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : OBJ_NONE;

    return dict.q && (obj_key_is(dict, "/Subtype", "/Form") || obj_has(dict, "/PatternType"));
}

bool redact_clean_contents(struct pdf_doc *doc, struct idmap *contents)
{
    bool ok = true;

    for (int i = 1, next = pdf_doc_next_number(doc); i < next && ok; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);
        AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);

        if (!obj_is_dict(dict))
            continue;
        AUTO_OBJ struct obj content = obj_key(dict, "/Contents");
        AUTO_OBJ struct obj procedures = obj_key(dict, "/CharProcs");
        AUTO_KEYS char **keys = obj_is_dict(procedures) ? obj_keys(procedures) : NULL;
        ok = add_content(contents, content);
        for (size_t k = 0; keys && keys[k] && ok; k++) {
            AUTO_OBJ struct obj procedure = obj_key(procedures, keys[k]);

            ok = add_content(contents, procedure);
        }
        if (ok && redact_clean_is_form(value))
            ok = add_content(contents, value);
    }
    return ok;
}

int redact_clean_document(struct pdf_doc *doc, struct redact_words *words,
                          const struct redact_clean_options *options, struct idmap *contents,
                          struct redact_cleaned *cleaned, struct err *err)
{
    struct redact_keys_seen seen = { 0 };
    struct redact_rename strings = { .words = words };
    struct clean c = { .doc = doc,
                       .words = words,
                       .options = options,
                       .cleaned = cleaned,
                       .contents = contents,
                       .seen = &seen,
                       .strings = &strings };
    int next = pdf_doc_next_number(doc);

    if (!options->keep_attachments && clean_files(&c, err) < 0)
        return -1;
    if (!redact_clean_contents(doc, contents))
        return pdf_doc_no_memory(err);
    clean_xfa(&c);
    for (int i = 1; i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);

        c.object = i;
        if (obj_is_string(value)) {
            AUTO_OBJ struct obj other = clean_string(&c, "", value);

            if (other.q)
                obj_replace(value, other);
            continue;
        }
        clean_object(&c, value);
    }
    visit_trailer(&c);
    clean_trailer(&c);
    redact_rename_free(&strings);
    if (cleaned->strings && redact_trees_sort(doc, err) < 0)
        return -1;
    cleaned->strings += redact_names_clean(doc, words, c.named ? contents : NULL, false, NULL);
    if (words->failed)
        return pdf_doc_no_memory(err);
    return pdf_doc_check(doc, "clean", err);
}

static void search_stream(struct clean *c, struct obj stream, const struct redact_search *search)
{
    AUTO_OBJ struct obj dict = obj_dict(stream);
    bool file = obj_key_is(dict, "/Type", "/EmbeddedFile");

    if (idmap_find(search->contents, obj_id(stream)) != IDMAP_NONE ||
        (file && search->skip_attachments))
        return;
    if ((file || obj_key_is(dict, "/Type", "/Metadata"))
            ? stream_has(c, stream)
            : redact_overwrite_stream(c->words, stream, true) > 0)
        only_notes(c, "a stream");
}

int redact_clean_search(struct pdf_doc *doc, const struct redact_search *search,
                        struct redact_place *place, struct err *err)
{
    struct redact_keys_seen seen = { 0 };
    struct clean c = { .doc = doc, .words = search->words, .place = place, .seen = &seen };
    int next = pdf_doc_next_number(doc);

    *place = (struct redact_place){ 0 };
    for (int i = 1; i < next && !place->object; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);

        c.object = i;
        if (obj_is_string(value)) {
            AUTO_OBJ struct obj none = clean_string(&c, "", value);
        }
        visit(&c, value, 0);
        if (obj_is_stream(value))
            search_stream(&c, value, search);
        else if (redact_overwrite_font(c.words, value, true))
            only_notes(&c, "the name of a font");
    }
    visit_trailer(&c);
    if (!place->object &&
        redact_names_clean(doc, search->words, c.named ? search->contents : NULL, true, &c.object))
        only_notes(&c, "a name");
    if (search->words->failed)
        return pdf_doc_no_memory(err);
    return pdf_doc_check(doc, "search", err);
}
