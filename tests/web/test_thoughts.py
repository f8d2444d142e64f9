"""What the page shows of models at work: the role, how far a prompt is read, the words, the tokens so far."""

from __future__ import annotations

from thinkaloud.records import Answer, ModelCall, Observation, Request
from thinkaloud.web.messages import Thinking
from thinkaloud.web.thoughts import Thoughts


def test_what_is_read_is_counted_until_the_model_speaks() -> None:
    thoughts = Thoughts()
    thoughts.hear("listener", "")
    thoughts.follow("listener", 512, 2048)
    assert thoughts.now == Thinking("listener", "", reading=512, of=2048)
    thoughts.hear("listener", "open")
    thoughts.hear("listener", "(")
    assert thoughts.now == Thinking("listener", "open(")
    thoughts.count(ModelCall("listener", "embedded", 2048, 12, evaluated=2000))
    assert thoughts.now == Thinking(read=2000, written=12)
    thoughts.hear("judge", "")
    assert thoughts.now == Thinking("judge", "", 2000, 12)
    thoughts.count(Answer("yes"))
    assert thoughts.now == Thinking()


def test_what_is_read_ahead_is_shown_while_a_request_comes_and_not_once_it_is_read() -> None:
    thoughts = Thoughts()
    thoughts.hear("preparation", "")
    thoughts.follow("preparation", 512, 4096)
    for record in (Request("Open it."), Observation(("door",), {})):
        thoughts.count(record)
        assert thoughts.now == Thinking("preparation", "", reading=512, of=4096)
    thoughts.follow("preparation", 0, 0)
    assert thoughts.now == Thinking()
