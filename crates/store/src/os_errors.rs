//! Portuguese texts for errors of the operating system; Rust gives them in English and with a number.

use std::error::Error;
use std::io::{self, ErrorKind};

/// Describes why a file, a folder or a port is not available.
pub fn io_error_text(error: &io::Error) -> String {
    let words = match error.kind() {
        ErrorKind::NotFound => "não existe",
        ErrorKind::PermissionDenied => "sem permissão",
        ErrorKind::AlreadyExists => "já existe",
        ErrorKind::IsADirectory => "é uma pasta, e não um arquivo",
        ErrorKind::NotADirectory => "uma parte do caminho não é uma pasta",
        ErrorKind::InvalidData => "não é um texto em UTF-8",
        ErrorKind::StorageFull => "o disco está cheio",
        ErrorKind::ReadOnlyFilesystem => "o disco só pode ser lido",
        ErrorKind::InvalidFilename => "o nome não serve para um arquivo",
        ErrorKind::AddrInUse => "outro programa já escuta nesse endereço: pare-o ou escolha outro",
        ErrorKind::AddrNotAvailable => "o endereço não é desta máquina",
        ErrorKind::ConnectionRefused => "a conexão foi recusada",
        ErrorKind::TimedOut => "o tempo acabou",
        _ => return error.raw_os_error().map_or_else(|| error.to_string(), |code| format!("erro {code} do sistema")),
    };
    words.to_owned()
}

/// Describes any error: one of the operating system with a text of this module, others with their own.
pub fn error_text(error: &(dyn Error + 'static)) -> String {
    error.downcast_ref::<io::Error>().map_or_else(|| error.to_string(), io_error_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_words_of_ours_has_its_number() {
        assert_eq!(io_error_text(&io::Error::from_raw_os_error(2)), "não existe");
        assert_eq!(io_error_text(&io::Error::from_raw_os_error(24)), "erro 24 do sistema");
        assert_eq!(error_text(&io::Error::other("dito por nós")), "dito por nós");
    }
}
