-- Version 3: files that clients send in pieces. Their bytes are blobs.
CREATE TABLE platen.uploads(
  id text COLLATE "C" PRIMARY KEY,
  account bigint NOT NULL,
  size bigint NOT NULL,
  at bigint NOT NULL, -- bytes that are here
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  name text NOT NULL,
  pieces text NOT NULL,
  complete boolean NOT NULL,
  kind text NOT NULL);
CREATE INDEX uploads_of ON platen.uploads(account);
CREATE INDEX uploads_expiry ON platen.uploads(expires_at);
