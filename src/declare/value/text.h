/* text: validates UTF-8 from outside (RFC 3629), and makes it fit for display and for file
 * names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether n bytes are UTF-8 without control characters (C0 except line feed and tab, DEL, C1),
 * and the number of characters. A CR LF, as web forms send it, counts as one character. */
bool text_count(const char *text, size_t n, size_t *characters);
/* Whether text is one line: without tabs and line breaks of any kind, including U+2028 and
 * U+2029. */
bool text_is_line(const char *text);
/* Whether UTF-8 text is blank: only blanks of all kinds, line breaks and invisible characters. */
bool text_is_blank(const char *text);
/* Replaces each CR LF by a line feed. */
void text_join_breaks(char *text);

/* Copies text for a message: cut at cap - 1 bytes between characters, with '?' for unprintable
 * characters. */
void text_for_message(const char *text, size_t n, char *out, size_t cap);

/*
 * Makes a client's file name safe: path parts are removed (both slashes), invalid UTF-8 and
 * control, bidi-control or reserved characters (<>:"|?*) replaced, leading dots and blanks and
 * trailing ones removed, names that Windows reserves prefixed, and the name cut at `max` bytes
 * between characters (max < cap). The result may be empty.
 */
void text_file_name(const char *text, size_t n, char *out, size_t max);
/* The same for a text that is not a path: slashes are replaced, too. */
void text_part_name(const char *text, size_t n, char *out, size_t max);
/* Removes the extension of a name: its last dot and what follows, if that is at most ten characters
 * without a blank, and something is before the dot. */
void text_cut_extension(char *name);
