/*
 * doctor: what this machine has of what a server needs, tried out, not read from a list. Each
 * function looks at one side of it and writes lines to the report; none changes anything that
 * stays.
 */
#pragma once

#include "config/config.h"
#include "doctor/report.h"

/* The kernel's half of the sandbox: each layer put on in a process of its own, and tested. */
void doctor_kernel(struct report *report, const struct config *config);
/* Clock, memory, open files. */
void doctor_machine(struct report *report, const struct config *config);
/* The data folder: permissions, space, speed, the database. */
void doctor_storage(struct report *report, const struct config *config);
/* Worker programs, started as the server does; LibreOffice, fonts. */
void doctor_programs(struct report *report, const struct config *config);
/* The address to listen on, addresses of answers, TLS. */
void doctor_network(struct report *report, const struct config *config);
/* The settings themselves. */
void doctor_settings(struct report *report, const struct config *config);
