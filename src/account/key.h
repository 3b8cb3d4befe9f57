/*
 * key: an API key, the secret that stands for an account. The store keeps its SHA-256 digest and a
 * short prefix to tell keys apart; the key itself is shown once, when it is made.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"

#define KEY_TEXT   52 /* "pk_" + prefix (8) + "_" + 39 secret letters (232 bits), and a NUL */
#define KEY_PREFIX 12 /* "pk_" + 8 letters, and a NUL */
#define KEY_NAME   101
#define KEY_PLAN   32

struct key {
    int64_t id; /* of the account: a rotated key keeps it */
    char prefix[KEY_PREFIX];
    char digest[DIGEST_TEXT]; /* SHA-256 of the whole key's text */
    char name[KEY_NAME];
    char plan[KEY_PLAN];
    int64_t created_at;
    int64_t
        valid_until; /* Unix milliseconds; 0: without end. In the past: revoked or rotated out */
};

/* A new key's text. */
void key_make(char text[static KEY_TEXT]);
/* The two halves the store keeps of it. False if the text has not the form of a key. */
bool key_split(const char *text, char prefix[static KEY_PREFIX], char digest[static DIGEST_TEXT]);
