/* page_address: the address of a page that a job shows (parameter `url` of tools that fetch), as it
 * must be before the job is accepted. */
#pragma once

#include "declare/tool/pipeline.h"
#include "declare/tool/tool.h"
#include "server/api_call/call.h"
#include "server/config/config.h"

/* A request: its tool with its parameters, or its pipeline, of which the first step counts. */
struct page_request {
    const struct pipeline *pipeline; /* NULL: none */
    const struct tool *tool;
    const struct param_input *params;
    size_t n_params;
};

/* Whether the tool, or the pipeline's first step, fetches a page. */
bool page_address_is_wanted(const struct page_request *request);
/* Checks the address by the rules for files that are fetched. ERR_INVALID_PARAMETER, or
 * ERR_ADDRESSES_REFUSED where nothing is fetched, and for visitors. A tool that fetches nothing has
 * none. */
int page_address_check(const struct page_request *request, const struct config *config,
                       bool visitor, struct err *err);
/* What a file of the page would be called: its host, with an extension. "" without an address. */
#define PAGE_NAME 300
void page_address_name(const struct page_request *request, char out[static PAGE_NAME]);
