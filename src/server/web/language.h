/* language: which of the languages of the web page a request asks for. */
#pragma once

/*
 * The name of the language, one of the files NAME.json of this folder: what the cookie
 * "platen_language" of the header Cookie chooses, else the language of Accept-Language (RFC 9110,
 * section 12.5.4) with the greatest weight that there is, else "en". Either header may be NULL.
 */
const char *web_language(const char *cookies, const char *accepted);
