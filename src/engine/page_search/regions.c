#include "engine/page_search/regions.h"

#include "declare/value/page_list.h"
#include "declare/value/region_list.h"
#include "engine/mupdf/engine.h"

/* Converts an area of the displayed page; false: it is outside of it. May throw. */
static bool convert_region(fz_context *ctx, struct mupdf_document *doc, size_t number,
                           const struct area_param *area, struct redact_quad *out)
{
    pdf_page *page = pdf_load_page(ctx, doc->pdf, (int) number);
    fz_rect box = fz_infinite_rect, shown, wanted;
    fz_matrix ctm;
    fz_quad quad;

    wanted = fz_make_rect((float) area->x, (float) area->y, (float) (area->x + area->width),
                          (float) (area->y + area->height));
    fz_var(shown);
    fz_var(ctm);
    fz_try(ctx)
    {
        pdf_page_transform(ctx, page, &box, &ctm);
        shown = fz_bound_page(ctx, &page->super);
    }
    fz_always(ctx) fz_drop_page(ctx, &page->super);
    fz_catch(ctx) fz_rethrow(ctx);
    wanted = fz_intersect_rect(fz_translate_rect(wanted, shown.x0, shown.y0), shown);
    if (fz_is_empty_rect(wanted))
        return false;
    quad = fz_transform_quad(fz_quad_from_rect(wanted), fz_invert_matrix(ctm));
    *out = (struct redact_quad){ { (double) quad.ul.x, (double) quad.ul.y, (double) quad.ur.x,
                                   (double) quad.ur.y, (double) quad.ll.x, (double) quad.ll.y,
                                   (double) quad.lr.x, (double) quad.lr.y } };
    return true;
}

static int add_on_page(struct mupdf_document *doc, size_t number, const struct region *region,
                       struct hit_list *hits, struct err *err)
{
    fz_context *ctx = doc->ctx;
    struct redact_quad quad = { 0 };
    bool inside = false;
    int done = 0;

    fz_var(inside);
    fz_var(done);
    fz_try(ctx)
    {
        inside = convert_region(ctx, doc, number, &region->area, &quad);
    }
    fz_catch(ctx)
    {
        done = engine_caught(ctx, "a page", err);
    }
    if (done < 0)
        return -1;
    if (!inside)
        return err_field(err, ERR_INVALID_PARAMETER, "regions",
                         "the area %g,%g,%g,%g is outside page %zu", region->area.x, region->area.y,
                         region->area.width, region->area.height, number + 1);
    return hit_list_add_area(hits, number + 1, &quad, err);
}

static int add_region(struct mupdf_document *doc, const struct region *region,
                      struct hit_list *hits, struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };

    if (page_list_resolve(region->pages, doc->n_pages, &list, err) < 0)
        return -1;
    for (size_t i = 0; i < list.n_items; i++)
        for (size_t k = 0; k < list.items[i].n; k++)
            if (add_on_page(doc, list.items[i].pages[k], region, hits, err) < 0)
                return -1;
    return 0;
}

int regions_find(const char *list, struct mupdf_document *doc, struct hit_list *hits,
                 struct err *err)
{
    struct region region;
    size_t at = 0;

    for (int next; list && (next = region_list_next("regions", list, &at, &region, err)) != 0;)
        if (next < 0 || add_region(doc, &region, hits, err) < 0)
            return -1;
    return 0;
}
