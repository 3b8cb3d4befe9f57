#include "engine/redact/redact_content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/redact/redact_image.h"
#include "engine/redact/redact_scrub.h"
#include "engine/redact/redact_text.h"
#include "pdf/content/inline_image.h"

#define MOST_STEPS    2000000000U /* operators and glyphs of a document */
#define MOST_SAVED    10000       /* nested q */
#define MOST_MARKS    10000       /* nested marked content */
#define MOST_OPERANDS 2000000
#define DEEPEST       20 /* nested form XObjects */

static struct redact_matrix operand_matrix(const struct redact_frame *f)
{
    struct redact_matrix m;

    for (size_t i = 0; i < 6; i++)
        m.at[i] = redact_frame_number(f, i);
    return m;
}

static void save_state(struct redact_frame *f)
{
    if (f->n_saved >= MOST_SAVED)
        return;
    if (LIST_ROOM(f->saved, f->n_saved, f->cap_saved))
        f->saved[f->n_saved++] = f->now;
    else
        f->edit->no_memory = true;
}

static void set_font(struct redact_frame *f, struct obj font, double size)
{
    f->now.font = redact_font_load(&f->edit->fonts, font);
    f->now.size = size;
    f->edit->damaged |= !f->now.font;
}

static void set_line(struct redact_frame *f, struct redact_matrix m)
{
    f->tm = f->tlm = m;
    f->moved = 0;
    f->last_removed = false;
}

static void next_line(struct redact_frame *f, double x, double y)
{
    set_line(f, redact_shape_multiply((struct redact_matrix){ { 1, 0, 0, 1, x, y } }, f->tlm));
}

/* Operators of the graphics state and of text that show nothing. False: it is another one. */
static bool run_state(struct redact_frame *f, const char *op)
{
    struct redact_state *s = &f->now;
    double first = redact_frame_number(f, 0), second = redact_frame_number(f, 1);

    if (strcmp(op, "q") == 0) {
        save_state(f);
    } else if (strcmp(op, "Q") == 0) {
        if (f->n_saved)
            *s = f->saved[--f->n_saved];
    } else if (strcmp(op, "cm") == 0) {
        s->ctm = redact_shape_multiply(operand_matrix(f), s->ctm);
    } else if (strcmp(op, "BT") == 0) {
        set_line(f, REDACT_IDENTITY);
    } else if (strcmp(op, "Tc") == 0) {
        s->tc = first;
    } else if (strcmp(op, "Tw") == 0) {
        s->tw = first;
    } else if (strcmp(op, "Tz") == 0) {
        s->tz = first / 100;
    } else if (strcmp(op, "TL") == 0) {
        s->tl = first;
    } else if (strcmp(op, "Ts") == 0) {
        s->ts = first;
    } else if (strcmp(op, "Td") == 0) {
        next_line(f, first, second);
    } else if (strcmp(op, "TD") == 0) {
        s->tl = -second;
        next_line(f, first, second);
    } else if (strcmp(op, "T*") == 0) {
        next_line(f, 0, -s->tl);
    } else if (strcmp(op, "Tm") == 0) {
        set_line(f, operand_matrix(f));
    } else if (strcmp(op, "Tr") == 0) {
        s->unseen = first == 3 || first == 7;
    } else if (strcmp(op, "Tf") == 0) {
        AUTO_OBJ struct obj font = redact_frame_resource(f, "/Font", 0);

        set_font(f, font, second);
    } else {
        return false;
    }
    return true;
}

static void replace_name(struct redact_frame *f, const char *category, struct obj value,
                         const char *op)
{
    char name[REDACT_NAME];

    redact_frame_add(f, category, value, name);
    redact_frame_replace(f);
    for (size_t i = 0; i + 1 < f->n; i++) {
        buf_put(&f->out, f->operands[i].at, f->operands[i].n);
        buf_putc(&f->out, ' ');
    }
    buf_printf(&f->out, "%s %s", name, op);
}

