/* tex_command: the commands that are not one symbol: fractions, roots, accents, texts, brackets. */
#pragma once

#include "write/mathml/tex_reader.h"

/* Reads what a command shows, after its name. */
int tex_command(struct tex_reader *reader, struct tex_token command, struct tex_atom *atom);
