/* postal_address: recognises the lines of a postal address. */
#pragma once

#include "layout/page/words.h"

#define POSTAL_ADDRESS_LINES                                                                       \
    10 /* limit of lines of an address, with the sender's line above it                            \
        */

/* Whether the n lines are one address: one has a postal code, or two of them have what is usual in
 * addresses, such as a house number, a form of address, or the legal form of a company. */
bool postal_address_is(const struct line *const *lines, size_t n);
