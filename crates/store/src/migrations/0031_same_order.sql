-- Whether a repeated order is the same one is read from the payloads themselves, when one is repeated; no digest of each is kept for it.
ALTER TABLE jobs DROP COLUMN payload_hash;
