//! Views of `GET /status`.

use fiscal::value::{Codigo, TpAmb};

use crate::api::instant::Moment;
use crate::api::view::{Maybe, view};
use crate::api::words::Word;

view! {
    pub(crate) struct StatusView = "Status": "O estado de cada parte." {
        status: &'static str as ["operacional", "degradado", "fora_do_ar"] = "O conjunto.",
        versao: &'static str = "Versão do programa.",
        no_ar_ha_s: u64 = "Segundos desde a partida.",
        componentes: PartsView = "As partes.",
        registro_incerto: Maybe<UncertainView> = "Só depois de restaurada uma cópia do banco, até que alguém encerre: de quando até quando ele nada sabe.",
    }
}

view! {
    pub(crate) struct UncertainView {
        copia_de: Moment = "Instante da cópia.",
        restaurado_em: Moment = "Quando ela voltou a ser usada.",
    }
}

view! {
    pub(crate) struct PartsView {
        banco_de_dados: DatabaseView = "O banco de dados.",
        fila: QueueView = "A fila de jobs.",
        ponte_fiscal: AuthoritiesStatusView = "As autoridades fiscais.",
        trabalhadores: WorkersView = "Quem leva os jobs adiante.",
        webhooks: WebhooksView = "As notificações a enviar.",
    }
}

view! {
    pub(crate) struct DatabaseView {
        status: &'static str as ["ok", "fora"] = "`ok` quando lê e grava.",
        leitura: &'static str as ["ok", "fora"] = "Se responde a consultas.",
        escrita: &'static str as ["ok", "fora"] = "Se grava: tentado no máximo a cada 5 s. `fora` com o disco cheio.",
        tipo: &'static str = "`sqlite` ou `postgres`.",
        essencial: bool = "Se o serviço para sem ela.",
    }
}

view! {
    pub(crate) struct QueueView {
        status: &'static str as ["ok", "fora"] = "Como está esta parte.",
        pendentes: Maybe<u64> = "Jobs à espera.",
        em_processamento: Maybe<u64> = "Jobs em andamento.",
        espera_mais_longa_s: Maybe<u64> = "Segundos que o mais antigo espera.",
        essencial: bool = "Se o serviço para sem ela.",
    }
}

view! {
    pub(crate) struct WebhooksView {
        status: &'static str as ["ok", "fora"] = "Como está esta parte.",
        pendentes: Maybe<u64> = "Entregas à espera, da primeira tentativa ou de outra.",
        espera_mais_longa_s: Maybe<u64> = "Segundos que a mais antiga já devia ter saído.",
        essencial: bool = "Se o serviço para sem ela.",
    }
}

view! {
    pub(crate) struct WorkersView {
        status: &'static str as ["ok", "fora", "em_outro_processo"] = "Como está esta parte.",
        jobs_em_maos: usize = "Jobs nas mãos deste processo.",
        essencial: bool = "Se o serviço para sem ela.",
    }
}

view! {
    pub(crate) struct AuthoritiesStatusView {
        status: &'static str as ["ok", "degradado"] = "Como está esta parte.",
        essencial: bool = "Se o serviço para sem ela.",
        autoridades: Vec<AuthorityView> = "As autoridades com que se falou há pouco.",
        contingencia: Vec<OpenCircuitView> = "Autoridades paradas, cujas notas vão por outro caminho.",
    }
}

view! {
    pub(crate) struct OpenCircuitView {
        autoridade: String = "Quem parou; `SVC-AN/SP` é a SVC-AN para as notas de São Paulo.",
        modelo: u8 = "55, 65, 57 ou 67.",
        ambiente: Word<TpAmb> = "Ambiente: produção ou homologação.",
        disjuntor: &'static str as ["aberto", "meio_aberto"] = "`meio_aberto`: uma nota de prova por vez.",
        desde: Option<Moment> = "Quando a contingência começou.",
        motivo: Option<String> = "O que se ouviu da autoridade.",
    }
}

view! {
    /// Recorded health of an authority.
    pub(crate) struct AuthorityView {
        autoridade: String = "Quem responde: `SP`, `SVRS`…",
        ambiente: Word<TpAmb> = "Ambiente: produção ou homologação.",
        status: &'static str as ["ok", "sem_resposta"] = "Como está.",
        ultima_resposta: Option<Moment> = "Quando respondeu por último.",
        ultima_falha: Option<Moment> = "Quando falhou por último.",
        codigo_status: Option<Codigo> = "Última resposta de status do serviço.",
        motivo_status: Option<String> = "O xMotivo, como veio.",
    }
}
