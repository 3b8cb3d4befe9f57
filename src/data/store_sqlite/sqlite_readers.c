#include "data/store_sqlite/sqlite_readers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define READERS 4

struct sqlite_readers {
    char *path;
    struct sqlite_db dbs[READERS];

    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t given;
    struct sqlite_db *idle[READERS]; /* a stack: the one used last is the one still in the cache */
    size_t n_idle;
};

struct sqlite_readers *sqlite_readers_new(const char *path, struct err *err)
{
    AUTO_FREE struct sqlite_readers *readers = calloc(1, sizeof *readers);

    if (!readers || !(readers->path = strdup(path))) {
        err_sys(err, "cannot prepare to read the database");
        return NULL;
    }
    pthread_mutex_init(&readers->lock, NULL);
    pthread_cond_init(&readers->given, NULL);
    for (size_t i = 0; i < READERS; i++)
        readers->idle[readers->n_idle++] = &readers->dbs[i];
    return scope_take_ptr(&readers);
}

void sqlite_readers_free(struct sqlite_readers *readers)
{
    for (size_t i = 0; i < READERS; i++)
        sqlite_db_close(&readers->dbs[i]);
    pthread_cond_destroy(&readers->given);
    pthread_mutex_destroy(&readers->lock);
    free(readers->path);
    free(readers);
}

struct sqlite_read sqlite_readers_begin(struct sqlite_readers *readers, struct err *err)
{
    struct sqlite_read read = { .readers = readers };

    pthread_mutex_lock(&readers->lock);
    while (readers->n_idle == 0)
        pthread_cond_wait(&readers->given, &readers->lock);
    read.db = readers->idle[--readers->n_idle];
    pthread_mutex_unlock(&readers->lock);
    if (!read.db->handle && sqlite_db_open(read.db, readers->path, true, err) < 0)
        sqlite_readers_end(&read);
    return read;
}

void sqlite_readers_end(struct sqlite_read *read)
{
    struct sqlite_readers *readers = read->readers;

    if (!read->db)
        return;
    pthread_mutex_lock(&readers->lock);
    readers->idle[readers->n_idle++] = read->db;
    pthread_cond_signal(&readers->given);
    pthread_mutex_unlock(&readers->lock);
    read->db = NULL;
}
