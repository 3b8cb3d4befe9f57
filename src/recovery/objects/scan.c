/* The scan of objects.h: what has a header "N G obj", and the trailers. */
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/inflate_repair/zstream.h"
#include "recovery/objects/attached.h"
#include "recovery/objects/objects.h"
#include "recovery/objects/revision.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/syntax.h"

#define LENGTHS   200000U             /* objects that are the length of a stream */
#define CHECKS    100U                /* streams unpacked because they seem to hold objects, */
#define CHECK_MAX ((size_t) 16 << 20) /* and what they unpack to */
#define EFFORT    ((size_t) 4 << 30)  /* about 8 s; a megabyte is 2 ms */
/* Of a file, at least, and for each of its bytes (recovery/objects/objects.h): */
#define INDICATED      ((size_t) 96 << 20)
#define INDICATED_RATE 256U
#define GUESSES        ((size_t) 8 << 20)
#define GUESSES_RATE   64U
#define FLIPS          ((size_t) 16 << 20)
#define FLIPS_RATE     256U
#define ATTACHED       100U /* attached PDFs whose ends are searched in the file */
#define EOL_SLACK      4    /* bytes between the end of a stream's data and its keyword */

struct length {
    uint32_t number;
    uint64_t value;
};

/* The first position of a word from `from` on; the file's end if there is none. It is cached:
 * otherwise streams without end would each cause a search of the whole file. */
struct mark {
    const char *word;
    size_t from, at;
};

struct scan {
    struct objects *objects;
    struct syntax s;
    struct mark endstream, endobj;
    struct length *lengths; /* sorted by number; of two the later */
    size_t n_lengths;
    size_t n_checks;   /* of go_on */
    size_t n_attached; /* of attached_end */
};

/* A header that ends with the "obj" at `at`: where it begins and what it says. */
static bool header_before(const struct syntax *s, size_t at, size_t *from, uint32_t *number)
{
    const unsigned char *d = s->data;
    size_t i = at, digits;
    uint64_t value = 0, unit = 1;

    while (i > 0 && lex_is_space(d[i - 1]))
        i--;
    for (digits = 0; i > 0 && d[i - 1] >= '0' && d[i - 1] <= '9' && digits < 6; digits++)
        i--;
    if (!digits || i == 0 || !lex_is_space(d[i - 1]))
        return false;
    while (i > 0 && lex_is_space(d[i - 1]))
        i--;
    for (digits = 0; i > 0 && d[i - 1] >= '0' && d[i - 1] <= '9' && digits < 10; digits++) {
        value += (uint64_t) (d[--i] - '0') * unit;
        unit *= 10;
    }
    if (!digits || value == 0 || value > SYNTAX_NUMBER)
        return false;
    *from = i;
    *number = (uint32_t) value;
    return true;
}

/* The next "obj" that is not the end of "endobj"; false: there is none. */
static bool next_obj(const struct syntax *s, size_t *at)
{
    const unsigned char *d = s->data;
    size_t i = *at;

    for (;;) {
        const unsigned char *found = i < s->n ? memmem(d + i, s->n - i, "obj", 3) : NULL;

        if (!found)
            return false;
        i = (size_t) (found - d);
        if (!(i >= 3 && memcmp(d + i - 3, "end", 3) == 0) &&
            !(i + 3 < s->n && d[i + 3] >= 'a' && d[i + 3] <= 'z')) {
            *at = i;
            return true;
        }
        i += 3;
    }
}

