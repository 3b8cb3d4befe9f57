-- A database of version 5, as the functions of that version left it: eight jobs of two accounts, each with a webhook,
-- of which three are ended (their webhooks: delivered, being sent, waiting), two run and three wait. The functions
-- are there by their signatures. To be run after the steps up to version 5 (postgres_schema.c).
SET LOCAL check_function_bodies = off;
DELETE FROM platen.house;
CREATE FUNCTION platen.beat(p_node text, p_host text, p_lease bigint, p_works integer, p_tools text[], p_ids text[], p_attempts integer[], p_progress double precision[], OUT now bigint, OUT due integer, OUT sweep integer, OUT others bigint, OUT pending bigint, OUT lost text) RETURNS record LANGUAGE sql AS '';
CREATE FUNCTION platen.claim(p_node text, p_now bigint, p_lease bigint, p_most integer, p_tools text[]) RETURNS SETOF job_row LANGUAGE sql AS '';
CREATE FUNCTION platen.dead_nodes(p_now bigint) RETURNS SETOF text LANGUAGE sql AS '';
CREATE FUNCTION platen.delivery_again(p_job text, p_id text, p_now bigint, p_host_width integer, p_account_width integer) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.delivery_claim(p_node text, p_now bigint, p_limit bigint, p_host_width integer, p_account_width integer) RETURNS SETOF deliveries LANGUAGE sql AS '';
CREATE FUNCTION platen.delivery_reclaim(p_node text, p_host_width integer, p_account_width integer) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.delivery_settle(p_id text, p_state integer, p_at bigint, p_next_at bigint, p_http_status integer, p_duration bigint, p_error text, p_excerpt text, p_unreachable integer, p_host_width integer, p_account_width integer) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.drop_delivery(p_job text, p_account bigint, p_host text, p_host_width integer, p_account_width integer) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.expire(p_now bigint, p_limit bigint, p_host_width integer, p_account_width integer) RETURNS SETOF job_row LANGUAGE sql AS '';
CREATE FUNCTION platen.finish(p_node text, p_id text, p_attempt integer, p_state integer, p_finished_at bigint, p_expires_at bigint, p_duration bigint, p_output_bytes bigint, p_output_name text, p_outputs text, p_warnings text, p_error text, p_message text, p_field text, p_refund integer, p_result bytea, p_call text, p_host_width integer, p_account_width integer) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.forget(p_replays bigint, p_jobs bigint, p_most integer) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.heartbeat(p_node text, p_id text, p_attempt integer, p_until bigint, p_progress double precision) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.hold(p_account bigint) RETURNS accounts LANGUAGE sql AS '';
CREATE FUNCTION platen.is_due(c accounts, p_now bigint, p_tools text[]) RETURNS boolean LANGUAGE sql AS '';
CREATE FUNCTION platen.key_add(p_account bigint, p_created_at bigint, p_valid_until bigint, p_prefix text, p_digest text, p_name text, p_plan text) RETURNS bigint LANGUAGE sql AS '';
CREATE FUNCTION platen.key_remove(p_prefix text, p_now bigint) RETURNS TABLE(verdict text, k keys) LANGUAGE sql AS '';
CREATE FUNCTION platen.next_account(p_now bigint, p_tools text[], p_wait boolean) RETURNS SETOF accounts LANGUAGE sql AS '';
CREATE FUNCTION platen.next_job(p_account bigint, p_long integer, p_low bigint, p_now bigint, p_tools text[], OUT pick bigint, OUT low bigint) RETURNS record LANGUAGE sql AS '';
CREATE FUNCTION platen.now_ms() RETURNS bigint LANGUAGE sql AS '';
CREATE FUNCTION platen.open_host(p_account bigint, p_host text, p_host_width integer, p_account_width integer) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.put(p_id text, p_account bigint, p_month bigint, p_tool text, p_long integer, p_n_inputs integer, p_has_secret integer, p_input_bytes bigint, p_reused_bytes bigint, p_retention bigint, p_cost bigint, p_created_at bigint, p_run_at bigint, p_client_ref text, p_callback_url text, p_callback_host text, p_callback_base text, p_stem text, p_params text, p_inputs text, p_max_requests bigint, p_max_bytes bigint, p_max_unfinished bigint, p_key text, p_fingerprint text, p_files bytea, p_call text, OUT verdict text, OUT job text, OUT requests bigint, OUT bytes bigint, OUT unfinished bigint) RETURNS record LANGUAGE sql AS '';
CREATE FUNCTION platen.put_back(p_queue queue, p_run_at bigint, p_spared integer) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.raise_low(p_clock bigint) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.reclaim(p_node text, p_now bigint, p_ahead bigint, p_host_width integer, p_account_width integer) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.refund(p_job jobs) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.release(p_node text, p_id text, p_attempt integer, p_run_at bigint, p_spared integer) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.remove(p_id text, p_account bigint, p_host_width integer, p_account_width integer) RETURNS SETOF job_row LANGUAGE sql AS '';
CREATE FUNCTION platen.secret_add(p_account bigint, p_text text, p_now bigint, p_old_until bigint) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.send_claim_ms() RETURNS bigint LANGUAGE sql AS '';
CREATE FUNCTION platen.sweep(p_node text, p_now bigint, p_ahead bigint, p_host_width integer, p_account_width integer) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.turn_low() RETURNS bigint LANGUAGE sql AS '';
CREATE FUNCTION platen.turn_now() RETURNS bigint LANGUAGE sql AS '';
CREATE FUNCTION platen.update_callbacks(p_account bigint, p_host text, p_host_width integer, p_account_width integer) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.update_host(p_account bigint, p_host text, p_width integer) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.upload_put(p_id text, p_account bigint, p_size bigint, p_at bigint, p_created bigint, p_expires bigint, p_name text, p_pieces text, p_complete bigint, p_kind text, p_most bigint, p_bytes bigint) RETURNS integer LANGUAGE sql AS '';
CREATE FUNCTION platen.usage_of(p_account bigint, p_month bigint, OUT requests bigint, OUT bytes bigint) RETURNS SETOF record LANGUAGE sql AS '';
CREATE FUNCTION platen.use_past(p_account bigint, p_month bigint, p_requests bigint, p_bytes bigint) RETURNS void LANGUAGE sql AS '';
CREATE FUNCTION platen.version(p_account bigint) RETURNS bigint LANGUAGE sql AS '';
INSERT INTO platen.accounts VALUES
	(1, 8, 1, 2, 19, 0, 1690000000006, -9223372036854775808, 1688169600000, 4, 20),
	(2, 8, 2, 0, 14, 0, 1690000000003, -9223372036854775808, 1688169600000, 4, 20);
