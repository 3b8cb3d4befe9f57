/* Tests of pdf/redact_hits. */
#include "pdf/redact/redact_hits.h"

#include "tap.h"

static void refuses(const char *json, const char *message)
{
    AUTO_REDACT_HITS struct redact_hits hits = { 0 };
    struct err err = { 0 };

    ok(redact_hits_read(&hits, "hits", json, &err) < 0 && err.code == ERR_INVALID_PARAMETER &&
           strcmp(err.field, "hits") == 0,
       "refused: %s", json);
    is_str(err.msg, message, "the message says what is wrong");
}

static void round_trip(void)
{
    AUTO_REDACT_HITS struct redact_hits hits = { 0 }, again = { 0 };
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct redact_quad quad = redact_hits_box(30, 40, 10, 20);
    struct redact_hit hit = { .kind = "text", .page = 3, .quads = &quad, .n_quads = 1 };
    struct err err = { 0 };

    hit.text = "M\xc3\xbcller";
    hit.context = "Herr M\xc3\xbcller";
    ok(redact_hits_add(&hits, &hit, &err) == 0, "a hit is added");
    ok(redact_hits_write(&hits, &out, &err) == 0, "the list is written");
    ok(redact_hits_read(&again, "hits", buf_text(&out), &err) == 0 && again.n == 1,
       "what was written is read");
    is_str(again.items[0].id, "1", "a hit without an id gets a number");
    is_str(again.items[0].text, "M\xc3\xbcller", "its text is the same");
    is_str(again.items[0].context, "Herr M\xc3\xbcller", "its context is the same");
    is_int(again.items[0].page, 3, "its page is the same");
    ok(memcmp(again.items[0].quads, &quad, sizeof quad) == 0, "its area is the same");
    is_int((long) quad.at[1], 40, "an area begins with its top left corner");
}

int main(void)
{
    AUTO_REDACT_HITS struct redact_hits hits = { 0 };
    struct err err = { 0 };

    round_trip();
    ok(redact_hits_read(&hits, "hits", "{\"hits\":[{\"page\":1,\"box\":[1,2,3,4]}]}", &err) == 0 &&
           hits.n == 1 && hits.items[0].n_quads == 1,
       "an object with a list of areas is read");
    is_str(hits.items[0].kind, "region", "an area without a text is a region");
    refuses("{}", "hits must be a list in JSON");
    refuses("[7]", "hits[0] must be an object");
    refuses("[{\"text\":\"a\"},{\"page\":1}]", "hits[1] has neither an area nor a text");
    refuses("[{\"box\":[1,2,3,4]}]", "hits[0] has an area and no \"page\"");
    refuses("[{\"page\":1,\"box\":[1,2,1,4]}]",
            "hits[0] has a \"box\" that is not four numbers, x0, y0, x1, y1, with an area");
    refuses("[{\"page\":1,\"quads\":[[1,2,3]]}]",
            "hits[0] has an area in \"quads\" that is not eight numbers");
    refuses("[{\"page\":-1,\"text\":\"a\"}]", "hits[0] has a \"page\" that is not a number from 1");
    return done_testing();
}
