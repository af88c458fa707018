"""What every shape has in common: frozen, typed, unknown fields refused."""

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


class Inputs(BaseModel):
    """What a caller passes. An explicit null for an optional parameter means that it was omitted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler.resolve_ref_schema(handler(core))
        for name, field in schema.get("properties", {}).items():
            if name not in schema.get("required", []) and "anyOf" not in field:
                described = {key: field.pop(key) for key in ("description", "default", "title") if key in field}
                schema["properties"][name] = {"anyOf": [field, {"type": "null"}], **described}
        return schema


class Answer(BaseModel):
    """What a verb answers. Keys with a default are optional and left out when not set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def as_json(self) -> str:
        """Return the answer as JSON text, without the optional keys that were not set."""
        return self.model_dump_json(exclude_unset=True)


class Problem(BaseModel):
    """An expected "no" (RFC 9457). `code` is stable; further members depend on it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str = ""
    request_id: str = ""
