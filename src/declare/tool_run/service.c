#include "declare/tool_run/service.h"

#include "declare/tool_run/run.h"

static int no_services(struct err *err)
{
    return err_set(err, ERR_INTERNAL, "the tool asked for a service that it did not declare");
}

int tool_seal_chain(struct tool_run *run, struct buf *der_chain, struct err *err)
{
    const struct tool_services *services = run->services;

    return services ? services->seal_chain(services->arg, der_chain, err) : no_services(err);
}

int tool_seal_sign(struct tool_run *run, const unsigned char digest[static SERVICE_DIGEST],
                   struct buf *signature, struct err *err)
{
    const struct tool_services *services = run->services;

    return services ? services->seal_sign(services->arg, digest, signature, err) : no_services(err);
}

int tool_timestamp(struct tool_run *run, const unsigned char digest[static SERVICE_DIGEST],
                   struct buf *token, struct err *err)
{
    const struct tool_services *services = run->services;

    return services ? services->timestamp(services->arg, digest, NULL, token, err)
                    : no_services(err);
}
