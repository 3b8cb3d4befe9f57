#include "pdf/update/serial.h"

#include "base/utf8.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"
#include "syntax/pdf/literal.h"

#define MAX_DEPTH 100

static int put_value(const struct serial *serial, struct obj obj, int depth, struct err *err);

static int put_item(const struct serial *serial, struct obj obj, int depth, struct err *err)
{
    if (!obj_is_indirect(obj))
        return put_value(serial, obj, depth, err);
    int64_t id = obj_id(obj);
    bool kept = !serial->number || OBJ_NUMBER(id) < serial->own;
    int number = kept ? OBJ_NUMBER(id) : serial->number(serial->arg, obj);

    if (number)
        buf_printf(serial->out, "%d %d R", number, kept ? OBJ_GEN(id) : 0);
    else
        buf_puts(serial->out, "null");
    return 0;
}

static void put_plain(const struct serial *serial, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] < ' ' || bytes[i] > '~') {
            literal_put_hex(serial->out, bytes, n);
            return;
        }
    literal_put(serial->out, bytes, n);
}

void serial_string(const struct serial *serial, const void *bytes, size_t n)
{
    AUTO_BUF struct buf secret = BUF_EMPTY;

    if (!serial->crypt) {
        put_plain(serial, bytes, n);
        return;
    }
    crypt_put(serial->crypt, serial->crypt->strings, serial->id, serial->gen, bytes, n, &secret);
    literal_put_hex(serial->out, secret.data, secret.len);
    serial->out->failed |= secret.failed;
}

static void put_utf16(struct buf *out, unsigned int unit)
{
    buf_putc(out, (char) (unit >> 8));
    buf_putc(out, (char) unit);
}

void serial_text(const struct serial *serial, const char *utf8)
{
    AUTO_BUF struct buf utf16 = BUF_EMPTY;
    size_t plain = 0;

    /* Characters that ASCII and PDFDocEncoding share. */
    while (utf8[plain] &&
           ((utf8[plain] >= ' ' && utf8[plain] <= '~') || strchr("\t\n", utf8[plain])))
        plain++;
    if (!utf8[plain]) {
        serial_string(serial, utf8, plain);
        return;
    }
    put_utf16(&utf16, 0xfeff);
    for (size_t at = 0, n = strlen(utf8); at < n;) {
        uint32_t c = utf8_next(utf8, n, &at);

        if (c < 0x10000) {
            put_utf16(&utf16, c);
        } else {
            put_utf16(&utf16, 0xd800 | (c - 0x10000) >> 10);
            put_utf16(&utf16, 0xdc00 | ((c - 0x10000) & 0x3ff));
        }
    }
    serial->out->failed |= utf16.failed;
    serial_string(serial, utf16.data, utf16.len);
}

static int put_array(const struct serial *serial, struct obj array, const char *more, int depth,
                     struct err *err)
{
    int n = obj_count(array);

    buf_putc(serial->out, '[');
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (put_item(serial, item, depth, err) < 0)
            return -1;
        buf_putc(serial->out, ' ');
    }
    buf_printf(serial->out, "%s]", more);
    return 0;
}

static const struct serial_change *find_change(const struct serial_change *changes, size_t n,
                                               const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(changes[i].key, key) == 0)
            return &changes[i];
    return NULL;
}

/* The value of a signature is the only string that is never encrypted (7.6.2). */
static bool is_signature(struct obj dict)
{
    return obj_key_is(dict, "/Type", "/Sig") && obj_has(dict, "/ByteRange");
}

static int put_dict(const struct serial *serial, struct obj dict,
                    const struct serial_change *changes, size_t n_changes, int depth,
                    struct err *err)
{
    AUTO_KEYS char **keys = obj_keys(dict);
    struct serial bare = *serial;

    if (!keys)
        return pdf_doc_no_memory(err);
    bare.crypt = NULL;
    buf_puts(serial->out, "<<");
    for (size_t i = 0; keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);
        bool contents = strcmp(keys[i], "/Contents") == 0 && is_signature(dict);

        if (find_change(changes, n_changes, keys[i]))
            continue;
        literal_put_name(serial->out, keys[i]);
        buf_putc(serial->out, ' ');
        if (put_item(contents ? &bare : serial, value, depth, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < n_changes; i++)
        if (*changes[i].key && changes[i].value)
            buf_printf(serial->out, "%s %s", changes[i].key, changes[i].value);
    buf_puts(serial->out, ">>");
    return 0;
}

static int put_value(const struct serial *serial, struct obj obj, int depth, struct err *err)
{
    size_t n = 0;

    if (depth == MAX_DEPTH)
        return pdf_doc_too_deep(err);
    if (obj_is_dict(obj))
        return put_dict(serial, obj, NULL, 0, depth + 1, err);
    if (obj_is_array(obj))
        return put_array(serial, obj, "", depth + 1, err);
    if (obj_is_string(obj)) {
        const char *bytes = obj_bytes(obj, &n);

        serial_string(serial, bytes, n);
    } else {
        buf_puts(serial->out, obj_value_text(obj));
    }
    return serial->out->failed ? pdf_doc_no_memory(err) : 0;
}

int serial_put(const struct serial *serial, struct obj obj, struct err *err)
{
    return put_item(serial, obj, 0, err);
}

int serial_value(const struct serial *serial, struct obj obj, struct err *err)
{
    return put_value(serial, obj, 0, err);
}

int serial_dict(const struct serial *serial, struct obj dict, const struct serial_change *changes,
                size_t n_changes, struct err *err)
{
    return put_dict(serial, dict, changes, n_changes, 0, err);
}

int serial_array(const struct serial *serial, struct obj array, const char *more, struct err *err)
{
    return put_array(serial, array, more, 0, err);
}
