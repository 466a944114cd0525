//! Views of a job, its document and its webhook notification.
//!
//! Law: `docs/contract.md`, "Jobs", "Emission" and "Webhooks".

use super::status_code::StatusCode;
use fiscal::finding::Notice;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, TpAmb};
use serde_json::Number;
use store::jobs::{JobStatus, Operacao};
use uuid::Uuid;

use crate::api::instant::Moment;
use crate::api::view::{DeferredMember, Maybe, view};
use crate::api::words::{Word, words};

/// Contract status of a document.
#[derive(Clone, Copy)]
pub(crate) enum NotaStatus {
    Autorizada,
    Rejeitada,
    Denegada,
    Cancelada,
    Inutilizada,
}

impl NotaStatus {
    /// Contract word of the status.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            NotaStatus::Autorizada => "autorizada",
            NotaStatus::Rejeitada => "rejeitada",
            NotaStatus::Denegada => "denegada",
            NotaStatus::Cancelada => "cancelada",
            NotaStatus::Inutilizada => "inutilizada",
        }
    }
}

words!(NotaStatus, NotaStatus::word, [Autorizada, Rejeitada, Denegada, Cancelada, Inutilizada]);

view! {
    pub(crate) struct JobView = "Job": "Uma operação, como está agora." {
        #[flatten] operation: OperationView,
        payload_divergente: Maybe<bool> = "Na repetição: se o conteúdo difere do primeiro.",
    }
}

view! {
    /// `tentativa` is the only member that differs between attempts: it is added when the body is sent.
    pub(crate) struct NotificationView =
        "Notificacao": "O corpo de um webhook: os membros do job, como estava quando o estado mudou, e quatro mais."
    {
        id: Uuid = "Identificador da notificação, o mesmo em todas as tentativas.",
        evento: String = "`nfe.autorizada`, `nfce.rejeitada`…",
        timestamp: Moment = "Quando aconteceu.",
        #[flatten] operation: OperationView,
        tentativa: DeferredMember<u32> = "De 1 a 3; um reenvio manual continua a contagem.",
    }
}

view! {
    /// State of an operation, in answers and in webhooks.
    pub(crate) struct OperationView {
        job_id: Uuid = "Identificador da operação.",
        referencia_externa: Option<String> = "A referência de quem chamou.",
        tipo: Word<Tipo> = "Tipo de documento.",
        operacao: Word<Operacao> = "O que o job faz.",
        cpf_cnpj: CnpjCpf = "A empresa.",
        ambiente: Word<TpAmb> = "Para onde o documento vai.",
        status: Word<JobStatus> = "Status do job.",
        mensagem: String = "O status em palavras.",
        tentativas: u32 = "Tentativas feitas.",
        idempotente: bool = "`true` na repetição de uma referência.",
        webhook: bool = "Se há `webhook_url`.",
        consulta: String = "Caminho para consultar.",
        criado_em: Moment = "Quando o job foi registrado.",
        atualizado_em: Moment = "Última mudança.",
        concluido_em: Option<Moment> = "Quando terminou; nulo até lá.",
        nota: Option<NotaView> = "O documento, quando já existe.",
        substitui_job_id: Option<Uuid> =
            "Numa venda emitida de novo em contingência: o job da primeira nota, que ficou sem resposta.",
        substituida_por_job_id: Option<Uuid> =
            "Na nota que ficou sem resposta: o job da venda. Se foi autorizada, é cancelada; se nunca foi recebida, o job termina `cancelled`.",
        evento_fiscal: Option<EventoView> = "O evento, num job que age sobre uma nota.",
        arquivos: FilesView = "O que pode ser baixado.",
        avisos: Vec<Notice> = "O que foi ignorado, completado ou previsto.",
        erro: Option<String> = "Mensagem, quando `status` é `failed` ou há nova tentativa marcada.",
        erro_detalhe: Option<FailureView> = "O erro para programas.",
    }
}

