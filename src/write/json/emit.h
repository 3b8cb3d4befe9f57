/* emit: writes values as JSON (RFC 8259) to a buffer; commas are put where they belong. */
#pragma once

#include "base/buf.h"
#include "layout/page/page_content.h"

/* Begin and end an object ('{', '}') or an array ('[', ']'). */
void emit_open(struct buf *out, char bracket);
void emit_close(struct buf *out, char bracket);
/* The name of the next value in an object. */
void emit_key(struct buf *out, const char *name);
/* UTF-8; bytes that are not, and controls that a document cannot mean, become U+FFFD. */
void emit_text(struct buf *out, const char *text, size_t n);
/* A number of points or sizes, in hundredths. */
void emit_number(struct buf *out, float number);
void emit_integer(struct buf *out, long long number);
void emit_bool(struct buf *out, bool value);
/* [x0, y0, x1, y1] */
void emit_box(struct buf *out, const struct area *area);
/* "#rrggbb" */
void emit_color(struct buf *out, uint32_t color);
