-- Data that a key may see in addition to the data of its role.
ALTER TABLE verification.api_key
  ADD COLUMN scopes text[] NOT NULL DEFAULT '{}' CHECK (scopes <@ ARRAY['crm.email']);

DROP FUNCTION verification.authenticate(bytea);
CREATE FUNCTION verification.authenticate(wanted bytea)
  RETURNS TABLE (key_id uuid, tenant_id uuid, role text, scopes text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ''
  BEGIN ATOMIC
    SELECT key.key_id, key.tenant_id, key.role, key.scopes FROM verification.api_key AS key
    WHERE key.key_hash = wanted AND key.revoked_at IS NULL;
  END;
REVOKE ALL ON FUNCTION verification.authenticate(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION verification.authenticate(bytea) TO tollhouse_verification;

-- Users of tenants without an external CRM. The operator imports them, and the service reads them. Searches use the two
-- folded columns. They have the form in which the service compares text, so the locale of the database does not matter.
CREATE TABLE verification.crm_user (
  tenant_id uuid NOT NULL REFERENCES verification.tenant,
  -- Sorted by code point, so that the order of pages is the same on every server.
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  email text,
  active boolean NOT NULL,
  -- A name contains no address: some callers may search names and must not find addresses.
  name_folded text NOT NULL CHECK (strpos(name_folded, '@') = 0),
  email_folded text CHECK ((email_folded IS NULL) = (email IS NULL)),
  PRIMARY KEY (tenant_id, user_id)
);
ALTER TABLE verification.crm_user ENABLE ROW LEVEL SECURITY;
ALTER TABLE verification.crm_user FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_reads ON verification.crm_user FOR SELECT TO tollhouse_verification
  USING (tenant_id = verification.current_tenant());
CREATE POLICY owner_imports ON verification.crm_user TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT ON verification.crm_user TO tollhouse_verification;
