/*
 * doctor: tests whether this machine has what a server needs, by trying it. Each function tests one
 * area and writes lines to the report; none leaves anything changed.
 */
#pragma once

#include "cmd/doctor/report.h"
#include "server/config/config.h"

/* The sandbox in the kernel: each layer is entered in a process of its own, and tested. */
void doctor_kernel(struct report *report, const struct config *config);
/* Clock, memory, limit of open files. */
void doctor_machine(struct report *report, const struct config *config);
/* The data folder: permissions, space, speed, the database. */
void doctor_storage(struct report *report, const struct config *config);
/* Whether a server runs on the data folder now. */
bool doctor_server_runs(const struct config *config);
/* The bucket, if files are in S3: credentials, rights, and the server's clock. */
void doctor_bucket(struct report *report, const struct config *config);
/* Worker programs, started as by the server; LibreOffice, fonts. */
void doctor_programs(struct report *report, const struct config *config);
/* The listening address, addresses in responses, TLS. */
void doctor_network(struct report *report, const struct config *config);
/* The settings themselves. */
void doctor_settings(struct report *report, const struct config *config);
