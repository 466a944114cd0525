//! Words of receipts.

/// The name of a means of payment (IT 2024.002); the code itself when it has none.
pub(super) fn payment(tPag: &str) -> &str {
    match tPag {
        "01" => "Dinheiro",
        "02" => "Cheque",
        "03" => "Cartão de Crédito",
        "04" => "Cartão de Débito",
        "05" => "Cartão da Loja",
        "10" => "Vale Alimentação",
        "11" => "Vale Refeição",
        "12" => "Vale Presente",
        "13" => "Vale Combustível",
        "14" => "Duplicata Mercantil",
        "15" => "Boleto Bancário",
        "16" => "Depósito Bancário",
        "17" => "PIX Dinâmico",
        "18" => "Transferência bancária, Carteira Digital",
        "19" => "Programa de fidelidade, Cashback",
        "20" => "PIX Estático",
        "21" => "Crédito em Loja",
        "90" => "Sem pagamento",
        "99" => "Outros",
        code => code,
    }
}

/// Whether an amount is more than nothing.
pub(super) fn says_something(amount: &str) -> bool {
    amount.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
}
