/*
 * page_client: the server's side of a platen-webhook that fetches the files of one page
 * (declare/tool_run/page_service.h). The process is started for the page and ended with it, so that
 * nothing of it (connections, sessions of TLS, addresses of names) is there for the next one.
 */
#pragma once

#include "declare/tool_run/page_service.h"
#include "server/webhook/request.h"

/* The functions of struct page_service. `program` is the path of platen-webhook; terms and page are
 * not needed after it. ERR_INVALID_PARAMETER if the page's own address may not be asked for. */
struct page_session *page_client_begin(const char *program, const struct webhook_terms *terms,
                                       const struct page_address *page, struct err *err);
int page_client_ask(struct page_session *session, const struct page_question *question,
                    int64_t max_bytes, struct err *err);
int page_client_fd(const struct page_session *session);
int page_client_receive(struct page_session *session, struct page_answer *answer, struct err *err);
void page_client_end(struct page_session *session);

/* Checks the address of a page by the rules of callback_check, without its fragment, which stays
 * with the browser. Writes it in normal form. */
struct callback_rules;
int page_client_check(const struct callback_rules *rules, const char *url, char *out,
                      struct err *err);
