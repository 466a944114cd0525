//! Keys of the configuration: name, explanation, example and reader of the value. One row each.

use std::time::Duration;

use engine::contingency::OfflineDeadline;
use server::oidc::ClientSecret;
use store::lookups::PublicRegister;

use super::values::{
    address, bytes, connections, count, count_of_rows, days, failures, flag, hosts, layout, location, networks, one_of,
    origins, path, public_url, url, whole,
};
use super::{Config, mail, oidc, software_house};

/// A key of the configuration.
pub(super) struct ConfigKey {
    /// `section.name`.
    pub(super) name: &'static str,
    /// Explanation for operators; lines of the example file.
    pub(super) explained: &'static str,
    /// A TOML value.
    pub(super) example: &'static str,
    /// `true` if the example is the default.
    pub(super) is_default: bool,
    /// Reads a value into the configuration.
    pub(super) set: fn(&mut Config, &str) -> Result<(), String>,
}

impl ConfigKey {
    /// Returns the environment variable of the same setting.
    pub(super) fn variable(&self) -> String {
        format!("CARIMBO_{}", self.name.replace('.', "_").to_ascii_uppercase())
    }
}

const fn default(name: &'static str, example: &'static str, explained: &'static str, set: ValueSetter) -> ConfigKey {
    ConfigKey { name, explained, example, is_default: true, set }
}

const fn optional(name: &'static str, example: &'static str, explained: &'static str, set: ValueSetter) -> ConfigKey {
    ConfigKey { name, explained, example, is_default: false, set }
}

type ValueSetter = fn(&mut Config, &str) -> Result<(), String>;

