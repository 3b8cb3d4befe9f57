#include "recovery/undo/escapes.h"

#include <string.h>

#include "base/num.h"
#include "recovery/undo/code_pages.h"

#define FEW 64 /* escapes: fewer prove nothing */
#define ODD 50 /* one in this many may be damaged */

static int hex(const unsigned char *at, const unsigned char *end, int digits)
{
    int value = 0;

    if (end - at < digits)
        return -1;
    for (int i = 0; i < digits; i++) {
        int digit = num_hex_digit((char) at[i]);

        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

bool escapes_percent(const unsigned char *data, size_t n, struct buf *out)
{
    const unsigned char *end = data + n, *at = n ? memmem(data, n, "%25PDF", 6) : NULL;
    size_t codes = 0, odd = 0;
    bool plus = n && memmem(data, n, "%20", 3) == NULL; /* a form's way to write a blank */

    for (at = at ? at : data; at < end; at++) {
        int byte = *at == '%' ? hex(at + 1, end, 2) : -1;

        if (*at > 126 || (*at == '%' && byte < 0))
            odd++;
        if (byte >= 0) {
            codes++;
            at += 2;
            buf_putc(out, (char) byte);
        } else {
            buf_putc(out, (char) (*at == '+' && plus ? ' ' : *at));
        }
        if (odd > codes / ODD + FEW)
            return false;
    }
    return codes >= FEW && odd <= codes / ODD && !out->failed;
}

/* An octal number of up to three digits. */
static size_t octal(const unsigned char *at, const unsigned char *end, int *byte)
{
    size_t digits = 0;

    for (*byte = 0; digits < 3 && at + digits < end && at[digits] >= '0' && at[digits] <= '7';
         digits++)
        *byte = *byte * 8 + (at[digits] - '0');
    return *byte < 256 ? digits : 0;
}

/* Decodes the escape at `at`, after its reverse solidus, and finds its length; 0: it is not one. */
static size_t escape_at(const unsigned char *at, const unsigned char *end, int *byte)
{
    static const char letters[] = "nrtbf\"\\/'", meant[] = "\n\r\t\b\f\"\\/'";
    const char *letter;

    if (at == end)
        return 0;
    if (*at == 'u' || *at == 'x') {
        int digits = *at == 'u' ? 4 : 2;

        *byte = hex(at + 1, end, digits);
        if (*byte >= 0x100)
            *byte = code_pages_byte((unsigned) *byte);
        return *byte < 0 ? 0 : (size_t) digits + 1;
    }
    letter = *at ? strchr(letters, *at) : NULL;
    if (letter) {
        *byte = (unsigned char) meant[letter - letters];
        return 1;
    }
    return octal(at, end, byte);
}

bool escapes_string(const unsigned char *data, size_t n, struct buf *out)
{
    const unsigned char *end = data + n, *at = data;
    const unsigned char *head = n ? memmem(data, n, "%PDF-", 5) : NULL;
    size_t codes = 0, odd = 0;
    unsigned char quote = 0;

    if (head)
        at = head;
    if (head && head > data && (head[-1] == '"' || head[-1] == '\''))
        quote = head[-1];
    for (; at < end && (*at != quote || !quote); at++) {
        int byte = *at;
        size_t length = *at == '\\' ? escape_at(at + 1, end, &byte) : 0;

        codes += length > 2;
        odd += (*at == '\\' && length == 0) || *at == '\n' || *at > 126;
        if (odd > codes / ODD + FEW)
            return false;
        buf_putc(out, (char) (length ? byte : *at));
        at += length;
    }
    return codes >= FEW && odd <= codes / ODD && !out->failed;
}

/* The length of the code after an equals sign, 0: it is not one. */
static size_t code_length(const unsigned char *at, const unsigned char *end)
{
    if (end - at > 1 && at[1] == '\n')
        return 2;
    if (end - at > 2 && at[1] == '\r' && at[2] == '\n')
        return 3;
    return hex(at + 1, end, 2) >= 0 ? 3 : 0;
}

bool escapes_quoted(const unsigned char *data, size_t n, struct buf *out)
{
    const unsigned char *end = data + n;
    size_t codes = 0, odd = 0;

    for (const unsigned char *at = data; at < end;) {
        size_t length = *at == '=' ? code_length(at, end) : 0;
        int byte = length == 3 ? hex(at + 1, end, 2) : -1;

        codes += length > 0;
        odd += *at > 126 || (*at == '=' && length == 0);
        if (odd > codes / ODD + FEW)
            return false;
        if (length == 0)
            buf_putc(out, (char) *at);
        else if (byte >= 0)
            buf_putc(out, (char) byte);
        at += length ? length : 1;
    }
    return codes >= FEW && odd <= codes / ODD && !out->failed;
}
