#include "data/account/session_token.h"

#include <string.h>

#include "base/id.h"

#define MARK   ((size_t) 3)
#define SECRET (SESSION_TOKEN - 1 - MARK)

void session_token_make(char text[static SESSION_TOKEN])
{
    memcpy(text, "ws_", MARK);
    id_secret(text + MARK, SECRET);
    text[SESSION_TOKEN - 1] = '\0';
}

bool session_token_digest(const char *text, char digest[static DIGEST_TEXT])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    if (strncmp(text, "ws_", MARK) != 0 || strlen(text) != SESSION_TOKEN - 1 ||
        strspn(text + MARK, letters) != SECRET)
        return false;
    digest_text(text, SESSION_TOKEN - 1, digest);
    return true;
}
