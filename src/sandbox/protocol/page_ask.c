#include "sandbox/protocol/page_ask.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

int page_ask_send(int sock, const struct page_ask *ask, const char *url, const char *headers,
                  struct err *err)
{
    AUTO_BUF struct buf packet = BUF_EMPTY;
    ssize_t put;

    buf_put(&packet, ask, sizeof *ask);
    buf_put(&packet, url, strlen(url) + 1);
    buf_put(&packet, headers, strlen(headers) + 1);
    if (packet.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (packet.len > PAGE_ASK_BYTES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "its address or its headers are too long");
    do
        put = write(sock, packet.data, packet.len);
    while (put < 0 && errno == EINTR);
    return put == (ssize_t) packet.len ? 0 : err_sys(err, "ask the server");
}

int page_ask_read(int sock, struct page_piece *piece, struct buf *data, struct err *err)
{
    char *packet;
    ssize_t got;

    buf_drop(data, data->len);
    packet = buf_room(data, sizeof *piece + PAGE_PIECE_BYTES);
    if (!packet)
        return err_set(err, ERR_INTERNAL, "out of memory");
    do
        got = read(sock, packet, sizeof *piece + PAGE_PIECE_BYTES);
    while (got < 0 && errno == EINTR);
    if (got < (ssize_t) sizeof *piece)
        return err_set(err, ERR_INTERNAL, "the server does not answer");
    memcpy(piece, packet, sizeof *piece);
    buf_added(data, (size_t) got);
    buf_drop(data, sizeof *piece);
    return 0;
}
