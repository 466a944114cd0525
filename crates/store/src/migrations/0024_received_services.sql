-- Received NFS-e, and codes with letters in what a distribution was answered. Why: docs/decisions/authorities.md.

-- What only an NFS-e says is NULL elsewhere; who takes the service stands in tomador, as who pays for a transport.
ALTER TABLE received_notes ADD COLUMN numero TEXT;
ALTER TABLE received_notes ADD COLUMN competencia TEXT;
ALTER TABLE received_notes ADD COLUMN municipio TEXT;
ALTER TABLE received_notes ADD COLUMN servico TEXT;
ALTER TABLE received_notes ADD COLUMN descricao TEXT;
ALTER TABLE received_notes ADD COLUMN valor_liquido TEXT;
ALTER TABLE received_notes ADD COLUMN prestador TEXT;
ALTER TABLE received_notes ADD COLUMN intermediario TEXT;

-- Why its author registered an event, in his words; when it was registered; the key of the document that took the place of the one it ends.
ALTER TABLE received_files ADD COLUMN motivo TEXT;
ALTER TABLE received_files ADD COLUMN dhRegEvento TEXT;
ALTER TABLE received_files ADD COLUMN substituta TEXT;

-- 0 stood for a question without an answer.
ALTER TABLE distribution ADD COLUMN codigo TEXT;
UPDATE distribution SET codigo = CAST(cStat AS TEXT) WHERE cStat > 0;
ALTER TABLE distribution DROP COLUMN cStat;
