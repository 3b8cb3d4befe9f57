#include "declare/tool/rule.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/scope.h"
#include "declare/tool/input.h"
#include "declare/value/area.h"
#include "declare/value/arrangement.h"
#include "declare/value/header_lines.h"
#include "declare/value/mark_list.h"
#include "declare/value/numeral.h"
#include "declare/value/page_list.h"
#include "declare/value/page_operations.h"
#include "declare/value/paper.h"
#include "declare/value/password.h"
#include "declare/value/pattern.h"
#include "declare/value/region_list.h"
#include "declare/value/text.h"

struct values {
    const struct tool *tool;
    const struct param_input *in;
    size_t n;
};

struct rule {
    const char *name;
    int (*check)(const struct values *values, struct err *err);
    const char *file; /* a parameter that is a file, of which the next one is the name; or NULL */
    const char *named;
};

static const struct param_input *given(const struct values *values, const char *name)
{
    for (size_t i = 0; i < values->n; i++)
        if (strcmp(values->in[i].name, name) == 0)
            return &values->in[i];
    return NULL;
}

/* The value that the tool will get: the given one, or the default; NULL if there is neither. */
static const char *value(const struct values *values, const char *name)
{
    const struct param_input *in = given(values, name);
    const struct param *param = param_find(values->tool->params, values->tool->n_params, name);

    return in ? in->value : param ? param->preset : NULL;
}

static bool is(const struct values *values, const char *name, const char *choice)
{
    const char *text = value(values, name);

    return text && strcmp(text, choice) == 0;
}

static int refuse_blank(const struct values *values, const char *name, struct err *err)
{
    const char *text = value(values, name);

    if (text && text_is_blank(text))
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s has no visible character", name);
    return 0;
}

static int check_add_password(const struct values *values, struct err *err)
{
    static const char *const fields[] = { "password", "ownerPassword" };

    for (size_t i = 0; i < COUNT(fields) && is(values, "encryption", "aes128"); i++) {
        const char *password = value(values, fields[i]);
        char encoded[PASSWORD_R4_MAX + 1];

        if (password && password_encode_r4(fields[i], password, encoded, err) < 0)
            return -1;
        explicit_bzero(encoded, sizeof encoded);
    }
    return 0;
}

static int check_attachments(const struct values *values, struct err *err)
{
    static const char *const fields[] = { "attachment", "description", "type", "relationship" };
    bool add = is(values, "action", "add");

    for (size_t i = 0; i < COUNT(fields); i++)
        if (given(values, fields[i]) && !add)
            return err_field(err, ERR_INVALID_PARAMETER, fields[i],
                             "%s has no meaning here: it belongs to action=add", fields[i]);
    if (add && !given(values, "attachment"))
        return err_field(err, ERR_MISSING_FIELD, "attachment",
                         "there is nothing to add: send the file as attachment");
    if (add && (!given(values, "name") || refuse_blank(values, "name", err) < 0))
        return err_field(err, ERR_MISSING_FIELD, "name",
                         "the attachment has no name: send one, such as invoice.xml");
    if (is(values, "action", "list") && given(values, "name"))
        return err_field(err, ERR_INVALID_PARAMETER, "name",
                         "name has no meaning here: all attachments are listed");
    return 0;
}

static int check_excel_to_pdf(const struct values *values, struct err *err)
{
    const char *sheets = value(values, "sheets");

    if (sheets && sheets[strspn(sheets, ", \"")] == '\0')
        return err_field(err, ERR_INVALID_PARAMETER, "sheets", "no sheet is named by sheets");
    return 0;
}

static int check_jpg_to_pdf(const struct values *values, struct err *err)
{
    const char *size = value(values, "pageSize"), *text = value(values, "margin");
    struct paper paper;
    double margin;

    if (paper_parse(size, &paper, err) < 0)
        return -1;
    if (!paper.fit && num_parse_double(text, strlen(text), 0, PAPER_POINT_MAX, &margin) &&
        !paper_has_room(paper.width, paper.height, margin * PAPER_MM))
        return err_field(err, ERR_INVALID_PARAMETER, "margin",
                         "a margin of %s mm leaves nothing of a page of the size %s", text, size);
    return 0;
}

static int check_metadata(const struct values *values, struct err *err)
{
    static const char *const fields[] = { "title",    "author",  "subject",  "keywords", "creator",
                                          "producer", "created", "modified", "custom" };
    bool set = is(values, "action", "set"), any = false;

    for (size_t i = 0; i < COUNT(fields); i++) {
        bool here = given(values, fields[i]) != NULL;

        if (here && !set)
            return err_field(err, ERR_INVALID_PARAMETER, fields[i],
                             "%s has no meaning here: it belongs to action=set", fields[i]);
        any = any || here;
    }
    if (set && !any)
        return err_field(err, ERR_MISSING_FIELD, "title",
                         "nothing is to be set: send title, author or another of the metadata");
    return 0;
}

