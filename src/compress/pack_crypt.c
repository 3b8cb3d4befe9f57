#include "compress/pack_crypt.h"

#include <string.h>

#include "base/num.h"
#include "base/scope.h"

static bool mentions(const struct object *object, const char *name)
{
    const struct buf *text = &object->value.text;

    return text->data && memmem(text->data, text->len, name, strlen(name));
}

bool pack_crypt_open(struct pack_crypt *crypt, struct pdf_doc *doc, const struct inventory *objects)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj encrypt = obj_key(trailer, "/Encrypt");
    AUTO_OBJ struct obj metadata = obj_key(encrypt, "/EncryptMetadata");
    struct err ignored = { 0 };

    *crypt = (struct pack_crypt){ .metadata = true };
    if (obj_has(encrypt, "/EFF"))
        return false;
    for (size_t i = 0; i < objects->n; i++)
        if (objects->list[i].stream && mentions(&objects->list[i], "/Crypt"))
            return false;
    if (crypt_start(&crypt->crypt, doc, &ignored) < 0)
        return false;
    if (obj_is_bool(metadata, &crypt->metadata) && crypt->crypt.key.version < 4)
        crypt->metadata = true;
    buf_puts(&crypt->encrypt, obj_text(encrypt));
    return !crypt->encrypt.failed;
}

void pack_crypt_close(struct pack_crypt *crypt)
{
    crypt_end(&crypt->crypt);
    buf_free(&crypt->encrypt);
}

/* A literal string behind its parenthesis, as compact writes one; what is behind it. */
static const char *read_literal(const char *at, const char *end, struct buf *out)
{
    for (; at < end && *at != ')'; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
            buf_putc(out, *at == 'r' ? '\r' : *at);
        } else {
            buf_putc(out, *at);
        }
    }
    return at < end ? at + 1 : end;
}

static const char *read_hex(const char *at, const char *end, struct buf *out)
{
    int high = -1;

    for (; at < end && *at != '>'; at++) {
        int digit = num_hex_digit(*at);

        if (digit < 0)
            continue;
        if (high >= 0)
            buf_putc(out, (char) (high << 4 | digit));
        high = high < 0 ? digit : -1;
    }
    if (high >= 0)
        buf_putc(out, (char) (high << 4));
    return at < end ? at + 1 : end;
}

static void put_string(const struct pack_crypt *crypt, uint32_t number, const struct buf *string,
                       struct buf *out)
{
    AUTO_BUF struct buf secret = BUF_EMPTY;

    crypt_put(&crypt->crypt, crypt->crypt.strings, (int) number, 0, buf_text(string), string->len,
              &secret);
    buf_putc(out, '<');
    for (size_t i = 0; i < secret.len; i++)
        buf_printf(out, "%02x", (unsigned char) secret.data[i]);
    buf_putc(out, '>');
    out->failed |= secret.failed || string->failed;
}

static void encrypt_strings(const struct pack_crypt *crypt, uint32_t number, struct buf *dict)
{
    const char *at = buf_text(dict), *end = at + dict->len;
    AUTO_BUF struct buf out = BUF_EMPTY;

    while (at < end) {
        AUTO_BUF struct buf string = BUF_EMPTY;

        if (*at == '(') {
            at = read_literal(at + 1, end, &string);
            put_string(crypt, number, &string, &out);
        } else if (*at == '<' && at + 1 < end && at[1] != '<') {
            at = read_hex(at + 1, end, &string);
            put_string(crypt, number, &string, &out);
        } else {
            size_t n = *at == '<' ? 2 : 1;

            buf_put(&out, at, n);
            at += n;
        }
    }
    out.failed |= dict->failed;
    buf_free(dict);
    *dict = out;
    out = BUF_EMPTY;
}

static bool is_metadata(const struct buf *dict)
{
    return dict->data && memmem(dict->data, dict->len, "/Type/Metadata", 14);
}

void pack_crypt_stream(const struct pack_crypt *crypt, uint32_t number, struct buf *dict,
                       struct buf *data)
{
    AUTO_BUF struct buf secret = BUF_EMPTY;

    if (crypt->metadata || !is_metadata(dict)) {
        crypt_put(&crypt->crypt, crypt->crypt.streams, (int) number, 0, buf_text(data), data->len,
                  &secret);
        secret.failed |= data->failed;
        buf_free(data);
        *data = secret;
        secret = BUF_EMPTY;
    }
    encrypt_strings(crypt, number, dict);
}
