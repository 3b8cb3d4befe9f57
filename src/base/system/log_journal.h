/* log_journal: sends events to systemd's journal by its native protocol
 * (https://systemd.io/JOURNAL_NATIVE_PROTOCOL). Used by log.c only. */
#pragma once

#include "base/system/log.h"

/* Sends one entry: MESSAGE, PRIORITY, PLATEN_EVENT, and PLATEN_NAME for each field. False if the
 * journal did not accept it. */
bool log_journal_send(int priority, const char *event, const struct log_field *message,
                      const struct log_field *fields, size_t n);