/* A font, and a group that is a soft mask, of a graphics state dictionary (8.4.5). */
static void run_gs(struct redact_frame *f)
{
    AUTO_OBJ struct obj gs = redact_frame_resource(f, "/ExtGState", 0);
    AUTO_OBJ struct obj font = obj_key(gs, "/Font");
    AUTO_OBJ struct obj mask = obj_key(gs, "/SMask");
    AUTO_OBJ struct obj group = obj_key(mask, "/G");

    if (obj_count(font) == 2) {
        AUTO_OBJ struct obj dict = obj_item(font, 0);
        AUTO_OBJ struct obj number = obj_item(font, 1);
        double size = 0;

        obj_is_number(number, &size);
        set_font(f, dict, size);
    }
    if (!obj_is_stream(group))
        return;
    AUTO_OBJ struct obj edited =
        redact_content_form(f->edit, group, f->resources, f->now.ctm, &f->now);
    if (!edited.q)
        return;
    AUTO_OBJ struct obj new_gs = obj_shallow_copy(gs);
    AUTO_OBJ struct obj new_mask = obj_shallow_copy(mask);
    obj_set(new_mask, "/G", edited);
    obj_set(new_gs, "/SMask", new_mask);
    replace_name(f, "/ExtGState", new_gs, "gs");
}

static void run_do(struct redact_frame *f)
{
    AUTO_OBJ struct obj xobject = redact_frame_resource(f, "/XObject", 0);
    AUTO_OBJ struct obj dict = obj_is_stream(xobject) ? obj_dict(xobject) : OBJ_NONE;
    AUTO_OBJ struct obj edited = OBJ_NONE;

    if (!dict.q)
        return;
    if (obj_key_is(dict, "/Subtype", "/Image"))
        edited = redact_image_cut(f->edit, xobject, f->now.ctm);
    else if (obj_key_is(dict, "/Subtype", "/Form"))
        edited = redact_content_form(f->edit, xobject, f->resources, f->now.ctm, &f->now);
    if (edited.q)
        replace_name(f, "/XObject", edited, "Do");
}

/* A tiling pattern (8.7.3), whose matrix maps to the space of the content that it is in, here the
 * page's. */
static void run_pattern(struct redact_frame *f, const char *op)
{
    AUTO_OBJ struct obj pattern = f->n ? redact_frame_resource(f, "/Pattern", f->n - 1) : OBJ_NONE;

    if (!pattern.q || !obj_is_stream(pattern))
        return;
    AUTO_OBJ struct obj edited = redact_content_form(f->edit, pattern, f->resources, f->base, NULL);
    if (edited.q)
        replace_name(f, "/Pattern", edited, op);
}

static void begin_path(struct redact_frame *f)
{
    const unsigned char *begin = f->n ? f->operands[0].at : f->lex.at;

    if (f->path != REDACT_NO_PATH)
        return;
    redact_frame_copy_until(f, begin);
    f->path = f->out.len;
    f->clips = false;
    f->path_box[0] = f->path_box[1] = INFINITY;
    f->path_box[2] = f->path_box[3] = -INFINITY;
}

/* Notes the edge from the last point of the path, where edges count. */
static void note_edge(struct redact_frame *f, double x, double y)
{
    struct redact_line *line = f->edit->line;

    if (!f->edit->measuring || line->n_edges >= REDACT_MOST_EDGES)
        return;
    if (LIST_ROOM(line->edges, line->n_edges, line->cap_edges))
        line->edges[line->n_edges++] =
            (struct redact_edge){ { (float) f->path_at[0], (float) f->path_at[1], (float) x,
                                    (float) y } };
    else
        f->edit->no_memory = true;
}

static void path_point(struct redact_frame *f, double x, double y, bool edge)
{
    redact_shape_move(f->now.ctm, &x, &y);
    if (edge)
        note_edge(f, x, y);
    f->path_at[0] = x;
    f->path_at[1] = y;
    f->path_box[0] = fmin(f->path_box[0], x);
    f->path_box[1] = fmin(f->path_box[1], y);
    f->path_box[2] = fmax(f->path_box[2], x);
    f->path_box[3] = fmax(f->path_box[3], y);
}

static bool path_is_inside(const struct redact_frame *f)
{
    const double *b = f->path_box;

    for (size_t i = 0; i < f->edit->n_areas; i++) {
        const struct redact_area *area = &f->edit->areas[i];

        if (redact_shape_has(area, b[0], b[1]) && redact_shape_has(area, b[2], b[1]) &&
            redact_shape_has(area, b[0], b[3]) && redact_shape_has(area, b[2], b[3]))
            return true;
    }
    return false;
}

/* What is drawn under text that moves, or as its background, goes with it. `begin` is where the
 * path begins in the output. */
