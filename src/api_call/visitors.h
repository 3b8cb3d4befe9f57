/*
 * visitors: people without an account, where web = open. A visitor's session is an account of its
 * own with a key that the browser keeps (api/session.h), on the plan `visitor`, whose figures are
 * settings; it ends by itself. One client address (in IPv6 one /64 network) is bounded in the
 * sessions that it begins and the jobs that it submits in an hour, whatever its sessions are
 * allowed, so that the plan holds for people who begin again. These counts are kept in memory, of
 * each server by itself, for some thousands of addresses at a time.
 */
#pragma once

#include "account/plan.h"
#include "api_call/api.h"
#include "config/config.h"

#define VISITOR_PLAN "visitor"

struct visitors;

struct visitors *visitors_new(struct err *err);
void visitors_free(struct visitors *visitors);

/* Whether a key is a visitor's. */
bool visitors_is(const struct key *key);
/* The plan of visitors, as it is set. */
void visitors_plan(const struct config *config, struct plan *plan);

/* Makes an account for whoever sends the request: its key's text. ERR_TOO_MANY_SESSIONS. Blocks on
 * the store. */
int visitors_welcome(const struct http_request *req, char text[static KEY_TEXT], struct err *err);
/* Counts a submission of a visitor. ERR_TOO_MANY_JOBS. */
int visitors_count_job(const struct http_request *req, struct err *err);
