/*
 * key: an API key, the secret that identifies an account. The store keeps its SHA-256 digest and a
 * short prefix by which people distinguish keys; the key itself is shown once, when it is made. The
 * first letters say what it may do.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"

#define KEY_TEXT                                                                                   \
    52 /* "pk_", "pr_" or "ps_" + prefix (8) + "_" + 39 secret letters (232 bits), and a NUL */
#define KEY_PREFIX 12  /* "pk_" and the like + 8 letters, and a NUL */
#define KEY_NAME   101 /* room for a name with its NUL */
#define KEY_PLAN   32  /* room for the name of a plan with its NUL */

struct key {
    int64_t id; /* of the account: a rotated key keeps it */
    char prefix[KEY_PREFIX];
    char digest[DIGEST_TEXT]; /* SHA-256 of the whole key as text */
    char name[KEY_NAME];
    char plan[KEY_PLAN];
    /* Unix milliseconds; valid_until 0: for ever; in the past: revoked, or replaced by rotation */
    int64_t created_at, valid_until;
};

/* What a key may do. */
enum key_scope {
    KEY_MANAGE, /* all that its account can, also make and end its keys */
    KEY_READ,   /* read all that the account has */
    KEY_SUBMIT, /* submit jobs, and read those that were submitted with it */
    KEY_SCOPES,
};

/* "manage", "read", "submit" */
const char *key_scope_name(enum key_scope scope);
/* The scope with this name; KEY_SCOPES if no scope has it. */
enum key_scope key_scope_find(const char *name);
/* That of a key, by its prefix. */
enum key_scope key_scope(const char *prefix);

/* Makes a new key. */
void key_make(enum key_scope scope, char text[static KEY_TEXT]);
/* The prefix and digest that the store keeps. False if the text does not have the form of a key. */
bool key_split(const char *text, char prefix[static KEY_PREFIX], char digest[static DIGEST_TEXT]);
