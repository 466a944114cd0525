"""The schemas of the document, read more strictly than callers must read them."""


def strict(schema):
    """The same schema, refusing members it does not name: bodies may have them and answers may grow, but not without the document."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: part if name == "examples" else strict(part) for name, part in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        made["additionalProperties"] = False
    return made