static void move_path(struct redact_frame *f, size_t begin)
{
    struct redact_quad quad =
        redact_hits_box(f->path_box[0], f->path_box[1], f->path_box[2], f->path_box[3]);
    AUTO_BUF struct buf path = BUF_EMPTY;
    struct redact_matrix m, back;

    if (!f->edit->line || f->clips || !redact_shape_invert(f->now.ctm, &back) ||
        !redact_width_follow(f->edit->line, &quad, &m))
        return;
    m = redact_shape_multiply(redact_shape_multiply(f->now.ctm, m), back);
    redact_frame_copy(f);
    buf_put(&path, f->out.data + begin, f->out.len - begin);
    f->out.len = begin;
    buf_puts(&f->out, "\nq");
    for (int i = 0; i < 6; i++) {
        buf_putc(&f->out, ' ');
        redact_frame_put(&f->out, m.at[i]);
    }
    buf_puts(&f->out, " cm ");
    buf_put(&f->out, path.data, path.len);
    buf_puts(&f->out, " Q");
    f->edit->no_memory |= path.failed;
    f->changed = true;
}

static void end_path(struct redact_frame *f, const char *op)
{
    size_t begin = f->path;

    f->path = REDACT_NO_PATH;
    if (begin == REDACT_NO_PATH || strcmp(op, "n") == 0 || f->edit->measuring)
        return;
    if (!path_is_inside(f)) {
        move_path(f, begin);
        return;
    }
    f->edit->paths++;
    redact_frame_replace(f);
    if (!f->clips)
        f->out.len = begin;
    buf_puts(&f->out, f->clips ? " n" : " ");
}

/* Operators that make and paint paths (8.5). False: it is another one. */
static bool run_path(struct redact_frame *f, const char *op)
{
    static const char *const paints[] = { "S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n" };
    double first = redact_frame_number(f, 0), second = redact_frame_number(f, 1);
    bool curve = strcmp(op, "c") == 0 || strcmp(op, "v") == 0 || strcmp(op, "y") == 0;

    if (curve || strcmp(op, "m") == 0 || strcmp(op, "l") == 0) {
        begin_path(f);
        for (size_t i = 0; i + 1 < f->n; i += 2)
            path_point(f, redact_frame_number(f, i), redact_frame_number(f, i + 1), *op == 'l');
    } else if (strcmp(op, "re") == 0) {
        begin_path(f);
        for (int i = 0; i < 5; i++)
            path_point(f, first + (i == 1 || i == 2 ? redact_frame_number(f, 2) : 0),
                       second + (i == 2 || i == 3 ? redact_frame_number(f, 3) : 0), i > 0);
    } else if (strcmp(op, "W") == 0 || strcmp(op, "W*") == 0) {
        f->clips = true;
    } else {
        for (size_t i = 0; i < COUNT(paints); i++)
            if (strcmp(op, paints[i]) == 0) {
                end_path(f, op);
                return true;
            }
        return strcmp(op, "h") == 0;
    }
    return true;
}

/* For a search: the strings of a property list. */
static void read_strings(struct redact_frame *f)
{
    for (size_t i = 1; i < f->n; i++) {
        const struct lex_token *token = &f->operands[i];
        AUTO_FREE char *bytes = malloc(token->n + 1);
        size_t n = 0;

        if (!bytes || (token->kind != LEX_STRING && token->kind != LEX_HEX))
            continue;
        n = lex_string(token, bytes);
        AUTO_OBJ struct obj string = obj_new_string(f->edit->doc->q, bytes, n);
        const char *text = qpdf_oh_get_binary_utf8_value(string.q, string.oh, &n);
        buf_putc(f->edit->read, '\n');
        buf_put(f->edit->read, text, n);
        buf_putc(f->edit->read, '\n');
    }
}

static bool is_name(const struct lex_token *token, const char *name)
{
    return token->kind == LEX_NAME && token->n == strlen(name) &&
           memcmp(token->at, name, token->n) == 0;
}

static void begin_mark(struct redact_frame *f, bool properties)
{
    struct redact_mark mark = { .mcid = -1 };

    redact_frame_copy(f);
    if (f->edit->read)
        read_strings(f);
    if (properties && f->n >= 2 && f->operands[1].kind == LEX_DICT_BEGIN) {
        const unsigned char *end = f->lex.at;
        const struct lex_token *last = &f->operands[f->n - 1];

        mark.begin = f->out.len - (size_t) (end - f->operands[1].at);
        mark.end = f->out.len - (size_t) (end - (last->at + last->n));
        for (size_t i = 1; i + 1 < f->n; i++)
            if (is_name(&f->operands[i], "/MCID"))
                mark.mcid = (int64_t) fmin(fmax(redact_frame_number(f, i + 1), -1), 1e9);
            else
                mark.replaced |= is_name(&f->operands[i], "/ActualText");
    } else if (properties) {
        AUTO_OBJ struct obj list = redact_frame_resource(f, "/Properties", 1);
        long long mcid;

        if (obj_key_int(list, "/MCID", &mcid))
            mark.mcid = mcid;
        mark.replaced = obj_has(list, "/ActualText");
    }
    if (mark.mcid > INT32_MAX)
        mark.mcid = -1;
    if (f->n_marks < MOST_MARKS && LIST_ROOM(f->marks, f->n_marks, f->cap_marks))
        f->marks[f->n_marks++] = mark;
    else
        f->edit->no_memory = true;
}

