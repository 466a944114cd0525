-- Sign-in beside the password: where a session was begun, the second factor, identities of a provider (OpenID Connect).

-- Shown to the session's own user: address and browser of the login, and the way in (NULL is the password).
ALTER TABLE sessions ADD COLUMN endereco TEXT;
ALTER TABLE sessions ADD COLUMN navegador TEXT;
ALTER TABLE sessions ADD COLUMN entrada TEXT;

-- Secret of the codes (RFC 6238), sealed; confirmado_em is NULL until a code proved that the app has it. No code of a
-- step up to ultimo_passo is accepted any more. erros counts wrong codes since the last accepted one.
CREATE TABLE second_factors (
    tenant_id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    segredo {blob} NOT NULL,
    criado_em {int} NOT NULL,
    confirmado_em {int},
    ultimo_passo {int} NOT NULL,
    erros {int} NOT NULL DEFAULT 0,
    errado_em {int},
    PRIMARY KEY (tenant_id, user_id)
) {heap};

-- Digests of recovery codes; each is accepted once.
CREATE TABLE recovery_codes (
    tenant_id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    resumo {blob} NOT NULL,
    usado_em {int},
    PRIMARY KEY (tenant_id, user_id, resumo)
) {clustered};

-- Users by their identity at a provider: the subject within an issuer, never the e-mail.
CREATE TABLE external_identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    tenant_id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    email TEXT,
    criado_em {int} NOT NULL,
    PRIMARY KEY (issuer, subject)
) {heap};
CREATE UNIQUE INDEX external_identities_by_user ON external_identities (tenant_id, user_id);
