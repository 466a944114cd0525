//! Runnable calls of an operation in five languages; address and credential come from the environment.
//!
//! A step of `cargo xtask test` runs those in curl, Python and JavaScript against a running service. Must not know: any
//! route.

use serde_json::Value;

use super::api_route::ApiRoute;
use super::operation::{Access, AnswerContent, ParameterLocation};

/// Language, its name for syntax colours, and the program; without a body, with the example of the operation.
pub(super) fn all(route: &ApiRoute, body: Option<Value>) -> [(&'static str, &'static str, String); 5] {
    let call = ExampleCall::of(route, body);
    [
        ("curl", "bash", call.curl()),
        ("Python", "python", call.python()),
        ("PHP", "php", call.php()),
        ("JavaScript", "js", call.javascript()),
        ("C#", "csharp", call.csharp()),
    ]
}

struct ExampleCall {
    method: &'static str,
    /// Path with example parameters.
    path: String,
    /// Header, the prefix of its value, and the variable of the environment that holds the value.
    credential: Option<(&'static str, &'static str, &'static str)>,
    body: Option<Value>,
    /// True when the answer is bytes for a file.
    bytes: bool,
}

impl ExampleCall {
    fn of(route: &ApiRoute, body: Option<Value>) -> ExampleCall {
        let operation = route.operation;
        let credential = match operation.access {
            Access::Public => None,
            Access::Caller => Some(("X-API-Key", "", "CARIMBO_CHAVE")),
            Access::Session => Some(("Authorization", "Bearer ", "CARIMBO_TOKEN")),
        };
        let json = |content: &AnswerContent| matches!(content, AnswerContent::Json(_) | AnswerContent::Empty);
        let text = |content: &AnswerContent| matches!(content, AnswerContent::Media(kinds) if kinds.iter().all(|kind| kind.starts_with("text/")));
        let bytes = operation.answers.first().is_some_and(|answer| !json(&answer.content) && !text(&answer.content));
        let body = body.or_else(|| operation.body.as_ref().map(|body| (body.example)()));
        ExampleCall { method: route.method, path: path(route), credential, body, bytes }
    }

    /// The body as text, indented.
    fn json(&self) -> Option<String> {
        self.body.as_ref().map(|body| serde_json::to_string_pretty(body).unwrap_or_default())
    }

    fn curl(&self) -> String {
        let mut parts = vec![format!("curl --fail-with-body -X {} \"$CARIMBO_URL{}\"", self.method, self.path)];
        if let Some((name, before, variable)) = self.credential {
            parts.push(format!("-H \"{name}: {before}${variable}\""));
        }
        if let Some(json) = self.json() {
            parts.push("-H 'Content-Type: application/json'".to_owned());
            parts.push(format!("-d '{}'", json.replace('\'', "'\\''")));
        }
        if self.bytes {
            parts.push("-o arquivo".to_owned());
        }
        parts.join(" \\\n  ")
    }

    fn python(&self) -> String {
        let mut lines = vec![format!("    os.environ[\"CARIMBO_URL\"] + \"{}\",", self.path)];
        if let Some((name, before, variable)) = self.credential {
            let before = if before.is_empty() { String::new() } else { format!("\"{before}\" + ") };
            lines.push(format!("    headers={{\"{name}\": {before}os.environ[\"{variable}\"]}},"));
        }
        if let Some(body) = &self.body {
            lines.push(format!("    json={},", python(body, 1)));
        }
        lines.push("    timeout=60,".to_owned());
        let shown = match self.bytes {
            true => "with open(\"arquivo\", \"wb\") as arquivo:\n    arquivo.write(resposta.content)",
            false => "print(resposta.text)",
        };
        format!(
            "import os\n\nimport requests\n\nresposta = requests.{}(\n{}\n)\nresposta.raise_for_status()\n{shown}",
            self.method.to_lowercase(),
            lines.join("\n")
        )
    }

    fn php(&self) -> String {
        let mut headers = Vec::new();
        if let Some((name, before, variable)) = self.credential {
            headers.push(format!("'{name}: {before}' . getenv('{variable}')"));
        }
        let mut options = vec![format!("    CURLOPT_CUSTOMREQUEST => '{}',", self.method)];
        if self.body.is_some() {
            headers.push("'Content-Type: application/json'".to_owned());
        }
        if !headers.is_empty() {
            options.push(format!("    CURLOPT_HTTPHEADER => [{}],", headers.join(", ")));
        }
        if let Some(json) = self.json() {
            options.push(format!("    CURLOPT_POSTFIELDS => <<<'JSON'\n{json}\nJSON,"));
        }
        options.push("    CURLOPT_RETURNTRANSFER => true,".to_owned());
        let shown = if self.bytes { "file_put_contents('arquivo', $resposta);" } else { "echo $resposta;" };
        format!(
            "<?php\n$chamada = curl_init(getenv('CARIMBO_URL') . '{}');\ncurl_setopt_array($chamada, [\n{}\n]);\n$resposta = curl_exec($chamada);\n\
             if ($resposta === false || curl_getinfo($chamada, CURLINFO_HTTP_CODE) >= 400) {{\n    throw new Exception($resposta ?: \
             curl_error($chamada));\n}}\n{shown}",
            self.path,
            options.join("\n")
        )
    }