pub(super) const KEYS: &[ConfigKey] = &[
    default(
        "http.endereco",
        "\"127.0.0.1:8080\"",
        "Onde a API escuta. Porta 0 escolhe uma livre.\nPara receber de fora, use 0.0.0.0 atrás de um proxy com TLS.",
        |config, text| address(text).map(|address| config.http = address),
    ),
    default(
        "http.corpo_maximo_bytes",
        "8388608",
        "Maior corpo aceito com um documento, em bytes. As outras rotas têm limites próprios, menores (veja /docs).",
        |config, text| bytes(text, 1024, 1 << 30).map(|bytes| config.limits.body_bytes = bytes),
    ),
    default(
        "http.memoria_corpos_bytes",
        "167772160",
        "Memória que os corpos de requisição em andamento podem ocupar juntos, em bytes, já lidos como JSON; uma conta usa até a metade.\nAcima disso a requisição recebe 429 ou 503 com Retry-After. O maior corpo permitido cabe sempre.",
        |config, text| bytes(text, 1 << 20, 1 << 40).map(|bytes| config.limits.bodies_bytes = bytes),
    ),
    default(
        "http.conexoes",
        "2048",
        "Conexões abertas ao mesmo tempo. O que o sistema permite (limite de arquivos abertos, menos 256 para o resto) também vale.\nAcima disso fecham-se primeiro as ociosas.",
        |config, text| connections(text).map(|most| config.limits.connections = most),
    ),
    default(
        "http.conexoes_por_endereco",
        "512",
        "Conexões abertas ao mesmo tempo por endereço. Não vale para http.proxies_confiaveis, que respondem por muitos:\nsem aquela chave, um proxy à frente conta como um endereço só.",
        |config, text| connections(text).map(|most| config.limits.connections_per_address = most),
    ),
    default(
        "http.tempo_ocioso_s",
        "30",
        "Tempo para o cabeçalho de uma requisição chegar, e entre duas requisições de uma conexão, em segundos.",
        |config, text| whole(text, 1, 3600).map(|seconds| config.limits.idle_s = seconds),
    ),
    default(
        "http.tempo_escrita_s",
        "30",
        "Depois de quanto tempo sem ler nada da resposta uma conexão é fechada, em segundos.",
        |config, text| whole(text, 1, 3600).map(|seconds| config.limits.write_s = seconds),
    ),
    default("http.tempo_limite_s", "30", "Tempo máximo de uma requisição, em segundos.", |config, text| {
        whole(text, 1, 600).map(|seconds| config.limits.request_s = seconds)
    }),
    default(
        "http.espera_sincrona_s",
        "60",
        "Quanto as rotas síncronas da NFS-e esperam pelo fim do job antes de responder o 202, em segundos, de 1 a 60, além de\nhttp.tempo_limite_s. Um proxy à frente deve esperar mais do que isso.",
        |config, text| whole(text, 1, 60).map(|seconds| config.limits.wait_s = seconds),
    ),
    optional(
        "http.proxies_confiaveis",
        "\"127.0.0.1, 10.0.0.0/8\"",
        "Proxies à frente do serviço cujo X-Forwarded-For vale como endereço de quem chama, separados por vírgula.\nSem esta chave vale o endereço da própria conexão.",
        |config, text| networks(text).map(|networks| config.edge.trusted_proxies = networks),
    ),
    optional(
        "http.cors_origens",
        "\"https://painel.exemplo.com.br, https://loja.exemplo.com.br\"",
        "Páginas que podem chamar a API de dentro de um navegador (CORS), separadas por vírgula; \"*\" são todas.\nSem esta chave nenhuma pode. Uma chave de API nunca deve ficar numa página: use o token de um usuário.",
        |config, text| origins(text).map(|origins| config.edge.cors_origins = origins),
    ),
    default(
        "http.compressao",
        "true",
        "Comprime (gzip) as respostas grandes de quem aceita. false se um proxy à frente já o faz.",
        |config, text| flag(text).map(|flag| config.edge.compression = flag),
    ),
    default(
        "http.tempo_corpo_s",
        "20",
        "Tempo para o corpo de uma requisição chegar inteiro, em segundos. Deve ser menor que http.tempo_limite_s.",
        |config, text| whole(text, 1, 600).map(|seconds| config.limits.body_s = seconds),
    ),
    optional(
        "painel.url",
        "\"https://notas.exemplo.com.br\"",
        "O endereço por que as pessoas chegam a este serviço, como o proxy o mostra. Sem ele,\nurl_confirmacao vem sem a máquina: /painel/confirmar/….",
        |config, text| public_url(text).map(|url| config.edge.public_url = Some(url)),
    ),
    optional(
        "oidc.emissor",
        "\"https://login.exemplo.com.br/realms/loja\"",
        "O provedor (OpenID Connect) com que as pessoas também podem entrar no painel: o seu emissor (issuer), como ele o escreve.\nemissor, cliente e painel.url só valem juntos. Sem esta chave entra-se só com e-mail e senha (veja /docs/guia/entrar-com-provedor).",
        |config, text| oidc::issuer(text).map(|issuer| config.oidc.issuer = Some(issuer)),
    ),
    optional(
        "oidc.cliente",
        "\"carimbo\"",
        "O client_id que o provedor deu a este serviço. O endereço de volta, a registrar lá, é painel.url mais /painel/entrar/oidc/retorno.",
        |config, text| oidc::text(text, 255).map(|client| config.oidc.client_id = Some(client)),
    ),
    optional(
        "oidc.segredo",
        "\"o client_secret\"",
        "O client_secret que o provedor deu. Prefira a variável. Sem ele o serviço se apresenta como cliente público (só PKCE).",
        |config, text| {
            oidc::text(text, 1024).map(|secret| config.oidc.client_secret = Some(ClientSecret::new(&secret)))
        },
    ),
    optional(
        "oidc.rotulo",
        "\"Google\"",
        "Nome do provedor no botão \"Entrar com …\"; sem ele, a máquina do emissor.",
        |config, text| oidc::text(text, 40).map(|label| config.oidc.label = Some(label)),
    ),
    optional(
        "oidc.dominios",
        "\"exemplo.com.br, loja.com.br\"",
        "Domínios de e-mail que podem entrar por ele, separados por vírgula, com o e-mail confirmado pelo provedor. Sem esta chave, todos.",
        |config, text| hosts(text).map(|domains| config.oidc.domains = domains),
    ),
    default(
        "oidc.por_email",
        "true",
        "Na primeira vez, encontra o usuário pelo e-mail que o provedor confirmou (email_verified) e o vincula; quem tem segundo fator\nvincula por si, em Minha conta. false: só entra quem vinculou. Nenhum usuário é criado assim.",
        |config, text| flag(text).map(|flag| config.oidc.is_email_ignored = !flag),
    ),
    optional(
        "oidc.ca_bundle",
        "\"/etc/carimbo/provedor-ca.pem\"",
        "Outras autoridades certificadoras (PEM) em que se confia ao falar com o provedor, além das raízes do sistema.",
        |config, text| path(text).map(|path| config.oidc.ca_bundle = Some(path)),
    ),
    default(
        "limites.requisicoes",
        "2000",
        "Quantas requisições cada credencial pode fazer por janela de tempo, neste processo; acima disso, 429.\n0 desliga o limite.",
        |config, text| {
            let requests = whole(text, 0, 1_000_000)?;
            u32::try_from(requests)
                .map_err(|_| "grande demais".to_owned())
                .map(|requests| config.limits.requests = requests)
        },
    ),
    default(
        "limites.simultaneas",
        "256",
        "Quantas requisições cada credencial pode ter em andamento ao mesmo tempo, neste processo; acima disso, 429.\n0 desliga o limite.",
        |config, text| {
            let most = whole(text, 0, 1_000_000)?;
            usize::try_from(most).map_err(|_| "grande demais".to_owned()).map(|most| config.limits.under_way = most)
        },
    ),
    default("limites.janela_s", "1", "Tamanho da janela de limites.requisicoes, em segundos.", |config, text| {
        let seconds = whole(text, 1, 86_400)?;
        u32::try_from(seconds).map_err(|_| "grande demais".to_owned()).map(|seconds| config.limits.window_s = seconds)
    }),
    default(
        "logins.falhas_por_email",
        "30",
        "Quantos logins de um e-mail podem falhar em 15 minutos, de todos os endereços juntos. De onde o e-mail entrou nos últimos 30 dias valem\nsó as 5 falhas do próprio par, para que palpites de fora não tranquem ninguém.",
        |config, text| failures(text).map(|most| config.limits.logins.of_an_email = most),
    ),
    default(
        "logins.falhas_por_endereco",
        "60",
        "Quantos logins de um endereço podem falhar em 15 minutos, de todos os e-mails juntos; a mesma exceção.",
        |config, text| failures(text).map(|most| config.limits.logins.of_an_address = most),
    ),
    default(
        "logins.falhas",
        "300",
        "Quantos logins podem falhar em 15 minutos, de todos os e-mails e endereços juntos. Não alcança os endereços de onde alguém entrou\nnos últimos 30 dias.",
        |config, text| failures(text).map(|most| config.limits.logins.in_all = most),
    ),
    default(
        "contas.chaves",
        "100",
        "Quantas chaves de API uma conta pode ter, com as revogadas nas últimas 24 horas. O operador (carimbo conta chave) passa do limite.\n0 desliga o limite.",
        |config, text| count_of_rows(text).map(|most| config.limits.account.keys = most),
    ),
    default("contas.empresas", "10000", "Quantas empresas uma conta pode ter. 0 desliga o limite.", |config, text| {
        count_of_rows(text).map(|most| config.limits.account.companies = most)
    }),
    default(
        "contas.preparacoes_abertas",
        "50",
        "Quantas emissões preparadas cada chave pode ter à espera de uma decisão ao mesmo tempo. 0 desliga o limite.",
        |config, text| count_of_rows(text).map(|most| config.limits.account.open_preparations = most),
    ),
    default(
        "mcp.ativo",
        "true",
        "Serve agentes de IA pelo MCP, em /mcp da API e em mcp.endereco. false desliga os dois.",
        |config, text| flag(text).map(|flag| config.edge.mcp.active = flag),
    ),
    optional(
        "mcp.endereco",
        "\"127.0.0.1:8081\"",
        "Uma porta só para o MCP, além de /mcp na da API. O catálogo de ferramentas fica na raiz dela.",
        |config, text| address(text).map(|address| config.mcp = Some(address)),
    ),
    optional(
        "mcp.url",
        "\"https://mcp.exemplo.com.br\"",
        "O endereço público do MCP, quando um proxy está à frente; o nome dele passa a ser aceito no cabeçalho Host.",
        |config, text| url(text).map(|url| config.edge.mcp.url = Some(url)),
    ),
    optional(
        "mcp.hosts",
        "\"api.exemplo.com.br, mcp.interno\"",
        "Outros nomes e endereços IP pelos quais o MCP é chamado (cabeçalho Host), separados por vírgula. Valem sem isso os de mcp.url e painel.url, e o\nendereço em que o serviço escuta: só com 127.0.0.1 também localhost. Escutando em 0.0.0.0, diga aqui todos.",
        |config, text| hosts(text).map(|hosts| config.edge.mcp.hosts = hosts),
    ),
    optional(
        "metricas.endereco",
        "\"127.0.0.1:9090\"",
        "Onde /metrics (Prometheus) escuta, separado da API. Sem esta chave não há métricas.",
        |config, text| address(text).map(|address| config.metrics = Some(address)),
    ),
    default(
        "banco.url",
        "\"sqlite:carimbo.db\"",
        "Onde os dados ficam: sqlite:CAMINHO (embutido, uma máquina)\nou postgres://usuario:senha@servidor/banco (várias máquinas).",
        |config, text| location(text).map(|location| config.database = location),
    ),
    optional(
        "banco.marca",
        "\"/var/lib/carimbo/carimbo.marca\"",
        "Arquivo com a marca do banco, que denuncia uma cópia restaurada: não o copie nem o restaure junto com ele.\nSem esta chave, fica ao lado do arquivo SQLite; com PostgreSQL, na pasta da chave mestra, um por instalação.",
        |config, text| path(text).map(|path| config.mark = Some(path)),
    ),
    default(
        "segredo.chave_mestra_arquivo",
        "\"carimbo.chave\"",
        "Arquivo com a chave mestra (64 dígitos hexadecimais), que abre certificados e segredos guardados.\nSem ela os dados não abrem: guarde uma cópia fora da máquina. Com SQLite novo, é criada no primeiro início.\nTambém se aceita a própria chave na variável CARIMBO_SEGREDO_CHAVE_MESTRA, que vale sobre o arquivo.",
        |config, text| path(text).map(|path| config.master_key_file = path),
    ),
    optional(
        "segredo.chave_mestra_comando",
        "\"pass show carimbo/chave-mestra\"",
        "Comando (sh -c) que escreve a chave mestra na saída, para cofres de segredos. Vale sobre o arquivo.",
        |config, text| {
            config.master_key_command = Some(text.to_owned());
            Ok(())
        },
    ),
    optional(
        "lei.arquivo",
        "\"/etc/carimbo/lei.toml\"",
        "O que muda da lei impressa sem esperar uma versão: dias e efeito de regras, alíquota da CBS (veja /docs/guia/o-que-muda).\nSem esta chave vale o lei.toml ao lado deste arquivo, se existir.",
        |config, text| path(text).map(|path| config.law = Some(path)),
    ),
    optional(
        "autoridades.tabela",
        "\"/etc/carimbo/autoridades.toml\"",
        "Tabela de endereços das autoridades que se sobrepõe à embutida.",
        |config, text| path(text).map(|path| config.authorities_table = Some(path)),
    ),
    optional(
        "autoridades.ca_bundle",
        "\"/etc/carimbo/ca.pem\"",
        "Outras autoridades certificadoras de confiança (PEM), além das embutidas.",
        |config, text| path(text).map(|path| config.ca_bundle = Some(path)),
    ),
    default(
        "autoridades.ancoras_embutidas",
        "true",
        "Confia nas raízes do sistema e da ICP-Brasil embutidas. false deixa só o ca_bundle.",
        |config, text| flag(text).map(|flag| config.builtin_anchors = flag),
    ),
    default(
        "autoridades.tempo_conexao_s",
        "10",
        "Tempo para conectar a uma autoridade, em segundos.",
        |config, text| whole(text, 1, 300).map(|seconds| config.connect_timeout_s = seconds),
    ),
    default(
        "autoridades.tempo_resposta_s",
        "60",
        "Tempo para uma autoridade responder, em segundos.",
        |config, text| whole(text, 1, 600).map(|seconds| config.reply_timeout_s = seconds),
    ),
    default(
        "trabalhadores.concorrencia",
        "64",
        "Documentos em processamento ao mesmo tempo neste processo.",
        |config, text| count(text).map(|count| config.concurrency = count),
    ),
    default(
        "trabalhadores.por_autoridade",
        "24",
        "Documentos em processamento ao mesmo tempo por autoridade.\nMais deles custam menos cada um, pois são gravados juntos; menos, se uma autoridade limitar as conexões.",
        |config, text| count(text).map(|count| config.per_authority = count),
    ),
    default(
        "trabalhadores.arrendamento_s",
        "15",
        "Depois de quanto tempo outro processo retoma um documento cujo trabalhador sumiu, em segundos.",
        |config, text| whole(text, 1, 3600).map(|seconds| config.lease_s = seconds),
    ),
    default(
        "fila.limite",
        "100000",
        "Quantos documentos prontos podem esperar processamento; acima disso novas emissões recebem 503 (fila_cheia) com Retry-After.\nOs que esperam uma autoridade parada não contam. A NFC-e tem um quarto a mais. 0 desliga o limite.",
        |config, text| whole(text, 0, 1_000_000_000).map(|most| config.backlog.in_all = most),
    ),
    default("fila.limite_por_conta", "50000", "O mesmo por conta.", |config, text| {
        whole(text, 0, 1_000_000_000).map(|most| config.backlog.per_tenant = most)
    }),
    default(
        "contingencia.falhas",
        "5",
        "Falhas seguidas de uma autoridade que, sozinhas, levam à contingência. Um 108 ou 109 da própria consulta de status basta.",
        |config, text| {
            let failures = |count| u32::try_from(count).map_err(|_| "grande demais".to_owned());
            whole(text, 1, 1000).and_then(failures).map(|count| config.contingency.thresholds.failures = count)
        },
    ),
    default(
        "contingencia.janela_s",
        "10",
        "Por quantos segundos, no mínimo, as falhas devem durar para levar à contingência.",
        |config, text| {
            whole(text, 0, 3600).map(|window| config.contingency.thresholds.failing_for_s = window.cast_signed())
        },
    ),
    default(
        "contingencia.minimo_s",
        "60",
        "Por quantos segundos, no mínimo, uma contingência dura: uma autoridade que vai e volta não muda cada nota de caminho.",
        |config, text| {
            whole(text, 0, 86_400).map(|least| config.contingency.thresholds.least_open_s = least.cast_signed())
        },
    ),
    default(
        "contingencia.consulta_status_s",
        "180",
        "De quantos em quantos segundos se pergunta a uma autoridade parada se voltou. As autoridades pedem ao menos 180.",
        |config, text| whole(text, 180, 86_400).map(|every| config.contingency.poll_every_s = every.cast_signed()),
    ),
    default(
        "contingencia.nfse_aparece_s",
        "60",
        "Por quantos segundos uma NFS-e enviada pode não aparecer na consulta da autoridade sem que isso prove que não chegou: só depois ela é reenviada.",
        |config, text| whole(text, 1, 3600).map(|quiet| config.contingency.nfse_quiet_s = quiet.cast_signed()),
    ),
    default(
        "contingencia.silencio_s",
        "180",
        "Por quantos segundos uma NF-e, NFC-e ou CT-e enviada pode estar em fila na autoridade: antes disso, uma consulta que não a encontra não prova \
         que ela não chegou, e nenhum número ou chave é abandonado.",
        |config, text| whole(text, 1, 3600).map(|quiet| config.contingency.sefaz_quiet_s = quiet.cast_signed()),
    ),
    default(
        "contingencia.duvida_nfe_s",
        "300",
        "Por quantos segundos uma autoridade deve estar parada para que uma NF-e sem resposta seja emitida de novo, com outro número, pela contingência.",
        |config, text| whole(text, 0, 604_800).map(|after| config.contingency.doubt_nfe_s = after.cast_signed()),
    ),
    default(
        "contingencia.duvida_nfce_s",
        "0",
        "O mesmo para uma NFC-e, cujo comprador espera no balcão.",
        |config, text| whole(text, 0, 86_400).map(|after| config.contingency.doubt_nfce_s = after.cast_signed()),
    ),
    default(
        "contingencia.prazo_nfce",
        "\"24h\"",
        "Até quando uma NFC-e off-line deve ser transmitida: 24h, ou dia_util (fim do primeiro dia útil seguinte, MOC 7.0, anexo IV;\nsábado e domingo não contam, feriados contam como úteis). O prazo aparece na nota e decide quando sai o webhook de aviso.",
        |config, text| {
            let rule = OfflineDeadline::read(text).ok_or_else(|| "deve ser 24h ou dia_util".to_owned());
            rule.map(|rule| config.contingency.offline_deadline = rule)
        },
    ),
    default(
        "contingencia.offline",
        "false",
        "Abre a emissão off-line do CT-e e do CT-e OS (tpEmis 2): em homologação a partir de 13/10/2026, em produção de 16/11/2026.\nDesligada porque o texto da NT 2026.004 não foi conferido. Ligada, cada empresa ainda a escolhe (contingencia \"offline\") ou a pede em tpEmis.",
        |config, text| flag(text).map(|flag| config.contingency.offline = flag),
    ),
    default(
        "leiaute.nfse_homologacao",
        "\"automatico\"",
        "O leiaute da DPS em homologação (produção restrita): automatico, atual ou nt009.\nautomatico: o que o servidor disse por último (uma recusa E1235 que \
         nomeia finNFSe leva ao outro, uma vez por nota), ou o do dia: nt009 desde 31/10/2026.",
        |config, text| layout(text).map(|choice| config.contingency.layouts.homologacao = choice),
    ),
    default(
        "leiaute.nfse_producao",
        "\"automatico\"",
        "O mesmo em produção, onde nenhum dia é conhecido: automatico começa pelo atual.",
        |config, text| layout(text).map(|choice| config.contingency.layouts.producao = choice),
    ),
    default(
        "manifestacao.nfse",
        "false",
        "Abre POST /v1/nfse/manifestar: confirmação e rejeição de NFS-e pelo prestador, pelo tomador e pelo intermediário.\nDesligada porque a recepção pela Sefin Nacional não foi conferida: o manual a prevê, e ninguém foi visto fazendo.",
        |config, text| flag(text).map(|flag| config.opened.manifests_services = flag),
    ),
    default(
        "webhooks.permitir_http_local",
        "false",
        "Aceita webhook_url com http:// para esta máquina. Só para desenvolvimento.",
        |config, text| flag(text).map(|flag| config.webhooks.reach.allow_plain_loopback(flag)),
    ),
    optional(
        "webhooks.redes_permitidas",
        "\"10.20.0.0/16, fd00::/8\"",
        "Redes internas que webhook_url, e o endereço do provedor que uma empresa informa, podem alcançar por https, separadas por vírgula. Sem esta chave, só endereços públicos.",
        |config, text| networks(text).map(|networks| config.webhooks.reach.allow_networks(networks)),
    ),
    optional(
        "webhooks.ca_bundle",
        "\"/etc/carimbo/webhooks-ca.pem\"",
        "Outras autoridades certificadoras (PEM) em que se confia ao chamar webhooks, além das raízes do sistema.",
        |config, text| path(text).map(|path| config.webhook_ca_bundle = Some(path)),
    ),
    default("webhooks.concorrencia", "64", "Entregas de webhook ao mesmo tempo neste processo.", |config, text| {
        count(text).map(|count| config.webhooks.in_all = count)
    }),
    default("webhooks.por_conta", "16", "Entregas de webhook ao mesmo tempo por conta.", |config, text| {
        count(text).map(|count| config.webhooks.per_tenant = count)
    }),
    default(
        "webhooks.por_destino",
        "8",
        "Entregas de webhook ao mesmo tempo por servidor de destino: um destino lento só atrasa a si mesmo.",
        |config, text| count(text).map(|count| config.webhooks.per_host = count),
    ),
    optional(
        "email.servidor",
        "\"smtp.exemplo.com.br\"",
        "Servidor SMTP que envia os e-mails (veja /docs/guia/email). Sem esta chave nenhum e-mail sai da instalação.",
        |config, text| mail::host(text).map(|host| config.mail.servidor = Some(host)),
    ),
    default("email.porta", "587", "Porta do servidor: 587 com starttls, 465 com implicito.", |config, text| {
        mail::port(text).map(|port| config.mail.porta = port)
    }),
    default(
        "email.tls",
        "\"starttls\"",
        "Cifra da conexão: starttls, implicito (TLS desde o começo) ou nenhum, que só vale para um servidor nesta máquina.",
        |config, text| mail::tls(text).map(|tls| config.mail.tls = tls),
    ),
    optional(
        "email.remetente",
        "\"notas@exemplo.com.br\"",
        "Endereço de quem envia. Obrigatório com email.servidor.",
        |config, text| mail::from(text).map(|from| config.mail.remetente = Some(from)),
    ),
    optional("email.nome", "\"Notas da Exemplo\"", "Nome que aparece ao lado do endereço.", |config, text| {
        mail::name(text).map(|name| config.mail.nome = Some(name))
    }),
    optional("email.usuario", "\"notas@exemplo.com.br\"", "Usuário do servidor, se ele pede um.", |config, text| {
        mail::name(text).map(|user| config.mail.usuario = Some(user))
    }),
    optional(
        "email.senha",
        "\"a senha do servidor\"",
        "Senha do usuário. Prefira a variável de ambiente ou email.senha_arquivo.",
        |config, text| mail::password(text).map(|password| config.mail.senha = Some(password)),
    ),
    optional(
        "email.senha_arquivo",
        "\"/etc/carimbo/email.senha\"",
        "Arquivo que tem só a senha do usuário. Vale quando email.senha não está.",
        |config, text| path(text).map(|path| config.mail.senha_arquivo = Some(path)),
    ),
    optional(
        "email.ca_bundle",
        "\"/etc/carimbo/email-ca.pem\"",
        "Outras autoridades certificadoras (PEM) em que se confia ao falar com o servidor, além das raízes do sistema.",
        |config, text| path(text).map(|path| config.mail.ca_bundle = Some(path)),
    ),
    default(
        "email.tempo_limite_s",
        "30",
        "Quanto se espera por cada resposta do servidor, em segundos.",
        |config, text| whole(text, 1, 300).map(|seconds| config.mail.tempo_limite_s = seconds),
    ),
    default(
        "email.por_minuto",
        "60",
        "Quantos e-mails este processo envia por minuto, no máximo; muitos servidores limitam.",
        |config, text| count(text).map(|most| config.mail.por_minuto = most),
    ),
    default(
        "email.por_minuto_conta",
        "30",
        "Quantos deles são de uma mesma conta, no máximo: uma fila longa não gasta a vez das outras.",
        |config, text| count(text).map(|most| config.mail.por_minuto_conta = most),
    ),
    optional(
        "consultas.cep_fontes",
        "\"viacep, opencep, brasilapi\"",
        "Fontes externas de CEP, na ordem em que são consultadas: viacep, opencep, brasilapi. A primeira que responde decide.\nOutro endereço da mesma forma: \"viacep=https://espelho.exemplo/ws/{chave}/json/\". Sem esta chave nada sai da instalação:\nsó a base importada (carimbo dados importar cep) e, parcialmente, os prefixos embutidos respondem.",
        |config, text| lookup::source::read_list(PublicRegister::Cep, text).map(|list| config.lookups.cep = list),
    ),
    optional(
        "consultas.cnpj_fontes",
        "\"brasilapi, minhareceita, receitaws\"",
        "Fontes externas de CNPJ, na ordem em que são consultadas: brasilapi, minhareceita, receitaws. A primeira que responde decide.\nSem esta chave só a base importada (carimbo dados importar cnpj) responde.",
        |config, text| lookup::source::read_list(PublicRegister::Cnpj, text).map(|list| config.lookups.cnpj = list),
    ),
    default(
        "consultas.tempo_limite_s",
        "5",
        "Tempo para uma fonte externa responder, em segundos; a soma das fontes deve caber em http.tempo_limite_s.",
        |config, text| whole(text, 1, 60).map(|seconds| config.lookups.within = Duration::from_secs(seconds)),
    ),
    default(
        "consultas.cep_validade_dias",
        "60",
        "Por quantos dias a resposta de uma fonte sobre um CEP é reutilizada.",
        |config, text| days(text).map(|seconds| config.lookups.cep_age_s = seconds),
    ),
    default(
        "consultas.cnpj_validade_dias",
        "7",
        "Por quantos dias a resposta de uma fonte sobre um CNPJ é reutilizada.",
        |config, text| days(text).map(|seconds| config.lookups.cnpj_age_s = seconds),
    ),
    optional(
        "responsavel_tecnico.cnpj",
        "\"11.222.333/0001-81\"",
        "A empresa do programa que emite (grupo infRespTec), posta em toda nota cujo payload não traz responsavel_tecnico.\ncnpj, contato, email e fone só valem juntos.",
        |config, text| software_house::cnpj(text).map(|cnpj| config.software_house.cnpj = Some(cnpj)),
    ),
    optional("responsavel_tecnico.contato", "\"Ana Souza\"", "Quem responde, de 2 a 60 caracteres.", |config, text| {
        software_house::text(text, 2, 60).map(|contato| config.software_house.contato = Some(contato))
    }),
    optional("responsavel_tecnico.email", "\"ana@exemplo.com.br\"", "E-mail, de 6 a 60 caracteres.", |config, text| {
        software_house::text(text, 6, 60).map(|email| config.software_house.email = Some(email))
    }),
    optional("responsavel_tecnico.fone", "\"(11) 3333-4444\"", "Telefone com DDD.", |config, text| {
        software_house::fone(text).map(|fone| config.software_house.fone = Some(fone))
    }),
    optional("responsavel_tecnico.id_csrt", "1", "Número do CSRT na Sefaz, de 1 a 99.", |config, text| {
        let id = whole(text, 1, 99)?;
        u8::try_from(id).map_err(|_| "grande demais".to_owned()).map(|id| config.software_house.id_csrt = Some(id))
    }),
    optional(
        "responsavel_tecnico.csrt",
        "\"G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO\"",
        "O CSRT, segredo que a Sefaz deu à empresa do programa: só o seu hash (hashCSRT) sai daqui. Prefira a variável.",
        |config, text| software_house::csrt(text).map(|csrt| config.software_house.csrt = Some(csrt)),
    ),
    default(
        "encerramento.espera_s",
        "20",
        "Quanto esperar, ao encerrar, pelo que está em andamento, em segundos.",
        |config, text| whole(text, 0, 3600).map(|seconds| config.grace_s = seconds),
    ),
    default("log.formato", "\"texto\"", "Formato dos registros em stderr: texto ou json.", |config, text| {
        one_of(text, &["texto", "json"]).map(|format| config.json_logs = format == "json")
    }),
    default("log.nivel", "\"info\"", "Nível dos registros: error, warn, info, debug ou trace.", |config, text| {
        one_of(text, &["error", "warn", "info", "debug", "trace"]).map(|level| config.log_level = level.to_owned())
    }),
];
