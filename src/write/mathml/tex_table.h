/* tex_table: environments with rows and cells: matrices, cases, aligned equations. */
#pragma once

#include "write/mathml/tex_reader.h"

/* Reads an environment after its \begin. */
int tex_table_environment(struct tex_reader *reader, struct tex_atom *atom);
/* Reads rows up to the end of the text: what is there may have one row and one cell, and is then a
 * plain row. */
int tex_table_rows(struct tex_reader *reader, struct buf *out);
