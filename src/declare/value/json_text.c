#include "declare/value/json_text.h"

#include <string.h>

#include "declare/value/text.h"

#define SHOWN 96 /* bytes of the parser's message, with a NUL */

json_t *json_text_read(const char *name, const char *text, struct err *err)
{
    json_error_t why;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    char shown[SHOWN];

    if (json)
        return json;
    text_for_message(why.text, strlen(why.text), shown, sizeof shown);
    err_field(err, ERR_INVALID_PARAMETER, name, "%s is not JSON: line %d: %s", name, why.line,
              shown);
    return NULL;
}
