-- What the store in PostgreSQL does, one function for each operation of data/store/store.h: each is one
-- round trip and one transaction, and needs nothing of the session, so that a pooler may hand every
-- statement to another connection.
--
-- Locks are always taken in this order: the row of the account, then those of its jobs, then that
-- of callback_accounts, which stands for all deliveries of an account.

-- Functions that look for rows among many dead versions are planned without sequential and bitmap scans,
-- which visit them all; a statistic of a table that was empty at the time does not count. (What the planner
-- then takes for dear must not be compiled either.) Where a row is looked up by its id, its state is compared as
-- `state + 0`: a plan that was made when few rows had that state, and is kept by its connection, must not walk
-- the partial index of that state.

-- The time of all servers that share the database. A plan includes its text, which it could not with a setting of
-- its own: the operator is therefore named with its schema (see the end of this file).
CREATE OR REPLACE FUNCTION platen.now_ms() RETURNS bigint LANGUAGE sql AS $$
  SELECT (extract(epoch FROM clock_timestamp()) OPERATOR(pg_catalog.*) 1000)::bigint;
$$;

-- The row of an account, locked. The newest version comes first in the index: those that nobody sees any
-- more come after it and are not looked at.
CREATE OR REPLACE FUNCTION platen.hold(p_account bigint)
RETURNS platen.accounts LANGUAGE plpgsql AS $$
DECLARE
  a platen.accounts;
BEGIN
  SELECT * INTO a FROM platen.accounts WHERE id = p_account ORDER BY version DESC LIMIT 1
    FOR UPDATE;
  RETURN a;
END $$;

-- Of an account that the caller holds.
CREATE OR REPLACE FUNCTION platen.version(p_account bigint)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT version FROM platen.accounts WHERE id = p_account ORDER BY version DESC LIMIT 1);
END $$;

