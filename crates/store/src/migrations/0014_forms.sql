-- The picture that stands on the printed forms of a company, as it was sent. It goes with the company.
CREATE TABLE logos (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    media TEXT NOT NULL,
    picture {blob} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj)
) {heap};
