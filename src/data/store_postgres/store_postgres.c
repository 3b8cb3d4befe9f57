/* The store in PostgreSQL: opening it and closing it. */
#include "data/store/store_sessions.h"
#include "data/store/store_shipments.h"
#include "data/store/store_uploads.h"
#include "data/store/store_workflows.h"
#include "data/store_postgres/store_postgres_open.h"
#include "data/store_postgres/store_postgres_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system/log.h"
#include "data/store_postgres/postgres_schema.h"

#define CONNECTIONS 16

static void close_postgres(struct store *store)
{
    struct store_postgres *s = store_postgres_of(store);
    struct err ignored;

    postgres_bell_free(s->bell);
    postgres_db_hurry(s->db);
    if (*s->node) {
        PGresult *gone = postgres_db_call(s->db, "DELETE FROM platen.nodes WHERE id = $1",
                                          BIND(V((const char *) s->node)), &ignored);

        PQclear(gone);
    }
    postgres_db_close(s->db);
    postgres_group_free(s->puts);
    postgres_group_free(s->ends);
    postgres_group_free(s->claims);
    free(s->url);
    free(s->tools);
    free(s);
}

static int store_postgres_listen(struct store *store, void (*heard)(void *arg, unsigned what),
                                 void *arg, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);

    s->bell = postgres_bell_new(s->url, heard, arg, err);
    return s->bell ? 0 : -1;
}

static bool store_postgres_ring(struct store *store, unsigned what)
{
    struct store_postgres *s = store_postgres_of(store);

    if (!s->bell)
        return false;
    if (what && !atomic_load(&s->alone))
        postgres_bell_ring(s->bell, what);
    return postgres_bell_works(s->bell);
}

static int read_nodes(struct store *store, struct store_node *nodes, size_t most, struct err *err)
{
    struct store_postgres *s = store_postgres_of(store);
    AUTO_RESULT PGresult *r =
        postgres_db_call(s->db,
                         "SELECT n.host, n.began_at, n.seen_at, count(q.row), (n.id = $1)::int,"
                         " n.works::int + 2 * n.serves::int FROM platen.nodes n"
                         " LEFT JOIN platen.queue q ON q.node = n.id AND q.state = 1"
                         " GROUP BY n.id ORDER BY n.began_at, n.id LIMIT $2",
                         BIND(V((const char *) s->node), V((int64_t) most)), err);
    int n = r ? PQntuples(r) : -1;

    for (int i = 0; i < n; i++) {
        snprintf(nodes[i].host, sizeof nodes[i].host, "%s", postgres_text(r, i, 0));
        nodes[i].began_at = postgres_integer(r, i, 1);
        nodes[i].seen_at = postgres_integer(r, i, 2);
        nodes[i].running = postgres_integer(r, i, 3);
        nodes[i].own = postgres_integer(r, i, 4) != 0;
        nodes[i].roles = (unsigned) postgres_integer(r, i, 5);
    }
    return n;
}

static int share_text(struct store *store, const char *name, char *text, size_t size,
                      struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "INSERT INTO platen.shared AS s VALUES ($1, $2)"
                         " ON CONFLICT (name) DO UPDATE SET name = s.name RETURNING text",
                         BIND(V(name), V((const char *) text)), err);

    if (!r)
        return -1;
    snprintf(text, size, "%s", postgres_text(r, 0, 0));
    return 0;
}

