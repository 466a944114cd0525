-- The inbox of received documents: newest first along an index, by company or of all; whose manifestation is open; the words of issuers' names; how
-- far each user has looked. Why: docs/decisions/store.md, "The inbox of received documents".

-- The law counts the time of a manifestation from the authorisation.
ALTER TABLE received_notes ADD COLUMN autorizada_em {int};
UPDATE received_notes SET autorizada_em = COALESCE({dhRecbto_s}, emitida_em);

CREATE INDEX received_inbox ON received_notes (tenant_id, ambiente, id);
CREATE INDEX received_inbox_of_company ON received_notes (tenant_id, cpf_cnpj, ambiente, id);
-- NF-e to one of our companies without a conclusive manifestation
CREATE INDEX received_open ON received_notes (tenant_id, ambiente, autorizada_em)
    WHERE tipo = 'nfe' AND situacao = 'autorizada' AND COALESCE(manifestacao, 'ciencia') = 'ciencia'
        AND (destinatario IS NULL OR destinatario = cpf_cnpj);

-- A row per word of an issuer's name, folded (lower case, no accents).
CREATE TABLE issuer_words (
    tenant_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    word {bytewise} NOT NULL,
    emitente TEXT NOT NULL,
    PRIMARY KEY (tenant_id, ambiente, word, emitente)
) {clustered};
CREATE INDEX issuer_words_of_one ON issuer_words (tenant_id, ambiente, emitente, word);
{issuer_words}

-- What a user saw: everything up to `seen` in earlier visits, up to `newest` in the last one.
CREATE TABLE received_visits (
    tenant_id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    seen {uuid} NOT NULL,
    newest {uuid} NOT NULL,
    visited_at {int} NOT NULL,
    PRIMARY KEY (tenant_id, user_id, ambiente)
) {clustered};
