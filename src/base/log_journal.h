/* log_journal: events as entries of systemd's journal, by its native protocol
 * (https://systemd.io/JOURNAL_NATIVE_PROTOCOL). Used by log.c only. */
#pragma once

#include "base/log.h"

/* One entry: MESSAGE, PRIORITY, PLATEN_EVENT and PLATEN_NAME for each field. False: nobody took it.
 */
bool log_journal_send(int priority, const char *event, const struct log_field *message,
                      const struct log_field *fields, size_t n);
