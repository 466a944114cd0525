-- Room for documents of any type: numbers of 15 digits, series with letters, codes with letters, what one asks an authority by. Why:
-- docs/decisions/documents.md. Tables whose keys or indexes change are written anew, once, and take their old names: both databases
-- can do that in one text, and a row of a document is read and written once.

-- `counted`: what a sequence counts: '55', '65', '57', '67', 'dps', 'rps'. DPS and RPS stood under the number 99, and only as configured
-- first numbers of DPS.
CREATE TABLE documents_wide (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    ambiente {int} NOT NULL,
    state TEXT NOT NULL,
    counted TEXT NOT NULL,
    serie TEXT NOT NULL,
    numero {int} NOT NULL,
    codigo_aleatorio {int} NOT NULL,
    asked_by TEXT,
    chave TEXT,
    tipo_emissao {int} NOT NULL,
    dhEmi TEXT NOT NULL,
    valor TEXT NOT NULL,
    destinatario TEXT,
    digest TEXT,
    nProt TEXT,
    dhRecbto TEXT,
    codigo TEXT,
    xMotivo TEXT,
    campo TEXT,
    contingencia TEXT,
    nRec TEXT,
    qrCode TEXT,
    prazo_avisado {int},
    PRIMARY KEY (tenant_id, job_id)
) {heap};
INSERT INTO documents_wide (tenant_id, job_id, cpf_cnpj, tipo, ambiente, state, counted, serie, numero, codigo_aleatorio, asked_by, chave,
    tipo_emissao, dhEmi, valor, destinatario, digest, nProt, dhRecbto, codigo, xMotivo, campo, contingencia, nRec, qrCode, prazo_avisado)
SELECT tenant_id, job_id, cpf_cnpj, tipo, ambiente, state, CAST(modelo AS TEXT), CAST(serie AS TEXT), nNF, cNF, chave, chave,
    tpEmis, dhEmi, vNF, destinatario, digest, nProt, dhRecbto, CAST(cStat AS TEXT), xMotivo, campo, contingencia, nRec, qrCode, prazo_avisado
FROM documents;
DROP TABLE documents;
ALTER TABLE documents_wide RENAME TO documents;
CREATE UNIQUE INDEX documents_by_chave ON documents (tenant_id, chave) WHERE chave IS NOT NULL;
CREATE UNIQUE INDEX documents_by_asked ON documents (tenant_id, asked_by) WHERE asked_by IS NOT NULL;
CREATE INDEX notes_by_age ON documents (tenant_id, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_state ON documents (tenant_id, state, job_id, cpf_cnpj, tipo, ambiente, serie)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_company ON documents (tenant_id, cpf_cnpj, job_id, state, tipo, ambiente, serie)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_tipo ON documents (tenant_id, tipo, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_addressee ON documents (tenant_id, destinatario, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_number ON documents (tenant_id, numero, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_rejected ON documents (tenant_id, job_id, codigo, cpf_cnpj, tipo, ambiente) WHERE state = 'rejected';

CREATE TABLE sequences_wide (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    counted TEXT NOT NULL,
    serie TEXT NOT NULL,
    ambiente {int} NOT NULL,
    next {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, counted, serie, ambiente)
) {clustered};
INSERT INTO sequences_wide (tenant_id, cpf_cnpj, counted, serie, ambiente, next)
SELECT tenant_id, cpf_cnpj, CASE modelo WHEN 99 THEN 'dps' ELSE CAST(modelo AS TEXT) END, CAST(serie AS TEXT), ambiente, next
FROM sequences;
DROP TABLE sequences;
ALTER TABLE sequences_wide RENAME TO sequences;

CREATE TABLE numbers_wide (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    counted TEXT NOT NULL,
    serie TEXT NOT NULL,
    ambiente {int} NOT NULL,
    numero {int} NOT NULL,
    state TEXT NOT NULL,
    job_id {uuid},
    void_job {uuid},
    PRIMARY KEY (tenant_id, cpf_cnpj, counted, serie, ambiente, numero)
) {clustered};
INSERT INTO numbers_wide (tenant_id, cpf_cnpj, counted, serie, ambiente, numero, state, job_id, void_job)
SELECT tenant_id, cpf_cnpj, CASE modelo WHEN 99 THEN 'dps' ELSE CAST(modelo AS TEXT) END, CAST(serie AS TEXT), ambiente, nNF, state,
    job_id, void_job
FROM numbers;
DROP TABLE numbers;
ALTER TABLE numbers_wide RENAME TO numbers;
CREATE INDEX numbers_released ON numbers (tenant_id, cpf_cnpj, counted, serie, ambiente, numero) WHERE state = 'released';
CREATE INDEX numbers_by_void ON numbers (tenant_id, void_job) WHERE void_job IS NOT NULL;

-- The first and last number of a range keep their official names: only documents with a model are voided.
CREATE TABLE voids_wide (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    ambiente {int} NOT NULL,
    serie TEXT NOT NULL,
    nNFIni {int} NOT NULL,
    nNFFin {int} NOT NULL,
    PRIMARY KEY (tenant_id, job_id)
) {clustered};
INSERT INTO voids_wide (tenant_id, job_id, cpf_cnpj, tipo, ambiente, serie, nNFIni, nNFFin)
SELECT tenant_id, job_id, cpf_cnpj, tipo, ambiente, CAST(serie AS TEXT), nNFIni, nNFFin FROM voids;
DROP TABLE voids;
ALTER TABLE voids_wide RENAME TO voids;

CREATE TABLE note_counts_wide (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    serie TEXT NOT NULL,
    ambiente {int} NOT NULL,
    state TEXT NOT NULL,
    shard {int} NOT NULL,
    n {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, tipo, serie, ambiente, state, shard)
) {clustered};
INSERT INTO note_counts_wide (tenant_id, cpf_cnpj, tipo, serie, ambiente, state, shard, n)
SELECT tenant_id, cpf_cnpj, tipo, CAST(serie AS TEXT), ambiente, state, shard, n FROM note_counts;
DROP TABLE note_counts;
ALTER TABLE note_counts_wide RENAME TO note_counts;

CREATE TABLE note_days_wide (
    tenant_id {uuid} NOT NULL,
    day {int} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    serie TEXT NOT NULL,
    ambiente {int} NOT NULL,
    state TEXT NOT NULL,
    shard {int} NOT NULL,
    n {int} NOT NULL,
    PRIMARY KEY (tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state, shard)
) {clustered};
INSERT INTO note_days_wide (tenant_id, day, cpf_cnpj, tipo, serie, ambiente, state, shard, n)
SELECT tenant_id, day, cpf_cnpj, tipo, CAST(serie AS TEXT), ambiente, state, shard, n FROM note_days;
DROP TABLE note_days;
ALTER TABLE note_days_wide RENAME TO note_days;

-- What an authority said of an event; few jobs have one.
ALTER TABLE jobs ADD COLUMN event_codigo TEXT;
UPDATE jobs SET event_codigo = CAST(event_cStat AS TEXT) WHERE event_cStat IS NOT NULL;
ALTER TABLE jobs DROP COLUMN event_cStat;
ALTER TABLE jobs RENAME COLUMN vNF TO valor;