static int by_number(const void *a, const void *b)
{
    const struct length *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* Lengths of streams that are indirect objects come after the streams, so that they must be read
 * first. */
static int collect_lengths(struct scan *scan, struct err *err)
{
    struct syntax s = scan->s;
    size_t at = 0, cap = 0;

    for (; next_obj(&s, &at); at += 3) {
        struct length length = { 0 };
        size_t from;

        if (!header_before(&s, at, &from, &length.number))
            continue;
        s.at = at + 3;
        syntax_skip_space(&s);
        if (!syntax_unsigned(&s, &length.value))
            continue;
        syntax_skip_space(&s);
        if (!syntax_skip_word(&s, "endobj") || scan->n_lengths == LENGTHS)
            continue;
        if (scan->n_lengths == cap) {
            struct length *more;

            cap = cap ? cap * 2 : 256;
            more = reallocarray(scan->lengths, cap, sizeof *more);
            if (!more)
                return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
            scan->lengths = more;
        }
        scan->lengths[scan->n_lengths++] = length;
    }
    if (scan->n_lengths)
        qsort(scan->lengths, scan->n_lengths, sizeof *scan->lengths, by_number);
    return 0;
}

/* Whether the data could end at `end`: a keyword follows. */
static bool ends_here(const struct syntax *s, size_t end)
{
    struct syntax look = *s;
    size_t slack;

    if (end > s->n)
        return false;
    for (slack = 0; slack <= EOL_SLACK; slack++) {
        look.at = end + slack;
        if (syntax_skip_word(&look, "endstream") || syntax_skip_word(&look, "endobj"))
            return true;
        if (end + slack >= s->n || !lex_is_space(s->data[end + slack]))
            return false;
    }
    return false;
}

/* What the dictionary says; 0 if it does not. */
static uint64_t declared_length(const struct scan *scan, struct text dict, bool *declared)
{
    struct text value = dict_find(dict, "/Length");
    uint64_t length = 0;
    struct length key = { .number = text_ref(value) };

    if (key.number) {
        const struct length *found =
            scan->n_lengths ? bsearch(&key, scan->lengths, scan->n_lengths, sizeof key, by_number)
                            : NULL;

        *declared = found != NULL;
        return found ? found->value : 0;
    }
    *declared = text_number(value, &length);
    return *declared ? length : 0;
}

/* What the dictionary says, where it is confirmed by what follows. */
static bool declared_end(const struct scan *scan, struct text dict, size_t from, size_t *end)
{
    bool declared;
    uint64_t length = declared_length(scan, dict, &declared);

    if (!declared || length > scan->s.n - from || !ends_here(&scan->s, from + (size_t) length))
        return false;
    *end = from + (size_t) length;
    return true;
}

static size_t find_word(const struct syntax *s, size_t from, size_t until, const char *word)
{
    const void *found = memmem(s->data + from, until - from, word, strlen(word));

    return found ? (size_t) ((const unsigned char *) found - s->data) : until;
}

static size_t find_mark(const struct syntax *s, struct mark *mark, size_t from)
{
    if (from < mark->from || from > mark->at || mark->from == mark->at) {
        mark->from = from;
        mark->at = find_word(s, from, s->n, mark->word);
    }
    return mark->at;
}

/* The nearest of "endstream", "endobj" and the header of another object. */
static size_t searched_end(struct scan *scan, size_t from)
{
    const struct syntax *s = &scan->s;
    size_t end = find_mark(s, &scan->endstream, from), header = from;
    size_t endobj = find_mark(s, &scan->endobj, from);
    uint32_t number;

    if (endobj < end)
        end = endobj;
    for (; header < end && next_obj(s, &header) && header < end; header += 3) {
        size_t begin;

        if (header_before(s, header, &begin, &number) && begin > from &&
            (s->data[begin - 1] == '\n' || s->data[begin - 1] == '\r')) {
            end = begin;
            break;
        }
    }
    /* The end of the line before the keyword is not data. */
    if (end > from && s->data[end - 1] == '\n')
        end--;
    if (end > from && s->data[end - 1] == '\r')
        end--;
    return end;
}

/* Where to continue after compressed data: before its end if it is damaged and contains headers
 * of objects, as in a foreign block of the file. In sound data they would be accidental, and
 * uncompressed data may be a document of its own. */
static size_t go_on(struct scan *scan, struct text dict, size_t from, size_t end)
{
    size_t inside, size;

    if (!text_is(dict_find(dict, "/Filter"), "/FlateDecode"))
        return end;
    inside = searched_end(scan, from);
    return inside < end && scan->n_checks++ < CHECKS &&
                   !zstream_sound(scan->s.data + from, end - from, CHECK_MAX, &size) &&
                   size < CHECK_MAX
               ? inside
               : end;
}

/* The end of a stream whose length is not known or wrong. */
static size_t guessed_end(struct scan *scan, struct text dict, size_t from)
{
    const struct syntax *s = &scan->s;
    size_t end = searched_end(scan, from), until = find_mark(s, &scan->endstream, from);
    bool declared;

    if (!attached_begins(s->data + from, until - from) || scan->n_attached++ >= ATTACHED)
        return end;
    return attached_end(s->data, s->n, from, declared_length(scan, dict, &declared));
}

/* Whether a dictionary with this type is of no use as that of a stream, whatever follows it. */
static bool is_dictionary_only(struct text dict)
{
    static const char *const types[] = { "/Page", "/Pages", "/Catalog", "/Font" };

    for (size_t i = 0; i < COUNT(types); i++)
        if (dict_name_is(dict, "/Type", types[i]))
            return true;
    return false;
}

/* Reads the keyword and the data after the dictionary. False: this is not a stream. */
static bool read_stream(struct scan *scan, struct text dict, struct object *object)
{
    struct syntax *s = &scan->s;
    size_t before = s->at, end;

    syntax_skip_space(s);
    if (!text_is_dict(dict) || !syntax_skip_word(s, "stream")) {
        s->at = before;
        return false;
    }
    while (s->at < s->n && s->data[s->at] == ' ')
        s->at++;
    if (s->at < s->n && s->data[s->at] == '\r')
        s->at++;
    if (s->at < s->n && s->data[s->at] == '\n')
        s->at++;
    object->data = s->at;
    if (declared_end(scan, dict, s->at, &end)) {
        s->at = go_on(scan, dict, object->data, end);
    } else {
        end = s->at = guessed_end(scan, dict, s->at);
        object->whole = object->whole && find_mark(s, &scan->endstream, end) < s->n;
    }
    object->is_stream = !is_dictionary_only(dict);
    if (!object->is_stream)
        return true;
    object->data_n = end - object->data;
    scan->objects->attached += attached_begins(s->data + object->data, object->data_n);
    return true;
}

/* Whether the file ends within an object that is not a cross-reference stream. */
static void note_cut(struct objects *objects, const struct object *object)
{
    objects->cut = !object->whole && !dict_name_is(objects_text(objects, object), "/Type", "/XRef");
}

static int read_object(struct scan *scan, uint32_t number, size_t place, struct err *err)
{
    struct objects *objects = scan->objects;
    size_t text = objects->text.len;
    struct object *object;

    scan->s.mended = false;
    if (!syntax_read(&scan->s, &objects->text)) {
        objects->cut = scan->s.at >= scan->s.n;
        return 0; /* a header with nothing after it */
    }
    object = objects_add(objects, number, place, text, !scan->s.mended, err);
    if (!object)
        return -1;
    if (!read_stream(scan, objects_text(objects, object), object)) {
        struct syntax look = scan->s;

        syntax_skip_space(&look);
        /* Half an object is not to stand in for a whole one of an older revision. */
        if (look.at >= look.n)
            object->whole = false;
    }
    note_cut(objects, object);
    return 0;
}

static void read_trailer(struct scan *scan)
{
    struct objects *objects = scan->objects;
    size_t text = objects->text.len;

    if (2 * objects->n_trailers == COUNT(objects->trailers))
        return;
    syntax_skip_space(&scan->s);
    if (scan->s.n - scan->s.at < 2 || memcmp(scan->s.data + scan->s.at, "<<", 2) != 0 ||
        !syntax_read(&scan->s, &objects->text))
        return;
    objects->trailers[2 * objects->n_trailers] = text;
    objects->trailers[2 * objects->n_trailers + 1] = objects->text.len - text;
    objects->n_trailers++;
}

/* Notes where another document begins, if one does between here and there. */
static void note_second(struct scan *scan, size_t from, size_t until)
{
    size_t at = find_word(&scan->s, from, until, "%PDF-");

    if (at == until || scan->objects->n == 0 || scan->objects->second)
        return;
    scan->objects->second = at;
    scan->objects->second_text = scan->objects->text.len;
}

/* Trailers between here and there: what lies there is no object. */
static void trailers_between(struct scan *scan, size_t from, size_t until)
{
    struct syntax *s = &scan->s;
    size_t at = from;

    note_second(scan, from, until);

    while (at < until && (at = find_word(s, at, until, "trailer")) < until) {
        s->at = at + strlen("trailer");
        read_trailer(scan);
        at = s->at;
    }
}

/* Whether the last line of the file is the beginning of a header. */
static void note_cut_header(struct scan *scan, size_t from)
{
    struct syntax line = scan->s;

    for (line.at = line.n;
         line.at > from && line.data[line.at - 1] != '\n' && line.data[line.at - 1] != '\r';)
        line.at--;
    scan->objects->cut = scan->objects->cut || revision_is_header(line);
}

static int scan_all(struct scan *scan, struct err *err)
{
    struct syntax *s = &scan->s;
    size_t at = 0, looked = 0, from;
    uint32_t number;

    while (next_obj(s, &at)) {
        size_t place = at;
        bool known = header_before(s, at, &from, &number);

        at += 3;
        if (!known) {
            /* A header whose numbers are gone: its object may still be a page. */
            struct syntax look = { s->data, s->n, at, false };

            syntax_skip_space(&look);
            if (!syntax_skip_word(&look, "<<"))
                continue;
            number = 0;
            from = place;
        }
        if (from > looked)
            trailers_between(scan, looked, from);
        scan->objects->headers++;
        s->at = at;
        if (read_object(scan, number, from, err) < 0)
            return -1;
        at = looked = s->at > at ? s->at : at;
    }
    if (looked < s->n) {
        note_cut_header(scan, looked);
        trailers_between(scan, looked, s->n);
    }
    return 0;
}

static size_t effort(size_t least, size_t rate, size_t n)
{
    return n < (EFFORT - least) / rate ? least + rate * n : EFFORT;
}

int scan_objects(struct objects *objects, const void *file, size_t n, struct err *err)
{
    struct scan scan = { .objects = objects,
                         .s = { .data = file, .n = n },
                         .endstream = { "endstream", 0, 0 },
                         .endobj = { "endobj", 0, 0 } };
    int done;

    *objects = (struct objects){ .file = file,
                                 .file_n = n,
                                 .effort = effort(INDICATED, INDICATED_RATE, n),
                                 .guess_effort = effort(GUESSES, GUESSES_RATE, n),
                                 .flip_effort = effort(FLIPS, FLIPS_RATE, n) };
    done = collect_lengths(&scan, err) < 0 || scan_all(&scan, err) < 0 ? -1 : 0;
    free(scan.lengths);
    return done;
}
