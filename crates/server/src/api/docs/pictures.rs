//! Pictures of the guides: pages of the panel, as its walks see them (`docs/galeria/painel.md`).

macro_rules! pictures {
    ($($file:literal)*) => {
        /// File and content of each.
        pub(super) const PICTURES: &[(&str, &[u8])] =
            &[$(($file, include_bytes!(concat!("../../../../../docs/guides/imagens/", $file)))),*];
    };
}

pictures! {
    "inicio.png"
    "emitir.png"
    "autorizada.png"
    "rejeitada.png"
    "documentos.png"
    "recebidos.png"
    "exportar.png"
    "empresa-certificado.png"
}
