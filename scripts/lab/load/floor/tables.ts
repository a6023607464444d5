/**
 * The least that a trial needs of PostgreSQL: an account with its grant, the nonce, the budget of the day, the reservation, the
 * entry, and the two sealed bodies.
 */
export const TABLES = `
  CREATE TABLE wallet (address text PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 70);
  CREATE TABLE day (day date PRIMARY KEY, used bigint NOT NULL) WITH (fillfactor = 10);
  CREATE TABLE nonce (expires_at timestamptz, nonce text, id uuid NOT NULL, PRIMARY KEY (expires_at, nonce));
  CREATE TABLE reservation (id uuid PRIMARY KEY, wallet text NOT NULL, amount bigint NOT NULL, operation text NOT NULL,
    day date NOT NULL, deadline timestamptz NOT NULL);
  CREATE TABLE entry (id uuid PRIMARY KEY, wallet text NOT NULL, amount bigint NOT NULL, day date NOT NULL);
  CREATE TABLE body (id uuid PRIMARY KEY, request bytea NOT NULL, response bytea NOT NULL);
  ALTER TABLE body ALTER request SET STORAGE EXTERNAL, ALTER response SET STORAGE EXTERNAL;

  CREATE FUNCTION reserve(ask_id uuid, ask_wallet text, ask_nonce text, expires timestamptz, ask_deadline timestamptz,
      ask_operation text, ask_amount bigint, granted bigint, budget bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE left_over bigint;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO wallet VALUES (ask_wallet, granted) ON CONFLICT DO NOTHING;
    UPDATE wallet SET balance = balance - ask_amount WHERE address = ask_wallet AND balance >= ask_amount
      RETURNING balance INTO STRICT left_over;
    INSERT INTO nonce VALUES (expires, ask_nonce, ask_id);
    INSERT INTO reservation VALUES (ask_id, ask_wallet, ask_amount, ask_operation, current_date, ask_deadline);
    INSERT INTO day AS d VALUES (current_date, ask_amount)
      ON CONFLICT (day) DO UPDATE SET used = d.used + ask_amount WHERE d.used + ask_amount <= budget;
    IF NOT FOUND THEN RAISE EXCEPTION 'the budget is used up'; END IF;
    RETURN left_over;
  END $$;

  CREATE FUNCTION post(call_id uuid, request bytea, response bytea) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE charged reservation;
  BEGIN
    DELETE FROM reservation r WHERE r.id = call_id RETURNING r.* INTO STRICT charged;
    INSERT INTO entry VALUES (charged.id, charged.wallet, charged.amount, charged.day);
    INSERT INTO body VALUES (charged.id, request, response);
    RETURN (SELECT balance FROM wallet WHERE address = charged.wallet);
  END $$;`;
