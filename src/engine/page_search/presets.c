#include "engine/page_search/presets.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <string.h>

#include "engine/page_search/check_digits.h"

#define LONGEST 64 /* of letters and digits of a number that is checked */

#define MONTHS                                                                                     \
    "(?:jan|feb|f\xc3\xa9v|fev|m[a\xc3\xa4]r|mrz|apr|avr|abr|ma[iyg]|mei|ju[inl]|gi?u|lug|aug|ag"  \
    "o|ao[u\xc3\xbb]|sep|set|o[ckut]t|out|nov|de[czs]|d\xc3\xa9"                                   \
    "c|dic|ene|gen)\\p{L}{0,8}"

static const char email[] = "[\\p{L}\\p{N}._%+'-]+@(?:[\\p{L}\\p{N}-]+\\.)+\\p{L}{2,24}";
static const char iban[] = "\\b[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,40}";
static const char card[] = "\\b[0-9](?:[ -]?[0-9]){12,18}\\b";
static const char phone[] = "(?:\\+|\\b00) ?[1-9](?:[ ./()-]{0,3}[0-9]){6,13}\\b|"
                            "\\(?\\b0[1-9][0-9]{0,4}\\)?(?:[ ./-]{1,3}[0-9]{2,8}){1,5}\\b|"
                            "\\(?\\b[2-9][0-9]{2}\\)?[ .-]{1,2}[2-9][0-9]{2}[ .-][0-9]{4}\\b";
static const char date[] =
    "\\b[0-9]{4}-[0-9]{2}-[0-9]{2}\\b|"
    "\\b[0-9]{1,2}([./-]) ?[0-9]{1,2}([./-]) ?(?:[0-9]{4}|[0-9]{2})\\b|"
    "\\b[0-9]{1,2}(?:\\.|st|nd|rd|th|er)? ?(?:de )?" MONTHS "[.,]? ?(?:de )?[0-9]{4}\\b|"
    "\\b" MONTHS "[.]? [0-9]{1,2}(?:st|nd|rd|th)?,? [0-9]{4}\\b|"
    "[0-9]{4} ?\xe5\xb9\xb4 ?[0-9]{1,2} ?\xe6\x9c\x88 ?[0-9]{1,2} ?\xe6\x97\xa5";
static const char ip[] = "\\b[0-9]{1,3}(?:\\.[0-9]{1,3}){3}\\b|"
                         "(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|:)?";

/* Candidates of which only the letters and digits count are checked as a whole. */
typedef bool check_fn(const char *text, size_t n);

static const struct preset {
    const char *pattern;
    check_fn *check; /* NULL: see presets_check */
} presets[] = {
    { email, NULL },
    { iban, NULL },
    { card, NULL },
    { phone, NULL },
    { date, NULL },
    { ip, NULL },
    { "\\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\\b", NULL },
    { "\\b(?:https?://|www\\.)[^\\s<>\"]+", NULL },
    { "\\b[0-9]{3}[ -][0-9]{2}[ -][0-9]{4}\\b", check_digits_us_ssn },
    { "\\b9[0-9]{2}[ -][0-9]{2}[ -][0-9]{4}\\b", check_digits_us_itin },
    { "\\b[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}\\b", check_digits_ca_sin },
    { "\\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\\b",
      check_digits_uk_nino },
    { "\\b[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}\\b", check_digits_uk_nhs },
    { "\\b[1-9][0-9](?:[ /]?[0-9]{3}){3}\\b", check_digits_de_steuer_id },
    { "\\b[0-9]{2} ?[0-9]{6} ?[A-Z] ?[0-9]{3}\\b", check_digits_de_rvnr },
    { "\\b[12378] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}\\b",
      check_digits_fr_nir },
    { "\\b[A-Z]{6}[0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]\\b",
      check_digits_it_cf },
    { "\\b(?:[0-9]{8}|[XYZ]-?[0-9]{7}) ?-?[A-Z]\\b", check_digits_es_dni },
    { "\\b(?:[0-9]{9}|[0-9]{4}[ .][0-9]{2}[ .][0-9]{3})\\b", check_digits_nl_bsn },
    { "\\b[0-9]{2}[ .]?[0-9]{2}[ .]?[0-9]{2}[ -]?[0-9]{3}[ .]?[0-9]{2}\\b", check_digits_be_rrn },
    { "\\b[0-9]{11}\\b", check_digits_pl_pesel },
    { "\\b756[ .]?[0-9]{4}[ .]?[0-9]{4}[ .]?[0-9]{2}\\b", check_digits_ch_ahv },
    { "\\b[0-9]{4} ?[0-9]{6}\\b", check_digits_at_svnr },
    { "\\b(?:[0-9]{2})?[0-9]{6}[-+ ]?[0-9]{4}\\b", check_digits_se_pnr },
    { "\\b[0-9]{6}[-+A-FU-Y][0-9]{3}[0-9A-Y]\\b", check_digits_fi_hetu },
    { "\\b[0-9]{6} ?[0-9]{5}\\b", check_digits_no_fnr },
    { "\\b[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}[- ]?[0-9]{2}\\b", check_digits_br_cpf },
};

