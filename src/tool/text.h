/* text: UTF-8 from outside (RFC 3629), judged and made fit to show or to name a file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool text_is_utf8(const char *text, size_t n);
/* Whether n bytes are UTF-8 without control characters (C0 but line feed and tab, DEL, C1), and
 * how many characters they are. A line may end in CR LF, as forms of web pages have it: that is one
 * character. */
bool text_count(const char *text, size_t n, size_t *characters);
/* Whether text is one line: it has no tab and no line break of any kind, U+2028 and U+2029 among
 * them. */
bool text_is_line(const char *text);
/* Whether there is nothing to see in UTF-8 text: blanks of all kinds, line breaks and characters
 * without a shape of their own. */
bool text_is_blank(const char *text);
/* Makes each CR LF a line feed. */
void text_join_breaks(char *text);

/* Copies text into a message: cut at cap - 1 bytes between characters, whatever is not printable
 * becomes '?'. */
void text_for_message(const char *text, size_t n, char *out, size_t cap);

/*
 * A file name from a client, made safe: path parts cut off (both slashes), what is not UTF-8 or is
 * a control, bidi-control or reserved character (<>:"|?*) replaced, leading dots and blanks and
 * trailing ones taken away, names Windows reserves prefixed, cut at `max` bytes between characters
 * (max < cap). May come out empty.
 */
void text_file_name(const char *text, size_t n, char *out, size_t max);
/* The same of a text that is no path: slashes are replaced too. */
void text_part_name(const char *text, size_t n, char *out, size_t max);
/* Cuts the extension off a name (".pdf", ".tar" is enough), if a stem is left. */
void text_cut_extension(char *name);
