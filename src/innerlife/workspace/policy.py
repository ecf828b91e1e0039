"""The numbers of the workspace."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from innerlife.kernel.canonical import digest


@dataclass(frozen=True, slots=True)
class WorkspacePolicy:
    """How much room each part of a prompt has, in estimated tokens (`tokens.estimate_tokens`).

    - `block_tokens`: most that the block takes, fence included. Source: living-model, about 1,500 tokens.
    - `window_share`: most that the block takes of the model's window, and the same again for what is always
      present. Our choice: half of even a small window stays with the conversation.
    - `written_tokens`: cap of the always-present part that is written about the companion and the user. Our
      choice: with the shipped texts less than a quarter of a window of 8,192.
    - `shipped_tokens`: cap of origin, guardrails and the constitution's short form together. Our choice: half
    of what is written.
    - `origin_tokens`: cap of the origin with name and date filled in. Our choice: one paragraph.
    - `kept_tokens`: what the blocks left in place in one conversation may take together. Source: design, 4,500.
    - `answer_tokens`: what is left free for the answer, or an eighth of a smaller window. Our choice.
    - `item_tokens`: most that one remembered text takes; a longer one is cut at a sentence. Our choice: at
    least five memories fit in a block.
    """

    block_tokens: int = 1_500
    window_share: float = 0.25
    written_tokens: int = 1_200
    shipped_tokens: int = 600
    origin_tokens: int = 150
    item_tokens: int = 240
    answer_tokens: int = 512
    kept_tokens: int = 4_500

    def block_budget(self, window: int | None, taken: int = 0) -> int:
        """Tokens for the block when the model's window has `window` tokens; None means unknown.

        `taken` is what the request and the always-present part fill already: the block shrinks first.
        """
        if window is None:
            return self.block_tokens
        free = window - taken - min(self.answer_tokens, window // 8)
        return max(0, min(self.block_tokens, self._share_of(window), free))

    def kept_budget(self, window: int | None) -> int:
        """Tokens that the blocks of a conversation may take together before all older ones are dropped."""
        return self.kept_tokens if window is None else min(self.kept_tokens, self._share_of(window))

    def overfull(self, stable_tokens: int, window: int | None, taken: int = 0) -> bool:
        """Whether what is always present takes more than its share of the window, or does not fit beside the rest."""
        if window is None:
            return False
        return stable_tokens > self._share_of(window) or stable_tokens + taken > window

    def _share_of(self, window: int) -> int:
        return max(0, int(window * self.window_share))


def policy_hash(policy: WorkspacePolicy) -> str:
    """Sixteen hex digits that are equal for equal numbers, in every process and on every machine."""
    return digest({"workspace": asdict(policy)})[:16]
