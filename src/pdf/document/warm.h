/*
 * warm: does a small job once, so that processes forked afterwards have the libraries' code mapped,
 * symbols resolved and tables made. Errors are ignored.
 */
#pragma once

void pdf_warm(void);
