-- When the address of a document in contingency was told that its deadline of transmission is near; told once.
ALTER TABLE documents ADD COLUMN prazo_avisado {int};
