-- How many notes there are of each kind per day (`notes/days.rs`), kept like `note_counts`. Why: docs/decisions/store.md.
CREATE TABLE note_days (
    tenant_id {uuid} NOT NULL,
    day {int} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    serie {int} NOT NULL,
    ambiente {int} NOT NULL,
    state TEXT NOT NULL,
    shard {int} NOT NULL,
    n {int} NOT NULL,
    PRIMARY KEY (tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state, shard)
) {clustered};
INSERT INTO note_days (tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state, shard, n)
SELECT tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state, 0, COUNT(*) FROM (
    SELECT tenant_id, ({job_ms} / 1000 - 10800) / 86400 AS day, cpf_cnpj, tipo, serie, ambiente, state FROM documents
    WHERE state IN ('authorized', 'cancelled', 'denied', 'rejected')
) notes
GROUP BY tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state;