INSERT INTO platen.callback_accounts VALUES
	(2, 1690000002000, 2);
INSERT INTO platen.callback_hosts VALUES
	(2, 'h2.example', 1690000002000, false);
INSERT INTO platen.deliveries VALUES
	('01900000-0000-7000-8000-0000000000d3', '01900000-0000-7000-8000-000000000003', 2, 'h2.example', 'https://h2.example/done', 0, 0, 0, 1690000002000, 1690000002000, 1690000002000, 0, 0, 0, NULL, NULL, NULL),
	('01900000-0000-7000-8000-0000000000d1', '01900000-0000-7000-8000-000000000001', 2, 'h2.example', 'https://h2.example/done', 1, 0, 0, 1690000002000, 1690000002000, 1690000663000, 0, 0, 0, NULL, NULL, '00000000-0000-7000-8000-0000000000aa'),
	('01900000-0000-7000-8000-0000000000d2', '01900000-0000-7000-8000-000000000002', 1, 'h1.example', 'https://h1.example/done', 2, 1, 1, 1690000002000, 1690000002000, 0, 1690000004000, 200, 3, NULL, NULL, NULL);
INSERT INTO platen.house VALUES
	(0, 0, 0);
INSERT INTO platen.idempotency VALUES
	(2, 'again', 'print', '01900000-0000-7000-8000-000000000007', 1690000000007);
INSERT INTO platen.job_inputs VALUES
	(8, '\x6669766521');
INSERT INTO platen.job_results VALUES
	(1, '\x646f6e65'),
	(2, '\x646f6e65'),
	(3, '\x646f6e65');
