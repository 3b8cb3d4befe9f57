-- A database of version 1: the SQL of the first migration as it was released, word by word, and
-- what a server of that version had left in it: one account with a key, a job in each state, quota
-- taken, an idempotency key. Never to be changed: later versions must be able to read it.
CREATE TABLE accounts(  id INTEGER PRIMARY KEY AUTOINCREMENT,  pending INTEGER NOT NULL DEFAULT 0 CHECK(pending >= 0),  running INTEGER NOT NULL DEFAULT 0 CHECK(running >= 0)) STRICT;
INSERT INTO accounts(id) VALUES(0);
CREATE TABLE keys(  id INTEGER PRIMARY KEY,  digest TEXT NOT NULL UNIQUE,  prefix TEXT NOT NULL UNIQUE,  account INTEGER NOT NULL REFERENCES accounts(id),  name TEXT NOT NULL,  plan TEXT NOT NULL,  created_at INTEGER NOT NULL,  valid_until INTEGER NOT NULL) STRICT;
CREATE TABLE usage(  account INTEGER NOT NULL REFERENCES accounts(id),  month INTEGER NOT NULL,  requests INTEGER NOT NULL CHECK(requests >= 0),  bytes INTEGER NOT NULL CHECK(bytes >= 0),  PRIMARY KEY(account, month)) STRICT, WITHOUT ROWID;
CREATE TABLE idempotency(  account INTEGER NOT NULL REFERENCES accounts(id),  key TEXT NOT NULL,  fingerprint TEXT NOT NULL,  job TEXT NOT NULL,  created_at INTEGER NOT NULL,  PRIMARY KEY(account, key)) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency(created_at);
CREATE TABLE jobs(  row INTEGER PRIMARY KEY,  id TEXT NOT NULL UNIQUE,  account INTEGER NOT NULL REFERENCES accounts(id),  month INTEGER NOT NULL,  tool TEXT NOT NULL,  state INTEGER NOT NULL,  listed INTEGER NOT NULL DEFAULT 1,  n_inputs INTEGER NOT NULL,  has_secret INTEGER NOT NULL,  input_bytes INTEGER NOT NULL,  created_at INTEGER NOT NULL,  run_at INTEGER NOT NULL,  started_at INTEGER NOT NULL DEFAULT 0,  finished_at INTEGER NOT NULL DEFAULT 0,  expires_at INTEGER NOT NULL DEFAULT 0,  attempt INTEGER NOT NULL DEFAULT 0,  lease_until INTEGER NOT NULL DEFAULT 0,  progress REAL NOT NULL DEFAULT 0,  output_bytes INTEGER NOT NULL DEFAULT 0,  duration_ms INTEGER NOT NULL DEFAULT 0,  stem TEXT,  params TEXT,  inputs TEXT,  output_name TEXT,  outputs TEXT,  warnings TEXT,  error TEXT,  message TEXT) STRICT;
CREATE INDEX jobs_waiting ON jobs(run_at, id) WHERE state = 0;
CREATE INDEX jobs_leased ON jobs(lease_until) WHERE state = 1;
CREATE INDEX jobs_ended ON jobs(expires_at) WHERE state IN (2, 3);
CREATE INDEX jobs_expired ON jobs(expires_at) WHERE state = 4;
CREATE INDEX jobs_listed ON jobs(account, id) WHERE listed = 1;

INSERT INTO accounts(id, pending, running) VALUES(1, 1, 1);
UPDATE accounts SET pending = 1, running = 1 WHERE id = 0;
INSERT INTO keys(account, digest, prefix, name, plan, created_at, valid_until) VALUES(1,
  '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff', 'pk_version1', 'old', 'pro',
  1760000000000, 0);
INSERT INTO usage VALUES(1, 1759276800000, 5, 5000);
INSERT INTO idempotency VALUES(1, 'order 7', 'fingerprint', '01900000-0000-7000-8000-000000000001', 1760000000000);
INSERT INTO jobs(id, account, month, tool, state, n_inputs, has_secret, input_bytes, created_at, run_at,
    started_at, finished_at, expires_at, attempt, lease_until, progress, output_bytes, duration_ms, stem,
    params, inputs, output_name, outputs, warnings, error, message, listed) VALUES
  ('01900000-0000-7000-8000-000000000001', 1, 1759276800000, 'rotate', 0, 1, 0, 1000, 1760000000000, 1760000000000, 0, 0, 0, 0, 0, 0, 0, 0,
   'waits', '{"degrees":"90"}', '[{"name":"waits.pdf","bytes":1000}]', NULL, NULL, NULL, NULL, NULL, 1),
  ('01900000-0000-7000-8000-000000000002', 1, 1759276800000, 'add-password', 1, 1, 1, 1000, 1760000000001, 1760000000001, 1760000000002, 0,
   0, 1, 1760000030000, 0.5, 0, 0, 'runs', '{}', '[{"name":"runs.pdf","bytes":1000}]', NULL, NULL, NULL,
   NULL, NULL, 1),
  ('01900000-0000-7000-8000-000000000003', 1, 1759276800000, 'rotate', 2, 1, 0, 1000, 1760000000002, 1760000000002, 1760000000003,
   1760000000004, 1760086400000, 1, 0, 1, 2000, 1, 'done', '{"degrees":"90"}', '[]', 'done-rotate.pdf',
   '[{"name":"done-rotate.pdf","offset":0,"bytes":2000,"pages":1}]', '[]', NULL, NULL, 1),
  ('01900000-0000-7000-8000-000000000004', 1, 1759276800000, 'rotate', 3, 1, 0, 1000, 1760000000003, 1760000000003, 1760000000004,
   1760000000005, 1760086400000, 1, 0, 0, 0, 1, 'failed', '{}', '[]', NULL, NULL, NULL, 'corrupt_file',
   'This is no PDF.', 1),
  ('01900000-0000-7000-8000-000000000005', 1, 1759276800000, 'rotate', 4, 1, 0, 1000, 1760000000004, 1760000000004, 1760000000005,
   1760000000006, 1760000000007, 1, 0, 1, 2000, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
PRAGMA user_version = 1;
