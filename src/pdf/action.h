/*
 * action: what happens on a click (ISO 32000-2, 12.6), made fit for a part of a document: nothing
 * of it may refer to objects elsewhere in the document.
 */
#pragma once

#include "pdf/obj.h"

/* Takes the action out of holder[key], and those that follow it, if they could reach out of the
 * page. Going to a page is among them: see to it first. */
void action_confine(struct obj holder, const char *key);
/* The same for all actions of a dictionary of triggers (/AA). */
void action_confine_triggers(struct obj holder);
