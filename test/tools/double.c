#include "double.h"

#include <stdlib.h>

#include "sandbox/signer/seal.h"
#include "sandbox/signer/timestamp.h"

static struct seal *seal;

static void free_seal(void)
{
    seal_free(seal);
}

static int make_seal(struct err *err)
{
    if (seal)
        return 0;
    seal = seal_make("A seal for tests", err);
    atexit(free_seal);
    return seal ? 0 : -1;
}

static int give_chain(void *arg, struct buf *der_chain, struct err *err)
{
    (void) arg;
    return make_seal(err) < 0 ? -1 : seal_chain(seal, der_chain, err);
}

static int give_signature(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                          struct buf *signature, struct err *err)
{
    (void) arg;
    return make_seal(err) < 0 ? -1 : seal_sign(seal, digest, signature, err);
}

static int give_timestamp(void *arg, const unsigned char digest[static SERVICE_DIGEST],
                          const atomic_bool *abandoned, struct buf *token, struct err *err)
{
    AUTO_BUF struct buf request = BUF_EMPTY, reply = BUF_EMPTY;

    (void) arg, (void) abandoned;
    if (timestamp_request(digest, &request, err) < 0 ||
        timestamp_fetch(getenv("PLATEN_TIMESTAMP_URL"), 10000, &request, &reply, err) < 0)
        return -1;
    return timestamp_verify(&request, &reply, "", token, err);
}

struct tool_services double_services(void)
{
    return (struct tool_services){ NULL, give_chain, give_signature, give_timestamp };
}

bool double_authority(void)
{
    const char *url = getenv("PLATEN_TIMESTAMP_URL");

    return url && *url;
}
