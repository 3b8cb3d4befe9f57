#include "server/webhook/delivery_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/fdio.h"
#include "base/scope.h"

#define MAX_CA     ((size_t) 4 << 20)
#define IDLE_CONNS ((long) WEBHOOK_AT_ONCE) /* connections that are kept for further requests */
#define LOOK_MS    1000

struct delivery_loop {
    const struct transfer_rules *rules;
    int sock;
    CURLM *multi;
    unsigned n_in_flight;
    bool gone; /* the server has closed the socket */
};

int delivery_loop_rules(const struct webhook_terms *terms, struct transfer_rules *rules,
                        struct err *err)
{
    AUTO_CLOSE int ca = *terms->ca ? open(terms->ca, O_RDONLY | O_CLOEXEC) : -1;

    *rules = (struct transfer_rules){ .http = terms->http, .timeout_ms = terms->timeout_ms };
    if (net_list_read(terms->allowed, &rules->allowed, err) < 0)
        return -1;
    if (*terms->ca && ca < 0)
        return err_sys(err, "open the file of callback_ca");
    return ca < 0 ? 0 : fdio_read_all(ca, MAX_CA, &rules->ca, err);
}

static void respond(struct delivery_loop *loop, const struct webhook_response *response)
{
    ssize_t sent;

    do
        sent = send(loop->sock, response, sizeof *response, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    loop->gone = loop->gone || sent < 0;
}

static void begin_delivery(struct delivery_loop *loop, struct message *message)
{
    uint64_t ticket;
    struct transfer *transfer = transfer_new(loop->rules, message, &ticket);
    const struct webhook_response failed = { .ticket = ticket, .end = WEBHOOK_UNREACHABLE };

    if (transfer && curl_multi_add_handle(loop->multi, transfer_easy(transfer)) == CURLM_OK) {
        loop->n_in_flight++;
        return;
    }
    if (transfer)
        transfer_free(transfer);
    respond(loop, &failed);
}

/* Reads all requests that have arrived. */
static int receive_requests(struct delivery_loop *loop, struct err *err)
{
    struct pollfd control = { .fd = loop->sock, .events = POLLIN };

    while (!loop->gone && loop->n_in_flight < WEBHOOK_AT_ONCE && poll(&control, 1, 0) == 1) {
        struct message message;
        int got = message_recv(loop->sock, &message, err);

        if (got < 0)
            return -1;
        loop->gone = got == 0;
        if (got == 1)
            begin_delivery(loop, &message);
    }
    return 0;
}

static void end_transfers(struct delivery_loop *loop)
{
    struct webhook_response ended;
    CURLMsg *said;
    int left;

    while ((said = curl_multi_info_read(loop->multi, &left))) {
        struct transfer *transfer = NULL;
        const CURLcode done = said->data.result; /* `said` ends with the handle's removal */

        if (said->msg != CURLMSG_DONE ||
            curl_easy_getinfo(said->easy_handle, CURLINFO_PRIVATE, (char **) &transfer) != CURLE_OK)
            continue;
        curl_multi_remove_handle(loop->multi, transfer_easy(transfer));
        if (done == CURLE_OK && transfer_redirect(transfer) &&
            curl_multi_add_handle(loop->multi, transfer_easy(transfer)) == CURLM_OK)
            continue;
        transfer_result(transfer, done, &ended);
        transfer_free(transfer);
        loop->n_in_flight--;
        respond(loop, &ended);
    }
}

static int run_loop(struct delivery_loop *loop, struct err *err)
{
    struct curl_waitfd control = { .fd = loop->sock, .events = CURL_WAIT_POLLIN };
    int running;

    while (!loop->gone) {
        if (receive_requests(loop, err) < 0)
            return -1;
        if (curl_multi_perform(loop->multi, &running) != CURLM_OK)
            return err_set(err, ERR_INTERNAL, "curl_multi_perform");
        end_transfers(loop);
        if (curl_multi_poll(loop->multi, &control, loop->n_in_flight < WEBHOOK_AT_ONCE, LOOK_MS,
                            NULL) != CURLM_OK)
            return err_set(err, ERR_INTERNAL, "curl_multi_poll");
    }
    return 0;
}

int delivery_loop_run(int sock, const struct transfer_rules *rules, struct err *err)
{
    struct delivery_loop loop = { .rules = rules, .sock = sock };
    const int room = 1 << 20; /* for results that the server is slow to read */
    int done = -1;

    setsockopt(sock, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(loop.multi = curl_multi_init()))
        return err_set(err, ERR_INTERNAL, "libcurl cannot begin");
    if (curl_multi_setopt(loop.multi, CURLMOPT_MAXCONNECTS, IDLE_CONNS) == CURLM_OK)
        done = run_loop(&loop, err);
    /* Requests in flight are abandoned: the process ends, and libcurl's cleanup would wait for
     * them. */
    return done;
}
