"""schemathesis, started so that it does not stumble over CPython 3.11.

Hypothesis describes lambdas for its reports by parsing their source; under deep recursion CPython 3.11's parser fails with "AST constructor
recursion depth mismatch" (fixed in 3.12). The description is only words: it is replaced, no check and no generated case changes.
"""

from hypothesis.internal import lambda_sources

lambda_sources.lambda_description = lambda _: "lambda"

from schemathesis.cli import schemathesis  # noqa: E402

schemathesis()