const char *const presets_names[] = { "email",    "iban",    "card",    "phone",        "date",
                                      "ip",       "mac",     "url",     "us-ssn",       "us-itin",
                                      "ca-sin",   "uk-nino", "uk-nhs",  "de-steuer-id", "de-rvnr",
                                      "fr-nir",   "it-cf",   "es-dni",  "nl-bsn",       "be-rrn",
                                      "pl-pesel", "ch-ahv",  "at-svnr", "se-pnr",       "fi-hetu",
                                      "no-fnr",   "br-cpf",  NULL };

_Static_assert(sizeof presets / sizeof *presets + 1 == sizeof presets_names / sizeof *presets_names,
               "each preset has a name");

const char *presets_pattern(size_t preset)
{
    return presets[preset].pattern;
}

static bool is_plain_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

/* Letters, as capitals, and digits of the candidate. */
static size_t compact(const uint32_t *codes, size_t n, char out[static LONGEST + 1])
{
    size_t done = 0;

    for (size_t i = 0; i < n && done < LONGEST; i++) {
        uint32_t c = codes[i];

        if (c >= 'a' && c <= 'z')
            c -= 'a' - 'A';
        if (is_plain_digit(c) || (c >= 'A' && c <= 'Z'))
            out[done++] = (char) c;
    }
    out[done] = '\0';
    return done;
}

/* How many of the characters hold `wanted` letters and digits, which are not followed by others. */
static size_t length_of(const uint32_t *codes, size_t n, size_t wanted)
{
    size_t done = 0;

    for (size_t i = 0; i < n; i++) {
        char one[LONGEST + 1];

        done += compact(codes + i, 1, one);
        if (done == wanted)
            return i + 1 < n && compact(codes + i + 1, 1, one) ? 0 : i + 1;
    }
    return 0;
}

/* What follows an IBAN may look like a part of it. */
static size_t check_iban(const uint32_t *codes, size_t n)
{
    char text[LONGEST + 1];
    size_t found = compact(codes, n, text), length = check_digits_iban_length(text);

    if (length == 0 || found < length || !check_digits_iban(text, length))
        return 0;
    return length_of(codes, n, length);
}

/* What follows the number, such as its last month, may look like a part of it. */
static size_t check_card(const uint32_t *codes, size_t n)
{
    char text[LONGEST + 1];

    for (size_t found = compact(codes, n, text); found >= 13; found--)
        if (check_digits_card(text, found) && length_of(codes, n, found))
            return length_of(codes, n, found);
    return 0;
}

static size_t check_phone(const uint32_t *codes, size_t n)
{
    size_t digits = 0;

    for (size_t i = 0; i < n; i++)
        digits += is_plain_digit(codes[i]);
    return digits >= 7 && digits <= 15 ? n : 0;
}

/* Dates of three numbers have a day and a month among them. */
static size_t check_date(const uint32_t *codes, size_t n)
{
    int numbers[3] = { 0 };
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        if (!is_plain_digit(codes[i]))
            continue;
        found += i == 0 || !is_plain_digit(codes[i - 1]);
        if (found <= 3 && numbers[found - 1] < 100000)
            numbers[found - 1] = numbers[found - 1] * 10 + (int) (codes[i] - '0');
    }
    if (found == 2)
        return n;
    return check_digits_day(numbers[0], numbers[1], numbers[2]) ||
                   check_digits_day(numbers[2], numbers[1], numbers[0]) ||
                   check_digits_day(numbers[2], numbers[0], numbers[1])
               ? n
               : 0;
}

static size_t check_ip(const uint32_t *codes, size_t n)
{
    char text[LONGEST + 1], into[16];

    if (n > LONGEST)
        return 0;
    for (size_t i = 0; i < n; i++)
        text[i] = (char) codes[i];
    text[n] = '\0';
    return inet_pton(AF_INET, text, into) == 1 || (n > 2 && inet_pton(AF_INET6, text, into) == 1)
               ? n
               : 0;
}

/* Signs at the end of a sentence are not a part of an address. */
static size_t trim_url(const uint32_t *codes, size_t n)
{
    while (n && codes[n - 1] < 128 && strchr(".,;:!?)]}'", (int) codes[n - 1]))
        n--;
    return n;
}

size_t presets_check(size_t preset, const uint32_t *codes, size_t n)
{
    const struct preset *p = &presets[preset];
    char text[LONGEST + 1];

    if (p->check)
        return p->check(text, compact(codes, n, text)) ? n : 0;
    if (p->pattern == iban)
        return check_iban(codes, n);
    if (p->pattern == card)
        return check_card(codes, n);
    if (p->pattern == phone)
        return check_phone(codes, n);
    if (p->pattern == date)
        return check_date(codes, n);
    if (p->pattern == ip)
        return check_ip(codes, n);
    return trim_url(codes, n);
}