    fn javascript(&self) -> String {
        let mut headers = Vec::new();
        if let Some((name, before, variable)) = self.credential {
            let before = if before.is_empty() { String::new() } else { format!("\"{before}\" + ") };
            headers.push(format!("\"{name}\": {before}process.env.{variable}"));
        }
        let mut options = vec![format!("  method: \"{}\",", self.method)];
        if self.body.is_some() {
            headers.push("\"Content-Type\": \"application/json\"".to_owned());
        }
        if !headers.is_empty() {
            options.push(format!("  headers: {{ {} }},", headers.join(", ")));
        }
        if let Some(json) = self.json() {
            options.push(format!("  body: JSON.stringify({}),", json.replace('\n', "\n  ")));
        }
        let (import, shown) = match self.bytes {
            true => (
                "import { writeFile } from \"node:fs/promises\";\n\n",
                "await writeFile(\"arquivo\", Buffer.from(await resposta.arrayBuffer()));",
            ),
            false => ("", "console.log(await resposta.text());"),
        };
        format!(
            "{import}const resposta = await fetch(process.env.CARIMBO_URL + \"{}\", {{\n{}\n}});\nif (!resposta.ok) throw new Error(await \
             resposta.text());\n{shown}",
            self.path,
            options.join("\n")
        )
    }

    fn csharp(&self) -> String {
        let method = format!("new HttpMethod(\"{}\")", self.method);
        let mut lines = vec![format!(
            "        var pedido = new HttpRequestMessage({method}, Environment.GetEnvironmentVariable(\"CARIMBO_URL\") + \"{}\");",
            self.path
        )];
        if let Some((name, before, variable)) = self.credential {
            let before = if before.is_empty() { String::new() } else { format!("\"{before}\" + ") };
            lines.push(format!(
                "        pedido.Headers.Add(\"{name}\", {before}Environment.GetEnvironmentVariable(\"{variable}\"));"
            ));
        }
        if let Some(json) = self.json() {
            let json = json.replace('"', "\"\"");
            lines.push(format!(
                "        pedido.Content = new StringContent(@\"{json}\", Encoding.UTF8, \"application/json\");"
            ));
        }
        let shown = match self.bytes {
            true => "File.WriteAllBytes(\"arquivo\", await resposta.Content.ReadAsByteArrayAsync());",
            false => "Console.WriteLine(await resposta.Content.ReadAsStringAsync());",
        };
        format!(
            "using System;\nusing System.IO;\nusing System.Net.Http;\nusing System.Text;\nusing System.Threading.Tasks;\n\nclass Exemplo\n{{\n    \
             static async Task Main()\n    {{\n        var cliente = new HttpClient();\n{}\n        var resposta = await \
             cliente.SendAsync(pedido);\n        resposta.EnsureSuccessStatusCode();\n        {shown}\n    }}\n}}",
            lines.join("\n")
        )
    }
}

/// Path with the examples of its parameters, and of the query parameters that a call needs.
fn path(route: &ApiRoute) -> String {
    let mut path = route.path.to_owned();
    let mut query = form_urlencoded::Serializer::new(String::new());
    for parameter in route.operation.parameters {
        match parameter.place {
            ParameterLocation::Path => path = path.replace(&format!("{{{}}}", parameter.name), parameter.example),
            ParameterLocation::Query if parameter.called => _ = query.append_pair(parameter.name, parameter.example),
            ParameterLocation::Query => {}
        }
    }
    match query.finish() {
        query if query.is_empty() => path,
        query => format!("{path}?{query}"),
    }
}

/// A value in Python syntax.
fn python(value: &Value, level: usize) -> String {
    let (inner, outer) = ("    ".repeat(level + 1), "    ".repeat(level));
    let block = |open: char, lines: Vec<String>, close: char| match lines.is_empty() {
        true => format!("{open}{close}"),
        false => format!("{open}\n{inner}{},\n{outer}{close}", lines.join(&format!(",\n{inner}"))),
    };
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(list) => block('[', list.iter().map(|value| python(value, level + 1)).collect(), ']'),
        Value::Object(members) => {
            let line = |(name, value): (&String, &Value)| format!("\"{name}\": {}", python(value, level + 1));
            block('{', members.iter().map(line).collect(), '}')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(id: &str) -> &'static ApiRoute {
        crate::routes::described().0.iter().find(|route| route.operation.id == id).unwrap()
    }

    #[test]
    fn a_call_names_method_path_and_credential_and_carries_the_example() {
        for (language, _, code) in all(find("cancelarNfe"), None) {
            assert!(code.contains("/v1/nfe/cancelar") && code.contains("X-API-Key"), "{language}: {code}");
            assert!(code.contains("CARIMBO_CHAVE") && code.contains("Pedido desfeito"), "{language}: {code}");
        }
        let [(_, _, curl), ..] = all(find("statusServicoNfe"), None);
        assert!(curl.contains("/v1/nfe/status-servico?uf=SP\""), "{curl}");
    }

    #[test]
    fn python_has_words_of_its_own() {
        let value = serde_json::json!({ "a": [true, null, 1.5], "b": {} });
        assert_eq!(
            python(&value, 0),
            "{\n    \"a\": [\n        True,\n        None,\n        1.5,\n    ],\n    \"b\": {},\n}"
        );
    }
}
