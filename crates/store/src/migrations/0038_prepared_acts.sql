-- What waits for a person's word need not be an emission of an NF-e.

-- The words of jobs: emissao, cancelamento, carta_correcao, inutilizacao; and nfe, nfce, cte, nfse.
ALTER TABLE confirmations ADD COLUMN operacao TEXT NOT NULL DEFAULT 'emissao';
ALTER TABLE confirmations ADD COLUMN tipo TEXT NOT NULL DEFAULT 'nfe';
