#include "data/store/store_shipments.h"

#include <stdlib.h>

void store_shipments_free(struct store_shipments *shipments)
{
    free(shipments->list);
    *shipments = (struct store_shipments){ 0 };
}

int store_shipments_add(struct store_shipments *shipments, const struct store_shipment *shipment,
                        struct err *err)
{
    struct store_shipment *list = reallocarray(shipments->list, shipments->n + 1, sizeof *list);

    if (!list)
        return err_set(err, ERR_INTERNAL, "out of memory");
    shipments->list = list;
    list[shipments->n++] = *shipment;
    return 0;
}

const char *store_shipment_status(enum shipment_state state)
{
    return state == SHIPMENT_DONE ? "done" : state == SHIPMENT_FAILED ? "failed" : "pending";
}

const char *store_shipments_status(const struct store_shipments *shipments)
{
    bool failed = shipments->n == 0;

    for (size_t i = 0; i < shipments->n; i++) {
        if (shipments->list[i].state < SHIPMENT_DONE)
            return store_shipment_status(SHIPMENT_WAITING);
        failed = failed || shipments->list[i].state == SHIPMENT_FAILED;
    }
    return store_shipment_status(failed ? SHIPMENT_FAILED : SHIPMENT_DONE);
}

int store_shipment_put(struct store *store, const struct store_shipments *shipments,
                       struct err *err)
{
    return store->ops->shipments->put(store, shipments, err);
}

int store_shipment_claim(struct store *store, int64_t now, int64_t until,
                         struct store_shipment *shipment, struct err *err)
{
    return store->ops->shipments->claim(store, now, until, shipment, err);
}

int store_shipment_renew(struct store *store, const struct store_shipment *shipment, int64_t until,
                         struct err *err)
{
    return store->ops->shipments->renew(store, shipment, until, err);
}

int store_shipment_settle(struct store *store, const struct store_shipment *shipment, int64_t now,
                          struct err *err)
{
    return store->ops->shipments->settle(store, shipment, now, err);
}

int store_shipment_next(struct store *store, int64_t *next_at, struct err *err)
{
    return store->ops->shipments->next(store, next_at, err);
}

int store_shipment_reclaim(struct store *store, int64_t now, struct err *err)
{
    return store->ops->shipments->reclaim(store, now, err);
}

int store_shipment_list(struct store *store, const char *job_id, struct store_shipments *shipments,
                        struct err *err)
{
    return store->ops->shipments->list(store, job_id, shipments, err);
}