INSERT INTO platen.jobs OVERRIDING SYSTEM VALUE VALUES
	(4, '01900000-0000-7000-8000-000000000004', 1, 1688169600000, 'rotate', 0, 1, false, 0, 5, 0, 0, 7, 1690000000004, 1690000000004, 0, 0, 0, 0, 0, 0, 0, 0, 'put4', NULL, 'https://h1.example/done', 'h1.example', 'https://platen.example', 'report', '{}', '[]', NULL, NULL, NULL, NULL, NULL, NULL),
	(5, '01900000-0000-7000-8000-000000000005', 2, 1688169600000, 'rotate', 0, 1, false, 0, 5, 0, 0, 7, 1690000000005, 1690000000005, 0, 0, 0, 0, 0, 0, 0, 0, 'put5', NULL, 'https://h2.example/done', 'h2.example', 'https://platen.example', 'report', '{}', '[]', NULL, NULL, NULL, NULL, NULL, NULL),
	(6, '01900000-0000-7000-8000-000000000006', 1, 1688169600000, 'rotate', 0, 1, false, 0, 5, 0, 0, 7, 1690000000006, 1690000000006, 0, 0, 0, 0, 0, 0, 0, 0, 'put6', NULL, 'https://h1.example/done', 'h1.example', 'https://platen.example', 'report', '{}', '[]', NULL, NULL, NULL, NULL, NULL, NULL),
	(7, '01900000-0000-7000-8000-000000000007', 2, 1688169600000, 'rotate', 0, 1, false, 0, 5, 0, 0, 7, 1690000000007, 1690000000007, 0, 0, 0, 0, 0, 0, 0, 0, 'put7', NULL, 'https://h2.example/done', 'h2.example', 'https://platen.example', 'report', '{}', '[]', NULL, NULL, NULL, NULL, NULL, NULL),
	(8, '01900000-0000-7000-8000-000000000008', 1, 1688169600000, 'rotate', 0, 1, false, 1, 5, 0, 0, 7, 1690000000008, 1690000000008, 0, 0, 0, 0, 0, 0, 0, 0, 'put8', NULL, 'https://h1.example/done', 'h1.example', 'https://platen.example', 'report', '{}', '[]', NULL, NULL, NULL, NULL, NULL, NULL),
	(1, '01900000-0000-7000-8000-000000000001', 2, 1688169600000, 'rotate', 2, 1, false, 2, 5, 0, 0, 7, 1690000000001, 1690000000001, 1690000001000, 1690000002000, 9000000000000, 5, 4, 1, 0, 1, '01900000-0000-7000-8000-0000000000d1', NULL, 'https://h2.example/done', 'h2.example', 'https://platen.example', 'report', '{}', '[]', 'report.pdf', '[]', '[]', NULL, NULL, NULL),
	(2, '01900000-0000-7000-8000-000000000002', 1, 1688169600000, 'rotate', 2, 1, false, 2, 5, 0, 0, 7, 1690000000002, 1690000000002, 1690000001000, 1690000002000, 9000000000000, 5, 4, 1, 0, 1, '01900000-0000-7000-8000-0000000000d2', NULL, 'https://h1.example/done', 'h1.example', 'https://platen.example', 'report', '{}', '[]', 'report.pdf', '[]', '[]', NULL, NULL, NULL),
	(3, '01900000-0000-7000-8000-000000000003', 2, 1688169600000, 'rotate', 2, 1, false, 2, 5, 0, 0, 7, 1690000000003, 1690000000003, 1690000001000, 1690000002000, 9000000000000, 5, 4, 1, 0, 1, '01900000-0000-7000-8000-0000000000d3', NULL, 'https://h2.example/done', 'h2.example', 'https://platen.example', 'report', '{}', '[]', 'report.pdf', '[]', '[]', NULL, NULL, NULL);
INSERT INTO platen.owners VALUES
	(1),
	(2);
INSERT INTO platen.keys VALUES
	(1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'pk_first', 1, 'first', 'pro', 1, 0),
	(2, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'pk_second', 2, 'second', 'pro', 1, 0);
INSERT INTO platen.nodes VALUES
	('00000000-0000-7000-8000-0000000000aa', 'old', 1690000000000, 1690000000000, 0, true);
INSERT INTO platen.queue VALUES
	(5, '01900000-0000-7000-8000-000000000005', 2, 0, 0, 0, 0, 7, 1690000000005, 1690000000005, 0, 0, 0, NULL, 'rotate'),
	(7, '01900000-0000-7000-8000-000000000007', 2, 0, 0, 0, 0, 7, 1690000000007, 1690000000007, 0, 0, 0, NULL, 'rotate'),
	(8, '01900000-0000-7000-8000-000000000008', 1, 0, 0, 0, 0, 7, 1690000000008, 1690000000008, 0, 0, 0, NULL, 'rotate'),
	(4, '01900000-0000-7000-8000-000000000004', 1, 0, 1, 1, 0, 7, 1690000000004, 1690000000004, 1690000001000, 1690000031000, 0, '00000000-0000-7000-8000-0000000000aa', 'rotate'),
	(6, '01900000-0000-7000-8000-000000000006', 1, 0, 1, 1, 0, 7, 1690000000006, 1690000000006, 1690000001000, 1690000031000, 0, '00000000-0000-7000-8000-0000000000aa', 'rotate');
INSERT INTO platen.version VALUES
	(5);
SELECT setval('platen.accounts_id_seq', 2, true);
SELECT setval('platen.callback_turn', 2, true);
SELECT setval('platen.jobs_row_seq', 8, true);
SELECT setval('platen.keys_id_seq', 2, true);
SELECT setval('platen.turn_clock', 14, true);
SELECT setval('platen.turn_low', 0, false);
SELECT setval('platen.turn_next', 0, false);
SELECT setval('platen.turn_next_xid', 0, false);
SELECT setval('platen.webhook_secrets_row_seq', 1, false);
