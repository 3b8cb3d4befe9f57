#include "compress/compress/pack_crypt.h"

#include <string.h>

#include "pdf/document/crypt_text.h"
#include "syntax/pdf/dict.h"

bool pack_crypt_open(struct pack_crypt *crypt, struct pdf_doc *doc, const struct graph *graph)
{
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj encrypt = obj_key(trailer, "/Encrypt");
    AUTO_OBJ struct obj metadata = obj_key(encrypt, "/EncryptMetadata");
    struct err ignored = { 0 };

    *crypt = (struct pack_crypt){ .metadata = true };
    if (doc->filters_differ || obj_has(encrypt, "/EFF"))
        return false;
    for (uint32_t i = 0; i < graph->n; i++)
        if (graph->nodes[i].stream && graph_mentions(graph, i, "/Crypt"))
            return false;
    if (crypt_start(&crypt->crypt, doc, &ignored) < 0)
        return false;
    if (obj_is_bool(metadata, &crypt->metadata) && crypt->crypt.key.version < 4)
        crypt->metadata = true;
    qpdf_oh_make_direct(doc->q, encrypt.oh); /* its references would be to other objects */
    buf_puts(&crypt->encrypt, obj_text(encrypt));
    return !crypt->encrypt.failed;
}

void pack_crypt_close(struct pack_crypt *crypt)
{
    crypt_end(&crypt->crypt);
    buf_free(&crypt->encrypt);
}

static bool is_metadata(const struct buf *dict)
{
    return dict_name_is(text_of(dict), "/Type", "/Metadata");
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
    crypt_strings(&crypt->crypt, (int) number, dict);
}
