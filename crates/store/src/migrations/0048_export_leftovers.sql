-- A later emission to the same addressee for the same total, which ends a rejection. Why: docs/decisions/store.md,
-- "Lists of emissions".
CREATE INDEX jobs_by_total ON jobs (tenant_id, destinatario, valor, id) WHERE destinatario IS NOT NULL AND valor IS NOT NULL;

-- Attempts whose parts nothing serves any more. They are removed a few at a time.
CREATE TABLE export_leftovers (
    export_id {uuid} NOT NULL,
    token {uuid} NOT NULL,
    PRIMARY KEY (export_id, token)
) {clustered};
