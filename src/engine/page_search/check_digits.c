#include "engine/page_search/check_digits.h"

#include <string.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : 0;
}

/* Digits of an amount, by their places. */
static int digits_at(const char *text, size_t at, size_t n)
{
    int out = 0;

    for (size_t i = at; i < at + n; i++)
        out = out * 10 + digit(text[i]);
    return out;
}

/* The sum of the digits, each times its weight. */
static int weighted(const char *text, const int *weights, size_t n)
{
    int sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += digit(text[i]) * weights[i];
    return sum;
}

/* The remainder of a number of any length. Letters count as 10 to 35. */
static int remainder_of(const char *text, size_t n, int divisor)
{
    int rest = 0;

    for (size_t i = 0; i < n; i++)
        rest = text[i] >= 'A' ? (rest * 100 + text[i] - 'A' + 10) % divisor
                              : (rest * 10 + digit(text[i])) % divisor;
    return rest;
}

bool check_digits_day(int year, int month, int day)
{
    static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    if (month < 1 || month > 12 || day < 1 || day > days[month - 1])
        return false;
    return !(month == 2 && day == 29 && year > 100 &&
             (year % 4 != 0 || (year % 100 == 0 && year % 400 != 0)));
}

size_t check_digits_iban_length(const char *country)
{
    static const char lengths[] =
        "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29"
        "ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20"
        "LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29"
        "PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20";

    for (size_t i = 0; i + 4 < sizeof lengths; i += 4)
        if (memcmp(lengths + i, country, 2) == 0)
            return (size_t) digits_at(lengths, i + 2, 2);
    return 0;
}

bool check_digits_iban(const char *text, size_t n)
{
    char turned[40];

    if (n < 15 || n > 34 || n != check_digits_iban_length(text))
        return false;
    memcpy(turned, text + 4, n - 4);
    memcpy(turned + n - 4, text, 4);
    return remainder_of(turned, n, 97) == 1;
}

bool check_digits_luhn(const char *text, size_t n)
{
    int sum = 0;

    for (size_t i = 0; i < n; i++) {
        int d = digit(text[n - 1 - i]) * (i % 2 ? 2 : 1);

        sum += d > 9 ? d - 9 : d;
    }
    return sum % 10 == 0;
}

bool check_digits_card(const char *text, size_t n)
{
    /* The first digits of payment cards. */
    return n >= 13 && n <= 19 && text[0] >= '2' && text[0] <= '6' && check_digits_luhn(text, n);
}

bool check_digits_us_ssn(const char *text, size_t n)
{
    int area = digits_at(text, 0, 3);

    return n == 9 && area != 0 && area != 666 && area < 900 && digits_at(text, 3, 2) != 0 &&
           digits_at(text, 5, 4) != 0;
}

bool check_digits_us_itin(const char *text, size_t n)
{
    int group = digits_at(text, 3, 2);

    return n == 9 && text[0] == '9' && group >= 50 && group != 89 && group != 93;
}

bool check_digits_ca_sin(const char *text, size_t n)
{
    return n == 9 && text[0] != '0' && text[0] != '8' && check_digits_luhn(text, n);
}

bool check_digits_uk_nino(const char *text, size_t n)
{
    static const char *const never[] = { "BG", "GB", "NK", "KN", "TN", "NT", "ZZ" };

    for (size_t i = 0; i < COUNT_OF(never); i++)
        if (memcmp(text, never[i], 2) == 0)
            return false;
    return n == 9;
}

bool check_digits_uk_nhs(const char *text, size_t n)
{
    static const int weights[] = { 10, 9, 8, 7, 6, 5, 4, 3, 2 };
    int check = (11 - weighted(text, weights, 9) % 11) % 11;

    return n == 10 && check == digit(text[9]) && digits_at(text, 0, 5) != 0;
}

bool check_digits_de_steuer_id(const char *text, size_t n)
{
    int product = 10, times[10] = { 0 }, repeated = 0;

    if (n != 11 || text[0] == '0')
        return false;
    for (size_t i = 0; i < 10; i++) {
        int sum = (digit(text[i]) + product) % 10;

        product = (sum ? sum : 10) * 2 % 11;
        times[digit(text[i])]++;
    }
    /* Of the first ten digits one occurs two or three times, the others at most once. */
    for (size_t i = 0; i < 10; i++) {
        if (times[i] > 3)
            return false;
        repeated += times[i] > 1;
    }
    return repeated == 1 && (11 - product) % 10 == digit(text[10]);
}

bool check_digits_de_rvnr(const char *text, size_t n)
{
    static const int weights[] = { 2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1 };
    int letter = n == 12 ? text[8] - 'A' + 1 : 0, sum = 0;
    char digits[12];

    if (letter < 1 || letter > 26)
        return false;
    memcpy(digits, text, 8);
    digits[8] = (char) ('0' + letter / 10);
    digits[9] = (char) ('0' + letter % 10);
    memcpy(digits + 10, text + 9, 2);
    for (size_t i = 0; i < 12; i++) {
        int product = digit(digits[i]) * weights[i];

        sum += product / 10 + product % 10;
    }
    return sum % 10 == digit(text[11]);
}

