/*
 * mcp_show: answers of the API as results of tools, in words for a model. Each function returns a
 * new reference: an object with `content`, for programs `structuredContent`, and `isError` if the
 * model should change something.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#define MCP_SHOW_TEXT 4000 /* limit in bytes of a result that is shown as text */

/* A job as the API describes it. `text`: the content of its result, or NULL. */
json_t *mcp_show_job(const json_t *job, const char *text);
/* A list of jobs, as the API answers it. */
json_t *mcp_show_jobs(const json_t *page);
/* An upload ticket, as the API answers it. */
json_t *mcp_show_ticket(const json_t *ticket);
/* Where the result of a job is read, if it is a short text; NULL: it is not one. Borrowed. */
const char *mcp_show_short_text(const json_t *job);
/* The error body of the API. */
json_t *mcp_show_error(const json_t *body, int status);
/* A fault in the arguments. */
json_t *mcp_show_fault(const char *why);
/* Any other answer, an object, as JSON after a sentence. Owns `data`. */
json_t *mcp_show_data(const char *sentence, json_t *data);
