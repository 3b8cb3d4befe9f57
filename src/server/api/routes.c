/* THE table of endpoints. */
#include "base/scope.h"
#include "server/api/account_keys.h"
#include "server/api/deliveries.h"
#include "server/api/events.h"
#include "server/api/files.h"
#include "server/api/jobs.h"
#include "server/api/pages.h"
#include "server/api/pictures.h"
#include "server/api/session.h"
#include "server/api/submit.h"
#include "server/api/tickets.h"
#include "server/api/uploads.h"
#include "server/api/usage.h"
#include "server/api/webhook_secret.h"
#include "server/api/workflows.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/guard.h"
#include "server/mcp/mcp.h"
#include "server/monitoring/health.h"
#include "server/monitoring/operator.h"
#include "server/monitoring/status.h"
#include "server/openapi/openapi.h"

#define OWN_ROUTES 4 /* the last ones */

/* A misspelt query parameter of the API never passes unseen: `?dryrun=true` would make a job that
 * is charged. Pages and download addresses take any, because mailers and analytics append their
 * own. */
static const struct http_route routes[] = {
    { "POST", "/api/v1/tools/pdf/{tool}", submit_begin, submit_body, submit_end, submit_done,
      "dryRun wait" },
    { "POST", "/api/v1/tools/pdf/{tool}/dry-run", submit_begin_dry, submit_body, submit_end,
      submit_done, "" },
    { "GET", "/api/v1/jobs", call_route_begin, NULL, jobs_list, call_route_done,
      "limit cursor status clientRef tool createdAfter createdBefore" },
    { "GET", "/api/v1/jobs/{id}", jobs_begin, NULL, jobs_show, call_route_done, "wait" },
    { "GET", "/api/v1/jobs/{id}/events", events_begin, NULL, events_open, events_done, "" },
    { "DELETE", "/api/v1/jobs/{id}", jobs_begin, NULL, jobs_delete, call_route_done, "" },
    { "GET", "/api/v1/jobs/{id}/deliveries", jobs_begin, NULL, deliveries_list, call_route_done,
      "" },
    { "POST", "/api/v1/jobs/{id}/deliveries/{delivery}/redeliver", jobs_begin, NULL,
      deliveries_again, call_route_done, "" },
    { "GET", "/api/v1/deliveries", call_route_begin, NULL, deliveries_page, call_route_done,
      "limit cursor status" },
    { "GET", "/api/v1/files/{job}/{name}", NULL, NULL, files_get, files_done },
    { "POST", "/api/v1/uploads", uploads_begin_new, uploads_body, uploads_new, uploads_done, "" },
    { "POST", "/api/v1/uploads/tickets", tickets_begin_new, tickets_body, tickets_new, tickets_done,
      "" },
    { "GET", "/api/v1/uploads/tickets", call_route_begin, NULL, tickets_list, call_route_done, "" },
    { "PUT", "/api/v1/tickets/{id}", tickets_begin_file, tickets_body, tickets_file, tickets_done,
      "expires signature" },
    { "POST", "/api/v1/tickets/{id}", tickets_begin_form, tickets_body, tickets_file, tickets_done,
      "expires signature" },
    { "PATCH", "/api/v1/uploads/{id}", uploads_begin_piece, uploads_body, uploads_piece,
      uploads_done, "" },
    { "GET", "/api/v1/uploads/{id}", call_route_begin, NULL, uploads_show, call_route_done, "" },
    { "DELETE", "/api/v1/uploads/{id}", uploads_begin_any, NULL, uploads_delete, uploads_done, "" },
    { "GET", "/api/v1/uploads/{id}/document", pictures_begin, NULL, pictures_upload_document,
      pictures_done, "" },
    { "GET", "/api/v1/uploads/{id}/outline", pictures_begin, NULL, pictures_upload_outline,
      pictures_done, "" },
    { "GET", "/api/v1/uploads/{id}/pages/{page}", pictures_begin, NULL, pictures_upload_page,
      pictures_done, "width" },
    { "GET", "/api/v1/jobs/{id}/document", pictures_begin, NULL, pictures_job_document,
      pictures_done, "output" },
    { "GET", "/api/v1/jobs/{id}/outline", pictures_begin, NULL, pictures_job_outline, pictures_done,
      "output" },
    { "GET", "/api/v1/jobs/{id}/pages/{page}", pictures_begin, NULL, pictures_job_page,
      pictures_done, "width output" },
    { "GET", "/api/v1/session", NULL, NULL, session_show, NULL, "" },
    { "POST", "/api/v1/session", session_begin, NULL, session_open, session_done, "" },
    { "DELETE", "/api/v1/session", session_prepare_end, NULL, session_end, session_done, "" },
    { "GET", "/api/v1/usage", call_route_begin, NULL, usage_get, call_route_done, "months" },
    { "GET", "/api/v1/account/keys", account_keys_begin, NULL, account_keys_list, account_keys_done,
      "" },
    { "POST", "/api/v1/account/keys", account_keys_begin_new, account_keys_body,
      account_keys_create, account_keys_done, "" },
    { "POST", "/api/v1/account/keys/{key}/roll", account_keys_begin, NULL, account_keys_roll,
      account_keys_done, "" },
    { "DELETE", "/api/v1/account/keys/{key}", account_keys_begin, NULL, account_keys_revoke,
      account_keys_done, "" },
    { "GET", "/api/v1/account/webhook-secret", webhook_secret_begin, NULL, webhook_secret_show,
      webhook_secret_done, "" },
    { "POST", "/api/v1/account/webhook-secret/roll", webhook_secret_begin, NULL,
      webhook_secret_roll, webhook_secret_done, "" },
    { "GET", "/api/v1/workflows", workflows_begin, NULL, workflows_list, workflows_done, "" },
    { "POST", "/api/v1/workflows", workflows_begin_form, workflows_body, workflows_create,
      workflows_done, "" },
    { "GET", "/api/v1/workflows/{id}", workflows_begin, NULL, workflows_show, workflows_done, "" },
    { "PUT", "/api/v1/workflows/{id}", workflows_begin_form, workflows_body, workflows_replace,
      workflows_done, "" },
    { "DELETE", "/api/v1/workflows/{id}", workflows_begin, NULL, workflows_delete, workflows_done,
      "" },
    { "GET", "/api/v1/operator/overview", guard_operator_begin, NULL, operator_overview, NULL, "" },
    { "GET", "/api/v1/operator/keys", guard_operator_begin, NULL, operator_keys, NULL, "" },
    { "GET", "/api/v1/operator/settings", guard_operator_begin, NULL, operator_settings, NULL, "" },
    { "POST", "/mcp", mcp_begin, mcp_body, mcp_end, mcp_done, "" },
    { "GET", "/openapi.json", NULL, NULL, openapi_get, NULL },
    { "GET", "/", NULL, NULL, pages_start, NULL },
    { "GET", "/docs", NULL, NULL, pages_docs, NULL },
    { "GET", "/pricing", NULL, NULL, pages_pricing, NULL },
    { "GET", "/assets/{version}/{name}", NULL, NULL, pages_asset, NULL },
    /* The rest is about the server itself (api_own_routes). */
    { "GET", "/healthz", NULL, NULL, health_live, NULL },
    { "GET", "/readyz", NULL, NULL, health_ready, NULL },
    { "GET", "/metrics", guard_begin, NULL, health_metrics, NULL },
    { "GET", "/status", guard_begin, NULL, status_get, NULL },
};

const struct http_route *api_routes(size_t *n)
{
    *n = COUNT(routes);
    return routes;
}

const struct http_route *api_own_routes(size_t *n)
{
    *n = OWN_ROUTES;
    return &routes[COUNT(routes) - OWN_ROUTES];
}
