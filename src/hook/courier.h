/* courier: what platen-courier does: carries out orders, many at a time, until the server goes. */
#pragma once

#include "hook/transfer.h"

/* Terms as they came, with the certificates read. ERR_INVALID_PARAMETER, ERR_INTERNAL. */
int courier_rules(const struct order_terms *terms, struct transfer_rules *rules, struct err *err);

/* Until the other end of the socket is closed. */
int courier_run(int sock, const struct transfer_rules *rules, struct err *err);
