-- Events told to callers' addresses, and the secrets they are signed with.

-- One row per event and address, for ever: the body as it was made when the state changed.
CREATE TABLE deliveries (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    evento TEXT NOT NULL,
    url TEXT NOT NULL,
    corpo TEXT NOT NULL,
    status TEXT NOT NULL,
    tentativas {int} NOT NULL,
    criado_em {int} NOT NULL,
    proxima_em {int},
    concluido_em {int},
    PRIMARY KEY (tenant_id, id)
) {heap};
CREATE INDEX deliveries_by_job ON deliveries (tenant_id, job_id, id);
CREATE INDEX deliveries_by_status ON deliveries (tenant_id, status, id);

-- Unfinished deliveries only. destino: tenant and host, the unit of fairness (see webhooks/claim.rs).
CREATE TABLE delivery_queue (
    tenant_id {uuid} NOT NULL,
    delivery_id {uuid} NOT NULL,
    destino TEXT NOT NULL,
    ready_at {int} NOT NULL,
    token {uuid},
    restantes {int} NOT NULL,
    PRIMARY KEY (tenant_id, delivery_id)
) {clustered};
CREATE INDEX delivery_queue_by_destino ON delivery_queue (destino, ready_at, delivery_id);

CREATE TABLE delivery_attempts (
    tenant_id {uuid} NOT NULL,
    delivery_id {uuid} NOT NULL,
    tentativa {int} NOT NULL,
    em {int} NOT NULL,
    codigo_http {int},
    duracao_ms {int} NOT NULL,
    erro TEXT,
    resposta TEXT,
    PRIMARY KEY (tenant_id, delivery_id, tentativa)
) {heap};

-- Sealed by the tenant's data key. The one in use has no end; those before it sign beside it until theirs.
CREATE TABLE webhook_secrets (
    tenant_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    id {uuid} NOT NULL,
    segredo {blob} NOT NULL,
    criado_em {int} NOT NULL,
    vale_ate {int},
    PRIMARY KEY (tenant_id, ambiente, id)
) {heap};
CREATE UNIQUE INDEX webhook_secrets_in_use ON webhook_secrets (tenant_id, ambiente) WHERE vale_ate IS NULL;
