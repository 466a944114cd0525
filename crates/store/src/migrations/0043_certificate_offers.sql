-- A certificate between its upload and the person's confirmation, sealed like the active one. Why it is kept here:
-- docs/decisions/security.md.
CREATE TABLE certificate_offers (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    pfx {blob} NOT NULL,
    senha {blob} NOT NULL,
    titular TEXT NOT NULL,
    emissor TEXT NOT NULL,
    numero_serie TEXT NOT NULL,
    valido_de {int} NOT NULL,
    valido_ate {int} NOT NULL,
    criado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj)
) {heap};
CREATE INDEX certificate_offers_by_age ON certificate_offers (criado_em);