static const struct store_ops ops = {
    .close = close_postgres,
    .put = store_postgres_put,
    .claim = store_postgres_claim,
    .heartbeat = store_postgres_heartbeat,
    .finish = store_postgres_finish,
    .fetched = store_postgres_fetched,
    .release = store_postgres_release,
    .reclaim = store_postgres_reclaim,
    .find = store_postgres_find,
    .files = store_postgres_files,
    .list = store_postgres_list,
    .remove = store_postgres_remove,
    .expire = store_postgres_expire,
    .forget = store_postgres_forget,
    .depth = store_postgres_depth,
    .oldest = store_postgres_oldest,
    .key_add = store_postgres_key_add,
    .key_find = store_postgres_key_find,
    .key_list = store_postgres_key_list,
    .key_end = store_postgres_key_end,
    .key_move = store_postgres_key_move,
    .key_remove = store_postgres_key_remove,
    .usage = store_postgres_usage,
    .delivery_claim = store_postgres_delivery_claim,
    .delivery_settle = store_postgres_delivery_settle,
    .delivery_reclaim = store_postgres_delivery_reclaim,
    .delivery_next = store_postgres_delivery_next,
    .delivery_list = store_postgres_delivery_list,
    .delivery_page = store_postgres_delivery_page,
    .delivery_again = store_postgres_delivery_again,
    .secret_list = store_postgres_secret_list,
    .secret_add = store_postgres_secret_add,
    .uploads = &store_postgres_uploads,
    .sessions = &store_postgres_sessions,
    .shipments = &store_postgres_shipments,
    .workflows = &store_postgres_workflows,
    .watch = store_postgres_watch,
    .nodes = read_nodes,
    .share = share_text,
    .permit = store_postgres_permit,
    .limit = store_postgres_limit,
    .beat = store_postgres_beat,
    .listen = store_postgres_listen,
    .ring = store_postgres_ring,
};

/* Others see this server while its row is fresh (platen.reclaim). */
static int enter(struct store_postgres *s, struct err *err)
{
    gethostname(s->host, sizeof s->host - 1);
    id_new(s->node);
    AUTO_RESULT PGresult *r =
        postgres_db_call(s->db,
                         "INSERT INTO platen.nodes(id, host, began_at, seen_at)"
                         " SELECT $1, $2, n, n FROM platen.now_ms() n",
                         BIND(V((const char *) s->node), V((const char *) s->host)), err);

    if (!r)
        *s->node = '\0';
    return r ? 0 : -1;
}

static int make_groups(struct store_postgres *s, struct err *err)
{
    s->puts_batch = (struct postgres_batch){ s->db, "platen.put" };
    s->ends_batch = (struct postgres_batch){ s->db, "platen.finish" };
    s->puts = postgres_group_new(postgres_batch_run, &s->puts_batch, err);
    s->ends = postgres_group_new(postgres_batch_run, &s->ends_batch, err);
    s->claims = postgres_group_new(store_postgres_claim_batch, s, err);
    return s->puts && s->ends && s->claims ? 0 : -1;
}

struct store *store_postgres_open(const char *url, struct err *err)
{
    struct store_postgres *s = calloc(1, sizeof *s);

    if (!s || !(s->url = strdup(url))) {
        err_sys(err, "cannot open the store");
        free(s);
        return NULL;
    }
    s->store.ops = &ops;
    if (!(s->db = postgres_db_open(url, CONNECTIONS, err))) {
        free(s->url);
        free(s);
        return NULL;
    }
    if (make_groups(s, err) < 0 || postgres_schema_apply(s->db, err) < 0 ||
        store_postgres_read_clock(s, err) < 0 || enter(s, err) < 0) {
        close_postgres(&s->store);
        return NULL;
    }
    return &s->store;
}

int store_postgres_examine(const char *url, int *version, int64_t *ahead_ms, struct err *err)
{
    struct postgres_db *db = postgres_db_open(url, 1, err);
    int64_t before = clock_system_ms(), theirs = before;

    *ahead_ms = 0;
    if (!db)
        return -1;
    *version = postgres_db_number(
        db, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", NULL, 0, &theirs, err);
    *ahead_ms = theirs - (before + clock_system_ms()) / 2;
    if (*version == 0)
        *version = postgres_schema_version(db, err);
    postgres_db_close(db);
    return *version < 0 ? -1 : postgres_schema_check(*version, err);
}
