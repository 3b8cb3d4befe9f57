/*
 * mcp_message: one message of the Model Context Protocol (JSON-RPC 2.0) from a client, read and
 * checked together with the header lines that repeat parts of it. Of two eras of the protocol both
 * are understood: the revision 2026-07-28, in which each request says in `_meta` which revision it
 * follows and what the client can do, and 2025-11-25 and 2025-06-18, in which `initialize` comes
 * first. Nothing is remembered between requests in either.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define MCP_REVISION "2026-07-28"
#define MCP_BYTES    ((size_t) 256 * 1024) /* limit of a message */
#define MCP_META     "io.modelcontextprotocol/"

/* Error codes of JSON-RPC 2.0 and of MCP 2026-07-28. */
enum mcp_code {
    MCP_PARSE_ERROR = -32700,
    MCP_INVALID_REQUEST = -32600,
    MCP_NO_METHOD = -32601,
    MCP_INVALID_PARAMS = -32602,
    MCP_INTERNAL = -32603,
    MCP_NO_RESOURCE = -32002, /* before 2026-07-28, which has MCP_INVALID_PARAMS for it */
    MCP_HEADER_MISMATCH = -32020,
    MCP_NO_REVISION = -32022,
};

enum mcp_kind { MCP_REQUEST, MCP_NOTIFICATION, MCP_RESPONSE };

/* Header lines; NULL: there is no such line. */
struct mcp_lines {
    const char *revision; /* MCP-Protocol-Version */
    const char *method;   /* Mcp-Method */
    const char *name;     /* Mcp-Name */
};

struct mcp_message {
    json_t *root;
    enum mcp_kind kind;
    const json_t *id; /* of a request, once it could be read; or NULL */
    const char *method;
    const json_t *params; /* an object, or NULL */
    bool modern;          /* of 2026-07-28 */
};

/* Why a message is refused. */
struct mcp_fault {
    int status; /* of HTTP */
    enum mcp_code code;
    char text[240];
    char requested[40]; /* the revision, for MCP_NO_REVISION */
    json_t *data;       /* the error's member `data`, which mcp_reply_fault owns; or NULL */
};

/* The revisions that are understood, the newest first; NULL past the end. Clients of all but the
 * first begin with initialize. */
const char *mcp_message_revision(size_t i);

/* Reads a message. The fault has the reason on -1; message->id is set then, too, if it was found.
 * mcp_message_free in any case. */
int mcp_message_read(struct mcp_message *message, const void *text, size_t n,
                     const struct mcp_lines *lines, struct mcp_fault *fault);
void mcp_message_free(struct mcp_message *message);

/* A member of the message's `_meta` that the protocol has; NULL: it is not there. Borrowed. */
const json_t *mcp_message_meta(const struct mcp_message *message, const char *name);

/* Sets the fault and returns -1. */
__attribute__((format(printf, 4, 5))) int mcp_fault_set(struct mcp_fault *fault, int status,
                                                        enum mcp_code code, const char *fmt, ...);
