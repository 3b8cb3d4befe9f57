/* reader: how whoever asks for a page wants it: in which language, light or dark. */
#pragma once

/*
 * The name of the language, one of the files NAME.json of this folder: what the cookie
 * "platen_language" of the header Cookie chooses, else the language of Accept-Language (RFC 9110,
 * section 12.5.4) with the greatest weight that there is, else "en". Either header may be NULL.
 */
const char *web_language(const char *cookies, const char *accepted);

/* "light" or "dark" as the cookie "platen_theme" chooses, or "": as the reader's system is. */
const char *web_theme(const char *cookies);

/* "rtl" for a language that runs from right to left, else "ltr". */
const char *web_direction(const char *language);
