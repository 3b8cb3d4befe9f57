/* The contract of files that clients send in pieces: every sentence of data/store/store_uploads.h.
 */
#include "data/store/store_uploads.h"
#include "store_contract.h"

#include <stdlib.h>
#include <string.h>

#include "base/id.h"
#include "tap.h"

static struct store_upload make(int64_t account, int64_t size)
{
    static char name[] = "an \xc3\xbc.pdf", none[] = "";
    struct store_upload upload = {
        .key_id = account,
        .size = size,
        .created_at = NOW,
        .expires_at = NOW + 1000,
        .name = name,
        .pieces = none,
    };

    id_new(upload.id);
    return upload;
}

static int refusal(struct store *store, const struct store_upload *upload, int64_t most,
                   int64_t bytes)
{
    const struct store_upload_terms terms = { most, bytes };
    struct err err;

    return store_upload_put(store, upload, &terms, &err) < 0 ? (int) err.code : -1;
}

/* "offset of size, pieces, kind" and whether it is complete. */
static const char *shown(struct store *store, const char *id)
{
    static char text[200];
    AUTO_UPLOAD struct store_upload upload = { 0 };
    struct err err;
    int found = store_upload_find(store, id, &upload, &err);

    if (found != 1)
        return found == 0 ? "none" : "failed";
    snprintf(text, sizeof text, "%s %lld of %lld, %s%s%s until %lld", upload.name,
             (long long) upload.offset, (long long) upload.size, upload.pieces,
             upload.complete ? "complete " : "", upload.kind,
             (long long) (upload.expires_at - NOW));
    return text;
}

static void test_put_and_advance(void)
{
    STORE *store = contract_open();
    struct store_upload upload = make(contract_account(store), 300);
    char one[] = "100,", none[] = "";
    struct err err;

    is_int(refusal(store, &upload, 1, 300), -1, "an upload within the terms is accepted");
    is_str(shown(store, upload.id), "an \xc3\xbc.pdf 0 of 300,  until 1000",
           "an upload is found as it was put");
    upload.offset = 100;
    upload.pieces = one;
    upload.expires_at = NOW + 2000;
    is_int(store_upload_advance(store, &upload, 0, &err), 1, "an upload advances from its offset");
    is_str(shown(store, upload.id), "an \xc3\xbc.pdf 100 of 300, 100, until 2000",
           "an upload that advanced has its new offset, pieces and expiry");
    is_int(store_upload_advance(store, &upload, 0, &err), 1, "the same advance again succeeds");
    upload.offset = 50;
    is_int(store_upload_advance(store, &upload, 0, &err), 0,
           "an upload does not advance from another offset");
    is_str(shown(store, upload.id), "an \xc3\xbc.pdf 100 of 300, 100, until 2000",
           "an advance that is refused changes nothing");
    upload.offset = 300;
    upload.pieces = none;
    upload.complete = true;
    memcpy(upload.kind, "pdf", sizeof "pdf");
    is_int(store_upload_advance(store, &upload, 100, &err), 1, "an upload can be completed");
    is_str(shown(store, upload.id), "an \xc3\xbc.pdf 300 of 300, complete pdf until 2000",
           "a completed upload has its kind");
    upload = make(upload.key_id, 500);
    memcpy(upload.kind, STORE_UPLOAD_TICKET, sizeof STORE_UPLOAD_TICKET);
    is_int(refusal(store, &upload, 9, 9999), -1, "an upload that waits with a ticket is accepted");
    upload.size = upload.offset = 20;
    upload.name = one;
    upload.complete = true;
    upload.kind[0] = '\0';
    is_int(store_upload_advance(store, &upload, 0, &err), 1, "its file can come");
    is_str(shown(store, upload.id), "100, 20 of 20, complete  until 1000",
           "it has the size and the name of its file");
    upload.pieces = one;
    is_int(store_upload_advance(store, &upload, 0, &err), 0,
           "another file of the same size is refused");
    id_new(upload.id);
    is_int(store_upload_advance(store, &upload, 300, &err), 0,
           "an unknown upload does not advance");
    is_str(shown(store, upload.id), "none", "an unknown upload is not found");
}

