/*
 * warm: does a small job once, so that a process forked afterwards finds the libraries' code
 * mapped, their symbols resolved and their tables made. Best effort: it reports nothing.
 */
#pragma once

void pdf_warm(void);
