#include "server/webhook/file_client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "sandbox/process/peer_files.h"

int file_client_path(const char *programs, char *out, size_t cap, struct err *err)
{
    return program_path(programs, "platen-webhook", out, cap, err);
}

static int lose(struct file_client *client, struct err *err, const char *why)
{
    file_client_end(client);
    return err_set(err, ERR_INTERNAL, "a file could not be fetched: platen-webhook %s", why);
}

static int start_helper(struct file_client *client, const struct webhook_terms *terms,
                        uint64_t serial, struct err *err)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    uint64_t files = peer_files_state();

    if (client->helper.pid >= 0 && client->files == files && client->serial == serial)
        return 0;
    file_client_end(client);
    client->files = files;
    client->serial = serial;
    if (webhook_terms_pack(terms, &packed, err) < 0 ||
        program_start(client->path, PROGRAM_APART, &client->helper, err) < 0)
        return -1;
    return message_send(client->helper.control, packed.data, packed.len, NULL, 0, err) < 0
               ? lose(client, err, "takes no terms")
               : 0;
}

int file_client_ask(struct file_client *client, const struct webhook_terms *terms, uint64_t serial,
                    struct webhook_request *request, int fd, struct err *err)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    int done;

    request->ticket = ++client->ticket;
    if (start_helper(client, terms, serial, err) < 0 ||
        webhook_request_pack(request, &packed, err) < 0)
        return -1;
    done = message_send(client->helper.control, packed.data, packed.len, &fd, 1, err);
    explicit_bzero(packed.data, packed.len);
    return done < 0 ? lose(client, err, "takes no request") : 0;
}

int file_client_fd(const struct file_client *client)
{
    return client->helper.control;
}

int file_client_receive(struct file_client *client, struct webhook_response *response,
                        struct err *err)
{
    char packet[sizeof *response + 1]; /* one byte more, to detect responses that are too long */
    ssize_t got = recv(client->helper.control, packet, sizeof packet, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got <= 0)
        return lose(client, err, "has ended");
    if (!webhook_response_read(packet, (size_t) got, response) ||
        response->ticket != client->ticket)
        return lose(client, err, "answers what was not asked");
    return 1;
}

void file_client_end(struct file_client *client)
{
    if (client->helper.pid >= 0)
        program_end(&client->helper);
}