static int check_merge(const struct values *values, struct err *err)
{
    const char *arrange = value(values, "arrange");

    return arrange ? arrangement_check(arrange, err) : 0;
}

static int check_outline(const struct values *values, struct err *err)
{
    bool set = is(values, "action", "set"), there = given(values, "outline") != NULL;

    if (set && !there)
        return err_field(err, ERR_MISSING_FIELD, "outline",
                         "the new outline is missing: send it as outline");
    if (there && !set)
        return err_field(err, ERR_INVALID_PARAMETER, "outline",
                         "outline has no meaning here: it belongs to action=set");
    return 0;
}

/* Only the first number can be checked: how many follow depends on the document. */
static int check_ocr(const struct values *values, struct err *err)
{
    static const char *const looks[] = { "deskew", "rotate", "clean", "compress" };
    const char *output = value(values, "outputFormat");

    for (size_t i = 0; output && strncmp(output, "pdf", 3) != 0 && i < COUNT(looks); i++)
        if (is(values, looks[i], "true"))
            return err_field(err, ERR_INVALID_PARAMETER, looks[i],
                             "changes how pages look: send it with outputFormat=pdf");
    return 0;
}

static int check_page_numbers(const struct values *values, struct err *err)
{
    const char *start = value(values, "start");
    int64_t first;

    if (refuse_blank(values, "format", err) < 0)
        return -1;
    return num_parse_i64(start, strlen(start), 0, INT64_MAX, &first)
               ? numeral_check(value(values, "format"), first, err)
               : 0;
}

static int check_pages(const struct values *values, struct err *err)
{
    AUTO_PAGE_OPERATIONS struct page_operations operations = { 0 };
    bool with = given(values, "with") != NULL, composes;

    if (page_operations_read("operations", value(values, "operations"), &operations, err) < 0)
        return -1;
    composes = page_operations_have(&operations, PAGE_COMPOSE);
    if (composes && !with)
        return err_field(err, ERR_MISSING_FIELD, "with",
                         "compose needs the other document: send it as with");
    if (with && !composes)
        return err_field(err, ERR_INVALID_PARAMETER, "with",
                         "with has no meaning here: no operation is compose");
    return 0;
}

/* Where and how a visible signature shows. */
static int check_sign_look(const struct values *values, struct err *err)
{
    const struct param_input *box = given(values, "box");
    bool placed = given(values, "placements");
    struct area_param area;

    if (box && area_parse("box", box->value, &area, err) < 0)
        return -1;
    if (box && (given(values, "position") || given(values, "fieldName")))
        return err_field(err, ERR_INVALID_PARAMETER, "box",
                         "box cannot be sent with %s: both say "
                         "where the signature shows",
                         given(values, "position") ? "position" : "fieldName");
    if (is(values, "visible", "false") && (box || (given(values, "image") && !placed)))
        return err_field(err, ERR_INVALID_PARAMETER, box ? "box" : "image",
                         "a signature that is not visible has no %s: leave it out, or make it "
                         "visible",
                         box ? "box" : "image");
    return 0;
}

/* A picture that a mark shows is there, and the one for initials is shown by a mark. */
static int check_sign_pictures(const struct values *values, const struct mark_list *list,
                               struct err *err)
{
    static const char *const names[] = { "image", "initials" };
    bool shown[COUNT(names)] = { false };

    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].type <= MARK_INITIALS)
            shown[list->items[i].type] = true;
    for (size_t i = 0; i < COUNT(names); i++)
        if (shown[i] && !given(values, names[i]))
            return err_field(err, ERR_MISSING_FIELD, names[i],
                             "placements puts %s on a page: send the picture as the field %s",
                             names[i], names[i]);
    if (given(values, "initials") && !shown[MARK_INITIALS])
        return err_field(err, ERR_INVALID_PARAMETER, "initials",
                         "no mark of placements is of the type initials");
    return 0;
}

static int check_sign_marks(const struct values *values, struct err *err)
{
    const struct param_input *in = given(values, "placements");
    AUTO_MARK_LIST struct mark_list list = { 0 };

    if (in && mark_list_read("placements", in->value, &list, err) < 0)
        return -1;
    return check_sign_pictures(values, &list, err);
}

