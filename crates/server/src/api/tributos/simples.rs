//! `GET /v1/tributos/simples`: the rates of IBS and CBS inside the DAS (`pIBSSN`, `pCBSSN`) in 2027 and 2028.
//!
//! Law: Resolução CGSN 190/2026; LC 123 art. 18. No quota is debited: the tables are inside the binary.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::finding::Notice;
use fiscal::reference::simples::{self, Anexo, NoBand, RevenueBand, SimplesRates, Tributo, rounded};
use fiscal::value::{Uf, amount};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::{Number, Value};

use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::instant::CivilTime;
use crate::api::query::Query;
use crate::api::schema::{Type, perhaps};
use crate::api::view::{Maybe, view};
use crate::app::App;

view! {
    pub(crate) struct SimplesRatesView = "AliquotasDoSimples": "As alíquotas de IBS e CBS de uma empresa do Simples, e a conta." {
        sucesso: bool = "Sempre `true`.",
        anexo: &'static str as ["I", "II", "III", "IV", "V"] = "O anexo.",
        data: Date = "O dia perguntado; valem os anexos desse dia.",
        rbt12: Number = "A receita bruta acumulada informada.",
        rbt12_de: String as MES = "Primeiro mês que a RBT12 cobre, `AAAA-MM`.",
        rbt12_ate: String as MES = "Último mês que a RBT12 cobre, `AAAA-MM`: dois meses antes do mês perguntado.",
        faixa: BandView = "A faixa de receita.",
        aliquota_efetiva: Number = "(RBT12 × alíquota nominal − parcela a deduzir) ÷ RBT12, em %, mostrada com seis casas.",
        partilha: Value as PARTILHA = "A parte de cada tributo na faixa, em %; o que falta fica fora do DAS.",
        pIBSSN: Option<Number> = "Alíquota do IBS no Simples, em %; nula quando a tabela não a diz, e `calculo` conta por quê.",
        pCBSSN: Option<Number> = "Alíquota da CBS no Simples, em %; nula quando a tabela não a diz, e `calculo` conta por quê.",
        valores: Maybe<AmountsView> = "Só com `receita`: o que as alíquotas dão sobre ela.",
        calculo: Vec<String> = "A conta, passo a passo.",
        fonte: &'static str = "De onde vem a tabela.",
        avisos: Vec<Notice> = "Parâmetros da consulta sem efeito: desconhecidos ou repetidos.",
    }
}

view! {
    pub(crate) struct BandView = "FaixaDoSimples": "Uma faixa de receita de um anexo." {
        numero: u8 = "De 1 a 6.",
        receita_acima_de: Number = "A faixa começa acima desta receita.",
        receita_ate: Number = "E vai até esta, inclusive.",
        aliquota_nominal: Number = "Em %.",
        parcela_a_deduzir: Number = "Em reais.",
    }
}

view! {
    pub(crate) struct AmountsView = "ValoresDoSimples": "IBS e CBS do Simples sobre uma receita." {
        receita: Number = "A receita informada.",
        vIBSSN: Option<Number> = "Receita × pIBSSN, ao centavo.",
        vCBSSN: Option<Number> = "Receita × pCBSSN, ao centavo.",
    }
}

const MES: Type = Type::Form("^[0-9]{4}-[0-9]{2}$");
const PARTILHA: Type = Type::Group(&[
    perhaps("IRPJ", Type::Number, "IRPJ."),
    perhaps("CSLL", Type::Number, "CSLL."),
    perhaps("CBS", Type::Number, "CBS."),
    perhaps("CPP", Type::Number, "CPP."),
    perhaps("IPI", Type::Number, "IPI."),
    perhaps("ICMS", Type::Number, "ICMS."),
    perhaps("ISS", Type::Number, "ISS."),
    perhaps("IBS", Type::Number, "IBS."),
]);

