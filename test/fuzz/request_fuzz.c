/* Input: two bytes for the number of descriptors, a job on its way to a zygote. All its texts must
 * lie within the message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "fuzz.h"
#include "sandbox/protocol/request.h"

static void judge(const struct message *message, const char *text)
{
    if (text < message->data || text + strlen(text) >= message->data + message->n)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct message message;
    struct request request = { 0 };
    struct err err;

    if (n < 2)
        return 0;
    message.n = n - 2;
    message.n_fds = (size_t) (data[0] << 8 | data[1]) % (MESSAGE_FDS + 1);
    message.data = calloc(1, message.n + 1); /* a NUL that does not count */
    memcpy(message.data, data + 2, message.n);
    if (request_unpack(&message, &request, &err) == 0) {
        judge(&message, request.tool);
        judge(&message, request.stem);
        for (size_t i = 0; i < request.n_inputs; i++)
            judge(&message, request.input_names[i]);
        for (size_t i = 0; i < request.n_params; i++) {
            judge(&message, request.params[i].name);
            if (i < request.n_params - request.n_files)
                judge(&message, request.params[i].value);
        }
    }
    free(request.input_names);
    free(request.params);
    free(message.data);
    return 0;
}
