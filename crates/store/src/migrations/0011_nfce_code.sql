-- The text of the QR code of an NFC-e, which whoever prints it must have before the authority answers.
ALTER TABLE documents ADD COLUMN qrCode TEXT;