/// `GET /v1/tributos/simples`
pub(crate) async fn consultar(
    State(app): State<App>,
    AuthenticatedCaller(_): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<SimplesRatesView>, ApiError> {
    let today = CivilTime::in_state(Uf::DF).date(app.engine().now_s());
    let question = RatesQuery::read(Query::new(query.as_deref()), today)?;
    Ok(Json(question.answer()))
}

/// A valid query.
struct RatesQuery {
    band: &'static RevenueBand,
    rbt12: Decimal,
    receita: Option<Decimal>,
    data: Date,
    avisos: Vec<Notice>,
}

impl RatesQuery {
    fn read(mut query: Query<'_>, today: Date) -> Result<RatesQuery, ApiError> {
        for (name, mensagem) in REQUIRED {
            if query.text(name).is_none() {
                query.refuse_as(&error_code::CAMPO_OBRIGATORIO, name, mensagem.to_owned());
            }
        }
        let anexo = query.choice("anexo", &ANEXOS);
        let (rbt12, receita) = (money(&mut query, "rbt12"), money(&mut query, "receita"));
        let data = if query.text("data").is_some() { query.date("data") } else { Some(today) };
        let read = anexo.zip(rbt12).zip(data);
        let found = read.map(|((anexo, rbt12), data)| (simples::find(anexo, rbt12, data), rbt12, data));
        if let Some((Err(none), ..)) = found {
            let (name, mensagem) = refusal(none);
            query.refuse_as(&error_code::VALIDACAO, name, mensagem.to_owned());
        }
        let avisos = query.finish()?;
        match found {
            Some((Ok(band), rbt12, data)) => Ok(RatesQuery { band, rbt12, receita, data, avisos }),
            // an absent value has left a problem, and `finish` has refused
            _ => Err(ApiError::internal()),
        }
    }

    fn answer(self) -> SimplesRatesView {
        let rates = SimplesRates::of(self.band, self.rbt12);
        let (first, last) = simples::months_of_revenue(self.data);
        let amounts = self.receita.map(|receita| amounts(&rates, receita));
        SimplesRatesView {
            sucesso: true,
            anexo: self.band.anexo.numeral(),
            data: self.data,
            rbt12: number(self.rbt12),
            rbt12_de: month(first),
            rbt12_ate: month(last),
            faixa: faixa(self.band),
            aliquota_efetiva: number(rates.shown_effective()),
            partilha: partilha(self.band),
            pIBSSN: rates.pIBSSN.map(number),
            pCBSSN: rates.pCBSSN.map(number),
            calculo: rates.steps().into_iter().chain(amounts.iter().flat_map(AmountsView::steps)).collect(),
            valores: Maybe(amounts),
            fonte: simples::SOURCE,
            avisos: self.avisos,
        }
    }
}

const REQUIRED: [(&str, &str); 2] = [
    ("anexo", "Informe anexo, de I a V ou de 1 a 5."),
    ("rbt12", "Informe rbt12, a receita bruta acumulada dos doze meses, como 180000.00."),
];

/// Both spellings of an annex.
const ANEXOS: [(&str, Anexo); 10] = [
    ("I", Anexo::I),
    ("II", Anexo::II),
    ("III", Anexo::III),
    ("IV", Anexo::IV),
    ("V", Anexo::V),
    ("1", Anexo::I),
    ("2", Anexo::II),
    ("3", Anexo::III),
    ("4", Anexo::IV),
    ("5", Anexo::V),
];

/// Reais, with at most two decimals.
fn money(query: &mut Query<'_>, name: &'static str) -> Option<Decimal> {
    let text = query.text(name)?;
    let (whole, cents) = text.split_once('.').unwrap_or((text, "00"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_money = is_digits(whole) && whole.len() <= MOST_DIGITS && is_digits(cents) && cents.len() <= 2;
    let read = amount(text).filter(|_| is_money);
    if read.is_none() {
        let mensagem = format!("{name} deve ser um valor em reais com até duas casas e ponto decimal, como 180000.00.");
        query.refuse(name, mensagem);
    }
    read.map(|value| rounded(value, 2))
}

/// Digits before the point, as in the amounts of documents.
const MOST_DIGITS: usize = 13;

/// Name of the member that leads to no band, and the remedy.
fn refusal(none: NoBand) -> (&'static str, &'static str) {
    match none {
        NoBand::OutsideYears => (
            "data",
            "data deve estar em 2027 ou 2028: são os anos das tabelas em que IBS e CBS estão no DAS. Informe data.",
        ),
        NoBand::NoRevenue => (
            "rbt12",
            "rbt12 deve ser maior que zero. Nos primeiros meses de atividade a receita é proporcionalizada ao número de meses (LC 123, art. 18, \
             § 2º): informe a RBT12 já proporcionalizada.",
        ),
        NoBand::AboveLimit => {
            ("rbt12", "rbt12 passa de 4800000.00, o limite do Simples Nacional: nenhuma faixa a alcança.")
        }
    }
}

fn faixa(band: &RevenueBand) -> BandView {
    BandView {
        numero: band.faixa,
        receita_acima_de: number(band.acima_de()),
        receita_ate: number(band.ate()),
        aliquota_nominal: number(band.nominal()),
        parcela_a_deduzir: number(band.deducao()),
    }
}

fn partilha(band: &RevenueBand) -> Value {
    let share = |of: Tributo| Some((of.name().to_owned(), Value::Number(number(band.share(of)?))));
    Value::Object(Tributo::ALL.into_iter().filter_map(share).collect())
}

fn amounts(rates: &SimplesRates, receita: Decimal) -> AmountsView {
    let value = |rate: Option<Decimal>| rate.map(|rate| number(simples::amount_of(rate, receita)));
    AmountsView { receita: number(receita), vIBSSN: value(rates.pIBSSN), vCBSSN: value(rates.pCBSSN) }
}

impl AmountsView {
    fn steps(&self) -> Vec<String> {
        let step = |(name, value): (&str, &Option<Number>)| {
            let value = value.as_ref()?;
            Some(format!("v{name} = {} × p{name} ÷ 100 = {value}.", self.receita))
        };
        [("IBSSN", &self.vIBSSN), ("CBSSN", &self.vCBSSN)].into_iter().filter_map(step).collect()
    }
}

/// A decimal with all its digits.
fn number(value: Decimal) -> Number {
    Number::from_string_unchecked(value.to_string())
}

fn month(first: Date) -> String {
    first.strftime("%Y-%m").to_string()
}
