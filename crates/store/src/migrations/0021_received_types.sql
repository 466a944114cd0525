-- Received documents of any type: each type has numbers, limits and a walk of its own. Why: docs/decisions/authorities.md. Rows of before are of
-- NF-e; tables whose keys change are written anew, once, and take their old names.

CREATE TABLE distribution_typed (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    tipo TEXT NOT NULL,
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
    PRIMARY KEY (tenant_id, cpf_cnpj, ambiente, tipo)
) {heap};
INSERT INTO distribution_typed (tenant_id, cpf_cnpj, ambiente, tipo, ativa, ult_nsu, max_nsu, next_at, blocked_until, blocks, gap_from, gap_to,
    lease_until, token, asked_at, cStat, xMotivo)
SELECT tenant_id, cpf_cnpj, ambiente, 'nfe', ativa, ult_nsu, max_nsu, next_at, blocked_until, blocks, gap_from, gap_to,
    lease_until, token, asked_at, cStat, xMotivo
FROM distribution;
DROP TABLE distribution;
ALTER TABLE distribution_typed RENAME TO distribution;
-- whose turn it is
CREATE INDEX distribution_due ON distribution (next_at) WHERE ativa = 1;

CREATE TABLE distribution_points_typed (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    tipo TEXT NOT NULL,
    id {uuid} NOT NULL,
    at {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, ambiente, tipo, id)
) {heap};
INSERT INTO distribution_points_typed (tenant_id, cpf_cnpj, ambiente, tipo, id, at)
SELECT tenant_id, cpf_cnpj, ambiente, 'nfe', id, at FROM distribution_points;
DROP TABLE distribution_points;
ALTER TABLE distribution_points_typed RENAME TO distribution_points;

-- What only an NF-e says is NULL elsewhere (tpNF), and so is what only transport says; a GTV-e has no valor. The key of a document names its model, so
-- the primary key says enough without the type.
CREATE TABLE received_notes_typed (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    tipo TEXT NOT NULL,
    chave TEXT NOT NULL,
    id {uuid} NOT NULL,
    emitente TEXT NOT NULL,
    nome TEXT NOT NULL,
    ie TEXT,
    destinatario TEXT,
    dhEmi TEXT NOT NULL,
    emitida_em {int} NOT NULL,
    valor TEXT,
    dhRecbto TEXT,
    nProt TEXT,
    situacao TEXT NOT NULL,
    completa {int} NOT NULL,
    tpNF TEXT,
    modal TEXT,
    tpServ TEXT,
    tpCTe TEXT,
    remetente TEXT,
    expedidor TEXT,
    recebedor TEXT,
    tomador TEXT,
    manifestacao TEXT,
    manifestada_em {int},
    recebido_em {int} NOT NULL,
    atualizado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, ambiente, chave)
) {heap};
INSERT INTO received_notes_typed (tenant_id, cpf_cnpj, ambiente, tipo, chave, id, emitente, nome, ie, destinatario, dhEmi, emitida_em, valor,
    dhRecbto, nProt, situacao, completa, tpNF, manifestacao, manifestada_em, recebido_em, atualizado_em)
SELECT tenant_id, cpf_cnpj, ambiente, 'nfe', chave, id, emitente, nome, ie, destinatario, dhEmi, emitida_em, vNF,
    dhRecbto, nProt, situacao, completa, tpNF, manifestacao, manifestada_em, recebido_em, atualizado_em
FROM received_notes;
DROP TABLE received_notes;
ALTER TABLE received_notes_typed RENAME TO received_notes;
CREATE INDEX received_notes_by_age ON received_notes (tenant_id, tipo, id);
CREATE INDEX received_notes_by_issuer ON received_notes (tenant_id, emitente, id);
CREATE INDEX received_notes_by_date ON received_notes (tenant_id, emitida_em);
CREATE INDEX received_notes_by_chave ON received_notes (tenant_id, chave);

-- A number is handed out once in each type's sequence. The documents themselves stay where they are: they are large.
ALTER TABLE received_files ADD COLUMN tipo TEXT NOT NULL DEFAULT 'nfe';
DROP INDEX received_files_by_nsu;
CREATE UNIQUE INDEX received_files_by_nsu ON received_files (tenant_id, cpf_cnpj, ambiente, tipo, nsu) WHERE nsu IS NOT NULL;
