#include "pdf/document/crypt_filters.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define MARK      "/PLTN_CryptFilter"
#define MAX_NAME  128
#define MAX_DEPTH 100 /* of dictionaries in one object */

/* The crypt filter that a stream itself names. 0: it names none; -1: the name is too long. */
static int own_filter(struct obj stream, char name[static MAX_NAME])
{
    AUTO_OBJ struct obj mark = obj_key(stream, MARK);
    AUTO_OBJ struct obj filters = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj all = obj_key(stream, "/DecodeParms");
    struct obj parms = OBJ_NONE, named;
    size_t n = 0;
    const char *bytes;
    bool found = obj_is_name(mark);

    if (obj_name_is(filters, "/Crypt")) {
        found = true;
        parms = obj_is_array(all) ? obj_item(all, 0) : obj_same(all);
    }
    for (int i = 0; !found && i < obj_count(filters); i++) {
        AUTO_OBJ struct obj filter = obj_item(filters, i);

        if (!obj_name_is(filter, "/Crypt"))
            continue;
        found = true;
        parms = obj_is_array(all) ? obj_item(all, i) : obj_same(all);
    }
    if (!found)
        return 0;
    named = obj_is_name(mark) ? obj_same(mark) : parms.q ? obj_key(parms, "/Name") : OBJ_NONE;
    bytes = named.q && obj_is_name(named) ? obj_bytes(named, &n) : NULL;
    if (bytes && n < MAX_NAME)
        memcpy(name, bytes, n + 1);
    else
        memcpy(name, "/Identity", sizeof "/Identity");
    obj_drop(&named);
    obj_drop(&parms);
    return n < MAX_NAME ? 1 : -1;
}

static void note_stream(struct crypt_filters *filters, struct obj item)
{
    int number = obj_is_stream(item) ? OBJ_NUMBER(obj_id(item)) : 0;

    if (number > 0 && number < filters->n)
        filters->attached[number] = true;
}

/* The data of a file specification: streams by system (/EF), or arrays of names and streams of
 * related files by system (/RF). */
static void note_files(struct crypt_filters *filters, struct obj files)
{
    AUTO_KEYS char **keys = obj_keys(files);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(files, keys[i]);

        note_stream(filters, value);
        for (int k = 0; k < obj_count(value); k++) {
            AUTO_OBJ struct obj item = obj_item(value, k);

            note_stream(filters, item);
        }
    }
}

/* Searches one object for file specifications, without those that it refers to. */
static void note_attached(struct crypt_filters *filters, struct obj obj, int depth)
{
    if (depth == MAX_DEPTH)
        return;
    for (int i = 0; i < obj_count(obj); i++) {
        AUTO_OBJ struct obj item = obj_item(obj, i);

        if (!obj_is_indirect(item) && (obj_is_dict(item) || obj_is_array(item)))
            note_attached(filters, item, depth + 1);
    }
    if (!obj_is_dict(obj))
        return;
    AUTO_KEYS char **keys = obj_keys(obj);
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(obj, keys[i]);

        if ((strcmp(keys[i], "/EF") == 0 || strcmp(keys[i], "/RF") == 0) && obj_is_dict(value))
            note_files(filters, value);
        else if (!obj_is_indirect(value) && (obj_is_dict(value) || obj_is_array(value)))
            note_attached(filters, value, depth + 1);
    }
}

bool crypt_filters_open(struct crypt_filters *filters, const struct crypt *crypt,
                        struct obj encrypt, qpdf_data q, int n)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj metadata = obj_key(root, "/Metadata");

    *filters = (struct crypt_filters){
        .crypt = crypt, .encrypt = encrypt, .metadata = obj_id(metadata), .n = n
    };
    if (crypt->attachments == crypt->streams)
        return true;
    filters->attached = calloc((size_t) n + 1, sizeof *filters->attached);
    for (int i = 1; filters->attached && i < n; i++) {
        AUTO_OBJ struct obj obj = obj_by_number(q, i);
        AUTO_OBJ struct obj dict = obj_is_stream(obj) ? obj_dict(obj) : obj_same(obj);

        note_attached(filters, dict, 0);
        if (obj_is_stream(obj) && obj_key_is(dict, "/Type", "/EmbeddedFile"))
            filters->attached[i] = true;
    }
    return filters->attached != NULL;
}

