//! Views of `GET /v1/diagnostico`.
//!
//! Law: `docs/contract.md`, "Emission".

use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, Codigo, TpAmb};
use store::authorities::CircuitState;
use uuid::Uuid;

use crate::api::empresas::view::CertificateView;
use crate::api::instant::Moment;
use crate::api::query::PageView;
use crate::api::status::view::AuthorityView;
use crate::api::view::view;
use crate::api::words::Word;

view! {
    pub(crate) struct DiagnosisView = "Diagnostico": "A conta, no que toca à emissão." {
        sucesso: bool = "`true`.",
        gerado_em: Moment = "De quando é esta resposta.",
        empresas: Vec<CompanyDiagnosisView> = "Uma página de empresas.",
        #[flatten] page: PageView,
        notas_pendentes: UnsettledView = "De todas as empresas; as 200 mais antigas.",
        autoridades: Vec<AuthorityConnectionView> = "As que este processo chamou desde que foi iniciado.",
        lei: LawView = "O que o operador mudou da lei impressa (`lei.toml`).",
    }
}

view! {
    pub(crate) struct LawView = "LeiDaInstalacao": "O que esta instalação muda da lei impressa; listas vazias quando nada." {
        cbs: Vec<LawRateView> = "Alíquotas da CBS informadas.",
        regras: Vec<LawChangeView> = "Mudanças, na ordem do arquivo.",
    }
}

view! {
    pub(crate) struct LawRateView {
        ano: i64 = "Ano de `dhEmi`.",
        aliquota: String = "Em por cento.",
    }
}

view! {
    pub(crate) struct LawChangeView {
        documento: String = "De quem é a regra: `nfe` (também a NFC-e), `cte` (também o CT-e OS) ou `nfse`.",
        codigo_status: Codigo = "Código da rejeição.",
        regra: Option<String> = "Id da regra; nulo: todas as do código.",
        ambiente: Option<Word<TpAmb>> = "Nulo: ambos.",
        mudanca: String = "O que muda, em palavras.",
        fonte: String = "O que a sustenta, como o operador escreveu.",
    }
}

view! {
    pub(crate) struct CompanyDiagnosisView = "DiagnosticoDaEmpresa": "Uma empresa." {
        cpf_cnpj: CnpjCpf = "CNPJ ou CPF da empresa, sem máscara.",
        nome_razao_social: Option<String> = "Razão social.",
        certificado: CertificateView = "Validade e situação.",
        jobs: CompanyJobsView = "O que ainda não terminou.",
        documentos: Vec<AuthorityRouteView> = "Um por modelo dos tipos configurados.",
        bloqueios_656: Vec<BlockView> = "Autoridades que a empresa não chama até lá.",
        consultas_na_ultima_hora: Vec<BudgetView> = "O que já foi gasto dos limites por hora.",
        buscas_que_voltaram: Vec<WalkResetView> = "Distribuições em que a autoridade não conhece o NSU em que a busca estava (589), até que uma consulta seja respondida.",
    }
}

view! {
    pub(crate) struct CompanyJobsView {
        pendentes: u64 = "À espera.",
        em_processamento: u64 = "Em andamento.",
    }
}

view! {
    /// Route of a model's documents to their authority.
    pub(crate) struct AuthorityRouteView {
        tipo: Word<Tipo> = "Tipo de documento.",
        modelo: u8 = "55, 65, 57 ou 67.",
        ambiente: Word<TpAmb> = "Para onde vão as notas desta credencial.",
        uf: &'static str = "Sigla do estado.",
        autoridade: String = "Quem autoriza.",
        contingencia: &'static str as ["automatica", "svc", "epec", "offline", "nenhuma"] =
            "A configuração da empresa.",
        disjuntor: CircuitView = "Se as notas vão para lá.",
        ultima_resposta: Option<ServiceStatusView> = "O que o serviço de status disse por último.",
        svc: Option<SvcView> = "A SVC do estado; nulo na NFC-e.",
    }
}

