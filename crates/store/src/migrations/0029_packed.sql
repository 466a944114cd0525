-- The signed document of a large note, and the payload that it was made of, are a tenth of their length when they are packed (an LZ4 block behind its
-- length, four bytes): here, with `content` and `payload` empty. What is short stays as it is.
ALTER TABLE files ADD COLUMN packed {blob};
ALTER TABLE payloads ADD COLUMN packed {blob};

{files_inline}
