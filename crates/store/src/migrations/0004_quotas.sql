-- Quotas and their consumption; what a company keeps beside its record.

-- A quota that an operator has set; without a row the family is unlimited. The row is also the lock under which what is left
-- is counted, so only limited families wait for each other.
CREATE TABLE quotas (
    tenant_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    familia TEXT NOT NULL,
    limite {int} NOT NULL,
    definido_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, ambiente, familia)
) {heap};

-- What a family consumed in a month (AAAAMM of Brasília): the sum of its shards. A debit takes a shard that nobody holds.
CREATE TABLE quota_use (
    tenant_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    mes {int} NOT NULL,
    familia TEXT NOT NULL,
    shard {int} NOT NULL,
    consumo {int} NOT NULL,
    PRIMARY KEY (tenant_id, ambiente, mes, familia, shard)
) {clustered};

-- Secrets of a document type (CSC, credentials of the city hall), sealed by the tenant's data key.
CREATE TABLE company_secrets (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    ambiente {int} NOT NULL,
    nome TEXT NOT NULL,
    id {uuid} NOT NULL,
    segredo {blob} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, tipo, ambiente, nome)
) {heap};

-- Certificate of a removed company that documents in flight still need to be settled; erased after the last of them.
CREATE TABLE retired_certificates (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    id {uuid} NOT NULL,
    pfx {blob} NOT NULL,
    senha {blob} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj)
) {heap};

-- the companies of a tenant, newest first
CREATE INDEX companies_by_age ON companies (tenant_id, criado_em, cpf_cnpj);
