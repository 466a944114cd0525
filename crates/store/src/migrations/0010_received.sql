-- What others issue to our companies, and how far the Ambiente Nacional has handed it out. Why: docs/decisions/authorities.md.

-- One row per company and environment that was ever asked for: the cursor (NSU), the moment before which nobody may ask, who
-- asks now. Its row is also the lock under which questions are counted.
CREATE TABLE distribution (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    ativa {int} NOT NULL,
    ult_nsu {int} NOT NULL,
    max_nsu {int} NOT NULL,
    next_at {int} NOT NULL,
    blocked_until {int} NOT NULL,
    blocks {int} NOT NULL,
    gap_from {int},
    gap_to {int},
    lease_until {int} NOT NULL,
    token {uuid},
    asked_at {int},
    cStat {int},
    xMotivo TEXT,
    PRIMARY KEY (tenant_id, cpf_cnpj, ambiente)
) {heap};
-- whose turn it is
CREATE INDEX distribution_due ON distribution (next_at) WHERE ativa = 1;

-- Questions about one document in the last hour; the authority counts them too.
CREATE TABLE distribution_points (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    id {uuid} NOT NULL,
    at {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, ambiente, id)
) {heap};

CREATE TABLE received_notes (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    chave TEXT NOT NULL,
    id {uuid} NOT NULL,
    emitente TEXT NOT NULL,
    nome TEXT NOT NULL,
    ie TEXT,
    destinatario TEXT,
    dhEmi TEXT NOT NULL,
    emitida_em {int} NOT NULL,
    tpNF TEXT NOT NULL,
    vNF TEXT NOT NULL,
    dhRecbto TEXT,
    nProt TEXT,
    situacao TEXT NOT NULL,
    completa {int} NOT NULL,
    manifestacao TEXT,
    manifestada_em {int},
    recebido_em {int} NOT NULL,
    atualizado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, ambiente, chave)
) {heap};
CREATE INDEX received_notes_by_age ON received_notes (tenant_id, id);
CREATE INDEX received_notes_by_issuer ON received_notes (tenant_id, emitente, id);
CREATE INDEX received_notes_by_date ON received_notes (tenant_id, emitida_em);
CREATE INDEX received_notes_by_chave ON received_notes (tenant_id, chave);

-- Every document handed out, as it came, under its number.
CREATE TABLE received_files (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    nsu {int},
    chave TEXT,
    kind TEXT NOT NULL,
    schema_name TEXT NOT NULL,
    tpEvento TEXT,
    nSeqEvento {int},
    dhEvento TEXT,
    autor TEXT,
    descricao TEXT,
    nProt TEXT,
    content TEXT NOT NULL,
    recebido_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, id)
) {heap};
-- a number is handed out once
CREATE UNIQUE INDEX received_files_by_nsu ON received_files (tenant_id, cpf_cnpj, ambiente, nsu) WHERE nsu IS NOT NULL;
CREATE INDEX received_files_by_chave ON received_files (tenant_id, chave, id) WHERE chave IS NOT NULL;
