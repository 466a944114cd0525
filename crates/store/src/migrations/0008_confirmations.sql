-- Assisted emission: what was prepared and waits for its confirmation; the value an account may confirm.

-- Only the hash of the token is kept. job_id is set, and the payload gone, once the token is used.
CREATE TABLE confirmations (
    tenant_id {uuid} NOT NULL,
    token_hash {blob} NOT NULL,
    ambiente {int} NOT NULL,
    destino {int} NOT NULL,
    referencia TEXT,
    payload TEXT NOT NULL,
    payload_hash {blob} NOT NULL,
    criado_em {int} NOT NULL,
    expira_em {int} NOT NULL,
    job_id {uuid},
    PRIMARY KEY (tenant_id, token_hash)
) {heap};
CREATE INDEX confirmations_by_end ON confirmations (tenant_id, expira_em);

-- In hundredths; null: any value.
ALTER TABLE tenants ADD COLUMN teto {int};
