-- Lists of documents in every state, newest first, and the search by a part of the addressee's name. Why: docs/decisions/store.md.

-- A list goes along the ranges of its types, which are merged; nothing of these columns changes in a job's life.
CREATE INDEX emissions_by_tipo ON jobs (tenant_id, ambiente, tipo, id) WHERE operacao = 'emissao';
CREATE INDEX emissions_by_company ON jobs (tenant_id, cpf_cnpj, ambiente, tipo, id) WHERE operacao = 'emissao';
-- a number is looked for in documents of every state, and the number that an authority gave beside ours
DROP INDEX notes_by_number;
CREATE INDEX documents_by_number ON documents (tenant_id, numero, job_id);
CREATE INDEX documents_by_given_number ON documents (tenant_id, numero_nota, job_id) WHERE numero_nota IS NOT NULL;
-- few documents are ever in these
CREATE INDEX documents_in_doubt ON documents (tenant_id, ambiente, job_id) WHERE state = 'in_doubt';
CREATE INDEX documents_in_contingency ON documents (tenant_id, ambiente, job_id)
    WHERE contingencia IS NOT NULL AND state <> 'authorized' AND state <> 'cancelled' AND state <> 'denied'
        AND state <> 'rejected' AND state <> 'failed' AND state <> 'in_doubt';

-- A row per word of an addressee's name, folded (lower case, no accents), written with the first document to the addressee under that name.
-- Documents are found through jobs_by_addressee.
CREATE TABLE addressee_words (
    tenant_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    word {bytewise} NOT NULL,
    destinatario TEXT NOT NULL,
    PRIMARY KEY (tenant_id, ambiente, word, destinatario)
) {clustered};
-- the other words of an addressee that one word found
CREATE INDEX addressee_words_of_one ON addressee_words (tenant_id, ambiente, destinatario, word);

-- The newest order to each addressee names it; an order that is packed does not show its name here, the next document does.
{addressee_words}
