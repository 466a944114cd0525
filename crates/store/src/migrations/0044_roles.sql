-- Roles of people, invitations, and the company of an entry of the trail.

-- A person's role in a company; an empty cpf_cnpj is every company, those of later too.
CREATE TABLE role_grants (
    tenant_id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    papel TEXT NOT NULL,
    PRIMARY KEY (tenant_id, user_id, cpf_cnpj)
) {clustered};
-- Users of before had every permission.
INSERT INTO role_grants (tenant_id, user_id, cpf_cnpj, papel) SELECT tenant_id, id, '', 'administrador' FROM users;

-- Only the hash of the link's secret is kept. empresas is a JSON list; an empty one is every company.
CREATE TABLE invitations (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    token_hash {blob} NOT NULL,
    email TEXT NOT NULL,
    nome TEXT,
    papel TEXT NOT NULL,
    empresas TEXT NOT NULL,
    convidado_por TEXT,
    -- The user who invited; NULL for the operator. It must still administer when the link is used.
    convidado_por_id {uuid},
    criado_em {int} NOT NULL,
    expira_em {int} NOT NULL,
    usado_em {int},
    revogado_em {int},
    PRIMARY KEY (tenant_id, id)
) {heap};
CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash);

-- The company that an entry is about, where it is about one.
ALTER TABLE audit_trail ADD COLUMN empresa TEXT;
UPDATE audit_trail SET empresa = alvo
    WHERE ato IN ('empresa_criada', 'empresa_alterada', 'empresa_removida', 'configuracao_alterada', 'certificado_enviado',
        'logotipo_enviado', 'logotipo_removido');
DROP INDEX audit_trail_by_act;
CREATE INDEX audit_trail_by_time ON audit_trail (tenant_id, em, id);
CREATE INDEX audit_trail_by_act ON audit_trail (tenant_id, ato, em, id);
CREATE INDEX audit_trail_by_actor ON audit_trail (tenant_id, ator_id, em, id);
CREATE INDEX audit_trail_by_company ON audit_trail (tenant_id, empresa, em, id) WHERE empresa IS NOT NULL;