bool check_digits_fr_nir(const char *text, size_t n)
{
    char digits[16];

    if (n != 15)
        return false;
    memcpy(digits, text, 15);
    /* The departments of Corsica count as 19 and 18. */
    if (digits[6] == 'A' || digits[6] == 'B') {
        digits[5] = '1';
        digits[6] = digits[6] == 'A' ? '9' : '8';
    }
    return 97 - remainder_of(digits, 13, 97) == digits_at(digits, 13, 2);
}

bool check_digits_it_cf(const char *text, size_t n)
{
    static const int odd[] = { 1,  0,  5, 7, 9, 13, 15, 17, 19, 21, 2,  4,  18,
                               20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23 };
    int sum = 0;

    for (size_t i = 0; n == 16 && i < 15; i++) {
        int value = text[i] >= 'A' ? text[i] - 'A' : digit(text[i]);

        sum += i % 2 ? value : odd[value];
    }
    return n == 16 && text[15] == 'A' + sum % 26;
}

bool check_digits_es_dni(const char *text, size_t n)
{
    int first = text[0] >= 'X' ? text[0] - 'X' : digit(text[0]);

    return n == 9 &&
           text[8] == "TRWAGMYFPDXBNJZSQVHLCKE"[(first * 10000000 + digits_at(text, 1, 7)) % 23];
}

bool check_digits_nl_bsn(const char *text, size_t n)
{
    static const int weights[] = { 9, 8, 7, 6, 5, 4, 3, 2, -1 };

    return n == 9 && digits_at(text, 0, 9) != 0 && weighted(text, weights, 9) % 11 == 0;
}

bool check_digits_be_rrn(const char *text, size_t n)
{
    char later[11] = "2"; /* those born since 2000 are counted with a 2 in front */
    int check = digits_at(text, 9, 2);

    if (n != 11 || digits_at(text, 2, 2) % 20 > 12)
        return false;
    memcpy(later + 1, text, 9);
    return 97 - remainder_of(text, 9, 97) == check || 97 - remainder_of(later, 10, 97) == check;
}

bool check_digits_pl_pesel(const char *text, size_t n)
{
    static const int weights[] = { 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1 };

    return n == 11 && weighted(text, weights, 11) % 10 == 0 &&
           check_digits_day(0, digits_at(text, 2, 2) % 20, digits_at(text, 4, 2));
}

bool check_digits_ch_ahv(const char *text, size_t n)
{
    static const int weights[] = { 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1 };

    return n == 13 && memcmp(text, "756", 3) == 0 && weighted(text, weights, 13) % 10 == 0;
}

bool check_digits_at_svnr(const char *text, size_t n)
{
    static const int weights[] = { 3, 7, 9, 0, 5, 8, 4, 2, 1, 6 };

    return n == 10 && text[0] != '0' && weighted(text, weights, 10) % 11 == digit(text[3]) &&
           check_digits_day(0, digits_at(text, 6, 2), digits_at(text, 4, 2));
}

bool check_digits_se_pnr(const char *text, size_t n)
{
    size_t at = n == 12 ? 2 : 0;
    int day = digits_at(text, at + 4, 2);

    return (n == 10 || n == 12) && check_digits_luhn(text + at, 10) &&
           check_digits_day(0, digits_at(text, at + 2, 2), day > 60 ? day - 60 : day);
}

bool check_digits_fi_hetu(const char *text, size_t n)
{
    /* With or without the letter of the century, which may be a sign. */
    size_t at = n == 11 ? 7 : 6;

    return (n == 10 || n == 11) &&
           check_digits_day(0, digits_at(text, 2, 2), digits_at(text, 0, 2)) &&
           text[at + 3] == "0123456789ABCDEFHJKLMNPRSTUVWXY"[(digits_at(text, 0, 6) * 1000 +
                                                              digits_at(text, at, 3)) %
                                                             31];
}

bool check_digits_no_fnr(const char *text, size_t n)
{
    static const int first[] = { 3, 7, 6, 1, 8, 9, 4, 5, 2, 1 };
    static const int second[] = { 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1 };
    int day = digits_at(text, 0, 2);

    return n == 11 && weighted(text, first, 10) % 11 == 0 && weighted(text, second, 11) % 11 == 0 &&
           check_digits_day(0, digits_at(text, 2, 2), day > 40 ? day - 40 : day);
}

bool check_digits_br_cpf(const char *text, size_t n)
{
    static const int weights[] = { 11, 10, 9, 8, 7, 6, 5, 4, 3, 2 };
    int first, second;

    if (n != 11 || strspn(text, (char[]){ text[0], '\0' }) >= 11)
        return false;
    first = weighted(text, weights + 1, 9) * 10 % 11 % 10;
    second = weighted(text, weights, 10) * 10 % 11 % 10;
    return first == digit(text[9]) && second == digit(text[10]);
}
