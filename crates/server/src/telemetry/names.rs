//! Every metric with its description. A test compares this list with the output of a running service and with
//! `docs/guides/operacao.md`.

use metrics::Unit;

/// Type of a metric.
enum MetricType {
    Counter,
    Gauge,
    /// A histogram of seconds.
    Seconds,
}

use MetricType::{Counter, Gauge, Seconds};

const METRICS: &[(MetricType, &str, &str)] = &[
    (
        Counter,
        "carimbo_documents_total",
        "Documentos, eventos e faixas que terminaram, por tipo, ambiente, resultado e classe",
    ),
    (Counter, "carimbo_jobs_total", "Vezes que um job foi levado, por operação e como foi deixado"),
    (Seconds, "carimbo_job_seconds", "Duração de uma passagem de um job"),
    (Seconds, "carimbo_step_seconds", "Duração de cada passo de um job"),
    (
        Seconds,
        "carimbo_station_processor_seconds",
        "Tempo de processador de cada estação de um job, sem o das conexões e o da escrita do SQLite",
    ),
    (Counter, "carimbo_authority_calls_total", "Chamadas às autoridades, por autoridade, serviço e resultado"),
    (Seconds, "carimbo_authority_call_seconds", "Duração das chamadas às autoridades"),
    (Counter, "carimbo_circuit_changes_total", "Mudanças dos disjuntores das autoridades"),
    (Gauge, "carimbo_circuits_open", "Disjuntores que não estão fechados: documentos vão por contingência ou esperam"),
    (Gauge, "carimbo_undue_use_blocks", "Bloqueios por consumo indevido (656) em vigor"),
    (Gauge, "carimbo_documents_in_doubt", "Documentos enviados de que não se sabe o destino"),
    (Gauge, "carimbo_contingency_waiting", "Documentos entregues em contingência que a autoridade ainda não recebeu"),
    (
        Gauge,
        "carimbo_contingency_deadline_seconds",
        "Segundos até o prazo mais próximo de transmissão; negativo depois dele, NaN sem nenhum",
    ),
    (Counter, "carimbo_contingency_late_total", "Documentos cujo prazo de transmissão ficou próximo"),
    (Gauge, "carimbo_certificates", "Certificados por validade: expirado, 7_dias, 30_dias, valido"),
    (Gauge, "carimbo_certificate_expiry_seconds", "Segundos até o próximo certificado vencer; NaN sem nenhum válido"),
    (Gauge, "carimbo_queue_pending", "Operações prontas ou à espera"),
    (Gauge, "carimbo_queue_processing", "Operações em andamento"),
    (Gauge, "carimbo_queue_oldest_seconds", "Espera da operação pronta mais antiga"),
    (Counter, "carimbo_webhooks_total", "Tentativas de notificação, por resultado"),
    (Seconds, "carimbo_webhook_seconds", "Duração das tentativas de notificação"),
    (Gauge, "carimbo_webhooks_pending", "Notificações por entregar"),
    (Gauge, "carimbo_webhooks_oldest_seconds", "Há quanto tempo a mais antiga devia ter saído"),
    (Counter, "carimbo_emails_total", "Tentativas de e-mail, por resultado"),
    (Gauge, "carimbo_emails_pending", "E-mails na fila"),
    (Gauge, "carimbo_emails_oldest_seconds", "Há quanto tempo o mais antigo devia ter saído"),
    (Gauge, "carimbo_database_up", "1 quando o banco lê (read) e grava (write)"),
    (Gauge, "carimbo_store_connections", "Conexões com o banco: in_use, idle, waiting (quem espera por uma)"),
    (Gauge, "carimbo_store_writer_queue", "Operações à espera da escrita do SQLite"),
    (Counter, "carimbo_store_commits_total", "Commits do SQLite"),
    (Counter, "carimbo_store_operations_total", "Operações nesses commits"),
    (Counter, "carimbo_http_requests_total", "Requisições atendidas, por método, rota e status"),
    (Seconds, "carimbo_http_request_seconds", "Duração das requisições"),
    (Gauge, "carimbo_http_connections", "Conexões abertas"),
    (Counter, "carimbo_http_connections_refused_total", "Conexões recusadas por falta de lugar"),
    (Gauge, "carimbo_build_info", "1, com a versão e o commit do programa"),
    (Gauge, "process_start_time_seconds", "Início do processo, em segundos desde 1970"),
    (Gauge, "process_resident_memory_bytes", "Memória residente"),
    (Gauge, "process_open_fds", "Descritores de arquivo abertos"),
    (Gauge, "process_max_fds", "Limite de descritores de arquivo"),
    (Gauge, "process_threads", "Threads do processo"),
];

/// Registers the description of each metric.
pub(super) fn describe() {
    for (kind, name, help) in METRICS {
        match kind {
            Counter => metrics::describe_counter!(*name, *help),
            Gauge => metrics::describe_gauge!(*name, *help),
            Seconds => metrics::describe_histogram!(*name, Unit::Seconds, *help),
        }
    }
}