view! {
    /// The fiscal event; the member `evento` of a webhook names the change instead.
    pub(crate) struct EventoView {
        tipo: Word<Operacao> = "`cancelamento`…",
        chave: Option<Chave> = "A nota de que ele fala.",
        codigo: Option<String> = "tpEvento.",
        sequencia: Option<u16> = "nSeqEvento.",
        protocolo: Option<String> = "Protocolo do evento, quando registrado.",
        data_registro: Option<String> = "dhRegEvento.",
        codigo_status: Option<StatusCode> = "cStat da autoridade: inteiro na NF-e, na NFC-e e no CT-e, texto na NFS-e; nulo enquanto ela não respondeu.",
        motivo_status: Option<String> = "xMotivo, como veio.",
    }
}

view! {
    #[derive(Default)]
    pub(crate) struct FilesView = "Arquivos": "Caminhos para baixar; nulos enquanto o arquivo não existe." {
        xml: Option<String> = "O que o job fez: o documento autorizado com o protocolo; de um cancelamento ou outro evento, o evento registrado.",
        pdf: Option<String> = "O documento impresso.",
        log: Option<String> = "A história do job, passo a passo.",
        xml_cancelamento: Option<String> = "O evento de cancelamento homologado.",
    }
}

view! {
    pub(crate) struct FailureView = "ErroDoJob": "Por que um job falhou." {
        codigo: String = "Tem página em /docs/erros.",
        etapa: String as ["validacao", "assinatura", "transmissao", "consulta"] = "Onde parou.",
        repetivel: bool = "Se repetir pode resolver.",
        proxima_tentativa_em: Option<Moment> = "Quando o serviço tenta de novo.",
    }
}

view! {
    #[derive(Default)]
    pub(crate) struct NotaView = "Nota": "O documento fiscal de um job." {
        status: Option<Word<NotaStatus>> = "Status do documento; nulo enquanto a autoridade não decidiu.",
        modelo: Option<u8> = "55, 65, 57, 67; nulo na NFS-e.",
        numero: Option<u64> = "nNF; da NFS-e, nNFSe, nulo até a autorização.",
        serie: String = "Série.",
        numero_inicial: Maybe<u32> = "Numa inutilização: o primeiro número da faixa.",
        numero_final: Maybe<u32> = "Numa inutilização: o último.",
        ano: Maybe<u16> = "Numa inutilização: o ano da numeração.",
        chave: Option<Chave> = "Chave de acesso: 44 posições, 50 da NFS-e.",
        chave_acesso: Option<Chave> = "Igual a `chave`.",
        protocolo: Option<String> = "Protocolo da autoridade.",
        data_emissao: Option<String> = "dhEmi.",
        data_autorizacao: Option<String> = "dhRecbto.",
        valor_total: Option<Number> = "vNF.",
        destinatario: Option<String> = "CNPJ ou CPF do destinatário.",
        codigo_status: Option<StatusCode> = "cStat da autoridade: inteiro na NF-e, na NFC-e e no CT-e; texto na NFS-e, como `\"100\"` ou `\"E0014\"`.",
        motivo_status: Option<String> = "xMotivo, como veio.",
        motivo: Option<String> = "Igual a `motivo_status`.",
        campo: Option<String> = "O campo do seu payload que causou a rejeição, quando se sabe.",
        tipo_emissao: Option<u8> = "tpEmis: 1 normal; os demais, contingência; nulo numa inutilização.",
        contingencia: Option<ContingenciaView> = "A contingência, quando houve.",
        qrcode: Option<String> = "NFC-e: o texto do QR Code, quando a nota pode ser impressa.",
        url_chave: Option<&'static str> = "NFC-e: o endereço da consulta pela chave, que o DANFE imprime.",
        numero_dps: Maybe<u64> = "NFS-e: nDPS, o número da declaração.",
        id_dps: Maybe<Option<String>> = "NFS-e: o identificador da declaração, pelo qual a Sefin é consultada.",
        numero_lote: Maybe<Option<u64>> = "NFS-e municipal: o lote em que a prefeitura recebeu o RPS por último, quando o recebeu por protocolo.",
        codigo_verificacao: Maybe<Option<String>> = "NFS-e municipal: o código com que a prefeitura mostra a nota.",
        valor_liquido: Maybe<Option<Number>> = "NFS-e: vLiq, quando a nota existe.",
        substituida_por: Maybe<Option<String>> = "NFS-e: a chave da nota que tomou o lugar desta; de uma nota municipal, que não tem chave, o RPS dela (RPSmunicípio-prestador-tipo-série-número-inscrição).",
        analise_fiscal: Maybe<Option<String>> as ["pendente", "deferida", "indeferida"] =
            "NFS-e: como está o pedido de análise fiscal; nulo quando não foi feito.",
        rejeicoes: Maybe<Vec<RejeicaoView>> = "NFS-e: tudo o que a Sefin recusou, na ordem dela.",
    }
}

