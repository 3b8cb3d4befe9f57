/* The store in SQLite: opening it and closing it. */
#include "data/store/store_sessions.h"
#include "data/store/store_shipments.h"
#include "data/store/store_uploads.h"
#include "data/store/store_workflows.h"
#include "data/store_sqlite/store_sqlite_open.h"
#include "data/store_sqlite/store_sqlite_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "data/store_sqlite/sqlite_schema.h"

static void close_sqlite(struct store *store)
{
    struct store_sqlite *s = store_sqlite_of(store);

    /* The writer is closed last: the last connection moves the log into the database, which
     * readers cannot. */
    if (s->readers)
        sqlite_readers_free(s->readers);
    if (s->writer)
        sqlite_writer_stop(s->writer);
    free(s->path);
    free(s);
}

static const struct store_ops ops = {
    .close = close_sqlite,
    .put = store_sqlite_put,
    .claim = store_sqlite_claim,
    .heartbeat = store_sqlite_heartbeat,
    .finish = store_sqlite_finish,
    .fetched = store_sqlite_fetched,
    .release = store_sqlite_release,
    .reclaim = store_sqlite_reclaim,
    .find = store_sqlite_find,
    .files = store_sqlite_files,
    .list = store_sqlite_list,
    .remove = store_sqlite_remove,
    .expire = store_sqlite_expire,
    .forget = store_sqlite_forget,
    .depth = store_sqlite_depth,
    .oldest = store_sqlite_oldest,
    .key_add = store_sqlite_key_add,
    .key_find = store_sqlite_key_find,
    .key_list = store_sqlite_key_list,
    .key_end = store_sqlite_key_end,
    .key_move = store_sqlite_key_move,
    .key_remove = store_sqlite_key_remove,
    .usage = store_sqlite_usage,
    .delivery_claim = store_sqlite_delivery_claim,
    .delivery_settle = store_sqlite_delivery_settle,
    .delivery_reclaim = store_sqlite_delivery_reclaim,
    .delivery_next = store_sqlite_delivery_next,
    .delivery_list = store_sqlite_delivery_list,
    .delivery_page = store_sqlite_delivery_page,
    .delivery_again = store_sqlite_delivery_again,
    .secret_list = store_sqlite_secret_list,
    .secret_add = store_sqlite_secret_add,
    .uploads = &store_sqlite_uploads,
    .sessions = &store_sqlite_sessions,
    .shipments = &store_sqlite_shipments,
    .workflows = &store_sqlite_workflows,
};

/* Only makes the file, because SQLite would make it readable for all. One that is there is not
 * touched: closing any descriptor of it would drop the locks this process holds on it. */
static int make_file(const char *path, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0 && errno != EEXIST)
        return err_sys(err, "cannot make the database %s", path);
    return 0;
}

static struct sqlite_writer *start_writer(const char *path, struct err *err)
{
    struct sqlite_db db;
    struct sqlite_writer *writer = NULL;

    if (sqlite_db_open(&db, path, false, err) < 0)
        return NULL;
    if (sqlite_schema_apply(&db, err) < 0)
        err_wrap(err, "cannot use the database %s", path);
    else
        writer = sqlite_writer_start(&db, err);
    if (!writer)
        sqlite_db_close(&db);
    return writer;
}

struct store *store_sqlite_open(const char *path, struct err *err)
{
    struct store_sqlite *s;

    if (make_file(path, err) < 0)
        return NULL;
    if (!(s = calloc(1, sizeof *s))) {
        err_sys(err, "cannot open the store");
        return NULL;
    }
    s->store.ops = &ops;
    if (!(s->path = strdup(path))) {
        err_sys(err, "cannot open the store");
        close_sqlite(&s->store);
        return NULL;
    }
    if (!(s->writer = start_writer(path, err)) || !(s->readers = sqlite_readers_new(path, err))) {
        close_sqlite(&s->store);
        return NULL;
    }
    return &s->store;
}
