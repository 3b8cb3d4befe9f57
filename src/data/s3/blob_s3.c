#include "data/s3/blob_s3.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/log.h"
#include "data/blob/blob_place.h"
#include "data/s3/client.h"

#define LISTED 1000 /* keys an answer */

struct blob_s3 {
    struct blob_store super;
    struct s3_client *client;
    struct blob_store *scratch; /* a local folder, in which nothing has a name */
};

static struct blob_s3 *blob_s3_of(struct blob_store *store)
{
    return (struct blob_s3 *) store;
}

static void s3_close(struct blob_store *store)
{
    struct blob_s3 *s = blob_s3_of(store);

    if (s->client)
        s3_client_free(s->client);
    blob_close(s->scratch);
    free(s);
}

static int s3_stage(struct blob_store *store, struct err *err)
{
    return blob_stage(blob_s3_of(store)->scratch, err);
}

static int s3_room(struct blob_store *store, int64_t *free_bytes, int64_t *size, struct err *err)
{
    return blob_room(blob_s3_of(store)->scratch, free_bytes, size, err);
}

static void remove_key(struct blob_s3 *s, const char *job_id, const char *name)
{
    char key[BLOB_PATH];
    struct err err;

    if (blob_place_path(job_id, name, key) == 0 && s3_delete(s->client, key, &err) < 0)
        log_warn("blob.not_removed", KV("blob", key), KV("why", err.msg));
}

static void s3_remove(struct blob_store *store, const char *job_id, const char *name)
{
    remove_key(blob_s3_of(store), job_id, name);
}

static int publish_one(struct blob_s3 *s, const char *job_id, const struct blob_item *item,
                       struct err *err)
{
    char key[BLOB_PATH];
    struct stat st;

    if (blob_place_path(job_id, item->name, key) < 0)
        return err_set(err, ERR_INTERNAL, "not a job id");
    if (fstat(item->fd, &st) < 0)
        return err_sys(err, "look at a file");
    return s3_put(s->client, key, item->fd, (int64_t) st.st_size, err);
}

static int s3_publish(struct blob_store *store, const char *job_id, const struct blob_item *items,
                      size_t n, struct err *err)
{
    struct blob_s3 *s = blob_s3_of(store);
    size_t done = 0;

    while (done < n && publish_one(s, job_id, &items[done], err) == 0)
        done++;
    if (done == n)
        return 0;
    while (done--)
        remove_key(s, job_id, items[done].name);
    return -1;
}

static int s3_open(struct blob_store *store, const char *job_id, const char *name, int64_t most,
                   int64_t *bytes, struct err *err)
{
    struct blob_s3 *s = blob_s3_of(store);
    AUTO_CLOSE int fd = -1;
    char key[BLOB_PATH];

    if (blob_place_path(job_id, name, key) < 0)
        return err_set(err, ERR_NOT_FOUND, "there is no such file");
    fd = blob_stage(s->scratch, err);
    if (fd < 0)
        return -1;
    *bytes = s3_get(s->client, key, fd, most, err);
    if (*bytes < 0)
        return -1;
    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_sys(err, "open a file");
    return scope_take_fd(&fd);
}

static int s3_blob_address(struct blob_store *store, const char *job_id, const char *name,
                           const char *disposition, int64_t seconds, struct buf *out,
                           struct err *err)
{
    char key[BLOB_PATH];

    if (blob_place_path(job_id, name, key) < 0)
        return err_set(err, ERR_NOT_FOUND, "there is no such file");
    return s3_address(blob_s3_of(store)->client, key, disposition, seconds, out, err);
}

struct listing {
    void (*found)(void *arg, const char *job_id, const char *name);
    void *arg;
};

static void report_key(void *arg, const char *key)
{
    const struct listing *listing = arg;
    char id[ID_TEXT];
    const char *slash = strchr(key, '/'), *name = slash ? blob_place_read(slash + 1, id) : NULL;

    if (name)
        listing->found(listing->arg, id, name);
}

static int s3_each(struct blob_store *store,
                   void (*found)(void *arg, const char *job_id, const char *name), void *arg,
                   struct err *err)
{
    struct listing listing = { found, arg };

    return s3_list(blob_s3_of(store)->client, "", LISTED, report_key, &listing, err);
}

static const struct blob_store_ops ops = {
    .close = s3_close,
    .stage = s3_stage,
    .publish = s3_publish,
    .open = s3_open,
    .remove = s3_remove,
    .each = s3_each,
    .room = s3_room,
    .address = s3_blob_address,
};

static void ignore(void *arg, const char *key)
{
    (void) arg;
    (void) key;
}

struct blob_store *blob_s3_open(const char *address, const char *scratch, struct err *err)
{
    struct s3_place place;
    struct blob_s3 *s;

    if (s3_place_read(address, &place, err) < 0)
        return NULL;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(s = calloc(1, sizeof *s))) {
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    s->super.ops = &ops;
    s->super.far = true;
    if (!(s->scratch = blob_fs_open(scratch, err)) || !(s->client = s3_client_new(&place, err)) ||
        s3_list(s->client, "00/00000000-", 1, ignore, NULL, err) < 0) {
        s3_close(&s->super);
        return NULL;
    }
    return &s->super;
}

int blob_s3_examine(const char *address, int64_t *ahead_ms, struct err *err)
{
    static const char trial[] = "00/00000000-doctor";
    AUTO_CLOSE int fd = -1;
    struct s3_client *client;
    struct s3_place place;

    *ahead_ms = 0;
    if (s3_place_read(address, &place, err) < 0)
        return -1;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if ((fd = memfd_create("trial", MFD_CLOEXEC)) < 0 || write(fd, "platen", 6) != 6)
        return err_sys(err, "cannot try the bucket");
    if (!(client = s3_client_new(&place, err)))
        return -1;
    int done = s3_list(client, trial, 1, ignore, NULL, err);
    if (done == 0 && (done = s3_put(client, trial, fd, 6, err)) == 0)
        done = s3_delete(client, trial, err);
    *ahead_ms = s3_client_ahead_ms(client);
    s3_client_free(client);
    return done;
}
