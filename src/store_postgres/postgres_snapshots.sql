-- Version 4: what a call costs does not grow with the versions of rows that earlier calls left. While
-- a transaction holds a snapshot (a long pg_dump, a replica with hot_standby_feedback), vacuum removes
-- none of them, and an index leads through all that precede the one that is looked for.
--
-- platen.accounts has an index in which the newest version of an account comes first, and no unique
-- one, which would look at all versions at each change. Each account remembers from where on its jobs
-- wait, and the sequence turn_low from where on accounts wait: claims begin to look there.

ALTER TABLE platen.accounts RENAME TO owners;
ALTER INDEX platen.accounts_pkey RENAME TO owners_pkey;
DROP INDEX platen.accounts_waiting;

-- Change a row by platen.hold, or WHERE id = ... AND version = platen.version(id), and always with
-- version = version + 1.
CREATE TABLE platen.accounts(
  id bigint NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  pending bigint NOT NULL DEFAULT 0 CHECK(pending >= 0),
  running bigint NOT NULL DEFAULT 0 CHECK(running >= 0),
  turn bigint NOT NULL DEFAULT 0,
  lean bigint NOT NULL DEFAULT 0,
  -- No job of the account that waits is due before, of the short and of the long ones.
  low_brief bigint NOT NULL DEFAULT -9223372036854775808,
  low_lengthy bigint NOT NULL DEFAULT -9223372036854775808,
  -- What it used in the month that it last used anything in. Other months are in platen.past_usage.
  month bigint,
  requests bigint NOT NULL DEFAULT 0 CHECK(requests >= 0),
  bytes bigint NOT NULL DEFAULT 0 CHECK(bytes >= 0)
);
INSERT INTO platen.accounts(id, pending, running, turn, lean)
  SELECT id, pending, running, turn, lean FROM platen.owners;
CREATE INDEX accounts_newest ON platen.accounts(id, version DESC);
CREATE INDEX accounts_waiting ON platen.accounts(turn, id) WHERE pending > 0;

DROP FUNCTION IF EXISTS platen.next_account(bigint, text[], boolean);
DROP FUNCTION IF EXISTS platen.next_job(bigint, int, bigint, text[]);
DROP FUNCTION IF EXISTS platen.hold_claimed(text, text, int);
ALTER TABLE platen.owners DROP COLUMN pending, DROP COLUMN running, DROP COLUMN turn,
  DROP COLUMN lean;

ALTER TABLE platen.usage RENAME TO past_usage;
ALTER INDEX platen.usage_pkey RENAME TO past_usage_pkey;
CREATE VIEW platen.usage AS
  SELECT account, month, requests, bytes FROM platen.past_usage
  UNION ALL SELECT id, month, requests, bytes FROM platen.accounts WHERE month IS NOT NULL;

-- Sequences, because they have no versions. turn_clock: the clock of store_claim's turns. turn_low: no
-- account that waits has an earlier turn. turn_next: becomes turn_low as soon as no transaction
-- lives that is older than turn_next_xid (platen.raise_low).
CREATE SEQUENCE platen.turn_clock MINVALUE 0 START 0;
SELECT setval('platen.turn_clock', turn) FROM platen.clock;
DROP TABLE platen.clock;
CREATE SEQUENCE platen.turn_low MINVALUE 0 START 0;
CREATE SEQUENCE platen.turn_next MINVALUE 0 START 0;
CREATE SEQUENCE platen.turn_next_xid MINVALUE 0 START 0;

-- The newest row of a server first: old ones may be of jobs that ended long ago.
DROP INDEX platen.queue_of_node;
CREATE INDEX queue_of_node ON platen.queue(node, row DESC) WHERE state = 1;
