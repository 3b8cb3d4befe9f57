/*
 * rule: what a tool asks of its parameters beyond its table: that they fit together, that a text
 * holds something to see. By it the server judges a request when it comes, and the worker before
 * the tool runs: it looks at the parameters alone and needs no engine.
 */
#pragma once

#include "tool/tool.h"

struct rule;

extern const struct rule rule_add_password, rule_excel_to_pdf, rule_jpg_to_pdf, rule_merge,
    rule_page_numbers, rule_sign, rule_to_png, rule_watermark;

const char *rule_name(const struct rule *rule);
/* NULL if there is none of that name. */
const struct rule *rule_find(const char *name);

/* Whether values, each of which was judged and is canonical, keep the tool's rule.
 * ERR_MISSING_FIELD or ERR_INVALID_PARAMETER, with the field. */
int rule_check(const struct tool *tool, const struct param_input *in, size_t n_in, struct err *err);