/* Without a seal the document gets no signature, and nothing that belongs to one. */
static int check_unsealed(const struct values *values, struct err *err)
{
    static const char *const sealing[] = { "signerName", "certificate", "certificatePassword",
                                           "reason",     "location",    "visible",
                                           "level",      "certify",     "fieldName" };
    static const char *const placing[] = { "page", "position", "box" };
    const bool placed = given(values, "placements");

    for (size_t i = 0; i < COUNT(sealing); i++)
        if (given(values, sealing[i]))
            return err_field(err, ERR_INVALID_PARAMETER, sealing[i],
                             "%s belongs to the digital signature, which seal=false leaves out",
                             sealing[i]);
    for (size_t i = 0; placed && i < COUNT(placing); i++)
        if (given(values, placing[i]))
            return err_field(err, ERR_INVALID_PARAMETER, placing[i],
                             "%s has no meaning here: placements says where the pictures are put",
                             placing[i]);
    if (!placed && !given(values, "image"))
        return err_field(err, ERR_MISSING_FIELD, "placements",
                         "nothing is to be put on a page: send an image or placements, or "
                         "seal=true");
    return 0;
}

static int check_sign(const struct values *values, struct err *err)
{
    if (check_sign_look(values, err) < 0 || check_sign_marks(values, err) < 0)
        return -1;
    if (page_list_is_several(value(values, "page")))
        return err_field(err, ERR_INVALID_PARAMETER, "page", "page must name one page");
    if (is(values, "seal", "false"))
        return check_unsealed(values, err);
    if (given(values, "certificatePassword") && !given(values, "certificate"))
        return err_field(err, ERR_MISSING_FIELD, "certificate",
                         "certificatePassword opens nothing without a certificate");
    if (!given(values, "signerName"))
        return err_field(err, ERR_MISSING_FIELD, "signerName", "the field signerName is missing");
    return refuse_blank(values, "signerName", err);
}

static int check_split(const struct values *values, struct err *err)
{
    if (given(values, "blank") && given(values, "mode"))
        return err_field(err, ERR_INVALID_PARAMETER, "mode",
                         "mode says what becomes of pages: leave it out with blank");
    return 0;
}

static int check_to_png(const struct values *values, struct err *err)
{
    if (is(values, "color", "mono") && is(values, "background", "transparent"))
        return err_field(err, ERR_INVALID_PARAMETER, "background",
                         "a mono picture has no transparency: use gray or rgb");
    return 0;
}

static int check_to_tiff(const struct values *values, struct err *err)
{
    bool mono = is(values, "color", "mono");

    if (is(values, "compression", "g4") && !mono)
        return err_field(err, ERR_INVALID_PARAMETER, "compression",
                         "g4 is for black and white pictures only: choose color=mono with it");
    if (is(values, "compression", "jpeg") && mono)
        return err_field(err, ERR_INVALID_PARAMETER, "compression",
                         "jpeg has no black and white pictures: choose g4, or color=gray");
    return 0;
}

static int check_watermark(const struct values *values, struct err *err)
{
    static const char *const of_text[] = { "fontSize", "font" };
    static const char *const of_image[] = { "imageWidth", "imagePage" };

    for (size_t i = 0; i < COUNT(of_text); i++)
        if (given(values, "image") && given(values, of_text[i]))
            return err_field(err, ERR_INVALID_PARAMETER, of_text[i],
                             "%s is of a text: leave it out with image", of_text[i]);
    for (size_t i = 0; i < COUNT(of_image); i++)
        if (given(values, "text") && given(values, of_image[i]))
            return err_field(err, ERR_INVALID_PARAMETER, of_image[i],
                             "%s is of a picture: leave it out with text", of_image[i]);
    return refuse_blank(values, "text", err);
}

static int check_patterns(const char *text, bool any_case, struct err *err)
{
    const char *line;
    size_t at = 0, n, number = 0;
    bool several = strchr(text, '\n') != NULL;

    while (pattern_next_line(text, &at, &line, &n)) {
        AUTO_PATTERN struct pattern pattern = { 0 };

        number++;
        if (pattern_compile(&pattern, "pattern", line, n, any_case, err) < 0)
            return several ? err_wrap(err, "line %zu", number) : -1;
    }
    return 0;
}

static int check_search(const struct values *values, struct err *err)
{
    const char *pattern = value(values, "pattern"), *regions = value(values, "regions");
    struct region region;
    size_t at = 0;

    if (refuse_blank(values, "text", err) < 0 || refuse_blank(values, "pattern", err) < 0)
        return -1;
    if (pattern && check_patterns(pattern, !is(values, "matchCase", "true"), err) < 0)
        return -1;
    for (int next;
         regions && (next = region_list_next("regions", regions, &at, &region, err)) != 0;)
        if (next < 0)
            return -1;
    return 0;
}

