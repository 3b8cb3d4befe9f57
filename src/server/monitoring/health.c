#include "server/monitoring/health.h"

#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/monitoring/gauges.h"

enum http_next health_live(struct http_request *req, struct http_response *resp)
{
    (void) req;
    return answer_json(resp, 200, json_pack("{ss}", "status", "ok"));
}

/* Whether the disk takes and keeps a byte. */
static int write_something(int fd, struct err *err)
{
    if (write(fd, "", 1) != 1 || fsync(fd) < 0)
        return err_sys(err, "the disk");
    return 0;
}

enum http_next health_ready(struct http_request *req, struct http_response *resp)
{
    struct api *api = api_of(req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    int64_t pending, running, room;
    size_t lacking;
    char why[200];
    struct err err;

    if (atomic_load(&api->draining)) {
        err_set(&err, ERR_SHUTTING_DOWN, "the server is about to stop");
        return answer_error(req, resp, &err);
    }
    /* Makes a file without a name: only that shows that the disk can be written to. */
    AUTO_CLOSE int fd = blob_stage(api->blobs, &err);
    if (fd < 0 || store_depth(api->store, &pending, &running, &err) < 0 ||
        blob_room(api->blobs, &room, NULL, &err) < 0)
        return answer_error(req, resp, &err);
    if (!dispatcher_is_acknowledged(api->dispatcher)) {
        err_set(&err, ERR_OVERLOADED,
                "the database has not acknowledged this server for half a lease: it has given up "
                "its jobs and accepts none");
        return answer_error(req, resp, &err);
    }
    if (room < config->min_free_space) {
        err_set(&err, ERR_STORAGE_FULL, "free space is below min_free_space");
        return answer_error(req, resp, &err);
    }
    if ((lacking = dispatcher_lacking(api->dispatcher)) > 0) {
        err_set(&err, ERR_OVERLOADED,
                "the disk is full: jobs that were accepted wait for room (%zu), and run one at a "
                "time",
                lacking);
        return answer_error(req, resp, &err);
    }
    if (atomic_load(&api->unsure) && write_something(fd, &err) < 0) {
        err_set(&err, ERR_OVERLOADED, "the last submission could not be written to the disk");
        return answer_error(req, resp, &err);
    }
    atomic_store(&api->unsure, false);
    answer_has_room(api);
    if (!catalog_ready(api->catalog, why, sizeof why)) {
        err_set(&err, ERR_OVERLOADED, "not every tool is ready yet: %s", why);
        return answer_error(req, resp, &err);
    }
    return answer_json(resp, 200,
                       json_pack("{ss sI sI}", "status", "ready", "pending", (json_int_t) pending,
                                 "running", (json_int_t) running));
}

enum http_next health_metrics(struct http_request *req, struct http_response *resp)
{
    struct api *api = api_of(req);
    int64_t due, now = clock_wall_ms();
    struct gauges gauges;
    struct err err;
    double lag = NAN;

    /* While the store cannot be read, its own figures are left out, and alerts see the others. */
    if (gauges_read(api, &gauges, &err) == 0 && store_delivery_next(api->store, &due, &err) == 0)
        lag = due && due < now ? (double) (now - due) / 1e3 : 0;
    gauges_set(&gauges);
    metric_set(METRIC_WEBHOOK_LAG, lag);
    http_response_header(resp, "Content-Type", "%s", "text/plain; version=0.0.4; charset=utf-8");
    metric_write(&resp->body);
    return resp->body.failed
               ? answer_error(req, resp, (err_set(&err, ERR_INTERNAL, "out of memory"), &err))
               : HTTP_ANSWER;
}