view! {
    pub(crate) struct CircuitView {
        estado: Word<CircuitState> = "`aberto`: em contingência.",
        desde: Option<Moment> = "Desde quando.",
        motivo: Option<String> = "O que se ouviu da autoridade.",
    }
}

view! {
    /// Last answer of an authority about its own service.
    pub(crate) struct ServiceStatusView {
        codigo_status: Option<u16> = "Nulo quando não houve resposta.",
        motivo_status: String = "O xMotivo, como veio.",
        em: Option<Moment> = "Quando.",
    }
}

view! {
    pub(crate) struct SvcView {
        autoridade: String = "`SVC-AN` ou `SVC-RS`.",
        disjuntor: CircuitView = "Se as notas vão para lá.",
        ultima_resposta: Option<ServiceStatusView> = "Quando respondeu por último.",
    }
}

view! {
    pub(crate) struct BlockView {
        autoridade: String = "Quem responde: `SP`, `SVRS`…",
        ate: Moment = "Quando volta a ser chamada.",
    }
}

view! {
    /// Calls of a service in the last hour.
    pub(crate) struct BudgetView {
        autoridade: String = "Quem responde: `SP`, `SVRS`…",
        servico: String = "O web service.",
        consultas: u32 = "Do assunto mais consultado (uma chave, um recibo).",
        limite: u32 = "Por assunto e hora.",
        assuntos: u32 = "Quantos assuntos foram consultados.",
    }
}

view! {
    /// A walk of received documents that its authority reset to an earlier NSU.
    pub(crate) struct WalkResetView {
        tipo: Word<Tipo> = "Que documentos se buscam.",
        de: u64 = "O número que a autoridade não conhece.",
        para: u64 = "De onde a busca continua: o último número de que há documento guardado, ou zero.",
        em: Moment = "Quando ela disse isso.",
    }
}

view! {
    pub(crate) struct UnsettledView {
        em_contingencia: usize = "Entregues e ainda não transmitidas.",
        em_duvida: usize = "Enviadas e sem resposta.",
        proximas_do_prazo: Vec<DeadlineView> = "As 20 cujo prazo acaba primeiro.",
    }
}

view! {
    pub(crate) struct DeadlineView {
        job_id: Uuid = "O job.",
        tipo: Word<Tipo> = "Tipo de documento.",
        cpf_cnpj: CnpjCpf = "CNPJ ou CPF da empresa, sem máscara.",
        numero: Option<u64> = "Número.",
        serie: Option<String> = "Série.",
        chave: Option<Chave> = "Chave de acesso, 44 posições.",
        prazo_transmissao: Option<Moment> = "Até quando a autoridade deve recebê-la.",
        vencida: bool = "Se o prazo passou; ela é transmitida assim mesmo.",
        consulta: String = "Caminho para consultar o job.",
    }
}

view! {
    /// An authority that this process has called.
    pub(crate) struct AuthorityConnectionView {
        #[flatten] authority: AuthorityView,
        latencia_ms: Option<u64> = "Da última chamada respondida.",
        falha: Option<String> = "O que houve na última falha: o motivo, se o certificado da autoridade não foi aceito.",
        tls: Option<TlsView> = "Como foi feita a última conexão; nulo se nenhuma foi.",
    }
}

view! {
    pub(crate) struct TlsView {
        servidor: String = "Nome e porta.",
        protocolo: &'static str = "`TLSv1.2`.",
        cifra: String = "Pelo nome do OpenSSL.",
        cadeia: Vec<ChainView> = "Do certificado da autoridade até a raiz em que se confia.",
        dias_para_expirar: Option<i64> = "Do certificado da cadeia que vence primeiro.",
    }
}

view! {
    pub(crate) struct ChainView {
        titular: String = "De quem é o certificado.",
        emissor: String = "Quem o emitiu.",
        valido_ate: Option<Moment> = "Até quando vale.",
    }
}
