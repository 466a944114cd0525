//! Codes that the simulator answers outside the rule table, by stage: the rules that depend on the connection, the
//! message, the signature, the addressed authority, and the databases.

/// Codes of an authorisation, by stage.
#[rustfmt::skip]
pub const STAGES: &[(&str, &[u16])] = &[
    ("conexão e mensagem", &[280, 281, 282, 283, 284, 285, 214, 243, 108, 109, 239, 402, 656]),
    ("schema e lote", &[225, 215, 516, 565, 568, 517, 404, 587, 588, 764, 452, 765, 450, 775, 476, 560]),
    ("assinatura", &[290, 291, 292, 293, 294, 295, 298, 297, 213, 227]),
    ("UF atendida", &[226, 410, 166]),
    ("cadastro do emitente", &[178, 179, 180, 245, 621, 163, 164, 230, 231, 622, 203, 781, 307, 301]),
    ("duplicidade e inutilização", &[635, 539, 204, 218, 205, 206]),
    ("EPEC do número", &[467, 468, 691, 692]),
    ("QR Code da NFC-e", &[462, 463, 464]),
    ("documentos referenciados", &[267, 268, 686, 687, 545, 546, 566, 567, 581, 1095, 1147, 1214, 1216, 1217]),
    ("cadastro da Receita Federal", &[181, 182, 183, 184, 185, 186]),
    ("cadastro do destinatário", &[233, 234, 624, 302, 305, 306, 232, 303, 246, 623]),
    ("cadastro dos locais", &[942, 943, 944, 945, 947, 948]),
    ("responsável técnico", &[978]),
    ("benefícios da UF", &[946, 931]),
    ("cadastro de GTIN", &[890, 891, 892, 893, 894, 895, 896]),
];
