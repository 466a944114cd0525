-- When the events of a note that a município is to look at are asked for again, seconds since 1970.
ALTER TABLE documents ADD COLUMN analise_em {int};
CREATE INDEX documents_by_analysis ON documents (analise_em) WHERE analise_fiscal = 'pendente' AND state = 'authorized';
