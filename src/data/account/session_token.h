/*
 * session_token: the secret that a browser keeps for the web page instead of an API key. The store
 * has its SHA-256 digest (data/store/store_sessions.h).
 */
#pragma once

#include <stdbool.h>

#include "base/digest.h"

/* "ws_" + 43 letters (256 bits), and a NUL. */
#define SESSION_TOKEN 47

/* Makes a new token. */
void session_token_make(char text[static SESSION_TOKEN]);
/* The digest that the store keeps. False if the text does not have the form of a token. */
bool session_token_digest(const char *text, char digest[static DIGEST_TEXT]);
