#include "sandbox/signer/request.h"

#include <string.h>

struct head {
    struct ask ask;
    int64_t timestamp_ms;
};

#define TEXTS 6

/* Lists the texts in the order in which they are sent. */
static void list_texts(struct signer_settings *settings, const char **texts[static TEXTS])
{
    texts[0] = &settings->data;
    texts[1] = &settings->name;
    texts[2] = &settings->certificate;
    texts[3] = &settings->password;
    texts[4] = &settings->timestamp_url;
    texts[5] = &settings->timestamp_ca;
}

int signer_request_pack(const struct signer_request *request, struct buf *out, struct err *err)
{
    struct signer_settings settings = request->settings;
    const char **texts[TEXTS];
    struct head head;

    memset(&head, 0, sizeof head);
    head.ask = request->ask;
    head.timestamp_ms = settings.timestamp_ms;
    buf_put(out, &head, sizeof head);
    list_texts(&settings, texts);
    for (size_t i = 0; i < TEXTS; i++)
        buf_put(out, *texts[i], strlen(*texts[i]) + 1);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int signer_request_unpack(const struct message *message, struct signer_request *request,
                          struct err *err)
{
    const char *at = message->data + sizeof(struct head), *end = message->data + message->n;
    const char **texts[TEXTS];
    struct head head;

    if (message->n < sizeof head)
        return err_set(err, ERR_INTERNAL, "a request to platen-signer is too short");
    memcpy(&head, message->data, sizeof head);
    *request =
        (struct signer_request){ .ask = head.ask, .settings.timestamp_ms = head.timestamp_ms };
    list_texts(&request->settings, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        const char *nul = memchr(at, '\0', (size_t) (end - at));

        if (!nul)
            return err_set(err, ERR_INTERNAL, "a request to platen-signer is malformed");
        *texts[i] = at;
        at = nul + 1;
    }
    return at == end ? 0 : err_set(err, ERR_INTERNAL, "a request to platen-signer is malformed");
}
