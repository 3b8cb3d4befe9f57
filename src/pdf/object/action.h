/*
 * action: restricts actions (ISO 32000-2, 12.6) to a part of a document: nothing in them may refer
 * to objects elsewhere in the document.
 */
#pragma once

#include "pdf/object/obj.h"

/* Removes the action holder[key], and those chained to it, if they could reach other pages.
 * An action that goes to a page is one of these: handle such actions first. */
void action_confine(struct obj holder, const char *key);
/* The same for all actions of an additional-actions dictionary (/AA). */
void action_confine_triggers(struct obj holder);
