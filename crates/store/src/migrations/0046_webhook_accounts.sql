-- The account's own address for all events, more attempts after the contract's three, and alerts that no job causes.

-- One row per account and environment that was ever set. eventos: words separated by spaces, NULL for all.
CREATE TABLE webhook_accounts (
    tenant_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    url TEXT,
    eventos TEXT,
    tentativas {int} NOT NULL,
    atualizado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, ambiente)
) {clustered};

-- conta: 1 for the account's address, 0 for one given with a request. job_id is nil for an alert.
ALTER TABLE deliveries ADD COLUMN conta {int} NOT NULL DEFAULT 0;
CREATE INDEX deliveries_by_environment ON deliveries (tenant_id, ambiente, status, id);
-- Attempts of the series beyond the contract's, which have restantes 0.
ALTER TABLE delivery_queue ADD COLUMN estendidas {int} NOT NULL DEFAULT 0;
ALTER TABLE delivery_attempts ADD COLUMN estendida {int} NOT NULL DEFAULT 0;

-- One row per thing, for ever: assunto names it among those of its event. ambiente is NULL when it concerns both.
CREATE TABLE alerts (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    ambiente {int},
    cpf_cnpj TEXT NOT NULL,
    evento TEXT NOT NULL,
    assunto TEXT NOT NULL,
    dados TEXT NOT NULL,
    criado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, id)
) {heap};
CREATE UNIQUE INDEX alerts_by_subject ON alerts (tenant_id, evento, assunto);

-- When the certificate next needs an alert; NULL after the last one.
ALTER TABLE certificates ADD COLUMN alerta_em {int};
UPDATE certificates SET alerta_em = valido_ate - 2592000;
CREATE INDEX certificates_by_alert ON certificates (alerta_em) WHERE alerta_em IS NOT NULL;

-- When the numbers of the sequence are next looked at for gaps.
ALTER TABLE sequences ADD COLUMN lacunas_em {int} NOT NULL DEFAULT 0;
CREATE INDEX sequences_by_gap_check ON sequences (lacunas_em);
