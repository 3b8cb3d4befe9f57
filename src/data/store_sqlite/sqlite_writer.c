#include "data/store_sqlite/sqlite_writer.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "base/metric.h"
#include "base/system/log.h"

/* Pages of the write-ahead log after which they are moved into the database: the log stays small
 * enough to be read fast after a crash, and the move short enough not to be felt. */
#define CHECKPOINT_PAGES 1000

struct request {
    int (*work)(struct sqlite_db *db, void *arg, struct err *err);
    void *arg;
    struct err *err; /* of the caller, which waits meanwhile */
    bool unsynced;
    int result;
    sem_t answered;
    struct request *next;
};

struct sqlite_writer {
    struct sqlite_db db; /* the thread's alone */
    int log_pages;       /* the thread's alone */
    bool unsynced;       /* the thread's alone: how the connection commits now */
    pthread_t thread;

    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t wanted;
    struct request *first, **last; /* a queue: `last` is where the next one is to be hung */
    bool stopping;
};

/* One request inside the transaction. -1 only when the whole transaction is lost. */
static int run_one(struct sqlite_db *db, struct request *request, struct err *err)
{
    if (sqlite_db_run(db, "SAVEPOINT request", NULL, 0, err) < 0)
        return -1;
    request->result = request->work(db, request->arg, request->err);
    if (request->result < 0 && sqlite3_get_autocommit(db->handle)) {
        /* SQLite gave the transaction up by itself: disk full, read error, no memory. */
        *err = *request->err;
        return -1;
    }
    if (request->result < 0 && sqlite_db_run(db, "ROLLBACK TO request", NULL, 0, err) < 0)
        return -1;
    return sqlite_db_run(db, "RELEASE request", NULL, 0, err) < 0 ? -1 : 0;
}

static int run_all(struct sqlite_db *db, struct request *batch, struct err *err)
{
    if (sqlite_db_run(db, "BEGIN IMMEDIATE", NULL, 0, err) < 0)
        return -1;
    for (struct request *r = batch; r; r = r->next)
        if (run_one(db, r, err) < 0)
            return -1;
    return sqlite_db_run(db, "COMMIT", NULL, 0, err) < 0 ? -1 : 0;
}

/* Whether COMMIT waits for the disk. The pragma takes effect when it is compiled, so that no
 * prepared statement of it can be kept. If it fails the connection continues as before, and FULL
 * is what it began with. */
static void choose_sync(struct sqlite_writer *writer, bool unsynced)
{
    if (writer->unsynced == unsynced)
        return;
    if (sqlite3_exec(writer->db.handle,
                     unsynced ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL", NULL,
                     NULL, NULL) == SQLITE_OK)
        writer->unsynced = unsynced;
}

static void transact(struct sqlite_writer *writer, struct request *batch)
{
    struct sqlite_db *db = &writer->db;
    struct err err, ignored;
    bool unsynced = true;
    double size = 0;

    for (struct request *r = batch; r; r = r->next) {
        unsynced = unsynced && r->unsynced;
        size++;
    }
    metric_observe(METRIC_STORE_BATCH, NULL, size);
    choose_sync(writer, unsynced);
    if (writer->unsynced && !unsynced)
        err_set(&err, ERR_INTERNAL, "the store cannot be made to wait for the disk");
    else if (run_all(db, batch, &err) == 0)
        return;
    if (!sqlite3_get_autocommit(db->handle))
        sqlite_db_run(db, "ROLLBACK", NULL, 0, &ignored);
    /* Requests that were refused fail, too: the reason may have been another request of the
     * batch, which is undone now. */
    for (struct request *r = batch; r; r = r->next) {
        r->result = -1;
        *r->err = err;
    }
}

static void answer_batch(struct request *batch)
{
    while (batch) {
        struct request *next = batch->next; /* the request is gone once its caller is notified */

        sem_post(&batch->answered);
        batch = next;
    }
}

static int note_log_pages(void *arg, sqlite3 *handle, const char *name, int pages)
{
    struct sqlite_writer *writer = arg;

    (void) handle;
    (void) name;
    writer->log_pages = pages;
    return SQLITE_OK;
}

/* After the answers, so that no caller waits for it. A reader of an old page may leave some of
 * it for the next time. */
static void checkpoint(struct sqlite_writer *writer)
{
    struct err err;

    if (writer->log_pages < CHECKPOINT_PAGES)
        return;
    writer->log_pages = 0;
    if (sqlite3_wal_checkpoint_v2(writer->db.handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) ==
        SQLITE_OK)
        return;
    sqlite_db_fail(writer->db.handle, "checkpoint", &err);
    log_warn("store.checkpoint_failed", KV("error", err.msg));
}

/* Everything that waits; NULL once there is nothing left and never will be. */
static struct request *remove_all(struct sqlite_writer *writer)
{
    struct request *batch;

    pthread_mutex_lock(&writer->lock);
    while (!writer->first && !writer->stopping)
        pthread_cond_wait(&writer->wanted, &writer->lock);
    batch = writer->first;
    writer->first = NULL;
    writer->last = &writer->first;
    pthread_mutex_unlock(&writer->lock);
    return batch;
}

static void *run_writer(void *arg)
{
    struct sqlite_writer *writer = arg;

    for (struct request *batch; (batch = remove_all(writer));) {
        transact(writer, batch);
        answer_batch(batch);
        checkpoint(writer);
    }
    return NULL;
}

struct sqlite_writer *sqlite_writer_start(struct sqlite_db *db, struct err *err)
{
    struct sqlite_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        err_sys(err, "cannot start the store's writer");
        return NULL;
    }
    writer->db = *db;
    writer->last = &writer->first;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->wanted, NULL);
    sqlite3_wal_hook(writer->db.handle, note_log_pages, writer);
    if ((errno = pthread_create(&writer->thread, NULL, run_writer, writer))) {
        err_sys(err, "cannot start the store's writer");
        sqlite3_wal_hook(db->handle, NULL, NULL);
        free(writer);
        return NULL;
    }
    *db = (struct sqlite_db){ 0 };
    return writer;
}

void sqlite_writer_stop(struct sqlite_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    writer->stopping = true;
    pthread_cond_signal(&writer->wanted);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    sqlite_db_close(&writer->db);
    pthread_cond_destroy(&writer->wanted);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

static int do_request(struct sqlite_writer *writer, struct request *request)
{
    sem_init(&request->answered, 0, 0);
    pthread_mutex_lock(&writer->lock);
    *writer->last = request;
    writer->last = &request->next;
    pthread_mutex_unlock(&writer->lock);
    pthread_cond_signal(&writer->wanted);
    while (sem_wait(&request->answered) < 0) /* a signal came first */
        ;
    sem_destroy(&request->answered);
    return request->result;
}

int sqlite_writer_do(struct sqlite_writer *writer,
                     int (*work)(struct sqlite_db *db, void *arg, struct err *err), void *arg,
                     struct err *err)
{
    struct request request = { .work = work, .arg = arg, .err = err };

    return do_request(writer, &request);
}

int sqlite_writer_do_unsynced(struct sqlite_writer *writer,
                              int (*work)(struct sqlite_db *db, void *arg, struct err *err),
                              void *arg, struct err *err)
{
    struct request request = { .work = work, .arg = arg, .err = err, .unsynced = true };

    return do_request(writer, &request);
}
