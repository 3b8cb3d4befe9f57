/*
 * rule: a tool's constraints on its parameters beyond its table: that they fit together, that a
 * text is not blank. The server checks a request against it when it arrives, and the worker before
 * the tool runs: it depends on the parameters alone and needs no engine.
 */
#pragma once

#include "declare/tool/tool.h"

struct rule;

extern const struct rule rule_add_password, rule_attachments, rule_excel_to_pdf, rule_jpg_to_pdf,
    rule_merge, rule_metadata, rule_ocr, rule_outline, rule_page_numbers, rule_pages, rule_redact,
    rule_redact_find, rule_sign, rule_split, rule_to_png, rule_to_tiff, rule_url, rule_watermark;

const char *rule_name(const struct rule *rule);
/* Finds a rule; NULL if there is none with that name. */
const struct rule *rule_find(const char *name);

/* The parameter of the tool that is the name of a file in another one, if that file has a name of
 * its own and the parameter is not given: *called is that name then, whose value the caller frees.
 * NULL: there is none, or no memory for it. */
const struct param *rule_own_name(const struct tool *tool, const struct param_input *in,
                                  size_t n_in, struct param_input *called);

/* Checks values, each of which was validated and is canonical, against the tool's rule.
 * ERR_MISSING_FIELD or ERR_INVALID_PARAMETER, with the field. */
int rule_check(const struct tool *tool, const struct param_input *in, size_t n_in, struct err *err);
