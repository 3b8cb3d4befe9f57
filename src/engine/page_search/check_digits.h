/* check_digits: the checks that numbers of people, accounts and cards carry in themselves. Each
 * gets the letters (as capitals) and digits of a candidate, without spaces and signs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool check_digits_iban(const char *text, size_t n); /* ISO 13616: its country's length; modulo 97 */
/* The length of a country's IBAN; 0: it has none. */
size_t check_digits_iban_length(const char *country);
bool check_digits_luhn(const char *text, size_t n); /* ISO/IEC 7812-1, annex B */
bool check_digits_card(const char *text, size_t n);
bool check_digits_us_ssn(const char *text, size_t n);
bool check_digits_us_itin(const char *text, size_t n);
bool check_digits_ca_sin(const char *text, size_t n);
bool check_digits_uk_nino(const char *text, size_t n);
bool check_digits_uk_nhs(const char *text, size_t n);
bool check_digits_de_steuer_id(const char *text, size_t n); /* ISO 7064, modulo 11,10 */
bool check_digits_de_rvnr(const char *text, size_t n);
bool check_digits_fr_nir(const char *text, size_t n);
bool check_digits_it_cf(const char *text, size_t n);
bool check_digits_es_dni(const char *text, size_t n);
bool check_digits_nl_bsn(const char *text, size_t n);
bool check_digits_be_rrn(const char *text, size_t n);
bool check_digits_pl_pesel(const char *text, size_t n);
bool check_digits_ch_ahv(const char *text, size_t n);
bool check_digits_at_svnr(const char *text, size_t n);
bool check_digits_se_pnr(const char *text, size_t n);
bool check_digits_fi_hetu(const char *text, size_t n);
bool check_digits_no_fnr(const char *text, size_t n);
bool check_digits_br_cpf(const char *text, size_t n);
/* Whether a day of a year exists; a year of two digits or 0 may be any. */
bool check_digits_day(int year, int month, int day);
