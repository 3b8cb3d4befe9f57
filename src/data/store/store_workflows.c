#include "data/store/store_workflows.h"

#include <stdlib.h>

void store_workflow_free(struct store_workflow *workflow)
{
    free(workflow->name);
    free(workflow->steps);
    *workflow = (struct store_workflow){ 0 };
}

void store_workflows_free(struct store_workflows *workflows)
{
    for (size_t i = 0; i < workflows->n; i++)
        store_workflow_free(&workflows->list[i]);
    free(workflows->list);
    *workflows = (struct store_workflows){ 0 };
}

int store_workflows_add(struct store_workflows *workflows, struct store_workflow *workflow,
                        struct err *err)
{
    struct store_workflow *list =
        reallocarray(workflows->list, workflows->n + 1, sizeof *workflows->list);

    if (!list) {
        store_workflow_free(workflow);
        return err_sys(err, "workflows");
    }
    list[workflows->n++] = *workflow;
    workflows->list = list;
    return 0;
}

int store_refuse_workflow(enum err_code code, struct err *err)
{
    if (code == ERR_TOO_MANY_WORKFLOWS)
        return err_set(err, code,
                       "an account has at most %d workflows: delete one that is not used",
                       STORE_WORKFLOWS);
    if (code == ERR_WORKFLOW_EXISTS)
        return err_field(err, code, "name", "the account has another workflow of this name");
    if (code == ERR_WORKFLOW_CHANGED)
        return err_set(
            err, code,
            "the workflow was changed meanwhile: read it again, then send the change with "
            "its new ETag");
    if (code == ERR_WORKFLOW_NOT_FOUND)
        return err_set(
            err, code,
            "the account has no workflow with this id: GET /api/v1/workflows lists those "
            "it has");
    return err_set(err, ERR_NOT_FOUND, "there is no such account");
}

int store_workflow_add(struct store *store, struct store_workflow *workflow, struct err *err)
{
    return store->ops->workflows->add(store, workflow, err);
}

int store_workflow_replace(struct store *store, struct store_workflow *workflow, int64_t version,
                           struct err *err)
{
    return store->ops->workflows->replace(store, workflow, version, err);
}

int store_workflow_remove(struct store *store, const char *id, int64_t key_id, int64_t version,
                          struct err *err)
{
    return store->ops->workflows->remove(store, id, key_id, version, err);
}

int store_workflow_find(struct store *store, const char *id, int64_t key_id,
                        struct store_workflow *workflow, struct err *err)
{
    int found = store->ops->workflows->find(store, id, key_id, workflow, err);

    return found == 0 ? store_refuse_workflow(ERR_WORKFLOW_NOT_FOUND, err) : found < 0 ? -1 : 0;
}

int store_workflow_list(struct store *store, int64_t key_id, struct store_workflows *workflows,
                        struct err *err)
{
    return store->ops->workflows->list(store, key_id, workflows, err);
}
