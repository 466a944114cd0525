-- The identity of this database and a counter that only rises. A file beside the database holds the last value: a
-- counter below it shows that a copy was put back. copia_de and restaurado_em bound the time of which this database
-- knows nothing, until an operator ends it.
CREATE TABLE installation (
    id {int} NOT NULL PRIMARY KEY,
    instalacao {uuid} NOT NULL,
    code_key {blob} NOT NULL,
    mark {int} NOT NULL,
    marked_at {int} NOT NULL,
    timeline {int},
    copia_de {int},
    restaurado_em {int}
) {heap};

-- How far an authority was asked, after a copy was put back, which numbers of a sequence it has. No automatic number
-- leaves the sequence before cleared_at.
CREATE TABLE restored_series (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    counted TEXT NOT NULL,
    serie TEXT NOT NULL,
    ambiente {int} NOT NULL,
    below TEXT NOT NULL,
    next {int} NOT NULL,
    unknown {int} NOT NULL,
    lease_until {int} NOT NULL,
    cleared_at {int},
    PRIMARY KEY (tenant_id, cpf_cnpj, counted, serie, ambiente)
) {heap};

-- Numbers that the authority had and this database did not know; job_id has proved that the document is its own.
CREATE TABLE restored_numbers (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    counted TEXT NOT NULL,
    serie TEXT NOT NULL,
    ambiente {int} NOT NULL,
    numero {int} NOT NULL,
    chave TEXT NOT NULL,
    evidence TEXT,
    job_id {uuid},
    PRIMARY KEY (tenant_id, cpf_cnpj, counted, serie, ambiente, numero)
) {heap};
