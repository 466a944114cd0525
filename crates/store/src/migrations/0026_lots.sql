-- The lot in which a city hall took an RPS: with it an answer about several RPS is told from one about this RPS alone.
ALTER TABLE documents ADD COLUMN numero_lote {int};