view! {
    pub(crate) struct RejeicaoView = "Rejeicao": "Um dos motivos de uma recusa." {
        codigo_status: String = "Código da autoridade, texto como em toda a NFS-e.",
        motivo_status: String = "O texto dela.",
        complemento: Option<String> = "Do que se trata, quando ela diz.",
        campo: Option<String> = "O campo do seu payload, quando se sabe.",
        o_que_fazer: Maybe<&'static str> = "NFS-e: o que fazer, quando se sabe do código.",
    }
}

view! {
    /// Reason and start of the contingency, and the time when the authority received the document.
    pub(crate) struct ContingenciaView =
        "Contingencia": "Como o documento foi emitido enquanto a autoridade estava fora."
    {
        tipo: String as ["svc", "epec", "fs_da", "offline"] =
            "Pela SVC do estado, por EPEC, em formulário de segurança (FS-DA), ou off-line.",
        autoridade: Option<String> = "Quem autoriza, como `SVC-AN`; nulo na off-line.",
        desde: String = "dhCont: quando a contingência começou.",
        justificativa: String = "xJust.",
        prazo_transmissao: Option<Moment> = "Até quando a autoridade deve receber a nota entregue em contingência.",
        protocolo_epec: Option<String> = "Protocolo do EPEC: com ele a nota pode ser entregue.",
        transmitida_em: Option<String> = "Quando a autoridade recebeu a nota.",
    }
}

view! {
    pub(crate) struct ListedNotaView = "NotaListada": "Uma nota e o job de que veio." {
        #[flatten] nota: NotaView,
        job_id: Uuid = "O job que a emitiu.",
        job_status: Word<JobStatus> = "O status dele.",
        referencia_externa: Option<String> = "A referência de quem chamou.",
        tipo: Word<Tipo> = "Tipo de documento.",
        cpf_cnpj: CnpjCpf = "A empresa.",
        emitente: CnpjCpf = "Igual a `cpf_cnpj`.",
        ambiente: Word<TpAmb> = "Ambiente do documento.",
        consulta: String = "Caminho para consultar o job.",
        criado_em: Moment = "Quando o job foi registrado.",
        atualizado_em: Moment = "Última mudança.",
        arquivos: FilesView = "O que pode ser baixado.",
    }
}

view! {
    pub(crate) struct AcceptedView = "OperacaoAceita": "Aceita para processamento; não é a autorização." {
        job_id: Uuid = "Guarde-o: é por ele que se consulta.",
        job_id_emissao: Maybe<Option<Uuid>> = "Num evento: o job que emitiu a nota.",
        referencia_externa: Option<String> = "A referência enviada.",
        operacao: Maybe<Word<Operacao>> = "O que o job faz.",
        status: Word<JobStatus> = "`pending`.",
        mensagem: &'static str = "O que acontece a seguir, em palavras.",
        consulta: String = "Caminho para consultar.",
        webhook: bool = "Se há `webhook_url`.",
        ambiente: Word<TpAmb> = "Para onde o documento vai.",
        idempotente: bool = "`false`: é um job novo.",
        avisos: Vec<Notice> = "O que foi ignorado, completado ou previsto.",
    }
}