void crypt_filters_close(struct crypt_filters *filters)
{
    free(filters->attached);
    filters->attached = NULL;
}

bool crypt_filters_method(const struct crypt_filters *filters, struct obj stream,
                          enum crypt_method *method)
{
    char name[MAX_NAME];
    int64_t id = obj_id(stream);
    int own = own_filter(stream, name);

    if (own != 0)
        return own > 0 && crypt_named(filters->crypt, filters->encrypt, name, method);
    *method = filters->crypt->streams;
    if (filters->crypt->plain_metadata && id == filters->metadata)
        *method = CRYPT_NONE;
    else if (filters->attached && filters->attached[OBJ_NUMBER(id)])
        *method = filters->crypt->attachments;
    return true;
}

/* The bytes in the file: qpdf decrypts them unless they are a cross-reference stream. */
static bool read_encrypted(struct obj stream, unsigned char **data, size_t *n)
{
    AUTO_OBJ struct obj type = obj_key(stream, "/Type");
    bool read;

    obj_set_name(stream, "/Type", "/XRef");
    read = obj_stream_raw(stream, data, n);
    if (obj_is_null(type))
        obj_remove(stream, "/Type");
    else
        obj_set(stream, "/Type", type);
    return read;
}

/* Whether metadata without filters are readable: XML, in UTF-8 or UTF-16. */
static bool is_xml(const unsigned char *data, size_t n)
{
    if (n > 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        n -= 3;
    }
    while (n > 0 && isspace(*data)) {
        data++;
        n--;
    }
    if (n > 4 && (memcmp(data, "\xfe\xff\0<", 4) == 0 || memcmp(data, "\xff\xfe<\0", 4) == 0))
        return true;
    return n > 2 && data[0] == '<' && (data[1] == '?' || isalpha(data[1]));
}

/* Whether a stream has filters besides /Crypt. */
static bool is_filtered(struct obj stream)
{
    AUTO_OBJ struct obj filters = obj_key(stream, "/Filter");

    if (obj_is_name(filters))
        return !obj_name_is(filters, "/Crypt");
    for (int i = 0; i < obj_count(filters); i++) {
        AUTO_OBJ struct obj filter = obj_item(filters, i);

        if (!obj_name_is(filter, "/Crypt"))
            return true;
    }
    return false;
}

static bool decodes(struct obj stream, const void *data, size_t n)
{
    AUTO_FREE unsigned char *decoded = NULL;
    size_t n_decoded;

    obj_set_stream(stream, data, n);
    return obj_stream_data(stream, &decoded, &n_decoded);
}

/* Whether the bytes of a stream are plain although its filter says that they are encrypted: some
 * programs, qpdf among them, leave all metadata plain where only the catalog's are to be, and
 * others do not know /EFF. `whole`: they were decrypted without a fault. */
static bool is_plain(struct obj stream, enum crypt_method method, bool whole,
                     const unsigned char *data, size_t n, const struct buf *plain)
{
    if (!is_filtered(stream))
        return obj_key_is(stream, "/Type", "/Metadata") && is_xml(data, n) ? true : !whole;
    if (method != CRYPT_RC4 && whole)
        return false;
    return !decodes(stream, plain->data, plain->len) && decodes(stream, data, n);
}

/* Gives a stream its decrypted data. */
static int correct_stream(struct pdf_doc *doc, const struct crypt_filters *filters,
                          struct obj stream, enum crypt_method method, struct err *err)
{
    int64_t id = obj_id(stream);
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf plain = BUF_EMPTY;
    size_t n = 0;
    bool whole;