static bool looks_for_something(const struct values *values)
{
    return given(values, "text") || given(values, "pattern") || given(values, "regions") ||
           given(values, "preset");
}

static int check_redact_find(const struct values *values, struct err *err)
{
    if (!looks_for_something(values))
        return err_field(err, ERR_MISSING_FIELD, "text",
                         "text, pattern, preset or regions must say what is looked for");
    return check_search(values, err);
}

static int check_redact(const struct values *values, struct err *err)
{
    if (!looks_for_something(values) && !given(values, "hits"))
        return err_field(err, ERR_MISSING_FIELD, "text",
                         "text, pattern, preset, regions or hits must say what is removed");
    if (is(values, "fill", "label") != (given(values, "label") != NULL))
        return err_field(err, given(values, "label") ? ERR_INVALID_PARAMETER : ERR_MISSING_FIELD,
                         "label", "fill=label and label go together");
    return check_search(values, err);
}

/* Whether the server may ask for the address is for it to say. */
static int check_address(const struct values *values, struct err *err)
{
    const char *headers = value(values, "headers"), *cookies = value(values, "cookies");
    const char *url = value(values, "url");
    char *lines;

    if (url && strncasecmp(url, "https://", 8) != 0 && strncasecmp(url, "http://", 7) != 0)
        return err_field(err, ERR_INVALID_PARAMETER, "url",
                         "url must begin with https:// or http://");
    if (headers) {
        lines = header_lines_read("headers", ERR_INVALID_PARAMETER, headers, err);
        if (!lines)
            return -1;
        explicit_bzero(lines, strlen(lines));
        free(lines);
    }
    return cookies ? header_lines_check_cookies("cookies", cookies, err) : 0;
}

const struct rule rule_add_password = { "add-password", check_add_password };
const struct rule rule_attachments = { "attachments", check_attachments, "attachment", "name" };
const struct rule rule_excel_to_pdf = { "excel-to-pdf", check_excel_to_pdf };
const struct rule rule_jpg_to_pdf = { "jpg-to-pdf", check_jpg_to_pdf };
const struct rule rule_metadata = { "metadata", check_metadata };
const struct rule rule_merge = { "merge", check_merge };
const struct rule rule_ocr = { "ocr", check_ocr };
const struct rule rule_outline = { "outline", check_outline };
const struct rule rule_page_numbers = { "page-numbers", check_page_numbers };
const struct rule rule_pages = { "pages", check_pages };
const struct rule rule_redact = { "redact", check_redact };
const struct rule rule_redact_find = { "redact-find", check_redact_find };
const struct rule rule_sign = { "sign", check_sign };
const struct rule rule_split = { "split", check_split };
const struct rule rule_to_png = { "to-png", check_to_png };
const struct rule rule_to_tiff = { "to-tiff", check_to_tiff };
const struct rule rule_url = { "url", check_address };
const struct rule rule_watermark = { "watermark", check_watermark };

static const struct rule *const rules[] = {
    &rule_add_password, &rule_attachments, &rule_excel_to_pdf, &rule_jpg_to_pdf,   &rule_merge,
    &rule_metadata,     &rule_ocr,         &rule_outline,      &rule_page_numbers, &rule_pages,
    &rule_redact,       &rule_redact_find, &rule_sign,         &rule_split,        &rule_to_png,
    &rule_to_tiff,      &rule_url,         &rule_watermark,
};

const char *rule_name(const struct rule *rule)
{
    return rule->name;
}

const struct rule *rule_find(const char *name)
{
    for (size_t i = 0; i < COUNT(rules); i++)
        if (strcmp(rules[i]->name, name) == 0)
            return rules[i];
    return NULL;
}

const struct param *rule_own_name(const struct tool *tool, const struct param_input *in,
                                  size_t n_in, struct param_input *called)
{
    const struct values values = { tool, in, n_in };
    const char *file = tool->rule ? tool->rule->file : NULL;
    const struct param_input *from = file ? given(&values, file) : NULL;
    const struct param *param = NULL;
    char name[201];

    if (!from || !from->file || given(&values, tool->rule->named))
        return NULL;
    text_file_name(from->file->name, strlen(from->file->name), name, sizeof name - 1);
    param = *name ? param_find(tool->params, tool->n_params, tool->rule->named) : NULL;
    *called = (struct param_input){ tool->rule->named, param ? strdup(name) : NULL };
    return called->value ? param : NULL;
}

int rule_check(const struct tool *tool, const struct param_input *in, size_t n_in, struct err *err)
{
    return tool->rule->check(&(struct values){ tool, in, n_in }, err);
}
