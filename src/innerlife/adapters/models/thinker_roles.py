"""Who plays which role now (port `thinking.calls.Roles`): the model named for it, else the chat's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from innerlife.adapters.models.thinker import EmbeddedThinker, UpstreamThinker, engine_name
from innerlife.adapters.models.upstream import Upstream
from innerlife.thinking.calls import Assigned, LastChat, ModelRole


def model_for(
    role: ModelRole, named: Mapping[ModelRole, str], chat: LastChat | None, first: str | None
) -> str | None:
    """The model that plays a role: named for it, named for the chat, used by the last chat, or the engine's first.

    None where the engine has to be asked for its first one.
    """
    return named.get(role) or named.get(ModelRole.CHAT) or (chat.model if chat else "") or first


class EngineRoles:
    """The roles on the engine that answers chats. Of one event loop; close it with `aclose`."""

    def __init__(
        self,
        current: Callable[[], Awaitable[Upstream]],
        first_model: Callable[[Upstream], Awaitable[str]],
        last_chat: Callable[[str], LastChat | None],
        named: Mapping[ModelRole, str],
        embedded: EmbeddedThinker | None,
    ) -> None:
        """`current` and `first_model` raise EngineUnavailable; `last_chat` takes the gate's name of an engine."""
        self._current = current
        self._first_model = first_model
        self._last_chat = last_chat
        self._named = dict(named)
        self._embedded = embedded
        self._thinkers: dict[str, UpstreamThinker] = {}

    async def assigned(self, role: ModelRole) -> Assigned:
        """Who plays this role now. Raises EngineUnavailable, ModelUnavailable."""
        upstream = await self._current()
        engine = engine_name(upstream)
        # The embedded engine answers to any name with the one model it has.
        chat = None if upstream.kind == "embedded" else self._last_chat(engine)
        model = model_for(role, self._named, chat, None)
        if model is None:
            model = await self._first_model(upstream)
        if upstream.kind == "embedded" and self._embedded is not None:
            return Assigned(engine, model, self._embedded)
        return Assigned(engine, model, await self._thinker(engine, upstream))

    async def aclose(self) -> None:
        """Close all connections and end the second child."""
        for thinker in self._thinkers.values():
            await thinker.aclose()
        self._thinkers.clear()
        if self._embedded is not None:
            await self._embedded.aclose()

    async def _thinker(self, engine: str, upstream: Upstream) -> UpstreamThinker:
        known = self._thinkers.get(engine)
        if known is None or known.upstream != upstream:
            if known is not None:
                await known.aclose()
            known = self._thinkers[engine] = UpstreamThinker(upstream)
        return known
