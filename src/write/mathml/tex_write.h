/* tex_write: writes single elements of MathML. */
#pragma once

#include "write/mathml/tex_reader.h"

/* Appends a character, escaped. */
void tex_write_character(struct buf *out, uint32_t character);
/* Appends text of a formula as the content of an <mtext>: its blanks are kept. */
void tex_write_text(struct buf *out, const char *text, size_t n);
/* Appends a symbol as <mi>, <mn> or <mo>. `unary`: a sign such as '-' has nothing before it. */
void tex_write_symbol(struct tex_reader *reader, struct buf *out, struct tex_symbol symbol,
                      bool unary);
/* Appends a bracket that is as high as what it encloses; 0: none. */
void tex_write_fence(struct buf *out, uint32_t character, bool opening);
void tex_write_space(struct buf *out, double em);
/* Reads a bracket after \left, \big and their like. 0 in *character for a full stop. */
int tex_write_delimiter(struct tex_reader *reader, uint32_t *character);
