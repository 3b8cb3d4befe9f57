/* Tests of engine/page_search/check_digits: numbers from the documents that define them, and that a
 * changed digit is noticed. */
#include "engine/page_search/check_digits.h"

#include <string.h>

#include "tap.h"

typedef bool check_fn(const char *text, size_t n);

/* A right number; one of which another digit is in its place at `at` is wrong. */
static void checks(check_fn *check, const char *text, size_t at, const char *what)
{
    char wrong[40];

    snprintf(wrong, sizeof wrong, "%s", text);
    wrong[at] = wrong[at] == '7' ? '8' : (char) (wrong[at] == '9' ? '0' : wrong[at] + 1);
    ok(check(text, strlen(text)), "%s: %s", what, text);
    ok(!check(wrong, strlen(wrong)), "%s: %s is wrong", what, wrong);
}

int main(void)
{
    checks(check_digits_iban, "DE89370400440532013000", 7, "IBAN");
    checks(check_digits_iban, "GB29NWBK60161331926819", 12, "IBAN with letters");
    checks(check_digits_iban, "MT84MALT011000012345MTLCAST001S", 12, "the longest IBAN in use");
    ok(!check_digits_iban("DE8937040044053201300", 21), "an IBAN needs its country's length");
    checks(check_digits_card, "4111111111111111", 5, "card");
    checks(check_digits_card, "378282246310005", 5, "card of 15 digits");
    checks(check_digits_ca_sin, "130692544", 3, "Canada");
    checks(check_digits_uk_nhs, "9434765919", 3, "NHS");
    checks(check_digits_de_steuer_id, "86095742719", 5, "tax number of Germany");
    ok(!check_digits_de_steuer_id("12345678903", 11),
       "one of the first ten digits of a tax number of Germany occurs twice");
    checks(check_digits_de_rvnr, "15070649C103", 3, "pension insurance number");
    checks(check_digits_fr_nir, "255081416802538", 5, "NIR");
    checks(check_digits_fr_nir, "195122A00112359", 8, "NIR of Corsica");
    checks(check_digits_it_cf, "RSSMRA85T10A562S", 7, "codice fiscale");
    checks(check_digits_es_dni, "12345678Z", 3, "DNI");
    checks(check_digits_es_dni, "X1234567L", 3, "NIE");
    checks(check_digits_nl_bsn, "111222333", 3, "BSN");
    checks(check_digits_be_rrn, "85073003328", 7, "number of Belgium");
    checks(check_digits_be_rrn, "17073003384", 7, "number of Belgium since 2000");
    checks(check_digits_pl_pesel, "44051401359", 8, "PESEL");
    checks(check_digits_ch_ahv, "7569217076985", 7, "AHV");
    checks(check_digits_at_svnr, "1237010180", 1, "number of Austria");
    checks(check_digits_se_pnr, "8112189876", 8, "number of Sweden");
    checks(check_digits_fi_hetu, "131052A308T", 8, "code of Finland");
    checks(check_digits_no_fnr, "01010750160", 7, "number of Norway");
    checks(check_digits_br_cpf, "52998224725", 4, "CPF");
    ok(!check_digits_br_cpf("11111111111", 11), "a CPF of one digit is wrong");
    ok(check_digits_us_ssn("123456789", 9) && !check_digits_us_ssn("666456789", 9) &&
           !check_digits_us_ssn("123006789", 9),
       "numbers of the USA are those that are given out");
    ok(check_digits_uk_nino("AB123456C", 9) && !check_digits_uk_nino("GB123456C", 9),
       "and those of the UK");
    ok(check_digits_day(2024, 2, 29) && !check_digits_day(2023, 2, 29) &&
           !check_digits_day(2024, 4, 31) && check_digits_day(0, 2, 29),
       "days exist");
    return done_testing();
}
