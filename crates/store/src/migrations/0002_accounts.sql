-- Sessions, slowed logins and the audit trail.

-- Shown to people; the account's name stands in where it is absent.
ALTER TABLE users ADD COLUMN nome TEXT;

-- A login that has not ended: bound to the key whose environment it works in.
CREATE TABLE sessions (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    api_key_id {uuid} NOT NULL,
    criado_em {int} NOT NULL,
    expira_em {int} NOT NULL,
    revogado_em {int},
    PRIMARY KEY (tenant_id, id)
) {heap};
CREATE INDEX sessions_by_user ON sessions (tenant_id, user_id);

-- Failed logins of the last minutes. A pair is a digest of e-mail and address: what was typed is not kept. No tenant: an
-- unknown e-mail has none.
CREATE TABLE login_failures (
    pair {blob} NOT NULL,
    id {uuid} NOT NULL,
    em {int} NOT NULL,
    PRIMARY KEY (pair, id)
) {clustered};
CREATE INDEX login_failures_by_time ON login_failures (em);

-- Who did what, written in the transaction of the act itself and never changed. Ids are UUID v7: they sort as written.
CREATE TABLE audit_trail (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    ato TEXT NOT NULL,
    alvo TEXT NOT NULL,
    detalhes TEXT NOT NULL,
    ator TEXT NOT NULL,
    ator_id {uuid},
    ator_nome TEXT,
    requisicao_id TEXT,
    endereco TEXT,
    em {int} NOT NULL,
    PRIMARY KEY (tenant_id, id)
) {heap};
CREATE INDEX audit_trail_by_act ON audit_trail (tenant_id, ato, id);
