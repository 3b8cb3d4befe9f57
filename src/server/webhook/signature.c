#include "server/webhook/signature.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/digest.h"
#include "base/id.h"

#define PREFIX "whsec_"

void signature_secret(char out[static STORE_SECRET])
{
    unsigned char bytes[32];
    AUTO_BUF struct buf text = BUF_EMPTY;

    id_random(bytes, sizeof bytes);
    base64_put(bytes, sizeof bytes, &text);
    snprintf(out, STORE_SECRET, PREFIX "%s", buf_text(&text));
    explicit_bzero(bytes, sizeof bytes);
    if (text.data)
        explicit_bzero(text.data, text.len);
}

static int put_one(const char *secret, const struct buf *signed_text, struct buf *out,
                   struct err *err)
{
    unsigned char key[STORE_SECRET], mac[DIGEST_BYTES];
    size_t n = strlen(PREFIX), key_len;

    if (strncmp(secret, PREFIX, n) != 0 ||
        !base64_read(secret + n, strlen(secret + n), key, sizeof key, &key_len) || key_len == 0)
        return err_set(err, ERR_INTERNAL, "a webhook secret cannot be read");
    digest_mac(key, key_len, signed_text->data, signed_text->len, mac);
    explicit_bzero(key, sizeof key);
    buf_puts(out, "v1,");
    base64_put(mac, sizeof mac, out);
    return 0;
}

int signature_put(const struct store_secret *secrets, size_t n, const char *id, int64_t timestamp,
                  const struct buf *body, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_printf(&text, "%s.%" PRId64 ".", id, timestamp);
    buf_put(&text, body->data, body->len);
    if (text.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_putc(out, ' ');
        if (put_one(secrets[i].text, &text, out, err) < 0)
            return -1;
    }
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}
