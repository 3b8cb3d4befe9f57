-- Version 6: what a webhook costs does not grow with the versions of rows that earlier ones left, either
-- (postgres_snapshots.sql). Hosts and accounts have an index in which the newest version comes first,
-- count what is being sent instead of having it counted, and remember from where on something waits.

-- A version of a row of both tables below; never the same twice.
CREATE SEQUENCE platen.callback_version;
-- No account that waits has an earlier turn, and no delivery that is being sent. callback_next and
-- callback_next_xid are for callback_low and callback_sending_low what turn_next and turn_next_xid are for
-- turn_low (platen.raise_callback_low).
CREATE SEQUENCE platen.callback_low MINVALUE 0 START 0;
CREATE SEQUENCE platen.callback_sending_low MINVALUE 0 START 0;
CREATE SEQUENCE platen.callback_next MINVALUE 0 START 0;
CREATE SEQUENCE platen.callback_next_xid MINVALUE 0 START 0;

DROP TABLE platen.callback_hosts, platen.callback_accounts;

-- The hosts of an account that deliveries wait for or are sent to, or were within the last hour. Who changes
-- either table holds the account (platen.callback_hold).
CREATE TABLE platen.callback_hosts(
  account bigint NOT NULL,
  host text COLLATE "C" NOT NULL,
  version bigint NOT NULL DEFAULT nextval('platen.callback_version'),
  next_at bigint, -- when its first delivery may be claimed; NULL: none waits, or as many as may are being sent
  low bigint NOT NULL DEFAULT 0, -- no delivery that waits is due before
  sending int NOT NULL DEFAULT 0 CHECK(sending >= 0),
  failing boolean NOT NULL DEFAULT false,
  used_at bigint NOT NULL DEFAULT 0 -- to a minute
);
CREATE INDEX callback_hosts_newest ON platen.callback_hosts(account, host, version DESC);
CREATE INDEX callback_hosts_next ON platen.callback_hosts(account, next_at, version DESC)
  WHERE next_at IS NOT NULL;

CREATE TABLE platen.callback_accounts(
  account bigint NOT NULL,
  version bigint NOT NULL DEFAULT nextval('platen.callback_version'),
  next_at bigint, -- when its first host may be served
  low bigint NOT NULL DEFAULT 0, -- no host may be served before
  sending int NOT NULL DEFAULT 0 CHECK(sending >= 0),
  turn bigint NOT NULL DEFAULT 0,
  used_at bigint NOT NULL DEFAULT 0
);
CREATE INDEX callback_accounts_newest ON platen.callback_accounts(account, version DESC);
CREATE INDEX callback_accounts_turn ON platen.callback_accounts(turn, account, version DESC)
  WHERE next_at IS NOT NULL;

-- The number of its claim.
ALTER TABLE platen.deliveries ADD COLUMN turn bigint NOT NULL DEFAULT 0;
DROP INDEX platen.deliveries_sending;
CREATE INDEX deliveries_sending ON platen.deliveries(turn) WHERE state = 1;

INSERT INTO platen.callback_hosts(account, host, next_at, sending)
  SELECT account, host, min(next_at) FILTER (WHERE state = 0), count(*) FILTER (WHERE state = 1)
  FROM platen.deliveries WHERE state IN (0, 1) GROUP BY account, host;
INSERT INTO platen.callback_accounts(account, next_at, sending)
  SELECT account, min(next_at), sum(sending) FROM platen.callback_hosts GROUP BY account;
DROP FUNCTION IF EXISTS platen.update_host(bigint, text, int);
DROP FUNCTION IF EXISTS platen.update_callbacks(bigint, text, int, int);
DROP FUNCTION IF EXISTS platen.open_host(bigint, text, int, int);
