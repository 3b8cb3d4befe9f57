#include "declare/value/password.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stringprep.h>

#include "base/scope.h"
#include "declare/value/saslprep.h"

/* A range in which an 8-bit encoding differs from Latin-1: the code points of the bytes from
 * `first` on. 0: the byte is undefined. */
struct stretch {
    unsigned first;
    size_t n;
    const uint16_t *points;
};

static const uint16_t pdfdoc_low[] = { 0x2d8, 0x2c7, 0x2c6, 0x2d9, 0x2dd, 0x2db, 0x2da, 0x2dc };
static const uint16_t pdfdoc_high[] = {
    0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x192,  0x2044, 0x2039, 0x203a, 0x2212,
    0x2030, 0x201e, 0x201c, 0x201d, 0x2018, 0x2019, 0x201a, 0x2122, 0xfb01, 0xfb02, 0x141,
    0x152,  0x160,  0x178,  0x17d,  0x131,  0x142,  0x153,  0x161,  0x17e,  0,      0x20ac,
};
static const uint16_t winansi_high[] = {
    0x20ac, 0,      0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
    0x2039, 0x152,  0,      0x17d,  0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0,      0x17e,  0x178,
};
static const struct stretch pdfdoc[] = { { 0x18, COUNT(pdfdoc_low), pdfdoc_low },
                                         { 0x80, COUNT(pdfdoc_high), pdfdoc_high } };
static const struct stretch winansi[] = { { 0x80, COUNT(winansi_high), winansi_high },
                                          { 0, 0, NULL } };

/* The byte of a character, -1 if the encoding does not have it. */
static int encode(uint32_t c, const struct stretch encoding[static 2])
{
    for (size_t s = 0; s < 2; s++) {
        for (size_t i = 0; i < encoding[s].n; i++)
            if (encoding[s].points[i] == c && c)
                return (int) (encoding[s].first + i);
        if (c >= encoding[s].first && c < encoding[s].first + encoding[s].n)
            return -1;
    }
    return c < 0x100 ? (int) c : -1;
}

/* Returns the text in an 8-bit encoding, which the caller frees. NULL if that is impossible. */
static char *encode_text(const char *utf8, const struct stretch encoding[static 2])
{
    size_t n = 0;
    AUTO_FREE uint32_t *points = stringprep_utf8_to_ucs4(utf8, -1, &n);
    AUTO_FREE char *out = calloc(1, n + 1);

    if (!points || !out)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        int byte = encode(points[i], encoding);

        if (byte <= 0)
            return NULL;
        out[i] = (char) byte;
    }
    return scope_take_ptr(&out);
}

/* Takes ownership of `form`; frees it if it is in the list already. */
static void add_form(struct password_forms *forms, char *form)
{
    if (!form)
        return;
    for (size_t i = 0; i < forms->n; i++) {
        if (strcmp(forms->forms[i], form) == 0) {
            explicit_bzero(form, strlen(form));
            free(form);
            return;
        }
    }
    forms->forms[forms->n++] = form;
}

int password_forms(const char *given, struct password_forms *forms, struct err *err)
{
    size_t cap = SASLPREP_ROOM(strlen(given));
    char *prepared = calloc(1, cap);

    *forms = (struct password_forms){ 0 };
    if (!prepared)
        return err_set(err, ERR_INTERNAL, "out of memory");
    memcpy(prepared, given, strlen(given));
    add_form(forms, strdup(given));
    if (saslprep(prepared, cap) < 0) {
        memcpy(prepared, given, strlen(given) + 1);
    }
    add_form(forms, encode_text(prepared, pdfdoc));
    add_form(forms, encode_text(prepared, winansi));
    /* Some producers cut long passwords. */
    if (strlen(prepared) > PASSWORD_MAX)
        add_form(forms, strndup(prepared, PASSWORD_MAX));
    add_form(forms, prepared);
    return 0;
}

void password_forms_free(struct password_forms *forms)
{
    for (size_t i = 0; i < forms->n; i++) {
        explicit_bzero(forms->forms[i], strlen(forms->forms[i]));
        free(forms->forms[i]);
    }
    forms->n = 0;
}

int password_encode_pdfdoc(const char *utf8, char *out, size_t max)
{
    AUTO_FREE char *encoded = encode_text(utf8, pdfdoc);
    bool fits = encoded && strlen(encoded) <= max;

    if (fits)
        memcpy(out, encoded, strlen(encoded) + 1);
    if (encoded)
        explicit_bzero(encoded, strlen(encoded));
    return fits ? 0 : -1;
}

int password_encode_r4(const char *field, const char *utf8, char out[static PASSWORD_R4_MAX + 1],
                       struct err *err)
{
    AUTO_FREE char *encoded = encode_text(utf8, pdfdoc);

    if (!encoded)
        return err_field(err, ERR_INVALID_PARAMETER, field,
                         "%s has characters that aes128 does not support: use aes256", field);
    explicit_bzero(encoded, strlen(encoded));
    if (password_encode_pdfdoc(utf8, out, PASSWORD_R4_MAX) == 0)
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, field,
                     "%s has more than the %d characters that aes128 uses: shorten it or use "
                     "aes256",
                     field, PASSWORD_R4_MAX);
}
