#include "hook/courier.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/fdio.h"
#include "base/scope.h"

#define MAX_CA     ((size_t) 4 << 20)
#define IDLE_CONNS ((long) ORDER_AT_ONCE) /* connections kept for the next orders */
#define LOOK_MS    1000

struct courier {
    const struct transfer_rules *rules;
    int sock;
    CURLM *multi;
    unsigned under_way;
    bool gone; /* the server is */
};

int courier_rules(const struct order_terms *terms, struct transfer_rules *rules, struct err *err)
{
    AUTO_CLOSE int ca = *terms->ca ? open(terms->ca, O_RDONLY | O_CLOEXEC) : -1;

    *rules = (struct transfer_rules){ .http = terms->http, .timeout_ms = terms->timeout_ms };
    if (net_list_read(terms->allowed, &rules->allowed, err) < 0)
        return -1;
    if (*terms->ca && ca < 0)
        return err_sys(err, "open the file of callback_ca");
    return ca < 0 ? 0 : fdio_read_all(ca, MAX_CA, &rules->ca, err);
}

static void answer(struct courier *courier, const struct order_answer *answer)
{
    ssize_t sent;

    do
        sent = send(courier->sock, answer, sizeof *answer, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    courier->gone = courier->gone || sent < 0;
}

static void begin(struct courier *courier, struct message *message)
{
    uint64_t ticket;
    struct transfer *transfer = transfer_new(courier->rules, message, &ticket);
    const struct order_answer failed = { .ticket = ticket, .end = ORDER_UNREACHABLE };

    if (transfer && curl_multi_add_handle(courier->multi, transfer_easy(transfer)) == CURLM_OK) {
        courier->under_way++;
        return;
    }
    if (transfer)
        transfer_free(transfer);
    answer(courier, &failed);
}

/* All orders that have come. */
static int take_orders(struct courier *courier, struct err *err)
{
    struct pollfd control = { .fd = courier->sock, .events = POLLIN };

    while (!courier->gone && courier->under_way < ORDER_AT_ONCE && poll(&control, 1, 0) == 1) {
        struct message message;
        int got = message_recv(courier->sock, &message, err);

        if (got < 0)
            return -1;
        courier->gone = got == 0;
        if (got == 1)
            begin(courier, &message);
    }
    return 0;
}

static void end_transfers(struct courier *courier)
{
    struct order_answer ended;
    CURLMsg *said;
    int left;

    while ((said = curl_multi_info_read(courier->multi, &left))) {
        struct transfer *transfer = NULL;

        if (said->msg != CURLMSG_DONE ||
            curl_easy_getinfo(said->easy_handle, CURLINFO_PRIVATE, (char **) &transfer) != CURLE_OK)
            continue;
        transfer_judge(transfer, said->data.result, &ended);
        curl_multi_remove_handle(courier->multi, transfer_easy(transfer));
        transfer_free(transfer);
        courier->under_way--;
        answer(courier, &ended);
    }
}

static int run(struct courier *courier, struct err *err)
{
    struct curl_waitfd control = { .fd = courier->sock, .events = CURL_WAIT_POLLIN };
    int running;

    while (!courier->gone) {
        if (take_orders(courier, err) < 0)
            return -1;
        if (curl_multi_perform(courier->multi, &running) != CURLM_OK)
            return err_set(err, ERR_INTERNAL, "curl_multi_perform");
        end_transfers(courier);
        if (curl_multi_poll(courier->multi, &control, courier->under_way < ORDER_AT_ONCE, LOOK_MS,
                            NULL) != CURLM_OK)
            return err_set(err, ERR_INTERNAL, "curl_multi_poll");
    }
    return 0;
}

int courier_run(int sock, const struct transfer_rules *rules, struct err *err)
{
    struct courier courier = { .rules = rules, .sock = sock };
    const int room = 1 << 20; /* for answers that the server is slow to take */
    int done = -1;

    setsockopt(sock, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(courier.multi = curl_multi_init()))
        return err_set(err, ERR_INTERNAL, "libcurl cannot begin");
    if (curl_multi_setopt(courier.multi, CURLMOPT_MAXCONNECTS, IDLE_CONNS) == CURLM_OK)
        done = run(&courier, err);
    /* What is under way is left: the process ends, and asking libcurl to wait for it would hold the
     * server up. */
    return done;
}
