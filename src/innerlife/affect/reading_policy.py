"""The numbers of reading a message."""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.kernel.counts import whole_counts


@dataclass(frozen=True, slots=True)
class ReadingPolicy:
    """Confidences lie in [0, 1]; times are in the unit of their name.

    - `explicit_cap`, `linguistic_cap`, `behavioural_cap`, `contextual_cap`: the most that a cue of a kind may be
      believed. Source: promise A1, 0.9, 0.6, 0.5, 0.3; anima §4.2 has the order.
    - `ironic_share`: what is left of a linguistic confidence where the words are marked as ironic. Our choice: 0.3.
    - `impersonal_share`: what is left of a linguistic confidence where nothing in the words speaks of oneself or of
      one's day. Our choice: half, so that the news somebody asks about changes no manner by itself.
    - `emoji_share`: what an emoji alone is worth of the linguistic cap. Our choice: a third; many are mere politeness.
    - `least_valence`: how far from the middle VADER's compound has to be to say anything. Source: Hutto and Gilbert
      (2014), 0.05 in either direction; 0.2 by choice, since a message to a program is more often about a thing.
    - `heads_valence`, `words_valence`: what the valence of a text is made of, per unit of the heads' and of VADER's.
      Source: least squares on sentences of the training file that the heads had not seen (`scripts/train_heads.py`).
    - `known_from`: messages before the person's habits are known. Our choice: 20, a median needs that many.
    - `band_from`: messages in a band of hours before the band has habits of its own. Our choice: as above.
    - `kept`, `kept_in_band`: newest messages that habits rest on, overall and in a band. Our choice: 120 and 48, some
      weeks of talk, so that habits may change.
    - `unusual`: distance from the median, in robust standard deviations, from which on something stands out. Source:
      Iglewicz and Hoaglin (1993) call 3.5 an outlier; 2.5 by choice, as single messages are only one sign of several.
    - `surely_unusual`: distance at which a behavioural cue reaches its cap. Our choice: twice that.
    - `rare_share`: largest share of kept messages that go as far, for it still to stand out. Our choice: a tenth.
    - `rare_hour_share`: largest share of kept messages around an hour that is unusual. Our choice: one in fifty.
    - `longest_pace_s`: a pause after an answer beyond which it says nothing of pace. Our choice: 20 minutes.
    - `sitting_hours`: a pause that ends a sitting. Our choice: three, so that a meal or an errand parts nothing.
    - `read_characters`: of a long message the first and the last so many are read for words, half of them each. Our
      choice: 2,000; feelings stand at the beginning or the end.
    - `register_messages`: newest messages that registers are made of. Our choice: 2,000, some months of talk.
    - `register_apart`: from which Cliff's delta on two registers differ. Source: Romano and others (2006), 0.33, from
      which on an effect is of medium size.
    - `register_sure`: standard deviations, of what chance alone would make of delta, that it has to exceed as well. Our
      choice: 3, since eight measures are compared at once.
    """

    explicit_cap: float = 0.9
    linguistic_cap: float = 0.6
    behavioural_cap: float = 0.5
    contextual_cap: float = 0.3
    ironic_share: float = 0.3
    impersonal_share: float = 0.5
    emoji_share: float = 1 / 3
    least_valence: float = 0.2
    heads_valence: float = 0.89
    words_valence: float = 0.18
    known_from: int = 20
    band_from: int = 20
    kept: int = 120
    kept_in_band: int = 48
    unusual: float = 2.5
    surely_unusual: float = 5.0
    rare_share: float = 0.1
    rare_hour_share: float = 0.02
    longest_pace_s: float = 1200.0
    sitting_hours: float = 3.0
    read_characters: int = 2000
    register_messages: int = 2000
    register_apart: float = 0.33
    register_sure: float = 3.0

    def __post_init__(self) -> None:
        whole_counts(self)