    if (!read_encrypted(stream, &data, &n))
        return 0; /* its data cannot be read at all, by any tool */
    whole = crypt_decrypt(filters->crypt, method, OBJ_NUMBER(id), OBJ_GEN(id), data, n, &plain);
    if (plain.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the document needs more memory than a job may use");
    if (method == CRYPT_NONE || is_plain(stream, method, whole, data, n, &plain)) {
        obj_set_stream(stream, data ? data : (const unsigned char *) "", n);
        doc->repaired |= method != CRYPT_NONE && !obj_key_is(stream, "/Type", "/Metadata");
    } else {
        obj_set_stream(stream, buf_text(&plain), plain.len);
        doc->repaired |= !whole;
    }
    return 0;
}

/* Whether qpdf may treat a stream in another way than its filter asks for. */
static bool is_special(const struct crypt_filters *filters, struct obj stream)
{
    char name[MAX_NAME];

    return own_filter(stream, name) != 0 ||
           (filters->attached && filters->attached[OBJ_NUMBER(obj_id(stream))]) ||
           (filters->crypt->plain_metadata && obj_id(stream) != filters->metadata &&
            obj_key_is(stream, "/Type", "/Metadata"));
}

static int correct_all(struct pdf_doc *doc, struct crypt_filters *filters, bool known,
                       struct err *err)
{
    for (int i = 1; i < filters->n; i++) {
        AUTO_OBJ struct obj stream = obj_by_number(doc->q, i);
        enum crypt_method method;

        if (!obj_is_stream(stream) || obj_key_is(stream, "/Type", "/XRef") ||
            obj_key_is(stream, "/Type", "/ObjStm") || !is_special(filters, stream))
            continue;
        if (!known || !crypt_filters_method(filters, stream, &method))
            return err_set(err, ERR_UNSUPPORTED_CONTENT,
                           "the document is encrypted by several crypt filters, and one of them is "
                           "not known: remove the encryption with the program that made it");
        doc->filters_differ = true;
        if (correct_stream(doc, filters, stream, method, err) < 0)
            return -1;
    }
    return 0;
}

int crypt_filters_correct(struct pdf_doc *doc, int n, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj encrypt = obj_key(trailer, "/Encrypt");
    AUTO_CRYPT_FILTERS struct crypt_filters filters = { 0 };
    struct crypt crypt;
    struct err unknown = { 0 };
    long long version = 0;
    bool known;
    int done = -1;

    if (!obj_key_int(encrypt, "/V", &version) || version < 4)
        return 0;
    known = crypt_start(&crypt, doc, &unknown) == 0;
    if (!crypt_filters_open(&filters, &crypt, encrypt, doc->q, n))
        err_set(err, ERR_LIMIT_EXCEEDED, "the document needs more memory than a job may use");
    else
        done = correct_all(doc, &filters, known, err);
    /* qpdf would write strings and streams encrypted by one method. */
    doc->filters_differ |=
        known && (crypt.streams != crypt.strings || crypt.attachments != crypt.streams ||
                  crypt.streams == CRYPT_NONE);
    crypt_end(&crypt);
    return done;
}

void crypt_filters_mark(qpdf_data q, int n, bool on)
{
    for (int i = 1; i < n; i++) {
        AUTO_OBJ struct obj stream = obj_by_number(q, i);
        char name[MAX_NAME];

        if (!obj_is_stream(stream))
            continue;
        if (!on)
            obj_remove(stream, MARK);
        else if (own_filter(stream, name) > 0)
            obj_set_name(stream, MARK, name);
    }
}

/* Puts a value in front of a dictionary's value, which becomes an array. */
static void put_in_front(struct obj dict, const char *key, struct obj value, int n)
{
    AUTO_OBJ struct obj old = obj_key(dict, key);
    AUTO_OBJ struct obj list = obj_new_array(dict.q);
    AUTO_OBJ struct obj null = { dict.q, qpdf_oh_new_null(dict.q) };

    obj_append(list, value);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_is_array(old) ? obj_item(old, i)
                                   : i == 0          ? obj_same(old)
                                                     : obj_same(null);
        obj_append(list, item);
    }
    obj_set(dict, key, list);
}

void crypt_filters_unmark(struct obj stream)
{
    AUTO_OBJ struct obj mark = obj_key(stream, MARK);
    AUTO_OBJ struct obj filters = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj crypt = obj_new_name(stream.q, "/Crypt");
    AUTO_OBJ struct obj parms = obj_parse(stream.q, "<</Type/CryptFilterDecodeParms>>");
    int n = obj_is_array(filters) ? obj_count(filters) : obj_is_name(filters);

    if (!obj_is_name(mark))
        return;
    obj_set(parms, "/Name", mark);
    put_in_front(stream, "/Filter", crypt, n);
    put_in_front(stream, "/DecodeParms", parms, n);
    obj_remove(stream, MARK);
}