/* Writes another property list of a mark. Marks that are still open begin before it. */
static void replace_properties(struct redact_frame *f, const struct redact_mark *mark,
                               const char *text)
{
    AUTO_BUF struct buf rest = BUF_EMPTY;

    buf_put(&rest, f->out.data + mark->end, f->out.len - mark->end);
    if (f->path != REDACT_NO_PATH && f->path >= mark->end)
        f->path = f->path - (mark->end - mark->begin) + strlen(text);
    f->out.len = mark->begin;
    buf_puts(&f->out, text);
    buf_put(&f->out, rest.data, rest.len);
    f->edit->no_memory |= rest.failed;
    f->changed = true;
}

/* The text that replaces what is shown (14.9.3 to 14.9.5) is removed with it. */
static void end_mark(struct redact_frame *f)
{
    static const char *const texts[] = { "/ActualText", "/Alt", "/E", "/T", "/Contents" };
    struct redact_mark mark = { 0 };
    bool found = false;

    redact_frame_copy(f);
    if (f->n_marks)
        mark = f->marks[--f->n_marks];
    if (!mark.removed || mark.end <= mark.begin)
        return;
    AUTO_FREE char *text = strndup(f->out.data + mark.begin, mark.end - mark.begin);
    if (!text)
        return;
    AUTO_OBJ struct obj dict = obj_try_parse(f->edit->doc->q, text);
    for (size_t i = 0; i < COUNT(texts); i++)
        if (obj_has(dict, texts[i])) {
            obj_remove(dict, texts[i]);
            found = true;
        }
    if (!found)
        return;
    replace_properties(f, &mark, obj_text(dict));
}

static bool run_shown(struct redact_frame *f, const char *op)
{
    if (strcmp(op, "Tj") == 0 || strcmp(op, "TJ") == 0 || strcmp(op, "'") == 0 ||
        strcmp(op, "\"") == 0)
        redact_text_show(f, op);
    else if (strcmp(op, "gs") == 0)
        run_gs(f);
    else if (strcmp(op, "Do") == 0)
        run_do(f);
    else if (strcmp(op, "scn") == 0 || strcmp(op, "SCN") == 0)
        run_pattern(f, op);
    else if (strcmp(op, "BDC") == 0 || strcmp(op, "BMC") == 0)
        begin_mark(f, op[1] == 'D');
    else if (strcmp(op, "EMC") == 0)
        end_mark(f);
    else
        return false;
    return true;
}

/* After ID: the operands are those of the image's dictionary, with BI before them. */
static void run_image(struct redact_frame *f)
{
    const unsigned char *first = f->n ? f->operands[0].at : f->lex.at;
    const unsigned char *id = f->n ? f->operands[f->n - 1].at + f->operands[f->n - 1].n : first;
    AUTO_OBJ struct obj dict =
        inline_image_dict(f->edit->doc->q, (const char *) first, (size_t) (id - first));
    AUTO_OBJ struct obj edited = OBJ_NONE;
    const unsigned char *begin = first;
    struct lex_token data;
    char name[REDACT_NAME];

    if (!lex_image(&f->lex, &data) || data.damaged) {
        f->edit->damaged = true;
        return;
    }
    edited = redact_image_cut_inline(f->edit, dict, f->resources, data.at, data.n, f->now.ctm);
    if (!edited.q)
        return;
    while (begin > f->copied && !(begin[0] == 'B' && begin[1] == 'I'))
        begin--;
    redact_frame_copy_until(f, begin);
    redact_frame_add(f, "/XObject", edited, name);
    buf_printf(&f->out, "%s Do ", name);
    f->copied = f->lex.at;
    f->changed = true;
}

