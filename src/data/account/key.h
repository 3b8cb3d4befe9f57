/*
 * key: an API key, the secret that identifies an account. The store keeps its SHA-256 digest and a
 * short prefix by which people distinguish keys; the key itself is shown once, when it is made. The
 * first letters say what it may do, and whether it is for tests.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"

/* "pk_" and the like + 8 letters + "_" + 33 secret letters (196 bits) + "_" + 6 letters of a
 * checksum, and a NUL. Keys of platen 0.2.0 and before have 39 secret letters and no checksum. */
#define KEY_TEXT      53
#define KEY_PREFIX    12  /* "pk_" and the like + 8 letters, and a NUL */
#define KEY_NAME      101 /* room for a name with its NUL */
#define KEY_PLAN      32  /* room for the name of a plan with its NUL */
#define KEY_TOOLS     512 /* room for a list of tools with its NUL */
#define KEY_ADDRESSES 512 /* room for a list of networks with its NUL */

struct key {
    int64_t id; /* of the account: a rotated key keeps it */
    /* of a test key that belongs to an account: that one; else 0. The jobs of test keys are in an
     * account of their own, id, so that they see no document of the other. */
    int64_t parent;
    char prefix[KEY_PREFIX];
    char digest[DIGEST_TEXT]; /* SHA-256 of the whole key as text */
    char name[KEY_NAME];
    char plan[KEY_PLAN];
    char tools[KEY_TOOLS];         /* what it may use, with blanks between; "": all */
    char addresses[KEY_ADDRESSES]; /* where it may be used from (net_list_read); "": everywhere */
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
/* Whether it is a test key, by its prefix. */
bool key_is_test(const char *prefix);
/* Whether it may use the tool. */
bool key_may_use(const struct key *key, const char *tool);
/* Writes a list of tools, with blanks or commas between them, as struct key has it. False: a name
 * does not have the form of a tool's, or there are too many. */
bool key_tools_read(const char *text, char out[static KEY_TOOLS]);

/* Makes a new key. */
void key_make(enum key_scope scope, bool test, char text[static KEY_TEXT]);
/* The prefix and digest that the store keeps. False if the text does not have the form of a key, or
 * its checksum is wrong. */
bool key_split(const char *text, char prefix[static KEY_PREFIX], char digest[static DIGEST_TEXT]);
