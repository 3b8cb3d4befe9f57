/*
 * assets: the files of a job that a page is made of, by the paths of their addresses: the parts of
 * a ZIP, or files found by their names alone. Addresses begin with ASSETS_ORIGIN, which is a name
 * that no host has (RFC 2606).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "declare/tool/input.h"

#define ASSETS_ORIGIN "https://files.invalid/"
#define ASSETS_BYTES  (256U << 20) /* limit of all that a page may ask for, unpacked */

struct assets;

extern const char *const assets_html[]; /* the endings of HTML files */

/* Finds the page among the files: the first one that is a ZIP with one, else index.html (or another
 * ending, or readme), else the only file with one of the endings, else the first file. `endings`:
 * ".html", NULL-terminated; lives as long as the assets. ERR_CORRUPT_FILE, ERR_MISSING_FIELD,
 * ERR_LIMIT_EXCEEDED. */
struct assets *assets_open(const struct tool_input *inputs, size_t n, const char *const *endings,
                           struct err *err);
/* Has this HTML read in place of the page. Takes the content of the buffer. */
void assets_replace_page(struct assets *assets, struct buf *html);
void assets_free(struct assets *assets);
/* The address of the page. Borrowed. */
const char *assets_start(const struct assets *assets);
/* Whether an address is one of these files' origin. */
bool assets_owns(const char *address);

enum assets_found { ASSETS_FOUND, ASSETS_ABSENT, ASSETS_BROKEN, ASSETS_TOO_LARGE };
/* Reads the file that an address of ASSETS_ORIGIN names. *type: its media type, with a character
 * set for text that says none itself. Borrowed, lives as long as `assets`. */
enum assets_found assets_read(struct assets *assets, const char *address, struct buf *out,
                              const char **type);
