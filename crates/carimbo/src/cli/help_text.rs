//! Help frame and error messages of the command line, in Portuguese.

use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Command, Error};

/// Returns the command line with clap's own texts in Portuguese, subcommands included.
pub(super) fn translate_help(command: Command, path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let usage = usage(&command, path);
    let command = command
        .help_template("{about-with-newline}\nUso: {usage}\n\n{all-args}{after-help}\n")
        .override_usage(usage)
        .subcommand_help_heading("Comandos")
        .mut_args(|arg| arg.help_heading("Opções"));
    names.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |sub| translate_help(sub, &path))
    })
}

/// Returns a usage line like `carimbo conta criar --nome NOME --email EMAIL [OPÇÕES]`.
fn usage(command: &Command, path: &str) -> String {
    let required = command.get_arguments().filter(|arg| arg.is_required_set()).map(named);
    let rest = if command.has_subcommands() { "COMANDO" } else { "[OPÇÕES]" };
    [path.to_owned()].into_iter().chain(required).chain([rest.to_owned()]).collect::<Vec<_>>().join(" ")
}

fn named(arg: &Arg) -> String {
    let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default();
    arg.get_long().map_or_else(|| value.clone(), |long| format!("--{long} {value}"))
}

/// Prints the requested help, or the error of the command line.
pub(super) fn print_usage_error(error: &Error) -> ExitCode {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    if matches!(error.kind(), DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand) {
        // a closed pipe (`| head`) is no failure
        let _ = error.print();
        let was_asked_for = error.kind() != DisplayHelpOnMissingArgumentOrSubcommand;
        return if was_asked_for { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    eprintln!("erro: {}", mistake(error));
    eprintln!("\n`carimbo --help` mostra os comandos; `carimbo COMANDO --help`, as opções de cada um.");
    ExitCode::from(2)
}

fn mistake(error: &Error) -> String {
    let said = |kind| error.get(kind).map(ToString::to_string);
    let argument = said(ContextKind::InvalidArg).unwrap_or_default();
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let hint = near.into_iter().find_map(said).map_or_else(String::new, |near| format!("; você quis dizer {near}?"));
    match error.kind() {
        ErrorKind::UnknownArgument => format!("a opção {argument} não existe{hint}"),
        ErrorKind::InvalidSubcommand => {
            format!("o comando {} não existe{hint}", said(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::MissingSubcommand => "falta o comando".to_owned(),
        ErrorKind::MissingRequiredArgument => format!("falta informar {argument}"),
        ErrorKind::ArgumentConflict => format!("{argument} foi repetido ou não combina com outra opção"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = said(ContextKind::InvalidValue).unwrap_or_default();
            let valid = said(ContextKind::ValidValue).map_or_else(String::new, |valid| format!(" (aceitos: {valid})"));
            if value.is_empty() {
                format!("falta o valor de {argument}")
            } else {
                format!("\"{value}\" não serve para {argument}{hint}{valid}")
            }
        }
        _ => format!("a linha de comando não pôde ser lida: {}", error.kind()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::mistake;
    use clap::Parser as _;

    fn check(line: &str, expected: &str) {
        let error = Cli::try_parse_from(line.split(' ')).err().unwrap();
        let told = mistake(&error);
        assert!(told.contains(expected), "{line}: {told}");
    }

    #[test]
    fn mistakes_are_told_with_the_nearest_right_word() {
        check("carimbo demo --onec", "a opção --onec não existe; você quis dizer --once?");
        check("carimbo dmo", "o comando dmo não existe; você quis dizer demo?");
        check("carimbo serve --papel ap", "\"ap\" não serve para --papel <PAPEL>");
        check("carimbo demo --http aqui", "\"aqui\" não serve para --http <ENDEREÇO>");
        check("carimbo conta criar --nome A", "falta informar --email <EMAIL>");
    }
}