static void run_operator(struct redact_frame *f, const struct lex_token *token)
{
    char op[4] = "";

    if (token->n < sizeof op)
        memcpy(op, token->at, token->n);
    if (strcmp(op, "BI") == 0) {
        f->n = 0;
        return;
    }
    if (strcmp(op, "ID") == 0)
        run_image(f);
    else if (!run_state(f, op) && !run_path(f, op))
        run_shown(f, op);
    f->n = 0;
}

static void run_frame(struct redact_frame *f, const unsigned char *data, size_t n)
{
    struct redact_edit *edit = f->edit;
    struct lex_token token;

    f->lex = lex_of(data, n);
    f->copied = data;
    f->path = REDACT_NO_PATH;
    f->tm = f->tlm = REDACT_IDENTITY;
    while (lex_next(&f->lex, &token) && !edit->no_memory) {
        edit->damaged |= token.damaged;
        if (++edit->steps > MOST_STEPS || f->n > MOST_OPERANDS)
            edit->no_memory = true;
        else if (token.kind == LEX_WORD && !lex_is_constant(&token))
            run_operator(f, &token);
        else if (LIST_ROOM(f->operands, f->n, f->cap))
            f->operands[f->n++] = token;
        else
            edit->no_memory = true;
    }
    redact_frame_copy_until(f, f->lex.end);
    edit->no_memory |= f->out.failed;
    free(f->operands);
    free(f->saved);
    free(f->marks);
}

void redact_content_run(struct redact_edit *edit, struct redact_frame *f, const unsigned char *data,
                        size_t n)
{
    AUTO_BUF struct buf scrubbed = BUF_EMPTY;

    f->edit = edit;
    f->base = f->now.ctm;
    if (f->now.tz == 0)
        f->now.tz = 1;
    if (redact_scrub_content(f, data, n, &scrubbed)) {
        f->changed = true;
        run_frame(f, (const unsigned char *) buf_text(&scrubbed), scrubbed.len);
    } else {
        run_frame(f, data, n);
    }
}

int64_t redact_content_parents(struct obj dict)
{
    long long key;

    return obj_key_int(dict, "/StructParents", &key) && key >= 0 && key < INT32_MAX ? key : -1;
}

void redact_content_drop(struct redact_frame *f)
{
    obj_drop(&f->own);
    buf_free(&f->out);
}

/* A stream with the entries of another one's dictionary that do not describe its bytes. */
static struct obj copy_stream(struct obj old, const struct buf *data)
{
    static const char *const without[] = { "/Length",   "/Filter",       "/DecodeParms", "/DL",
                                           "/Metadata", "/LastModified", "/PieceInfo",   "/F",
                                           "/FFilter",  "/FDecodeParms" };
    struct obj stream = obj_new_stream(old.q, data->data ? data->data : "", data->len);
    AUTO_OBJ struct obj from = obj_dict(old);
    AUTO_OBJ struct obj to = obj_dict(stream);
    AUTO_KEYS char **keys = obj_keys(from);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(from, keys[i]);
        bool copied = true;

        for (size_t k = 0; k < COUNT(without); k++)
            copied &= strcmp(keys[i], without[k]) != 0;
        if (copied)
            obj_set(to, keys[i], value);
    }
    return stream;
}

struct obj redact_content_form(struct redact_edit *edit, struct obj form, struct obj outer,
                               struct redact_matrix ctm, const struct redact_state *state)
{
    AUTO_OBJ struct obj dict = obj_dict(form);
    AUTO_OBJ struct obj resources = obj_key(dict, "/Resources");
    AUTO_FREE unsigned char *data = NULL;
    /* Without any, they are null, and not no object. */
    struct redact_frame f = { .resources = obj_is_dict(resources) || !outer.q ? resources : outer };
    struct obj edited = OBJ_NONE;
    size_t n;

    if (edit->depth >= DEEPEST)
        return OBJ_NONE;
    if (!obj_stream_data(form, &data, &n)) {
        edit->unread = true;
        return OBJ_NONE;
    }
    if (state)
        f.now = *state;
    f.parents = redact_content_parents(dict);
    f.now.ctm = redact_shape_multiply(redact_frame_matrix(dict, "/Matrix"), ctm);
    edit->depth++;
    redact_content_run(edit, &f, data, n);
    edit->depth--;
    if (f.changed && !edit->no_memory) {
        edited = copy_stream(form, &f.out);
        if (f.own.q) {
            AUTO_OBJ struct obj to = obj_dict(edited);

            obj_set(to, "/Resources", f.own);
        }
    }
    redact_content_drop(&f);
    return edited;
}
