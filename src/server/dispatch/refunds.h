/*
 * refunds: how many of an account's jobs that exceeded a limit are not charged. A job that ran into
 * one has cost more of the machine than any other: without an end, an account could have as many as
 * it likes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define REFUNDS_A_DAY 10

struct refunds;

struct refunds *refunds_new(struct err *err);
void refunds_free(struct refunds *refunds);
/* Counts a job of the account, at a time in Unix ms. Whether it is one of the first REFUNDS_A_DAY
 * of that day (UTC). Of many thousands of accounts some may get more. */
bool refunds_grant(struct refunds *refunds, int64_t account, int64_t now);
