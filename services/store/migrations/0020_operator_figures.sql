-- The operator's page counts these every few seconds, so it must not read whole tables.
CREATE INDEX job_failed ON job (ended_at DESC) WHERE state = 'failed';
CREATE INDEX channel_transaction_refused ON channel_transaction (network, ended_at) WHERE state = 'refused';