static void test_terms(void)
{
    STORE *store = contract_open();
    int64_t anna = contract_account(store), ben = contract_account(store);
    struct store_upload first = make(anna, 300), second = make(anna, 300), other = make(ben, 300);
    struct store_upload nobody = make(ben + 1000, 1);
    AUTO_UPLOAD struct store_upload gone = { 0 };
    struct err err;

    is_int(refusal(store, &first, 2, 600), -1, "an upload is accepted if two are allowed");
    is_int(refusal(store, &second, 1, 600), ERR_TOO_MANY_UPLOADS,
           "a second upload is refused if one is allowed");
    is_int(refusal(store, &second, 2, 599), ERR_TOO_MANY_UPLOADS,
           "an upload is refused if its bytes exceed the limit");
    is_int(refusal(store, &other, 1, 300), -1, "another account has its own limit");
    is_int(refusal(store, &nobody, 9, 9), ERR_NOT_FOUND,
           "an upload of an unknown account is refused");
    is_int(store_upload_remove(store, first.id, ben, &gone, &err), 0,
           "an account cannot remove another's upload");
    is_int(store_upload_remove(store, first.id, anna, &gone, &err), 1,
           "an account can remove its upload");
    is_str(gone.name, "an \xc3\xbc.pdf", "a removed upload is returned");
    is_str(shown(store, first.id), "none", "a removed upload is not found");
    is_int(refusal(store, &second, 1, 300), -1, "a removed upload makes room for another");
}

static void test_expiry(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct store_upload list[] = { make(account, 1), make(account, 1), make(account, 1) };
    struct err err;
    size_t n = 0;

    list[2].expires_at = NOW + 5000;
    for (size_t i = 0; i < 3; i++)
        is_int(refusal(store, &list[i], 9, 9), -1, "upload %zu is put", i);
    for (int round = 0; round < 3; round++) {
        AUTO_UPLOADS struct store_uploads gone = { 0 };

        is_int(store_upload_expire(store, NOW + 1000, 1, &gone, &err), 0,
               "uploads can be expired in round %d", round);
        is_int(gone.n, round < 2, "at most as many expired uploads are returned as asked for");
        n += gone.n;
    }
    is_int(n, 2, "each expired upload is returned once");
    is_str(shown(store, list[0].id), "none", "an expired upload is not found");
    ok(strcmp(shown(store, list[2].id), "none") != 0, "an upload whose time is not up stays");
}

static void test_list(void)
{
    STORE *store = contract_open();
    int64_t anna = contract_account(store), ben = contract_account(store);
    struct store_upload list[] = { make(anna, 1), make(ben, 2), make(anna, 3) };
    struct err err;
    int64_t bytes = 0;

    for (size_t i = 0; i < 3; i++)
        is_int(refusal(store, &list[i], 9, 9), -1, "upload %zu is put", i);
    for (size_t limit = 1; limit < 4; limit++) {
        AUTO_UPLOADS struct store_uploads found = { 0 };

        is_int(store_upload_list(store, anna, limit, &found, &err), 0,
               "at most %zu uploads can be listed", limit);
        is_int(found.n, limit < 2 ? 1 : 2,
               "the account's own uploads are listed, at most as many as asked for");
        bytes = 0;
        for (size_t i = 0; i < found.n; i++)
            bytes += found.list[i].size;
    }
    is_int(bytes, 4, "each upload is listed once");
    ok(strcmp(shown(store, list[0].id), "none") != 0, "listed uploads stay");
}

void store_contract_uploads(void)
{
    test_list();
    test_put_and_advance();
    test_terms();
    test_expiry();
}
