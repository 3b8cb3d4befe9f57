-- The tables of the store in SQLite, as version SQLITE_SCHEMA_FIRST has them (sqlite_schema.c): released, so this
-- file must not change. Times are Unix milliseconds; 0 means "not yet".
--
-- States are the numbers of job_state (data/job/job.h) and delivery_state (data/job/delivery.h). They are in the conditions
-- of partial indexes, so that each contains only the rows that its query needs. The index of the lists uses the
-- column `listed` instead: with the state in its condition it would be rewritten whenever a job changes its state.

-- The numbers of an account's waiting and running jobs are counted as they change: counting them on request would
-- cost more the more there are. Accounts take turns (store_claim). Account 0 belongs to no customer: it counts
-- all accounts together, and its turn is the clock of all; it is in this table so that a change does not write
-- another page. The claimer walks along the accounts that wait, and looks at the first of the two lines of each.
CREATE TABLE accounts(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pending INTEGER NOT NULL DEFAULT 0 CHECK(pending >= 0),
  running INTEGER NOT NULL DEFAULT 0 CHECK(running >= 0),
  turn INTEGER NOT NULL DEFAULT 0,
  lean INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO accounts(id) VALUES(0);
CREATE INDEX accounts_waiting ON accounts(turn, id) WHERE pending > 0 AND id > 0;

CREATE TABLE keys(
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL REFERENCES accounts(id),
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  valid_until INTEGER NOT NULL
) STRICT;

CREATE TABLE usage(
  account INTEGER NOT NULL REFERENCES accounts(id),
  month INTEGER NOT NULL,
  requests INTEGER NOT NULL CHECK(requests >= 0),
  bytes INTEGER NOT NULL CHECK(bytes >= 0),
  PRIMARY KEY(account, month)
) STRICT, WITHOUT ROWID;

-- Outlives the job it names: a replay is answered with the first answer, whatever became of the job. A deleted
-- job also removes the content digest of its key.
CREATE TABLE idempotency(
  account INTEGER NOT NULL REFERENCES accounts(id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  job TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(account, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency(created_at);
CREATE INDEX idempotency_job ON idempotency(job);

-- month: where the job's quota was taken from. listed: 1 until it expires. in_store: which of its files are here
-- (JOB_HAS_INPUTS, JOB_HAS_RESULT). error_field: the parameter or form field that a failed job failed for.
CREATE TABLE jobs(
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL REFERENCES accounts(id),
  month INTEGER NOT NULL,
  tool TEXT NOT NULL,
  state INTEGER NOT NULL,
  listed INTEGER NOT NULL DEFAULT 1,
  n_inputs INTEGER NOT NULL,
  has_secret INTEGER NOT NULL,
  input_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  started_at INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL DEFAULT 0,
  attempt INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0,
  progress REAL NOT NULL DEFAULT 0,
  output_bytes INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER NOT NULL DEFAULT 0,
  stem TEXT,
  params TEXT,
  inputs TEXT,
  output_name TEXT,
  outputs TEXT,
  warnings TEXT,
  error TEXT,
  message TEXT,
  cost INTEGER NOT NULL DEFAULT 0,
  long INTEGER NOT NULL DEFAULT 0,
  client_ref TEXT,
  callback_url TEXT,
  callback_base TEXT,
  reused_bytes INTEGER NOT NULL DEFAULT 0,
  retention_ms INTEGER NOT NULL DEFAULT 0,
  spared INTEGER NOT NULL DEFAULT 0,
  in_store INTEGER NOT NULL DEFAULT 0,
  error_field TEXT
) STRICT;
CREATE INDEX jobs_waiting ON jobs(account, long, run_at, id) WHERE state = 0;
CREATE INDEX jobs_leased ON jobs(lease_until) WHERE state = 1;
CREATE INDEX jobs_ended ON jobs(expires_at) WHERE state IN (2, 3);
CREATE INDEX jobs_expired ON jobs(expires_at) WHERE state = 4;
CREATE INDEX jobs_listed ON jobs(account, id) WHERE listed = 1;
CREATE INDEX jobs_named ON jobs(account, client_ref, id) WHERE client_ref IS NOT NULL;

-- Files of small jobs (STORE_SMALL), by the job's row.
CREATE TABLE job_inputs(row INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE job_results(row INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

CREATE TABLE deliveries(
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL,
  host TEXT NOT NULL,
  url TEXT NOT NULL,
  state INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL DEFAULT 0,
  http_status INTEGER NOT NULL DEFAULT 0,
  duration_ms INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  excerpt TEXT
) STRICT;
CREATE INDEX deliveries_waiting ON deliveries(account, host, next_at, id) WHERE state = 0;
CREATE INDEX deliveries_sending ON deliveries(account, host) WHERE state = 1;
CREATE INDEX deliveries_of ON deliveries(account, id);

-- Webhooks take turns by account first, then by host. A host is in callback_hosts as long as a delivery to it
-- waits or is being sent: next_at is when its first may be claimed, NULL while it has as many in flight as
-- allowed. An account is in callback_accounts as long as one of its hosts is there; its next_at is the first of
-- theirs, NULL while it has as many deliveries in flight as allowed; `turn` is when it was last served. So one
-- index lookup finds the next delivery, however many wait for an unreachable host.
CREATE TABLE callback_hosts(
  account INTEGER NOT NULL,
  host TEXT NOT NULL,
  next_at INTEGER,
  failing INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(account, host)
) STRICT;
CREATE INDEX callback_hosts_next ON callback_hosts(account, next_at) WHERE next_at IS NOT NULL;
CREATE TABLE callback_accounts(
  account INTEGER PRIMARY KEY,
  next_at INTEGER,
  turn INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX callback_accounts_turn ON callback_accounts(turn, account);
CREATE INDEX callback_accounts_next ON callback_accounts(next_at) WHERE next_at IS NOT NULL;

CREATE TABLE webhook_secrets(
  row INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES accounts(id),
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  valid_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhook_secrets_of ON webhook_secrets(account, row);

-- Files that clients send in pieces (data/store/store_uploads.h).
CREATE TABLE uploads(
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL,
  size INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  pieces TEXT NOT NULL,
  complete INTEGER NOT NULL,
  kind TEXT NOT NULL
) STRICT;
CREATE INDEX uploads_of ON uploads(account);
CREATE INDEX uploads_expiry ON uploads(expires_at);