-- What an account used in a month that is not the one in its row.
CREATE OR REPLACE FUNCTION platen.use_past(
  p_account bigint, p_month bigint, p_requests bigint, p_bytes bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO platen.past_usage AS u VALUES (p_account, p_month, p_requests, p_bytes)
    ON CONFLICT (account, month) DO UPDATE SET requests = u.requests + excluded.requests,
      bytes = u.bytes + excluded.bytes;
END $$;

CREATE OR REPLACE FUNCTION platen.usage_of(
  p_account bigint, p_month bigint, OUT requests bigint, OUT bytes bigint)
RETURNS SETOF record LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  a platen.accounts;
BEGIN
  SELECT * INTO a FROM platen.accounts WHERE id = p_account ORDER BY version DESC LIMIT 1;
  IF a.month = p_month THEN
    requests := a.requests;
    bytes := a.bytes;
    RETURN NEXT;
  ELSE
    RETURN QUERY SELECT u.requests, u.bytes FROM platen.past_usage u
      WHERE u.account = p_account AND u.month = p_month;
  END IF;
END $$;

-- The rows of these accounts, locked in their order. One that does not exist is left out.
CREATE OR REPLACE FUNCTION platen.hold_all(p_accounts bigint[])
RETURNS platen.accounts[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT h FROM (SELECT DISTINCT u AS id FROM unnest(p_accounts) u ORDER BY u) o
    CROSS JOIN LATERAL (SELECT * FROM platen.accounts a WHERE a.id = o.id
      ORDER BY a.version DESC LIMIT 1 FOR UPDATE) h);
END $$;

-- Stores what changed in an account that the caller holds. Called by an assignment, which costs less than PERFORM.
CREATE OR REPLACE FUNCTION platen.store_account(c platen.accounts)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE platen.accounts a SET version = a.version + 1, pending = c.pending,
      running = c.running, turn = c.turn, month = c.month, requests = c.requests,
      bytes = c.bytes, low_brief = c.low_brief, low_lengthy = c.low_lengthy
    WHERE a.id = c.id AND a.version = c.version;
  RETURN FOUND;
END $$;

-- Charges a request to an account that the caller holds, and will store: in its row, if the month is not over.
CREATE OR REPLACE FUNCTION platen.charge(
  INOUT a platen.accounts, p_month bigint, p_requests bigint, p_bytes bigint, p_counted bigint)
LANGUAGE plpgsql AS $$
BEGIN
  IF a.month > p_month THEN -- another server has begun the next month
    PERFORM platen.use_past(a.id, p_month, 1, p_counted);
    RETURN;
  END IF;
  IF a.month IS DISTINCT FROM p_month THEN
    IF a.requests > 0 THEN
      PERFORM platen.use_past(a.id, a.month, a.requests, a.bytes);
    END IF;
    DELETE FROM platen.past_usage u WHERE u.account = a.id AND u.month = p_month;
  END IF;
  a.month := p_month;
  a.requests := p_requests + 1;
  a.bytes := p_bytes + p_counted;
END $$;

-- Whether jobs may be added, and the jobs. Each array has an element for each call, and each call gets a row,
-- `n` says of which. `verdict`: 'put', 'replay', 'conflict', 'account' (there is none) or 'judge' (the
-- numbers say why: store_judge). The same call may come twice, if its answer was lost with the connection: the job is
-- 'put', and not counted again.
CREATE OR REPLACE FUNCTION platen.put(
  p_id text[], p_account bigint[], p_month bigint[], p_tool text[], p_long bigint[],
  p_n_inputs bigint[], p_has_secret bigint[], p_input_bytes bigint[], p_reused_bytes bigint[],
  p_retention bigint[], p_cost bigint[], p_created_at bigint[], p_run_at bigint[],
  p_client_ref text[], p_callback_url text[], p_callback_host text[], p_callback_base text[],
  p_stem text[], p_params text[], p_inputs text[], p_max_requests bigint[], p_max_bytes bigint[],
  p_max_unfinished bigint[], p_key text[], p_fingerprint text[], p_files bytea[], p_call text[])
RETURNS TABLE(verdict text, job text, requests bigint, bytes bigint, unfinished bigint, n int)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  held platen.accounts[];
  repeated text[];
  a platen.accounts;
  sorted int[] := '{1}'; -- the calls, by their accounts
  added int[] := '{}';
  rows bigint[]; -- those of the jobs that are added
  at int := 0;
  of_account bigint := p_account[1];
  counted bigint;
  seen text;
  stored boolean;
BEGIN
  IF cardinality(p_account) = 1 THEN -- for less
    SELECT * INTO a FROM platen.accounts o WHERE o.id = of_account ORDER BY version DESC LIMIT 1
      FOR UPDATE;
  ELSE
    held := platen.hold_all(p_account);
    sorted := ARRAY(SELECT o FROM generate_subscripts(p_account, 1) o ORDER BY p_account[o], o);
    of_account := NULL;
  END IF;
  repeated := ARRAY(SELECT j.id FROM platen.jobs j
    WHERE j.id = ANY (p_id) AND j.last_call = p_call[array_position(p_id, j.id)]);
  FOREACH n IN ARRAY sorted LOOP
    IF of_account IS DISTINCT FROM p_account[n] THEN
      IF a.id IS NOT NULL THEN
        stored := platen.store_account(a);
      END IF;
      of_account := p_account[n];
      a := held[at + 1];
      IF a.id = of_account THEN
        at := at + 1;
      ELSE
        a := NULL;
      END IF;
    END IF;
    job := p_id[n];
    IF a.id IS NULL THEN
      verdict := 'account';
      RETURN NEXT;
      CONTINUE;
    END IF;
    counted := p_input_bytes[n] - p_reused_bytes[n];
    unfinished := a.pending + a.running;
    requests := a.requests;
    bytes := a.bytes;
    IF a.month IS DISTINCT FROM p_month[n] THEN
      SELECT u.requests, u.bytes INTO requests, bytes FROM platen.past_usage u
        WHERE u.account = a.id AND u.month = p_month[n];
      requests := coalesce(requests, 0);
      bytes := coalesce(bytes, 0);
    END IF;
    seen := NULL;
    IF p_key[n] IS NOT NULL AND job <> ALL (repeated) THEN
      SELECT i.fingerprint, i.job INTO seen, job FROM platen.idempotency i
        WHERE i.account = a.id AND i.key = p_key[n];
      job := coalesce(job, p_id[n]);
    END IF;
    IF seen IS NOT NULL THEN
      verdict := CASE WHEN seen IN ('', p_fingerprint[n]) THEN 'replay' ELSE 'conflict' END;
    ELSIF job = ANY (repeated) THEN
      verdict := 'put';
    ELSIF requests >= p_max_requests[n] OR bytes::numeric + counted > p_max_bytes[n]
        OR unfinished >= p_max_unfinished[n] THEN
      verdict := 'judge';
    ELSE
      verdict := 'put';
      added := added || n;
      rows := rows || nextval('platen.jobs_row_seq');
      IF p_key[n] IS NOT NULL THEN
        INSERT INTO platen.idempotency
          VALUES (a.id, p_key[n], p_fingerprint[n], job, p_created_at[n]);
      END IF;
      IF a.month = p_month[n] THEN
        a.requests := requests + 1;
        a.bytes := bytes + counted;
      ELSE
        a := platen.charge(a, p_month[n], requests, bytes, counted);
      END IF;
      requests := requests + 1;
      bytes := bytes + counted;
      -- Who did not wait has saved up no time.
      IF a.pending = 0 THEN
        a.turn := greatest(a.turn, platen.turn_now());
      END IF;
      a.pending := a.pending + 1;
      IF p_long[n] = 0 THEN
        a.low_brief := least(a.low_brief, p_run_at[n]);
      ELSE
        a.low_lengthy := least(a.low_lengthy, p_run_at[n]);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  IF rows IS NULL THEN
    RETURN;
  END IF;
  stored := platen.store_account(a);
  INSERT INTO platen.jobs(row, id, account, month, tool, n_inputs, has_secret, in_store,
      input_bytes, reused_bytes, retention_ms, cost, created_at, run_at, client_ref, callback_url,
      callback_host, callback_base, stem, params, inputs, last_call) OVERRIDING SYSTEM VALUE
    SELECT rows[o], p_id[c], p_account[c], p_month[c], p_tool[c], p_n_inputs[c],
      p_has_secret[c] <> 0, CASE WHEN p_files[c] IS NULL THEN 0 ELSE 1 END, p_input_bytes[c],
      p_reused_bytes[c], p_retention[c], p_cost[c], p_created_at[c], p_run_at[c],
      p_client_ref[c], p_callback_url[c], p_callback_host[c], p_callback_base[c], p_stem[c],
      p_params[c], p_inputs[c], p_call[c] FROM unnest(added) WITH ORDINALITY u(c, o);
  INSERT INTO platen.queue(row, id, account, tool, long, cost, created_at, run_at)
    SELECT rows[o], p_id[c], p_account[c], p_tool[c], p_long[c], p_cost[c], p_created_at[c],
      p_run_at[c] FROM unnest(added) WITH ORDINALITY u(c, o);
  IF array_remove(p_files, NULL) <> '{}' THEN
    INSERT INTO platen.job_inputs SELECT rows[o], p_files[c]
      FROM unnest(added) WITH ORDINALITY u(c, o) WHERE p_files[c] IS NOT NULL;
  END IF;
END $$;

-- The job of an account that has waited longest, of the short or the long ones of these tools. `low`: none of
-- them, whatever its tool, is due before.
CREATE OR REPLACE FUNCTION platen.next_of_tools(
  p_account bigint, p_long int, p_low bigint, p_now bigint, p_tools text[],
  OUT pick text, OUT low bigint)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT o.id INTO pick FROM unnest(p_tools) t CROSS JOIN LATERAL (
      SELECT q.run_at, q.id FROM platen.queue q WHERE q.state = 0
        AND q.account = p_account AND q.tool = t AND q.long = p_long
        AND q.run_at BETWEEN p_low AND p_now ORDER BY q.run_at, q.id LIMIT 1) o
    ORDER BY o.run_at, o.id LIMIT 1;
  SELECT run_at INTO low FROM platen.queue WHERE state = 0 AND account = p_account
    AND long = p_long AND run_at >= p_low ORDER BY run_at, id LIMIT 1;
  low := coalesce(low, p_low);
END $$;

-- The jobs of an account that have waited longest, of the short and of the long ones whose time has come, and
-- from where on such jobs wait. p_tools: only jobs of these tools count; NULL: of all. p_brief: 1: only short ones.
-- No row: there is none.
CREATE OR REPLACE FUNCTION platen.next_jobs(
  c platen.accounts, p_now bigint, p_tools text[], p_brief int)
RETURNS TABLE(of_version bigint, brief text, brief_low bigint, lengthy text, lengthy_low bigint)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
BEGIN
  of_version := c.version;
  IF p_tools IS NULL THEN
    SELECT b.id, coalesce(b.run_at, c.low_brief), l.id, coalesce(l.run_at, c.low_lengthy)
      INTO brief, brief_low, lengthy, lengthy_low
      FROM (SELECT) o
      LEFT JOIN LATERAL (SELECT id, run_at FROM platen.queue WHERE state = 0 AND account = c.id
        AND long = 0 AND run_at BETWEEN c.low_brief AND p_now ORDER BY run_at, id LIMIT 1) b ON true
      LEFT JOIN LATERAL (SELECT id, run_at FROM platen.queue WHERE state = 0 AND account = c.id
        AND long = 1 AND run_at BETWEEN c.low_lengthy AND p_now ORDER BY run_at, id LIMIT 1) l
        ON true;
  ELSE
    SELECT b.pick, b.low, l.pick, l.low INTO brief, brief_low, lengthy, lengthy_low
      FROM platen.next_of_tools(c.id, 0, c.low_brief, p_now, p_tools) b,
        platen.next_of_tools(c.id, 1, c.low_lengthy, p_now, p_tools) l;
  END IF;
  IF brief IS NOT NULL OR lengthy IS NOT NULL AND p_brief = 0 THEN
    RETURN NEXT;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION platen.turn_now() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(pg_sequence_last_value('platen.turn_clock'), 0);
END $$;

CREATE OR REPLACE FUNCTION platen.turn_low() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(pg_sequence_last_value('platen.turn_low'), 0);
END $$;

-- Moves turn_low on. Every transaction that lets an account wait gives it a turn of at least what turn_clock
-- is after it has its number (xid), or leaves it the turn with which it waited before. So when all transactions
-- that are older than turn_next_xid have ended, what waits has either a turn of at least turn_next, the
-- clock as it was just before that number was read, or is seen here. The caller holds the clock, and
-- has not changed any account yet.
CREATE OR REPLACE FUNCTION platen.raise_low(p_clock bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  low bigint := platen.turn_low();
  coming_turn bigint := coalesce(pg_sequence_last_value('platen.turn_next'), 0);
  coming_xid bigint := coalesce(pg_sequence_last_value('platen.turn_next_xid'), 0);
  living record;
  earliest bigint;
BEGIN
  SELECT pg_snapshot_xmin(s)::text::bigint AS xmin, pg_snapshot_xmax(s)::text::bigint AS xmax
    INTO living FROM pg_current_snapshot() s;
  -- The number of another server may be from before a backup was read back.
  IF coming_xid > living.xmin AND coming_xid <= living.xmax THEN
    RETURN;
  END IF;
  IF coming_xid <= living.xmin THEN
    SELECT turn INTO earliest FROM platen.accounts WHERE pending > 0 AND turn >= low
      ORDER BY turn, id LIMIT 1;
    PERFORM setval('platen.turn_low', greatest(low, least(earliest, coming_turn)));
  END IF;
  PERFORM setval('platen.turn_next', p_clock), setval('platen.turn_next_xid', living.xmax);
END $$;

-- Up to p_most jobs, one after the other from the account whose turn it is (store_claim), but of none of
-- p_passed. Only the
-- first waits for an account that others hold, because no lock is held yet: two calls that wait for
-- each other would be a deadlock. A claim is as durable as a submission: a number of an attempt that
-- a failover took back would be given a second time.
CREATE OR REPLACE FUNCTION platen.claim(
  p_node text, p_now bigint, p_lease bigint, p_most int, p_tools text[], p_passed bigint[], p_brief int)
RETURNS SETOF platen.job_row
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  low bigint := platen.turn_low();
  pick record; -- an account, and what platen.next_jobs said before it was locked
  a platen.accounts;
  clk bigint;
  began_clk bigint;
  next_cost bigint;
  next_long int;
  holds_account boolean := false;
  holds_clock boolean := false;
  taken text[] := '{}';
  next_id text;
BEGIN
  WHILE cardinality(taken) < p_most LOOP
    -- The next account in turn that has a job whose time has come. Accounts that others hold are passed over.
    SELECT c AS a, j.* INTO pick FROM platen.accounts c
      CROSS JOIN LATERAL platen.next_jobs(c, p_now, p_tools, p_brief) j
      WHERE c.pending > 0 AND c.turn >= low AND c.id <> ALL (p_passed) ORDER BY c.turn, c.id LIMIT 1
      FOR UPDATE OF c SKIP LOCKED;
    IF NOT FOUND AND NOT holds_account THEN
      -- An account that others changed just before it was locked is passed over, and yet stays locked: waiting
      -- for another one could be a deadlock. The caller repeats a call that fails so.
      IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
        RAISE 'accounts changed while they were looked through' USING ERRCODE = 'serialization_failure';
      END IF;
      holds_account := true;
      a := platen.hold((SELECT c.id FROM platen.accounts c
        CROSS JOIN LATERAL platen.next_jobs(c, p_now, p_tools, p_brief)
        WHERE c.pending > 0 AND c.turn >= low AND c.id <> ALL (p_passed) ORDER BY c.turn, c.id LIMIT 1));
      SELECT a, j.* INTO pick FROM platen.next_jobs(a, p_now, p_tools, p_brief) j;
      CONTINUE WHEN NOT FOUND;
    END IF;
    EXIT WHEN NOT FOUND;
    holds_account := true;
    a := pick.a;
    IF a.version <> pick.of_version THEN
      SELECT a, j.* INTO pick FROM platen.next_jobs(a, p_now, p_tools, p_brief) j;
      CONTINUE WHEN NOT FOUND; -- others were faster
    END IF;
    IF clk IS NULL THEN
      -- Two that move the clock at once do not wait for each other: the next claim moves it.
      holds_clock := pg_try_advisory_xact_lock(8101160, 1);
      clk := platen.turn_now();
      began_clk := clk;
      IF holds_clock AND random() < 0.125 THEN
        PERFORM platen.raise_low(clk);
      END IF;
    END IF;
    clk := greatest(clk, a.turn);
    next_id := CASE WHEN pick.lengthy IS NOT NULL AND (pick.brief IS NULL OR a.lean > 0 AND p_brief = 0)
      THEN pick.lengthy ELSE pick.brief END;
    UPDATE platen.queue SET state = 1, attempt = attempt + 1, lease_until = p_now + p_lease,
        node = p_node, started_at = CASE started_at WHEN 0 THEN p_now ELSE started_at END
      WHERE id = next_id RETURNING greatest(cost, 1), long INTO next_cost, next_long;
    UPDATE platen.accounts SET version = version + 1, pending = pending - 1,
        running = running + 1, turn = clk + next_cost,
        lean = CASE WHEN pick.brief IS NULL OR pick.lengthy IS NULL THEN 0
          WHEN next_long = 1 THEN lean - next_cost ELSE lean + next_cost END,
        low_brief = pick.brief_low, low_lengthy = pick.lengthy_low
      WHERE id = a.id AND version = a.version;
    taken := taken || next_id;
  END LOOP;
  IF holds_clock AND clk > began_clk THEN
    clk := setval('platen.turn_clock', clk);
  END IF;
  FOREACH next_id IN ARRAY taken LOOP -- a join of several could walk the whole index of the queue
    RETURN QUERY SELECT * FROM platen.job_row j WHERE j.id = next_id;
  END LOOP;
END $$;

-- Renews the lease by which a server holds the jobs that it names, and notes how far they are. `lost`: those
-- of the named jobs that are not its own any more. `due`: whether a job waits that it may do; `sweep`:
-- whether it is the one to call platen.sweep now; `others`: how many other servers live. Locks
-- no account, so that it never waits long.
CREATE OR REPLACE FUNCTION platen.beat(
  p_node text, p_host text, p_lease bigint, p_works int, p_tools text[], p_ids text[],
  p_attempts int[], p_progress double precision[],
  OUT now bigint, OUT due int, OUT sweep int, OUT others bigint, OUT pending bigint, OUT lost text)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  now := platen.now_ms();
  UPDATE platen.nodes SET seen_at = now, lease_until = now + p_lease, works = p_works & 1 <> 0,
    serves = p_works & 2 = 0 WHERE id = p_node;
  IF NOT FOUND THEN
    INSERT INTO platen.nodes(id, host, began_at, seen_at, lease_until, works, serves)
      VALUES (p_node, p_host, now, now, now + p_lease, p_works & 1 <> 0, p_works & 2 = 0) ON CONFLICT DO NOTHING;
  END IF;
  -- A job that another call holds is being ended: waiting for one with others locked could be a deadlock.
  UPDATE platen.queue q SET progress = h.progress
    FROM unnest(p_ids, p_attempts, p_progress) AS h(id, attempt, progress)
    WHERE q.id = h.id AND q.id IN (SELECT o.id FROM platen.queue o WHERE o.id = h.id
      AND o.attempt = h.attempt AND o.state + 0 = 1 AND o.node = p_node
      AND o.progress < h.progress FOR UPDATE SKIP LOCKED);
  -- A job that it claimed and does not name: the answer to the claim, or the end of the job, was lost
  -- with a connection. It is nobody's, and the next sweep puts it back.
  UPDATE platen.queue SET node = NULL WHERE id IN (SELECT o.id FROM platen.queue o
    WHERE o.node = p_node AND o.state = 1 AND o.lease_until < now AND o.id <> ALL (p_ids)
    FOR UPDATE SKIP LOCKED);
  lost := (SELECT string_agg(h.id, ' ') FROM unnest(p_ids, p_attempts) AS h(id, attempt)
    WHERE NOT EXISTS (SELECT 1 FROM platen.queue q WHERE q.id = h.id AND q.attempt = h.attempt
      AND q.state = 1 AND q.node = p_node));
  due := 0;
  IF p_works & 1 <> 0 THEN
    due := (SELECT count(*) FROM (SELECT 1 FROM platen.accounts c
      CROSS JOIN LATERAL platen.next_jobs(c, now, p_tools, 0)
      WHERE c.pending > 0 AND c.turn >= platen.turn_low() LIMIT 1) o);
  END IF;
  others := (SELECT count(*) FROM platen.nodes n WHERE n.id <> p_node AND n.lease_until > now);
  UPDATE platen.house SET swept_at = now WHERE ctid IN (SELECT ctid FROM platen.house
    WHERE swept_at <= now - 1000 FOR UPDATE SKIP LOCKED);
  sweep := CASE WHEN FOUND THEN 1 ELSE 0 END;
  pending := (SELECT h.pending FROM platen.house h);
END $$;

-- The part of platen.beat that may wait for accounts: what servers left that are gone waits again.
CREATE OR REPLACE FUNCTION platen.sweep(
  p_node text, p_now bigint, p_ahead bigint, p_host_width int, p_account_width int)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  n int;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  n := platen.reclaim(p_node, p_now, p_ahead, p_host_width, p_account_width);
  UPDATE platen.house SET pending = a.pending, running = a.running
    FROM (SELECT coalesce(sum(pending), 0) AS pending, coalesce(sum(running), 0) AS running
      FROM platen.accounts WHERE pending > 0 OR running > 0) a;
  RETURN n;
END $$;

CREATE OR REPLACE FUNCTION platen.heartbeat(
  p_node text, p_id text, p_attempt int, p_until bigint, p_progress double precision)
RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE platen.queue SET lease_until = p_until, progress = p_progress
    WHERE id = p_id AND attempt = p_attempt AND state + 0 = 1 AND node = p_node;
  RETURN CASE WHEN FOUND THEN 1 ELSE 0 END;
END $$;

-- The row of an account in callback_accounts, locked.
CREATE OR REPLACE FUNCTION platen.hold_webhooks(p_account bigint)
RETURNS platen.callback_accounts LANGUAGE plpgsql AS $$
DECLARE
  a platen.callback_accounts;
BEGIN
  SELECT * INTO a FROM platen.callback_accounts WHERE account = p_account
    ORDER BY version DESC LIMIT 1 FOR UPDATE;
  RETURN a;
END $$;

CREATE OR REPLACE FUNCTION platen.webhook_turn_now() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(pg_sequence_last_value('platen.webhook_turn'), 0);
END $$;

CREATE OR REPLACE FUNCTION platen.webhook_low() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(pg_sequence_last_value('platen.webhook_low'), 0);
END $$;

CREATE OR REPLACE FUNCTION platen.webhook_sending_low()
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(pg_sequence_last_value('platen.webhook_sending_low'), 0);
END $$;

-- Moves webhook_low and webhook_sending_low on, as platen.raise_low does with turn_low: an account that
-- begins to wait gets a turn of at least what webhook_turn is then, and a claim the next one.
CREATE OR REPLACE FUNCTION platen.raise_webhook_low()
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  clk bigint := platen.webhook_turn_now();
  low_turn bigint := platen.webhook_low();
  low_sending bigint := platen.webhook_sending_low();
  coming_turn bigint := coalesce(pg_sequence_last_value('platen.webhook_next'), 0);
  coming_xid bigint := coalesce(pg_sequence_last_value('platen.webhook_next_xid'), 0);
  living record;
  earliest bigint;
BEGIN
  SELECT pg_snapshot_xmin(s)::text::bigint AS xmin, pg_snapshot_xmax(s)::text::bigint AS xmax
    INTO living FROM pg_current_snapshot() s;
  -- The number of another server may be from before a backup was read back.
  IF coming_xid > living.xmin AND coming_xid <= living.xmax THEN
    RETURN;
  END IF;
  IF coming_xid <= living.xmin THEN
    SELECT turn INTO earliest FROM platen.callback_accounts
      WHERE next_at IS NOT NULL AND turn >= low_turn ORDER BY turn, account, version DESC LIMIT 1;
    PERFORM setval('platen.webhook_low', greatest(low_turn, least(earliest, coming_turn)));
    SELECT turn INTO earliest FROM platen.deliveries
      WHERE state = 1 AND turn >= low_sending ORDER BY turn LIMIT 1;
    PERFORM setval('platen.webhook_sending_low',
      greatest(low_sending, least(earliest, coming_turn)));
  END IF;
  PERFORM setval('platen.webhook_next', clk), setval('platen.webhook_next_xid', living.xmax);
END $$;

-- What changed for a host and its account, which the caller holds. p_earlier: when a delivery is due that waits
-- now, and did not; NULL: there is none. p_sending: how many more are being sent. p_failing: whether the
-- host could not be reached; NULL: as before. p_turn: the account was served; NULL: it was not.
CREATE OR REPLACE FUNCTION platen.update_webhooks(
  p_account bigint, p_host text, p_host_width int, p_account_width int,
  p_earlier bigint, p_sending int, p_failing boolean, p_turn bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now bigint := platen.now_ms();
  h platen.callback_hosts;
  a platen.callback_accounts;
  host_low bigint;
  host_next bigint;
  account_low bigint;
  first bigint;
BEGIN
  SELECT * INTO h FROM platen.callback_hosts WHERE account = p_account AND host = p_host
    ORDER BY version DESC LIMIT 1;
  SELECT * INTO a FROM platen.callback_accounts WHERE account = p_account
    ORDER BY version DESC LIMIT 1;
  IF h.account IS NULL OR a.account IS NULL THEN
    RETURN;
  END IF;

  host_low := least(h.low, p_earlier);
  SELECT next_at INTO first FROM platen.deliveries WHERE account = p_account AND host = p_host
    AND state = 0 AND next_at >= host_low ORDER BY next_at, id LIMIT 1;
  host_low := coalesce(first, host_low);
  h.sending := h.sending + p_sending;
  h.failing := coalesce(p_failing, h.failing);
  IF h.sending < (CASE WHEN h.failing THEN 1 ELSE p_host_width END) THEN
    host_next := first;
  END IF;
  -- A delivery more of many that wait changes nothing.
  IF p_sending <> 0 OR p_failing IS NOT NULL OR h.used_at < now - 60000
      OR (host_next, host_low) IS DISTINCT FROM (h.next_at, h.low) THEN
    UPDATE platen.callback_hosts SET version = nextval('platen.webhook_version'),
        next_at = host_next, low = host_low, sending = h.sending, failing = h.failing,
        used_at = now
      WHERE account = p_account AND host = p_host AND version = h.version;
  END IF;

  account_low := least(a.low, host_next);
  SELECT next_at INTO first FROM platen.callback_hosts WHERE account = p_account
    AND next_at >= account_low ORDER BY next_at, version DESC LIMIT 1;
  account_low := coalesce(first, account_low);
  a.sending := a.sending + p_sending;
  IF a.sending >= p_account_width THEN
    first := NULL;
  END IF;
  -- Who did not wait has saved up no turns (platen.raise_webhook_low).
  a.turn := CASE WHEN p_turn IS NOT NULL THEN p_turn
    WHEN a.next_at IS NULL AND first IS NOT NULL
      THEN greatest(a.turn, platen.webhook_turn_now()) ELSE a.turn END;
  IF p_sending <> 0 OR p_turn IS NOT NULL OR a.used_at < now - 60000
      OR (first, account_low) IS DISTINCT FROM (a.next_at, a.low) THEN
    UPDATE platen.callback_accounts SET version = nextval('platen.webhook_version'),
        next_at = first, low = account_low, sending = a.sending, turn = a.turn,
        used_at = now
      WHERE account = p_account AND version = a.version;
  END IF;
END $$;

-- A delivery waits that did not. The caller holds the account in platen.accounts: nobody else makes the
-- rows that may be missing here.
CREATE OR REPLACE FUNCTION platen.open_host(
  p_account bigint, p_host text, p_earlier bigint, p_host_width int, p_account_width int)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (platen.hold_webhooks(p_account)).account IS NULL THEN
    INSERT INTO platen.callback_accounts(account, low) VALUES (p_account, p_earlier);
  END IF;
  IF (SELECT account FROM platen.callback_hosts WHERE account = p_account AND host = p_host
      ORDER BY version DESC LIMIT 1) IS NULL THEN
    INSERT INTO platen.callback_hosts(account, host, low) VALUES (p_account, p_host, p_earlier);
  END IF;
  PERFORM platen.update_webhooks(p_account, p_host, p_host_width, p_account_width, p_earlier,
    0, NULL, NULL);
END $$;

-- Hosts and accounts for which there was nothing to do for an hour.
CREATE OR REPLACE FUNCTION platen.forget_webhooks(p_most int)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before bigint := platen.now_ms() - 3600000;
  h platen.callback_hosts;
BEGIN
  FOR h IN SELECT * FROM platen.callback_hosts WHERE used_at < before AND next_at IS NULL
      AND sending = 0 ORDER BY account LIMIT p_most LOOP
    PERFORM platen.hold_webhooks(h.account);
    DELETE FROM platen.callback_hosts WHERE account = h.account AND host = h.host
      AND version = h.version AND NOT EXISTS (SELECT 1 FROM platen.deliveries d
        WHERE d.account = h.account AND d.host = h.host AND d.state = 0 AND d.next_at >= h.low);
  END LOOP;
  DELETE FROM platen.callback_accounts a WHERE a.used_at < before AND a.next_at IS NULL
    AND a.sending = 0
    AND NOT EXISTS (SELECT 1 FROM platen.callback_hosts o WHERE o.account = a.account);
END $$;

CREATE OR REPLACE FUNCTION platen.drop_delivery(
  p_job text, p_account bigint, p_host text, p_host_width int, p_account_width int)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  was int;
BEGIN
  IF p_host IS NULL THEN
    RETURN;
  END IF;
  PERFORM platen.hold_webhooks(p_account);
  DELETE FROM platen.deliveries WHERE job = p_job RETURNING state INTO was;
  IF FOUND THEN
    PERFORM platen.update_webhooks(p_account, p_host, p_host_width, p_account_width, NULL,
      CASE was WHEN 1 THEN -1 ELSE 0 END, NULL, NULL);
  END IF;
END $$;

-- The caller holds the account.
CREATE OR REPLACE FUNCTION platen.refund(p_job platen.jobs)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  counted bigint := p_job.input_bytes - p_job.reused_bytes;
BEGIN
  UPDATE platen.accounts SET version = version + 1, requests = requests - 1,
      bytes = bytes - counted
    WHERE id = p_job.account AND version = platen.version(p_job.account) AND month = p_job.month;
  IF NOT FOUND THEN
    UPDATE platen.past_usage SET requests = requests - 1, bytes = bytes - counted
      WHERE account = p_job.account AND month = p_job.month;
  END IF;
END $$;

-- Ends jobs; the arrays and `n` are as those of platen.put. `done`: 1, also if it was done before by this very
-- call, whose answer was lost with the connection. The call's name becomes that of the delivery, if there is one.
CREATE OR REPLACE FUNCTION platen.finish(
  p_node text[], p_id text[], p_attempt bigint[], p_state bigint[], p_finished_at bigint[],
  p_expires_at bigint[], p_duration bigint[], p_output_bytes bigint[], p_output_name text[],
  p_outputs text[], p_warnings text[], p_error text[], p_message text[], p_field text[],
  p_refund bigint[], p_result bytea[], p_call text[], p_host_width bigint[],
  p_account_width bigint[])
RETURNS TABLE(done int, n int)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  held platen.accounts[];
  clk bigint;
  a platen.accounts;
  at int := 0;
  gone platen.queue[];
  rows bigint[]; -- of those, in their order
  calls int[]; -- by which they are gone
  stored boolean;
  due bigint;
  e record;
BEGIN
  IF cardinality(p_id) = 1 THEN -- for less
    SELECT o.* INTO a FROM platen.accounts o
      WHERE o.id = (SELECT q.account FROM platen.queue q WHERE q.id = p_id[1])
      ORDER BY version DESC LIMIT 1 FOR UPDATE;
  ELSE
    held := platen.hold_all(ARRAY(SELECT q.account FROM platen.queue q WHERE q.id = ANY (p_id)));
  END IF;
  clk := platen.turn_now();
  WITH o AS (
    DELETE FROM platen.queue q WHERE q.id = ANY (p_id) AND q.state + 0 = 1
        AND q.attempt = p_attempt[array_position(p_id, q.id)]
        AND q.node = p_node[array_position(p_id, q.id)]
      RETURNING q, q.row, array_position(p_id, q.id) AS call)
  SELECT array_agg(o.q), array_agg(o.row), array_agg(o.call) INTO gone, rows, calls FROM o;
  IF rows IS NOT NULL THEN
    DELETE FROM platen.job_inputs WHERE row = ANY (rows);
    IF array_remove(p_result, NULL) <> '{}' THEN
      INSERT INTO platen.job_results SELECT rows[o], p_result[calls[o]]
        FROM generate_subscripts(rows, 1) o WHERE p_result[calls[o]] IS NOT NULL;
    END IF;
  END IF;
  FOR e IN
    WITH ended AS (
      UPDATE platen.jobs j SET (state, run_at, started_at, finished_at, expires_at, duration_ms,
          output_bytes, attempt, spared, last_call, progress, in_store, output_name, outputs,
          warnings, error, message, error_field)
        = (SELECT p_state[c], (gone[o]).run_at, (gone[o]).started_at, p_finished_at[c],
          p_expires_at[c], p_duration[c], p_output_bytes[c], (gone[o]).attempt, (gone[o]).spared,
          p_call[c], CASE p_state[c] WHEN 2 THEN 1 ELSE (gone[o]).progress END,
          CASE WHEN p_result[c] IS NULL THEN 0 ELSE 2 END, p_output_name[c], p_outputs[c],
          p_warnings[c], p_error[c], p_message[c], p_field[c]
          FROM (SELECT array_position(rows, j.row) AS o,
            calls[array_position(rows, j.row)] AS c) g)
        WHERE j.row = ANY (rows)
        RETURNING calls[array_position(rows, j.row)] AS at, j.id, j.account, j.month, j.cost,
          j.input_bytes - j.reused_bytes AS counted, j.callback_host, j.callback_url)
    SELECT * FROM ended ORDER BY account, ended.at
  LOOP
    IF a.id IS DISTINCT FROM e.account THEN
      IF a.id IS NOT NULL THEN
        stored := platen.store_account(a);
      END IF;
      LOOP
        at := at + 1;
        a := held[at];
        EXIT WHEN a.id IS NULL OR a.id >= e.account;
      END LOOP;
    END IF;
    a.running := a.running - 1;
    -- What it was charged too much does not bring it before those who have waited since (platen.raise_low).
    a.turn := greatest(a.turn + p_duration[e.at] - e.cost, least(a.turn, clk));
    IF p_refund[e.at] <> 0 AND a.month = e.month THEN
      a.requests := a.requests - 1;
      a.bytes := a.bytes - e.counted;
    ELSIF p_refund[e.at] <> 0 THEN
      UPDATE platen.past_usage u SET requests = u.requests - 1, bytes = u.bytes - e.counted
        WHERE u.account = a.id AND u.month = e.month;
    END IF;
    IF e.callback_host IS NOT NULL THEN
      due := p_finished_at[e.at];
      -- It waits for the end of what is sent (STORE_SHIPMENT_HOLD_MS).
      IF p_state[e.at] = 2 AND EXISTS (SELECT 1 FROM platen.shipments s WHERE s.job = e.id AND s.state < 2) THEN
        due := due + 60000;
      END IF;
      INSERT INTO platen.deliveries(id, job, account, host, url, created_at, since, next_at)
        VALUES (p_call[e.at], e.id, e.account, e.callback_host, e.callback_url,
          p_finished_at[e.at], p_finished_at[e.at], due);
      PERFORM platen.open_host(e.account, e.callback_host, due,
        p_host_width[e.at]::int, p_account_width[e.at]::int);
    END IF;
  END LOOP;
  IF rows IS NOT NULL THEN
    stored := platen.store_account(a);
  END IF;
  FOR i IN 1 .. cardinality(p_id) LOOP
    n := i;
    IF i = ANY (calls) THEN
      done := 1;
    ELSE
      done := (SELECT count(*) FROM platen.jobs j
        WHERE j.id = p_id[i] AND j.last_call = p_call[i]);
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION platen.put_back(p_queue platen.queue, p_run_at bigint, p_spared int)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  a platen.accounts;
BEGIN
  UPDATE platen.queue SET state = 0, run_at = p_run_at, lease_until = 0, progress = 0,
      node = NULL, spared = spared + p_spared
    WHERE id = p_queue.id;
  a := platen.hold(p_queue.account);
  UPDATE platen.accounts SET version = version + 1, pending = pending + 1, running = running - 1,
      turn = CASE a.pending WHEN 0 THEN greatest(turn, platen.turn_now()) ELSE turn END,
      low_brief = CASE p_queue.long WHEN 0 THEN least(low_brief, p_run_at) ELSE low_brief END,
      low_lengthy = CASE p_queue.long WHEN 0 THEN low_lengthy
        ELSE least(low_lengthy, p_run_at) END
    WHERE id = a.id AND version = a.version;
END $$;

CREATE OR REPLACE FUNCTION platen.release(
  p_node text, p_id text, p_attempt int, p_run_at bigint, p_spared int)
RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  q platen.queue;
BEGIN
  PERFORM platen.hold((SELECT account FROM platen.queue WHERE id = p_id));
  SELECT * INTO q FROM platen.queue
    WHERE id = p_id AND attempt = p_attempt AND state + 0 = 1 AND node = p_node FOR UPDATE;
  IF q.row IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM platen.put_back(q, p_run_at, p_spared);
  RETURN 1;
END $$;

-- Files of a job were fetched: they count as sent with it, and the job waits again.
CREATE OR REPLACE FUNCTION platen.fetched(
  p_node text, p_id text, p_attempt int, p_run_at bigint, p_bytes bigint, p_inputs text)
RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  q platen.queue;
  in_month bigint;
BEGIN
  PERFORM platen.hold((SELECT account FROM platen.queue WHERE id = p_id));
  SELECT * INTO q FROM platen.queue
    WHERE id = p_id AND attempt = p_attempt AND state + 0 = 1 AND node = p_node FOR UPDATE;
  IF q.row IS NULL THEN
    RETURN 0;
  END IF;
  UPDATE platen.jobs SET inputs = p_inputs, input_bytes = input_bytes + p_bytes WHERE row = q.row
    RETURNING month INTO in_month;
  UPDATE platen.accounts SET version = version + 1, bytes = bytes + p_bytes
    WHERE id = q.account AND version = platen.version(q.account) AND month = in_month;
  IF NOT FOUND THEN
    PERFORM platen.use_past(q.account, in_month, 0, p_bytes);
  END IF;
  PERFORM platen.put_back(q, p_run_at, 1);
  RETURN 1;
END $$;

-- The servers by whose name jobs run, but whose leases have ended. One look at the index for each.
CREATE OR REPLACE FUNCTION platen.dead_nodes(p_now bigint)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  name text := '';
BEGIN
  LOOP
    SELECT node INTO name FROM platen.queue WHERE state = 1 AND node > name
      ORDER BY node, row DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    IF NOT EXISTS (SELECT 1 FROM platen.nodes WHERE id = name AND lease_until >= p_now) THEN
      RETURN NEXT name;
    END IF;
  END LOOP;
END $$;

-- Jobs whose own lease and that of whose server have ended wait again. One account after the other,
-- each locked before its jobs.
CREATE OR REPLACE FUNCTION platen.reclaim(
  p_node text, p_now bigint, p_ahead bigint, p_host_width int, p_account_width int)
RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  dead text[] := ARRAY(SELECT platen.dead_nodes(p_now));
  owner bigint;
  a platen.accounts;
  q platen.queue;
  n int := 0;
BEGIN
  FOR owner IN SELECT account FROM platen.queue
      WHERE state = 1 AND node = ANY (dead) AND lease_until < p_now
      UNION SELECT account FROM platen.queue
      WHERE state = 1 AND node IS NULL AND lease_until < p_now ORDER BY account LOOP
    PERFORM platen.hold(owner);
    FOR q IN SELECT * FROM platen.queue o
        WHERE o.account = owner AND o.state = 1 AND o.lease_until < p_now
          AND (o.node IS NULL OR o.node = ANY (dead)) FOR UPDATE LOOP
      PERFORM platen.put_back(q, q.run_at, 0);
      n := n + 1;
    END LOOP;
  END LOOP;
  -- A job that waits for a clock that was turned back. Accounts that others hold come with the next sweep.
  IF p_ahead IS NOT NULL THEN
    FOR owner IN SELECT id FROM platen.accounts c WHERE pending > 0 AND turn >= platen.turn_low()
        AND EXISTS (SELECT 1 FROM platen.queue w WHERE w.state = 0 AND w.account = c.id
          AND w.long IN (0, 1) AND w.run_at > p_ahead) ORDER BY id LOOP
      SELECT * INTO a FROM platen.accounts WHERE id = owner ORDER BY version DESC LIMIT 1
        FOR UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      UPDATE platen.queue SET run_at = p_now
        WHERE state = 0 AND account = owner AND long IN (0, 1) AND run_at > p_ahead;
      UPDATE platen.accounts SET version = version + 1, low_brief = least(low_brief, p_now),
          low_lengthy = least(low_lengthy, p_now)
        WHERE id = owner AND version = a.version;
    END LOOP;
  END IF;
  UPDATE platen.nodes SET seen_at = platen.now_ms() WHERE id = p_node;
  DELETE FROM platen.nodes WHERE seen_at < platen.now_ms() - 86400000
    AND lease_until < p_now;
  PERFORM platen.delivery_reclaim(NULL, p_host_width, p_account_width);
  RETURN n;
END $$;

CREATE OR REPLACE FUNCTION platen.remove(
  p_id text, p_account bigint, p_host_width int, p_account_width int)
RETURNS SETOF platen.job_row
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  was platen.job_row;
  j platen.jobs;
BEGIN
  PERFORM platen.hold(p_account);
  SELECT * INTO j FROM platen.jobs WHERE id = p_id AND account = p_account AND state < 4
    FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT * INTO was FROM platen.job_row r WHERE r.row = j.row;
  IF was.started_at = 0 THEN
    PERFORM platen.refund(j);
  END IF;
  IF was.state IN (0, 1) THEN
    UPDATE platen.accounts SET version = version + 1,
        pending = pending - CASE was.state WHEN 0 THEN 1 ELSE 0 END,
        running = running - CASE was.state WHEN 1 THEN 1 ELSE 0 END
      WHERE id = p_account AND version = platen.version(p_account);
  END IF;
  PERFORM platen.drop_delivery(p_id, p_account, j.callback_host, p_host_width, p_account_width);
  UPDATE platen.idempotency SET fingerprint = '' WHERE job = p_id;
  DELETE FROM platen.job_inputs WHERE row = j.row;
  DELETE FROM platen.job_results WHERE row = j.row;
  DELETE FROM platen.shipments WHERE job = p_id;
  DELETE FROM platen.queue WHERE id = p_id;
  DELETE FROM platen.jobs WHERE row = j.row;
  RETURN NEXT was;
END $$;

-- One node at a time: two that delete the same rows would only wait for each other.
CREATE OR REPLACE FUNCTION platen.expire(
  p_now bigint, p_limit bigint, p_host_width int, p_account_width int)
RETURNS SETOF platen.job_row LANGUAGE plpgsql AS $$
DECLARE
  j platen.jobs;
  was platen.job_row;
BEGIN
  FOR j IN SELECT * FROM platen.jobs WHERE state IN (2, 3) AND expires_at <= p_now
      ORDER BY account, expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED LOOP
    SELECT * INTO was FROM platen.job_row r WHERE r.row = j.row;
    PERFORM platen.drop_delivery(j.id, j.account, j.callback_host, p_host_width,
      p_account_width);
    DELETE FROM platen.job_inputs WHERE row = j.row;
    DELETE FROM platen.job_results WHERE row = j.row;
    DELETE FROM platen.shipments WHERE job = j.id;
    UPDATE platen.jobs SET state = 4, in_store = 0, client_ref = NULL, callback_url = NULL,
        callback_host = NULL, callback_base = NULL, stem = NULL, params = NULL, inputs = NULL,
        output_name = NULL, outputs = NULL, warnings = NULL, error = NULL, message = NULL,
        error_field = NULL
      WHERE row = j.row;
    RETURN NEXT was;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION platen.forget(p_replays bigint, p_jobs bigint, p_most int)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  a int;
  b int;
BEGIN
  DELETE FROM platen.idempotency WHERE (account, key) IN (SELECT account, key
    FROM platen.idempotency WHERE created_at < p_replays LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS a = ROW_COUNT;
  DELETE FROM platen.jobs WHERE row IN (SELECT row FROM platen.jobs
    WHERE state = 4 AND expires_at < p_jobs LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS b = ROW_COUNT;
  PERFORM platen.forget_webhooks(p_most);
  RETURN a + b;
END $$;

-- The account of the new key, or 0: there is no such account.
CREATE OR REPLACE FUNCTION platen.key_add(
  p_account bigint, p_created_at bigint, p_valid_until bigint, p_prefix text, p_digest text,
  p_name text, p_plan text, p_parent bigint, p_tools text, p_addresses text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  owner bigint := p_account;
BEGIN
  IF owner = 0 THEN
    INSERT INTO platen.owners DEFAULT VALUES RETURNING id INTO owner;
    INSERT INTO platen.accounts(id) VALUES (owner);
  ELSIF (platen.hold(owner)).id IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO platen.keys(account, created_at, valid_until, prefix, digest, name, plan, parent, tools,
      addresses)
    VALUES (owner, p_created_at, p_valid_until, p_prefix, p_digest, p_name, p_plan, p_parent, p_tools,
      p_addresses);
  RETURN owner;
END $$;

-- Permits for jobs of an account, of which there are p_limit a minute. They are counted in p_cells cells of
-- p_cell_ms, the newest first. One permit or p_want are granted, or fewer when few are left, so that what
-- servers hold and do not use stays small.
CREATE OR REPLACE FUNCTION platen.permit(
  p_account bigint, p_limit bigint, p_want bigint, p_cell_ms bigint, p_cells int,
  OUT granted bigint, OUT used bigint, OUT wait_ms bigint)
LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := platen.now_ms();
  cell bigint := now_ms / p_cell_ms;
  newest bigint;
  counts int[];
  steps int;
  sum bigint;
BEGIN
  SELECT p.at, p.cells INTO newest, counts FROM platen.permits p WHERE account = p_account FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO platen.permits VALUES (p_account, cell, array_fill(0, ARRAY[p_cells]))
      ON CONFLICT DO NOTHING;
    SELECT p.at, p.cells INTO newest, counts FROM platen.permits p WHERE account = p_account FOR UPDATE;
  END IF;
  now_ms := platen.now_ms(); -- others may have held the row
  cell := now_ms / p_cell_ms;
  steps := least(greatest(cell - newest, 0), p_cells);
  IF steps > 0 THEN
    counts := array_fill(0, ARRAY[steps]) || counts[1:p_cells - steps];
    newest := cell;
  END IF;
  used := (SELECT sum(c) FROM unnest(counts) c);
  granted := greatest(least(p_limit - used, greatest(least(p_want, (p_limit - used) / 16), 1)), 0);
  wait_ms := 0;
  IF granted = 0 THEN
    sum := used;
    FOR i IN REVERSE p_cells..1 LOOP
      sum := sum - counts[i];
      IF counts[i] > 0 AND sum < p_limit THEN
        wait_ms := greatest((newest - i + 1 + p_cells) * p_cell_ms - now_ms, 1);
        EXIT;
      END IF;
    END LOOP;
  END IF;
  used := used + granted;
  counts[1] := counts[1] + granted;
  UPDATE platen.permits SET at = newest, cells = counts WHERE account = p_account;
END $$;

-- Adds a session of a browser, once, and ends the oldest of its key when they are more than p_most. 0: there is
-- no such key.
CREATE OR REPLACE FUNCTION platen.session_add(
  p_digest text, p_key text, p_now bigint, p_expires_at bigint, p_most int)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM platen.keys WHERE digest = p_key FOR SHARE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  DELETE FROM platen.sessions WHERE row IN (SELECT row FROM platen.sessions
    WHERE expires_at <= p_now FOR UPDATE SKIP LOCKED);
  INSERT INTO platen.sessions(digest, key, expires_at) VALUES (p_digest, p_key, p_expires_at)
    ON CONFLICT DO NOTHING;
  DELETE FROM platen.sessions WHERE row IN (SELECT row FROM platen.sessions
    WHERE key = p_key ORDER BY row DESC OFFSET p_most FOR UPDATE SKIP LOCKED);
  RETURN 1;
END $$;

-- 'removed' with the key, 'valid', 'busy' or no row.
CREATE OR REPLACE FUNCTION platen.key_remove(p_prefix text, p_now bigint)
RETURNS TABLE(verdict text, k platen.keys) LANGUAGE plpgsql AS $$
BEGIN
  SELECT * INTO k FROM platen.keys WHERE prefix = p_prefix;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM platen.hold(k.account);
  IF k.valid_until = 0 OR k.valid_until > p_now THEN
    verdict := 'valid';
  ELSIF EXISTS (SELECT 1 FROM platen.keys o WHERE o.account = k.account AND o.id <> k.id) THEN
    verdict := 'removed';
  ELSIF EXISTS (SELECT 1 FROM platen.accounts a
        WHERE a.id = k.account AND a.pending + a.running > 0)
      OR EXISTS (SELECT 1 FROM platen.deliveries d
        WHERE d.account = k.account AND d.state IN (0, 1)) THEN
    verdict := 'busy';
  ELSE
    DELETE FROM platen.past_usage u WHERE u.account = k.account;
    UPDATE platen.accounts SET version = version + 1, month = NULL, requests = 0, bytes = 0
      WHERE id = k.account AND version = platen.version(k.account);
    DELETE FROM platen.webhook_secrets s WHERE s.account = k.account;
    DELETE FROM platen.workflows w WHERE w.account = k.account;
    DELETE FROM platen.permits p WHERE p.account = k.account;
    verdict := 'removed';
  END IF;
  IF verdict = 'removed' THEN
    DELETE FROM platen.keys o WHERE o.id = k.id;
    DELETE FROM platen.sessions s WHERE s.key = k.digest;
  END IF;
  RETURN NEXT;
END $$;

-- How long a claim of a delivery lasts: longer than any attempt (callback_timeout is at most ten minutes).
CREATE OR REPLACE FUNCTION platen.send_claim_ms() RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT 660000::bigint;
$$;

CREATE OR REPLACE FUNCTION platen.delivery_claim(
  p_node text, p_now bigint, p_limit bigint, p_host_width int, p_account_width int)
RETURNS SETOF platen.deliveries
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  owner platen.callback_accounts;
  h platen.callback_hosts;
  taken platen.deliveries;
  n bigint := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  IF pg_try_advisory_xact_lock(8101160, 2) AND random() < 0.125 THEN
    PERFORM platen.raise_webhook_low();
  END IF;
  WHILE n < p_limit LOOP
    SELECT * INTO owner FROM platen.callback_accounts
      WHERE next_at <= p_now AND turn >= platen.webhook_low() AND sending < p_limit - n
      ORDER BY turn, account, version DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
    EXIT WHEN NOT FOUND;
    SELECT * INTO h FROM platen.callback_hosts
      WHERE account = owner.account AND next_at BETWEEN owner.low AND p_now
      ORDER BY next_at, version DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    -- next_at is now the end of the claim. If the answer is lost with its connection nobody sends the
    -- delivery until then.
    UPDATE platen.deliveries SET state = 1, node = p_node,
        next_at = p_now + platen.send_claim_ms(), turn = nextval('platen.webhook_turn') WHERE id = (
        SELECT id FROM platen.deliveries WHERE account = h.account AND host = h.host AND state = 0
          AND next_at >= h.low ORDER BY next_at, id LIMIT 1)
      RETURNING * INTO taken;
    IF FOUND THEN
      n := n + 1;
      PERFORM platen.update_webhooks(h.account, h.host, p_host_width, p_account_width, NULL, 1,
        NULL, taken.turn);
      RETURN NEXT taken;
    ELSE
      PERFORM platen.update_webhooks(h.account, h.host, p_host_width, p_account_width, NULL, 0,
        NULL, NULL);
    END IF;
  END LOOP;
END $$;

-- When the next delivery can be claimed; NULL: there is none.
CREATE OR REPLACE FUNCTION platen.delivery_next() RETURNS bigint
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
BEGIN
  RETURN (SELECT min(next_at) FROM platen.callback_accounts
    WHERE next_at IS NOT NULL AND turn >= platen.webhook_low());
END $$;

CREATE OR REPLACE FUNCTION platen.delivery_settle(
  p_id text, p_state int, p_at bigint, p_next_at bigint, p_http_status int, p_duration bigint,
  p_error text, p_excerpt text, p_unreachable int, p_host_width int, p_account_width int)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  d platen.deliveries;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM platen.hold_webhooks((SELECT account FROM platen.deliveries WHERE id = p_id));
  UPDATE platen.deliveries SET state = p_state, attempts = attempts + 1, tries = tries + 1,
      next_at = p_next_at, last_at = p_at, http_status = p_http_status, duration_ms = p_duration,
      error = p_error, excerpt = p_excerpt, node = NULL
    WHERE id = p_id AND state + 0 = 1 RETURNING * INTO d;
  IF FOUND THEN
    PERFORM platen.update_webhooks(d.account, d.host, p_host_width, p_account_width,
      CASE p_state WHEN 0 THEN p_next_at END, -1, p_unreachable <> 0, NULL);
  END IF;
END $$;

-- What this node, or one that has not been seen for a minute, was sending waits again, and so does what
-- was claimed so long ago that nobody can be sending it.
CREATE OR REPLACE FUNCTION platen.delivery_reclaim(
  p_node text, p_host_width int, p_account_width int)
RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  d record;
  due bigint;
  n int := 0;
BEGIN
  FOR d IN SELECT s.id, s.account, s.host FROM platen.deliveries s WHERE s.state = 1
      AND s.turn >= platen.webhook_sending_low() AND (s.node = p_node OR s.next_at < platen.now_ms() OR NOT EXISTS (SELECT 1 FROM platen.nodes o
        WHERE o.id = s.node AND o.seen_at >= platen.now_ms() - 60000))
      ORDER BY s.account, s.id LOOP
    PERFORM platen.hold_webhooks(d.account);
    UPDATE platen.deliveries SET state = 0, node = NULL, next_at = greatest(next_at - platen.send_claim_ms(), 0)
      WHERE id = d.id AND state + 0 = 1 RETURNING next_at INTO due;
    IF FOUND THEN
      n := n + 1;
      PERFORM platen.update_webhooks(d.account, d.host, p_host_width, p_account_width, due, -1,
        NULL, NULL);
    END IF;
  END LOOP;
  RETURN n;
END $$;

CREATE OR REPLACE FUNCTION platen.delivery_again(
  p_job text, p_id text, p_now bigint, p_host_width int, p_account_width int)
RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  d platen.deliveries;
BEGIN
  SELECT * INTO d FROM platen.deliveries WHERE id = p_id AND job = p_job;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  PERFORM platen.hold(d.account);
  PERFORM platen.hold_webhooks(d.account);
  UPDATE platen.deliveries SET state = 0, tries = 0, since = p_now, next_at = p_now
    WHERE id = p_id AND state <> 1;
  IF FOUND THEN
    PERFORM platen.open_host(d.account, d.host, p_now, p_host_width, p_account_width);
  END IF;
  RETURN 1;
END $$;

-- The shipment that waits longest of the account that sends fewest. One look at the index for each account.
CREATE OR REPLACE FUNCTION platen.shipment_claim(p_now bigint, p_until bigint, p_width int)
RETURNS TABLE(id text, job text, account bigint, part int, host text, state int, attempts int,
  created_at bigint, next_at bigint, last_at bigint, duration_ms bigint, http_status int, error text)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  owner bigint := -1;
  least_busy bigint;
  fewest int := p_width;
  sending int;
BEGIN
  LOOP
    SELECT account INTO owner FROM platen.shipments WHERE state < 2 AND account > owner
      ORDER BY account LIMIT 1;
    EXIT WHEN NOT FOUND;
    sending := (SELECT count(*) FROM platen.shipments
      WHERE account = owner AND state = 1 AND next_at > p_now);
    IF sending < fewest AND EXISTS (SELECT 1 FROM platen.shipments s JOIN platen.jobs j ON j.id = s.job
        WHERE s.account = owner AND s.state < 2 AND s.next_at <= p_now AND j.state = 2) THEN
      fewest := sending;
      least_busy := owner;
    END IF;
  END LOOP;
  RETURN QUERY UPDATE platen.shipments SET state = 1, attempts = attempts + 1, next_at = p_until
    WHERE id = (SELECT s.id FROM platen.shipments s JOIN platen.jobs j ON j.id = s.job
      WHERE s.account = least_busy AND s.state < 2 AND s.next_at <= p_now AND j.state = 2
      ORDER BY s.next_at, s.job, s.part LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
    RETURNING id, job, account, part, host, state, attempts, created_at, next_at, last_at,
      duration_ms, http_status, error;
END $$;

-- When the last shipment of a job has ended, its webhook is due: another one, p_new_id, if it was sent before.
CREATE OR REPLACE FUNCTION platen.shipment_settle(
  p_id text, p_attempts int, p_state int, p_next_at bigint, p_last_at bigint, p_duration bigint,
  p_status int, p_error text, p_now bigint, p_new_id text, p_host_width int, p_account_width int)
RETURNS int LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  s record;
  d platen.deliveries;
BEGIN
  SELECT * INTO s FROM platen.shipments WHERE id = p_id;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  PERFORM platen.hold(s.account);
  PERFORM platen.hold_webhooks(s.account);
  UPDATE platen.shipments SET state = p_state, next_at = p_next_at, last_at = p_last_at,
      duration_ms = p_duration, http_status = p_status, error = p_error
    WHERE id = p_id AND attempts = p_attempts AND state = 1;
  IF NOT FOUND THEN
    RETURN (SELECT count(*) FROM platen.shipments
      WHERE id = p_id AND attempts = p_attempts AND state = p_state AND last_at = p_last_at);
  END IF;
  IF p_state < 2 OR EXISTS (SELECT 1 FROM platen.shipments o WHERE o.job = s.job AND o.state < 2) THEN
    RETURN 1;
  END IF;
  SELECT * INTO d FROM platen.deliveries WHERE job = s.job FOR UPDATE;
  IF FOUND THEN
    UPDATE platen.deliveries SET state = 0, tries = 0, since = p_now, next_at = p_now, node = NULL,
        id = CASE WHEN d.attempts = 0 AND d.state = 0 THEN id ELSE p_new_id END
      WHERE id = d.id;
    IF d.state = 1 THEN
      PERFORM platen.update_webhooks(d.account, d.host, p_host_width, p_account_width, p_now, -1,
        NULL, NULL);
    ELSE
      PERFORM platen.open_host(d.account, d.host, p_now, p_host_width, p_account_width);
    END IF;
  END IF;
  RETURN 1;
END $$;

CREATE OR REPLACE FUNCTION platen.secret_add(
  p_account bigint, p_text text, p_now bigint, p_old_until bigint)
RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF (platen.hold(p_account)).id IS NULL THEN
    RETURN 0;
  END IF;
  DELETE FROM platen.webhook_secrets WHERE account = p_account AND valid_until > 0
    AND valid_until <= p_now;
  UPDATE platen.webhook_secrets SET valid_until = p_old_until WHERE account = p_account
    AND (valid_until = 0 OR valid_until > p_old_until);
  INSERT INTO platen.webhook_secrets(account, text, created_at)
    VALUES (p_account, p_text, p_now);
  RETURN 1;
END $$;

-- Sent twice it finds the upload there, and says the same. 1: done; 0: too many; 2: no such account.
CREATE OR REPLACE FUNCTION platen.upload_put(
  p_id text, p_account bigint, p_size bigint, p_at bigint, p_created bigint, p_expires bigint,
  p_name text, p_pieces text, p_complete bigint, p_kind text, p_most bigint, p_bytes bigint)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  n bigint;
  b bigint;
BEGIN
  IF (platen.hold(p_account)).id IS NULL THEN
    RETURN 2;
  END IF;
  SELECT count(*), coalesce(sum(size), 0) INTO n, b FROM platen.uploads
    WHERE account = p_account AND id <> p_id;
  IF n >= p_most OR b + p_size > p_bytes THEN
    RETURN 0;
  END IF;
  INSERT INTO platen.uploads(id, account, size, at, created_at, expires_at, name, pieces,
      complete, kind)
    VALUES (p_id, p_account, p_size, p_at, p_created, p_expires, p_name, p_pieces,
      p_complete <> 0, p_kind)
    ON CONFLICT (id) DO NOTHING;
  RETURN 1;
END $$;

-- Adds a workflow (p_version -1), or replaces the one of that version (0: of any). Sent twice it finds what it did,
-- and says the same. Verdicts: 0 done, 1 no such account, 2 too many, 3 another one has the name, 4 there is none,
-- 5 it is of another version.
CREATE OR REPLACE FUNCTION platen.workflow_put(
  p_id text, p_account bigint, p_name text, p_steps text, p_position bigint, p_version bigint,
  p_created bigint, p_updated bigint, p_most bigint)
RETURNS TABLE(verdict int, "position" bigint, version bigint, created_at bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  w record;
BEGIN
  verdict := 0;
  IF (platen.hold(p_account)).id IS NULL THEN
    verdict := 1;
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT * INTO w FROM platen.workflows WHERE id = p_id AND account = p_account;
  IF w.id IS NOT NULL AND w.name = p_name AND w.steps = p_steps AND w.updated_at = p_updated
      AND (p_version = 0 OR w.version = greatest(p_version + 1, 1)) THEN
    NULL; -- it was done before
  ELSIF p_version >= 0 AND w.id IS NULL THEN
    verdict := 4;
  ELSIF p_version > 0 AND w.version <> p_version THEN
    verdict := 5;
  ELSIF EXISTS (SELECT 1 FROM platen.workflows WHERE account = p_account AND name = p_name AND id <> p_id) THEN
    verdict := 3;
  ELSIF p_version < 0 AND (SELECT count(*) FROM platen.workflows WHERE account = p_account) >= p_most THEN
    verdict := 2;
  ELSIF p_version < 0 THEN
    INSERT INTO platen.workflows(id, account, name, steps, position, version, created_at, updated_at)
      VALUES (p_id, p_account, p_name, p_steps,
        CASE WHEN p_position >= 0 THEN p_position ELSE
          (SELECT coalesce(max(position) + 1, 0) FROM platen.workflows WHERE account = p_account) END,
        1, p_created, p_updated) RETURNING * INTO w;
  ELSE
    UPDATE platen.workflows SET name = p_name, steps = p_steps, version = version + 1,
        updated_at = p_updated, position = CASE WHEN p_position >= 0 THEN p_position ELSE position END
      WHERE id = p_id RETURNING * INTO w;
  END IF;
  RETURN QUERY SELECT verdict, w.position, w.version, w.created_at;
END $$;

-- The verdicts are those of workflow_put.
CREATE OR REPLACE FUNCTION platen.workflow_remove(p_id text, p_account bigint, p_version bigint)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  w record;
BEGIN
  PERFORM platen.hold(p_account);
  SELECT * INTO w FROM platen.workflows WHERE id = p_id AND account = p_account;
  IF w.id IS NULL THEN
    RETURN 4;
  END IF;
  IF p_version > 0 AND w.version <> p_version THEN
    RETURN 5;
  END IF;
  DELETE FROM platen.workflows WHERE id = p_id;
  RETURN 0;
END $$;

-- Whoever may create functions in another schema of the search path, such as public in a shared database, could have
-- theirs called in the place of one whose arguments fit less well. These see only PostgreSQL's own.
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
      WHERE p.pronamespace = 'platen'::regnamespace AND l.lanname = 'plpgsql' LOOP
    EXECUTE pg_catalog.format('ALTER FUNCTION %s SET search_path = pg_catalog, pg_temp', f);
  END LOOP;
END $$;
