#include "engine/page_text/reader_pool.h"

/* A page that was read. */
struct page {
    struct page_content content;
    bool repaired;
};

/* The state of one thread. */
struct reader {
    struct document_pool_thread thread;
    struct page_reader pages;
};

static int open_reader(struct document_pool_thread *thread, struct err *err)
{
    struct reader *reader = (struct reader *) thread;

    return page_reader_open_again(&reader->pages, &thread->doc, thread->arg, err);
}

static void close_reader(struct document_pool_thread *thread)
{
    if (thread->doc.pdf)
        page_reader_close(&((struct reader *) thread)->pages);
}

static int read_pool_page(struct document_pool_thread *thread, size_t number, void *item,
                          struct err *err)
{
    struct reader *reader = (struct reader *) thread;
    struct page *page = item;

    page->repaired = false;
    if (page_reader_read_apart(&reader->pages, number, PAGE_READER_ALL, &page->content, err) < 0)
        return -1;
    page->repaired = pdf_was_repaired(thread->ctx, thread->doc.pdf);
    return 0;
}

static void clear_page(void *item)
{
    struct page *page = item;

    page_content_free(&page->content);
}

struct document_pool *reader_pool_start(const struct page_reader *reader,
                                        const struct document_pool_pages *pages, int n,
                                        struct err *err)
{
    static const struct document_pool_work work = { .name = "reader",
                                                    .stack_bytes = (size_t) 8 << 20,
                                                    .trim_pages = 16,
                                                    .state_bytes = sizeof(struct reader),
                                                    .item_bytes = sizeof(struct page),
                                                    .open = open_reader,
                                                    .make = read_pool_page,
                                                    .close = close_reader,
                                                    .clear = clear_page };

    return document_pool_start(&work, pages, reader, n, err);
}

int reader_pool_next(struct document_pool *pool, struct page_content *content, bool *repaired,
                     struct err *err)
{
    void *item;
    int done = document_pool_next(pool, &item, err);
    struct page *page = item;

    *content = page->content;
    *repaired = page->repaired;
    page->content = (struct page_content){ 0 };
    return done;
}
