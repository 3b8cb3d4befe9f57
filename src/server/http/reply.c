#include "server/http/reply.h"

#include <sys/socket.h>
#include <time.h>

#define STREAM_BLOCK 1024 /* libmicrohttpd allocates as much for each such response */

int64_t reply_length(const struct http_response *resp)
{
    if (resp->shared)
        return (int64_t) resp->shared_bytes;
    return resp->has_file ? resp->file_bytes : (int64_t) resp->body.len;
}

static struct MHD_Response *new_body(struct http_response *resp, MHD_ContentReaderCallback read,
                                     void *arg)
{
    struct MHD_Response *reply;

    if (resp->source.read)
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read, arg, NULL);

    if (resp->shared)
        return MHD_create_response_from_buffer(
            resp->shared_bytes, (void *) (uintptr_t) resp->shared, MHD_RESPMEM_PERSISTENT);
    if (resp->has_file) {
        reply = MHD_create_response_from_fd_at_offset64((uint64_t) resp->file_bytes, resp->file,
                                                        (uint64_t) resp->file_offset);
        resp->has_file = reply == NULL;
        return reply;
    }
    if (resp->body.failed)
        return NULL;
    if (resp->body.len == 0)
        return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    reply = MHD_create_response_from_buffer(resp->body.len, resp->body.data, MHD_RESPMEM_MUST_FREE);
    if (reply)
        resp->body = BUF_EMPTY;
    return reply;
}

struct MHD_Response *reply_new(struct http_response *resp, MHD_ContentReaderCallback read,
                               void *arg)
{
    struct MHD_Response *reply = new_body(resp, read, arg);

    if (!reply)
        return NULL;
    for (size_t i = 0; i < resp->n_headers; i++)
        MHD_add_response_header(reply, resp->headers[i].name, resp->headers[i].value);
    return reply;
}

static void put_date(struct buf *out)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t now = time(NULL);
    struct tm tm;

    if (!gmtime_r(&now, &tm))
        return;
    buf_printf(out, "Date: %.3s, %02d %.3s %d %02d:%02d:%02d GMT\r\n", days + tm.tm_wday * 3L,
               tm.tm_mday, months + tm.tm_mon * 3L, tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
               tm.tm_sec);
}

void reply_now(int fd, gnutls_session_t tls, const struct http_response *resp, bool head)
{
    const char *reason = MHD_get_reason_phrase_for((unsigned int) resp->status);
    AUTO_BUF struct buf out = BUF_EMPTY;

    buf_printf(&out, "HTTP/1.1 %d %s\r\n", resp->status, reason);
    put_date(&out);
    buf_puts(&out, "Connection: close\r\n");
    for (size_t i = 0; i < resp->n_headers; i++)
        buf_printf(&out, "%s: %s\r\n", resp->headers[i].name, resp->headers[i].value);
    buf_printf(&out, "Content-Length: %zu\r\n\r\n", resp->body.len);
    if (!head)
        buf_put(&out, buf_text(&resp->body), resp->body.len);
    /* What does not fit is dropped; the client notices by the length. */
    if (!out.failed && tls) {
        (void) !gnutls_record_send(tls, out.data, out.len);
        gnutls_bye(tls, GNUTLS_SHUT_WR);
    } else if (!out.failed) {
        (void) !send(fd, out.data, out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    shutdown(fd, SHUT_WR);
}
