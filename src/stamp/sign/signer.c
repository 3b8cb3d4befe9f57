#include "stamp/sign/signer.h"

#include <string.h>

#include "base/fdio.h"
#include "declare/tool_run/service.h"

#define TIMESTAMP_ROOM 16384 /* bytes of a token with its authority's certificates */

/* The client's identity. The file's bytes are erased. */
static int open_client(struct identity *identity, const struct tool_input *file,
                       const char *password, struct err *err)
{
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    int taken = fdio_read_all(file->fd, IDENTITY_BYTES, &bytes, err);

    if (taken == 0)
        taken = identity_open(identity, bytes.data, bytes.len, password, err);
    if (bytes.data)
        explicit_bzero(bytes.data, bytes.len);
    return taken;
}

int signer_open(struct identity *identity, struct tool_run *run, const struct tool_input *file,
                const char *password, int64_t now_ms, struct err *err)
{
    AUTO_BUF struct buf chain = BUF_EMPTY;

    if (file) {
        if (open_client(identity, file, password, err) < 0)
            return -1;
    } else {
        if (tool_seal_chain(run, &chain, err) < 0 ||
            identity_from_chain(identity, chain.data, chain.len, err) < 0)
            return -1;
        tool_warn(run, "self_signed_seal",
                  "no certificate was given: the server's own seal signed, which others trust only "
                  "if they know it");
    }
    identity_warn(identity, now_ms, run);
    return 0;
}

size_t signer_room(const struct identity *identity, bool stamped, struct err *err)
{
    size_t bytes = cms_bytes(identity, err);

    return bytes > 0 && stamped ? bytes + TIMESTAMP_ROOM : bytes;
}

static int sign_attributes(const struct identity *identity, struct tool_run *run,
                           const unsigned char digest[static CMS_DIGEST], struct buf *signature,
                           struct err *err)
{
    if (identity->key)
        return identity_sign(identity, digest, signature, err);
    if (tool_seal_sign(run, digest, signature, err) < 0)
        return -1;
    return identity_verify(identity, digest, signature, err);
}

int signer_sign(const struct identity *identity, struct tool_run *run, bool stamped,
                const unsigned char digest[static CMS_DIGEST], struct buf *der, struct err *err)
{
    AUTO_CMS struct cms *cms = cms_new(identity, digest, err);
    AUTO_BUF struct buf signature = BUF_EMPTY, token = BUF_EMPTY;
    unsigned char of_attributes[CMS_DIGEST], of_signature[CMS_DIGEST];

    if (!cms || cms_to_sign(cms, of_attributes, err) < 0 ||
        sign_attributes(identity, run, of_attributes, &signature, err) < 0 ||
        cms_set_signature(cms, signature.data, signature.len, err) < 0)
        return -1;
    if (stamped) {
        cms_digest(signature.data, signature.len, of_signature);
        if (tool_timestamp(run, of_signature, &token, err) < 0 ||
            cms_add_timestamp(cms, token.data, token.len, err) < 0)
            return -1;
    }
    return cms_encode(cms, der, err);
}
