/*
 * visitors: people without an account, with web = open. A visitor's session is an account of its
 * own with a key that the browser keeps (server/api/session.h), on the plan `visitor`, which is
 * configured by settings; it expires by itself. Each client address (in IPv6 each /64 network;
 * twice as much each /56, eight times as much each /48) has limits of the sessions that it begins,
 * and the jobs and bytes that it submits in an hour, in addition to those of its sessions, so that
 * new sessions do not circumvent the plan. These counts are in memory, separate in each server, for
 * some thousands of addresses at a time.
 */
#pragma once

#include "data/account/plan.h"
#include "server/api_call/api.h"
#include "server/config/config.h"

#define VISITOR_PLAN "visitor"

struct visitors;

struct visitors *visitors_new(struct err *err);
void visitors_free(struct visitors *visitors);

/* Whether a key is a visitor's. */
bool visitors_is(const struct key *key);
/* The plan of visitors by the settings. */
void visitors_plan(const struct config *config, struct plan *plan);

/* Makes an account for the sender of the request; *key is its key, whose text is not kept.
 * ERR_TOO_MANY_SESSIONS. Blocks on the store. */
int visitors_welcome(const struct http_request *req, struct key *key, struct err *err);
/* Counts a visitor's submission. ERR_TOO_MANY_JOBS. */
int visitors_count_job(const struct http_request *req, struct err *err);
/* Counts bytes that a visitor sends, for a job or as an upload. False: they are too many. */
bool visitors_have_bytes(const struct http_request *req, int64_t bytes);
/* Sets the error for that, ERR_TOO_MANY_JOBS or ERR_TOO_MANY_UPLOADS, and returns -1. */
int visitors_refuse_bytes(enum err_code code, struct err *err);
